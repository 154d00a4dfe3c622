import { undatedName } from '../core/model-name.ts';
import { priceIn } from '../core/money.ts';
import type { DialectId, Model, Provider, UnknownModels } from '../core/provider.ts';
import { onlyAsResponses, type ProviderSettings, presetOf } from '../providers/resolve.ts';
import type { Catalog } from './catalog.ts';
import { brandOf, dialectsOf, dimensionsOf } from './known-models.ts';
import { withVendorFacts } from './vendor-facts.ts';
import type { VendorList } from './vendor-list.ts';

/** What an operator says of a model; it wins over what the catalog knows. */
export type StatedFacts = Partial<
  Pick<Model, 'name' | 'contextWindow' | 'maxOutputTokens' | 'dimensions' | 'price' | 'parameters' | 'rate'>
>;
export type StatedModel = StatedFacts & {
  id: string;
  upstream: string;
  dialects?: readonly DialectId[];
  thinkTags?: boolean;
};

/** A provider that is on, as the operator set it up. */
export type ProviderRow = ProviderSettings & {
  /** What it has beside what catalog and vendor say, and what of that is otherwise. */
  models: readonly StatedModel[];
  /** All that it has, whoever says what; `null`: nothing is left out. */
  only: readonly StatedModel[] | null;
  /** What becomes of names that are in no list. */
  unknownModels: UnknownModels;
};

/** What is known of models beside what a provider's row says. */
export type ListSources = {
  catalog: Catalog;
  /** What a provider's own list said. */
  listed(provider: Provider): VendorList;
  /** Facts that replace others, by `provider/id`; one that is in no list is there by them. */
  overrides: ReadonlyMap<string, StatedFacts>;
  /** Whether dated names are billed as the model that they are a version of. */
  inferPrices: boolean;
  /** Whether a price of the vendor's own list bills where there is no other. */
  listPrices: boolean;
};

/** The models of one provider, and what is known of each. */
export class ModelList {
  /** What the operator and the catalog have. */
  readonly stated: readonly Model[];
  /** What the vendor's own list has, or had, beside them. */
  readonly listed: readonly Model[];
  readonly #row: ProviderRow;
  readonly #provider: Provider;
  readonly #sources: ListSources;
  readonly #vendor: string | null;
  readonly #onlyAsResponses: RegExp | undefined;
  /** Of all stated models, by the vendor's name: what dated names of them are taken to be. */
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

  /** A model that is in no list, in whatever its provider speaks unless its name says more. */
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
    // An operator who says how long a model's vectors are says that it embeds.
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

  /** A model of which nobody here has stated anything. */
  #named(id: string): Model {
    return this.#catalogued(id) ?? this.#inferred(id) ?? unknownModel(id);
  }

  #catalogued(id: string): Model | undefined {
    return this.#vendor === null ? undefined : this.#sources.catalog.lookup(this.#vendor, id);
  }

  /** A dated name, with what is known of the model that it is a version of. */
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

  /** A model with the operator's facts, in the dialects that its provider speaks; nothing where that is none. */
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

/** The vendor whose rows of the catalog are a provider's; `null` where there are none. */
export function catalogOf({ preset }: Pick<ProviderRow, 'preset'>): string | null {
  return (preset === null ? undefined : presetOf(preset))?.catalog ?? null;
}

function unlisted(model: Model, since: string | undefined): Model {
  return since === undefined ? model : { ...model, unlistedSince: since };
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
