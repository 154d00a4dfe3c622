import type { Access, DialectId, Model, ModelFacts, Provider, Served } from '../core/provider.ts';
import type { Secret } from '../core/secret.ts';
import { type ProviderSettings, presetOf, resolveProvider } from '../providers/resolve.ts';
import type { Catalog } from './catalog.ts';
import { brandOf, dialectsOf, dimensionsOf } from './known-models.ts';

/** What an operator says of a model; it wins over what the catalog knows. */
export type StatedFacts = Partial<
  Pick<ModelFacts, 'name' | 'contextWindow' | 'maxOutputTokens' | 'dimensions' | 'price'>
>;
export type StatedModel = StatedFacts & { id: string; upstream: string; dialects?: readonly DialectId[] };

/** A provider that is on, as the operator set it up. `models`: the operator's list, if there is one. */
export type ProviderRow = ProviderSettings & { models: readonly StatedModel[] | null };

/** A credential of a provider, and its share of the calls. */
export type NamedSecret = { name: string; secret: Secret; weight: number };

export type ServedSources = {
  rows: readonly ProviderRow[];
  /** By provider id, in the order in which they are tried; none where the provider asks for none. */
  credentials: ReadonlyMap<string, readonly NamedSecret[]>;
  catalog: Catalog;
  /** What a provider itself said it has. */
  discovered(provider: Provider): readonly string[];
  /** Facts that replace others, by `provider/id`. */
  overrides: ReadonlyMap<string, StatedFacts>;
};

/** The providers with their models: the operator's list, else the catalog's, else what the provider itself listed. */
export function servedBy(sources: ServedSources): Served[] {
  return sources.rows.map((row) => {
    const accesses = accessesOf(row, sources.credentials.get(row.id) ?? []);
    const provider = firstOf(accesses);
    const listed = listModels(row, provider, sources);
    const only = presetOf(row.preset ?? '')?.onlyAsResponses;
    const models = listed.map((model) => (only?.test(model.upstreamId) ? asResponses(model) : model));
    return { provider, accesses, models: models.flatMap((model) => fit(model, provider, sources.overrides)) };
  });
}

/** Whether a provider has to be asked which models it has. */
export function needsDiscovery(row: ProviderRow, catalog: Catalog): boolean {
  return row.models === null && catalogued(row, catalog).length === 0;
}

/** The provider with each of its credentials. */
function accessesOf(row: ProviderRow, credentials: readonly NamedSecret[]): Access[] {
  if (credentials.length === 0) return [{ provider: resolveProvider(row, null), weight: 1 }];
  return credentials.map(({ name, secret, weight }) => ({ provider: resolveProvider(row, secret, name), weight }));
}

/** The credential that is used where a call names none: one with a share of the calls, if there is any. */
function firstOf(accesses: readonly Access[]): Provider {
  return (accesses.find(({ weight }) => weight > 0) ?? accesses[0]!).provider;
}

function listModels(row: ProviderRow, provider: Provider, { catalog, discovered }: ServedSources): Model[] {
  const vendor = vendorOf(row);
  const known = (id: string): Model => (vendor === null ? undefined : catalog.lookup(vendor, id)) ?? unknownModel(id);
  if (row.models === null) {
    const models = catalogued(row, catalog);
    return models.length > 0 ? [...models] : discovered(provider).map(known);
  }
  return row.models.map(({ id, upstream, dialects, ...facts }) => {
    const model: Model = { ...known(upstream), ...facts, id, upstreamId: upstream };
    // An operator who says how long a model's vectors are says that it embeds.
    return { ...model, dialects: dialects ?? (facts.dimensions ? ['openai-embeddings'] : model.dialects) };
  });
}

/** A model that its vendor serves in no other conversation than responses. */
function asResponses(model: Model): Model {
  return { ...model, dialects: model.dialects.filter((dialect) => dialect === 'openai-responses') };
}

/** A model with the operator's facts, in the dialects that its provider speaks; nothing where that is none. */
function fit(model: Model, provider: Provider, overrides: ServedSources['overrides']): Model[] {
  const dialects = model.dialects.filter((dialect) => provider.speaks.some((spoken) => spoken.dialect === dialect));
  return dialects.length === 0 ? [] : [{ ...model, ...overrides.get(`${provider.id}/${model.id}`), dialects }];
}

function catalogued(row: ProviderRow, catalog: Catalog): readonly Model[] {
  const vendor = vendorOf(row);
  return vendor === null ? [] : catalog.modelsOf(vendor);
}

function vendorOf({ preset }: ProviderRow): string | null {
  return (preset === null ? undefined : presetOf(preset))?.catalog ?? null;
}

/** A model about which nothing is known. Unless its name says that it makes embeddings, it is offered in every dialect of its provider. */
function unknownModel(id: string): Model {
  const dialects = dialectsOf({ id });
  return {
    id,
    upstreamId: id,
    dialects: dialects.includes('openai-chat') ? [...dialects, 'openai-embeddings'] : dialects,
    name: id,
    brand: brandOf(id),
    contextWindow: null,
    maxOutputTokens: null,
    dimensions: dimensionsOf(id),
    capabilities: null,
    modalities: null,
    price: null,
    releasedAt: null,
  };
}
