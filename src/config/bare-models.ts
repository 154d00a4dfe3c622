import type { KnownFacts, ProviderConfig } from './config.ts';

/**
 * The `provider/model` that each bare name of a model leads to, as far as that is known whatever providers answer and
 * whichever keys are set: one that is off, or whose preset the catalog may know, may have any name of those behind it.
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
