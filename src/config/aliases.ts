import { SYSTEM_ROUTE } from '../core/route.ts';
import type { Report } from './problems.ts';

/**
 * Leads each alias to its model or route, through any other alias. One that comes back to itself is a problem, and one
 * that hides a route.
 */
export function resolveAliases(
  aliases: ReadonlyMap<string, string>,
  routes: ReadonlyMap<string, unknown>,
  problem: Report,
): Map<string, string> {
  const resolved = new Map<string, string>();
  for (const name of aliases.keys()) {
    if (name === SYSTEM_ROUTE || routes.has(name)) problem(['aliases', name], 'is the name of a route');
    const way = [name];
    let next = aliases.get(name);
    while (next !== undefined && !way.includes(next)) {
      way.push(next);
      next = aliases.get(next);
    }
    if (next === undefined) resolved.set(name, way.at(-1)!);
    else problem(['aliases', name], `never leads to a model: ${[...way, next].join(' → ')}`);
  }
  return resolved;
}
