import type { RouteStore } from '../../core/route-store.ts';

/** A route of the configuration: `definition` is its source as canonical JSON. */
export type FileRoute = { id: string; version: string; definition: string };

/**
 * Writes the configuration's routes to the store for the console, and removes those that the file no longer has.
 * Earlier versions stay, so that their decisions can be repeated. A stored route with the same id is left as it is.
 *
 * @returns the ids of those, which are hidden while the file has a route with the id
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
