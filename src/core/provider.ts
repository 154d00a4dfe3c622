import type { NanoDollars, Price } from './money.ts';
import type { OwnParameters } from './parameters.ts';
import type { Quirks } from './quirks.ts';
import type { Route } from './route.ts';
import type { Secret } from './secret.ts';

/** The known wire formats. A provider that has only formats that are not supported yet is off. */
export const DIALECT_IDS = [
  'openai-chat',
  'openai-responses',
  'openai-embeddings',
  'anthropic-messages',
  'gemini',
  'bedrock-converse',
] as const;
export type DialectId = (typeof DIALECT_IDS)[number];

/** The known facts of a model, from any source. Sizes are token counts; `null` means unknown, also for an ability. */
export type ModelFacts = {
  name: string;
  /** The maker of the model (`Meta`), not necessarily the provider. */
  brand: string | null;
  contextWindow: number | null;
  maxOutputTokens: number | null;
  /** Length of the vectors, for embedding models. */
  dimensions: number | null;
  capabilities: {
    tools: boolean | null;
    reasoning: boolean | null;
    structuredOutput: boolean | null;
    attachment: boolean | null;
    temperature: boolean | null;
  } | null;
  modalities: { input: readonly string[]; output: readonly string[] } | null;
  price: Price | null;
  releasedAt: string | null;
  /** The ISO date of its shutdown by the vendor; absent if unknown. */
  shutDownAt?: string;
};

/** The facts that a vendor's own list can supply, by their names in the catalog. */
export const VENDOR_FACTS = ['context_window', 'max_output_tokens', 'modalities', 'capabilities', 'pricing'] as const;
export type VendorFact = (typeof VENDOR_FACTS)[number];

/** A model as a provider of this gateway serves it. */
export type Model = ModelFacts & {
  /** The model's name within the provider. */
  id: string;
  /** The vendor's name. */
  upstreamId: string;
  dialects: readonly DialectId[];
  /** True if its text begins with thinking between `<think>` and `</think>`. Default: the vendor's row. */
  thinkTags?: boolean;
  /** Parameters of its calls. */
  parameters?: OwnParameters;
  /** The most that may be sent per minute; absent: unlimited. */
  rate?: OutgoingRate;
  /** The origin of a model that is in neither the configuration nor the catalog: its vendor's list, or a caller's name. */
  known?: 'listed' | 'asked';
  /** The vendor's name of the undated model whose facts and price are used for this dated version. */
  inferredFrom?: string;
  /** The ISO date since which its vendor's list no longer has it. */
  unlistedSince?: string;
  /** The facts that only the vendor's list supplies, by their names in the catalog. */
  fromVendor?: readonly VendorFact[];
};

/** A model of which nothing is known, not even its name. */
export const UNKNOWN_MODEL: Model = {
  id: '',
  upstreamId: '',
  dialects: [],
  name: '',
  brand: null,
  contextWindow: null,
  maxOutputTokens: null,
  dimensions: null,
  capabilities: null,
  modalities: null,
  price: null,
  releasedAt: null,
};

/** The header of the authorization, and the prefix of the credential in it. */
export type Authorization = { header: string; prefix: string };

/** A dialect, its path, and its authorization if it differs from the provider's. */
export type Spoken = { dialect: DialectId; path: string; authorization?: Authorization };

/** A provider: everything about a vendor except its wire formats. */
export type Provider = {
  id: string;
  label: string;
  /** No trailing slash; paths of `speaks` are appended. Not used by `transport: 'echo'`. */
  baseUrl: string;
  speaks: readonly Spoken[];
  /**
   * The id of the first provider with the same address and credential, which therefore has the same models. Default:
   * the provider's own id.
   */
  account?: string;
  /** `null` if the address needs none (a local server). */
  credential: Secret | null;
  /** The name of the credential. */
  credentialName: string;
  authorization: Authorization;
  /** Sent with every call, names in lower case. */
  headers: Readonly<Record<string, string>>;
  quirks: Quirks;
  /** The region that the operator states (`eu`); `null` if unknown. */
  region: string | null;
  /** True if calls may refer to objects in the vendor's account by id (default: `refuse`). */
  sharedIds?: SharedIds;
  /** Limits of concurrent and waiting calls, and the longest wait in ms; `null`: unlimited. */
  concurrency: Concurrency | null;
  /** The rates of the provider as a whole and of this credential; absent: unlimited. */
  rate?: OutgoingRate;
  credentialRate?: OutgoingRate;
  /** The path of its list of models (default: `/models`). */
  modelsPath?: string;
  /** Further pages with facts of models. Default: none. */
  factsLists?: readonly FactsList[];
  /** `echo` answers within this process, without a network. */
  transport: 'http' | 'echo';
  /** True if connections to private addresses are refused, whatever its name resolves to. */
  publicOnly?: boolean;
};

