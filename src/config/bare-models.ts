import type { KnownFacts, ProviderConfig } from './config.ts';

/**
 * Maps each bare model name to the `provider/model` that serves it. Only mappings that hold whichever keys are set and
 * providers answer are included: a provider that is off, or whose models the catalog may list, may serve any name, so
 * names of providers after it are not certain.
 */
export function bareModels(
  providers: readonly ProviderConfig[],
  facts: ReadonlyMap<string, KnownFacts>,
): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const open = providers.filter(({ only }) => only === null).map(({ id }) => `${id}/`);
  for (const { id, preset, models, only, off } of providers) {
    const added = [...facts.keys()]
      .filter((name) => name.startsWith(`${id}/`))
      .map((name) => name.slice(id.length + 1));
    const ids = (only ?? models).map((model) => model.id);
    for (const model of only === null ? [...ids, ...added] : ids) {
      const isDoubtful = taken.has(model) || off !== null || open.some((prefix) => model.startsWith(prefix));
      taken.add(model);
      if (!isDoubtful) known.set(model, `${id}/${model}`);
    }
    if (only === null && preset !== null) break;
  }
  for (const name of known.values()) known.delete(name);
  return known;
}
