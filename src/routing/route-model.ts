import type { Price } from '../core/money.ts';
import type { Model, VendorEntry } from '../core/provider.ts';
import type { Route } from '../core/route.ts';

/**
 * A route as a model, derived from its targets: it can do what any of them can. Window and output are the largest of
 * all, since a call too long for one target goes to another. Its price is the operator's; without one each call costs
 * what its target charges.
 */
export function routeModel(route: Route, find: (name: string) => VendorEntry | undefined): Model {
  const models = [...route.targets, ...route.fallbacks].flatMap(({ model }) => find(model)?.model ?? []);
  return {
    id: route.id,
    upstreamId: route.id,
    dialects: union(models.map(({ dialects }) => dialects)),
    name: route.name,
    brand: route.brand,
    contextWindow: largest(models.map(({ contextWindow }) => contextWindow)),
    maxOutputTokens: largest(models.map(({ maxOutputTokens }) => maxOutputTokens)),
    dimensions: same(models.map(({ dimensions }) => dimensions)),
    capabilities: capabilitiesOf(models),
    modalities: modalitiesOf(models),
    price: route.price ?? onlyPrice(models),
    releasedAt: null,
  };
}

/** The price of the targets, if all have the same one. */
function onlyPrice(models: readonly Model[]): Price | null {
  const [first, ...others] = models.map(({ price }) => price);
  return first !== undefined && others.every((price) => price === first) ? first : null;
}

function capabilitiesOf(models: readonly Model[]): Model['capabilities'] {
  const known = models.flatMap(({ capabilities }) => capabilities ?? []);
  if (known.length === 0) return null;
  return {
    tools: any(known.map(({ tools }) => tools)),
    reasoning: any(known.map(({ reasoning }) => reasoning)),
    structuredOutput: any(known.map(({ structuredOutput }) => structuredOutput)),
    attachment: any(known.map(({ attachment }) => attachment)),
    temperature: any(known.map(({ temperature }) => temperature)),
  };
}

/** True if one has the ability; `null` if none is known to have it but some are unknown. */
function any(abilities: readonly (boolean | null)[]): boolean | null {
  return abilities.includes(true) || (abilities.includes(null) ? null : false);
}

function modalitiesOf(models: readonly Model[]): Model['modalities'] {
  const known = models.flatMap(({ modalities }) => modalities ?? []);
  if (known.length === 0) return null;
  return { input: union(known.map(({ input }) => input)), output: union(known.map(({ output }) => output)) };
}

/** `null` if one is unknown, since it could be larger. */
function largest(counts: readonly (number | null)[]): number | null {
  if (counts.length === 0 || counts.includes(null)) return null;
  return Math.max(...(counts as number[]));
}

function same(values: readonly (number | null)[]): number | null {
  const [first = null, ...others] = values;
  return others.every((value) => value === first) ? first : null;
}

function union<T>(lists: readonly (readonly T[])[]): T[] {
  return [...new Set(lists.flat())];
}
