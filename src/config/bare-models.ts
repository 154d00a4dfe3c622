import type { ProviderConfig } from './config.ts';

/**
 * The `provider/model` that each bare name of a model leads to, as far as that is known whatever providers answer and
 * whichever keys are set: a provider without a list, or that is off, may have any name that those behind it list.
 */
export function bareModels(providers: readonly ProviderConfig[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const open = providers.filter(({ models }) => models === null).map(({ id }) => `${id}/`);
  for (const { id, models, off } of providers) {
    if (models === null) break;
    for (const model of models) {
      const isDoubtful = taken.has(model.id) || off !== null || open.some((prefix) => model.id.startsWith(prefix));
      taken.add(model.id);
      if (!isDoubtful) known.set(model.id, `${id}/${model.id}`);
    }
  }
  for (const name of known.values()) known.delete(name);
  return known;
}
