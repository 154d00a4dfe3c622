import { undatedName } from '../core/model-name.ts';
import { priceIn } from '../core/money.ts';
import type { DialectId, Model, Provider, UnknownModels } from '../core/provider.ts';
import { onlyAsResponses, type ProviderSettings, presetOf } from '../providers/resolve.ts';
import type { Catalog } from './catalog.ts';
import { brandOf, dialectsOf, dimensionsOf } from './known-models.ts';
import { withVendorFacts } from './vendor-facts.ts';
import type { VendorList } from './vendor-list.ts';

/** The operator's facts of a model, which take precedence over the catalog. */
export type StatedFacts = Partial<
  Pick<Model, 'name' | 'contextWindow' | 'maxOutputTokens' | 'dimensions' | 'price' | 'parameters' | 'rate'>
>;
export type StatedModel = StatedFacts & {
  id: string;
  upstream: string;
  dialects?: readonly DialectId[];
  thinkTags?: boolean;
};

/** An enabled provider as the operator configured it. */
export type ProviderRow = ProviderSettings & {
  /** Models in addition to the catalog and the vendor's list, or with other facts. */
  models: readonly StatedModel[];
  /** The only models that it has; `null`: no restriction. */
  only: readonly StatedModel[] | null;
  /** What happens to unlisted names. */
  unknownModels: UnknownModels;
};

/** The sources of facts beside the provider's configuration. */
export type ListSources = {
  catalog: Catalog;
  /** A provider's own list. */
  listed(provider: Provider): VendorList;
  /** Facts that replace others, by `provider/id`. An unlisted model becomes known by them. */
  overrides: ReadonlyMap<string, StatedFacts>;
  /** True if dated names are billed as the model that they are a version of. */
  inferPrices: boolean;
  /** True if prices of the vendor's own list are used where no other price is known. */
  listPrices: boolean;
};

/** The models of one provider and their facts. */
export class ModelList {
  /** The models of the operator and the catalog. */
  readonly stated: readonly Model[];
  /** Further models that the vendor's own list has, or had. */
  readonly listed: readonly Model[];
  readonly #row: ProviderRow;
  readonly #provider: Provider;
  readonly #sources: ListSources;
  readonly #vendor: string | null;
  readonly #onlyAsResponses: RegExp | undefined;
  /** All stated models by the vendor's name, for inference from dated names. */
  #byUpstream: ReadonlyMap<string, Model> = new Map();

  constructor(row: ProviderRow, provider: Provider, sources: ListSources) {
    this.#row = row;
    this.#provider = provider;
    this.#sources = sources;
    this.#vendor = catalogOf(row);
    this.#onlyAsResponses = onlyAsResponses(row);
    const { gone } = sources.listed(provider);
    const stated = this.#statedModels().flatMap((model) => this.#fit(model));
    this.#byUpstream = new Map(stated.map((model) => [model.upstreamId, model]));
    this.stated = stated.map((model) => unlisted(model, gone.get(model.upstreamId)));
    this.listed = row.only === null ? this.#listedModels() : [];
  }

  /** A model for an unlisted name. It has all dialects of its provider, unless its name implies others. */
  asked(id: string): Model | null {
    const model = this.#named(id);
    const [fitting] = this.#fit(model);
    if (fitting !== undefined) return { ...fitting, known: 'asked' };
    const dialects = this.#provider.speaks.map(({ dialect }) => dialect);
    const [other] = this.#fit({ ...model, dialects });
    return other === undefined ? null : { ...other, known: 'asked' };
  }

  #statedModels(): Model[] {
    const { only, models } = this.#row;
    if (only !== null) return only.map((each) => this.#state(each));
    const { catalog, overrides } = this.#sources;
    const all = new Map((this.#vendor === null ? [] : catalog.modelsOf(this.#vendor)).map((each) => [each.id, each]));
    for (const each of models) all.set(each.id, this.#state(each));
    const prefix = `${this.#row.id}/`;
    for (const name of overrides.keys()) {
      const id = name.startsWith(prefix) ? name.slice(prefix.length) : '';
      if (id !== '' && !all.has(id)) all.set(id, this.#named(id));
    }
    return [...all.values()];
  }

  #state({ id, upstream, dialects, ...facts }: StatedModel): Model {
    const model: Model = { ...this.#named(upstream), ...facts, id, upstreamId: upstream };
    // A model with a stated vector length is an embedding model.
    return { ...model, dialects: dialects ?? (facts.dimensions ? ['openai-embeddings'] : model.dialects) };
  }

  #listedModels(): Model[] {
    const { models, gone } = this.#sources.listed(this.#provider);
    const stated = new Set(this.stated.map(({ id }) => id));
    const names = [...new Set([...models, ...gone.keys()])].filter(
      (id) => !stated.has(id) && !this.#isServedElsewhere(id),
    );
    return names.flatMap((id) =>
      this.#fit(this.#named(id)).map((model) => unlisted({ ...model, known: 'listed' }, gone.get(id))),
    );
  }

  /** A model without stated facts. */
  #named(id: string): Model {
    return this.#catalogued(id) ?? this.#inferred(id) ?? unknownModel(id);
  }

  #catalogued(id: string): Model | undefined {
    return this.#vendor === null ? undefined : this.#sources.catalog.lookup(this.#vendor, id);
  }

  /** The model of a dated name, with the facts of the model that it is a version of. */
  #inferred(id: string): Model | null {
    const name = undatedName(id);
    const base = name === null ? undefined : this.#base(name);
    if (base === undefined) return null;
    const { shutDownAt, unlistedSince, parameters, rate, price, ...facts } = base;
    const inferredFrom = base.upstreamId;
    const isBilled = price !== null && this.#sources.inferPrices;
    const own = { id, upstreamId: id, name: id, releasedAt: null, inferredFrom };
    return { ...facts, ...own, price: isBilled ? { ...price, inferredFrom } : null };
  }

  #isServedElsewhere(id: string): boolean {
    return this.#vendor !== null && this.#sources.catalog.isServedElsewhere(this.#vendor, id);
  }

  #base(name: string): Model | undefined {
    const model = this.#byUpstream.get(name) ?? this.#catalogued(name);
    return model?.inferredFrom === undefined ? model : undefined;
  }

  /** A model with the operator's facts and the dialects that its provider has; empty if there are none. */
  #fit(model: Model): Model[] {
    const { id, speaks, region } = this.#provider;
    const only = this.#onlyAsResponses?.test(model.upstreamId) === true;
    const dialects = model.dialects.filter(
      (each) => (!only || each === 'openai-responses') && speaks.some(({ dialect }) => dialect === each),
    );
    if (dialects.length === 0) return [];
    const stated = { ...model, ...this.#sources.overrides.get(`${id}/${model.id}`), dialects };
    const told = this.#sources.listed(this.#provider).facts.get(model.upstreamId);
    const fitting = withVendorFacts(stated, told, this.#sources.listPrices);
    const { price } = fitting;
    return [region === null || price === null ? fitting : { ...fitting, price: priceIn(price, region) }];
  }
}

/** The vendor whose catalog rows apply to a provider; `null` if there is none. */
export function catalogOf({ preset }: Pick<ProviderRow, 'preset'>): string | null {
  return (preset === null ? undefined : presetOf(preset))?.catalog ?? null;
}

function unlisted(model: Model, since: string | undefined): Model {
  return since === undefined ? model : { ...model, unlistedSince: since };
}

/**
 * A model without known facts. It has all dialects of its provider, unless its name says that it is an embedding model.
 */
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
