import type { KnownRoute } from '../../core/known-route.ts';
import { unixSeconds } from '../phrases.ts';

/** A route as programs read it. */
export function routeJson({ id, from, definition, route, problem, updatedAt }: KnownRoute): Record<string, unknown> {
  return {
    id,
    object: 'route',
    from,
    name: route?.name ?? null,
    origin: route?.origin ?? null,
    version: route?.version ?? null,
    strategy: route?.strategy.map(({ kind }) => kind) ?? null,
    targets: route?.targets.map(({ model }) => model) ?? null,
    fallbacks: route?.fallbacks.map(({ model }) => model) ?? null,
    updated_at: unixSeconds(updatedAt),
    problem,
    definition: definitionJson(definition),
  };
}

function definitionJson(definition: string): unknown {
  try {
    return JSON.parse(definition) as unknown;
  } catch {
    return null;
  }
}