/** A page of a vendor at another address, with facts of models that its list for OpenAI's clients lacks. */
export type FactsList = {
  /** The end of the provider's address that `to` replaces. Other addresses are not asked. */
  from: RegExp;
  to: string;
  /**
   * `model`: asked by POST, for one model at a time. `server`: describes the only model that a server has loaded; it is
   * not asked if there are several models. Default: a list of all models.
   */
  of?: 'model' | 'server';
  /** Default: the authorization of the provider's calls. */
  authorization?: Authorization;
  /** The page that documents it, with the date of reading as YYYY-MM-DD. */
  source: string;
  read: string;
};

/** `allow`: all callers belong to the organization that owns the account. */
export type SharedIds = 'refuse' | 'allow';

/** Limits per minute; `null`: unlimited. `countsCached`: true if prompt tokens read from a cache count. */
export type OutgoingRate = Readonly<{
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  countsCached: boolean;
}>;

export type Concurrency = { max: number; queue: number; wait: number };

/** The name of a credential without a given name. */
export const DEFAULT_CREDENTIAL = 'default';

/** One credential of a provider: the provider with it, and its share of the calls. */
export type Access = { provider: Provider; weight: number };

/** A destination of a call. */
export type Target = { provider: Provider; model: Model; dialect: DialectId; path: string };

export const ORIGINS = ['vendor', 'smart_route', 'system_route'] as const;
export type Origin = (typeof ORIGINS)[number];

/** A callable model or route. `id` is the name that callers send. */
export type CatalogEntry = VendorEntry | RouteEntry;

/** A model as callers see it. `id` is the bare id if that leads here, else `provider/id`. */
export type VendorEntry = {
  id: string;
  origin: 'vendor';
  provider: Provider;
  /** The provider with each of its credentials. */
  accesses: readonly Access[];
  model: Model;
  /** The configured aliases of the model. */
  aliases: readonly string[];
};

/** A route as callers see it. Its facts follow from its targets. */
export type RouteEntry = {
  id: string;
  origin: Exclude<Origin, 'vendor'>;
  route: Route;
  provider: Pick<Provider, 'id' | 'label'>;
  model: Model;
  aliases: readonly string[];
  /** The canary version, used for a share (0 to 1) of the conversations. */
  canary?: { entry: RouteEntry; share: number };
};

/**
 * One enabled provider with its models. `keepsBare` decides which models can be called without the provider's name
 * (default: all). `accesses`: the provider with each of its credentials (default: one).
 */
export type Served = {
  provider: Provider;
  accesses?: readonly Access[];
  /** The models of the configuration and the catalog. */
  models: readonly Model[];
  /** Further models of the vendor's own list. */
  listed?: readonly Model[];
  keepsBare?: (id: string) => boolean;
  /** Makes a model from an unlisted name; absent: unlisted names are refused. */
  modelNamed?: (id: string) => Model | null;
};

/** The treatment of unlisted model names: sent to the provider, or refused. */
export const UNKNOWN_MODELS = ['pass', 'refuse'] as const;
export type UnknownModels = (typeof UNKNOWN_MODELS)[number];

/** The names that each product may call, by product id. */
export type Products = ReadonlyMap<string, readonly string[]>;

/** Everything callable. Immutable: a reload makes a new one. */
export type Directory = {
  /** In the order of the providers and their models, followed by the routes. */
  entries: readonly CatalogEntry[];
  /**
   * Finds an alias, a route, `provider/id`, or a bare id, in this order. A bare id means the first provider that has it
   * by the configuration or the catalog, or else by its vendor's list. Unlisted models are found as
   * `provider/anything`, or as a dated name of a bare id.
   */
  find(name: string): CatalogEntry | undefined;
  /** Why a name is not found, as one or more sentences. */
  whyUnserved(name: string): string;
  /** Up to three most similar names that a caller may use. */
  nearest(name: string, may: (entry: CatalogEntry, name: string) => boolean): string[];
  products: Products;
};

/**
 * The provider that a call was sent to, the vendor's name of the model, the number of attempts, the losses
 * (`core/losses.ts`), and the route, if any.
 */
export type ServedBy = {
  /** `null` if its route does not disclose it. */
  provider: string | null;
  model: string | null;
  attempts: number;
  dropped: readonly string[];
  route: string | null;
  /** The price for the caller; `null` if unknown. Absent if the answer begins before it is known. */
  cost?: NanoDollars | null;
  /** Targets of the route left out for lack of a price; absent if there are none, or if the route does not disclose them. */
  unpriced?: readonly string[];
};
