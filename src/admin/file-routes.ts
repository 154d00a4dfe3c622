import type { RouteStore } from '../core/route-store.ts';

/** A route of the configuration: `definition` is what it was read from, as canonical JSON. */
export type FileRoute = { id: string; version: string; definition: string };

/**
 * Writes the routes of a configuration to the store, where the console finds them beside its own, and takes those out that
 * the file had before. Each version's definition stays, so that its decisions can be made again. A route that was stored
 * under the same id by other means is left as it is.
 *
 * @returns the ids of those: they are hidden for as long as the file has a route of that id
 */
export async function keepFileRoutes(store: RouteStore, routes: readonly FileRoute[], now: number): Promise<string[]> {
  const kept = new Map((await store.list()).map((route) => [route.id, route]));
  const hidden: string[] = [];
  for (const { id, version, definition } of routes) {
    const before = kept.get(id);
    if (before?.from === 'file' && before.definition === definition) continue;
    await store.keepVersion(version, definition);
    if (before?.from === 'store') hidden.push(id);
    else await store.put({ id, definition, from: 'file', updatedAt: now });
  }
  const present = new Set(routes.map(({ id }) => id));
  for (const { id, from } of kept.values()) if (from === 'file' && !present.has(id)) await store.remove(id);
  return hidden;
}
