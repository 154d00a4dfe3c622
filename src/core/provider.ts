import type { NanoDollars, Price, TokenComponent } from './money.ts';
import type { OwnParameters } from './parameters.ts';
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

/** A vendor's deviations from a dialect, as data. */
export type Quirks = {
  /** The vendor refuses `stream_options`; usage is then estimated. */
  refusesStreamOptions?: boolean;
  /** Its answers are translated even to the same dialect, because clients do not accept its deviations. */
  repair?: boolean;
  /** The name of the limit on output tokens. Default: `max_tokens`. */
  maxTokensField?: 'max_completion_tokens';
  /** The vendor distinguishes the role `developer` from `system`. */
  developerRole?: boolean;
  /** It accepts system text anywhere. Default: only as one first message. */
  systemAnywhere?: boolean;
  /** The vendor takes custom tools. */
  customTools?: boolean;
  /** The rare parameters that it accepts. Others are left out. */
  takes?: readonly RareParameter[];
  /** The common parameters that it refuses. */
  refuses?: readonly CommonParameter[];
  /** Its `response_format` accepts `json_object`, but no schema. */
  refusesSchemas?: boolean;
  /** It enforces schemas only with `strict`, and refuses schemas that it does not support. */
  strictSchemas?: boolean;
  /** The member of an assistant's message in which it expects earlier reasoning. Default: none. */
  reasoningField?: 'reasoning_content' | 'reasoning';
  /** It requires that member with every tool call, even if it is empty. */
  reasoningWithCalls?: boolean;
  /** Ids of tool calls must be nine letters or digits. */
  nineLetterCallIds?: boolean;
  /** A user's turn must not stand directly behind a tool's results. */
  refusesUserAfterTool?: boolean;
  /** Texts may carry `cache_control`, which caches the prompt up to there; with the page that documents it. */
  cacheControl?: { source: string };
  /** Models, by vendor name, that accept OpenAI's cache marks on input; with the page that documents it. */
  cacheBreakpoints?: { models: RegExp; source: string };
  /**
   * It serves messages as Anthropic does: it keeps threads, and knows members that others ignore.
   * https://platform.claude.com/docs/en/build-with-claude/message-threads
   */
  ownFormat?: boolean;
  /** The dialect that other dialects' calls are written in; with the page that says why. Default: the richest one. */
  writtenIn?: { dialect: DialectId; source: string };
  /** Headers that keep a session at the node with its cache, the usual one first; with the page that documents it. */
  session?: { headers: readonly string[]; source: string };
  /** Models that accept functions in chat completions only without thinking; with the page that documents it. */
  thinksOrCalls?: { models: RegExp; source: string };
  /** How thinking is switched. The first row that matches the vendor's model name applies. */
  thinking?: readonly ThinkingRow[];
  /**
   * The rules for its tools. Default: unknown; tools of untranslated calls then keep their schemas, except for changes
   * without effect on the meaning.
   */
  tools?: ToolRules;
  /** It refuses blank texts, assistant turns that end in thinking or white space, and images with a wrong media type. */
  strictContent?: boolean;
  /** How web search is requested, by dialect. Default: as in the dialect; not at all in chat completions. */
  webSearch?: Readonly<Partial<Record<DialectId, SearchRow>>>;
  /** Models, by vendor name, that search the web once per call without reporting it in their usage. */
  searches?: RegExp;
  /** Models that write thinking into their text between `<think>` and `</think>`; matched in lower case. */
  thinkTags?: { models: RegExp; source: string };
  /** The format of prices in its list. Default: the format that OpenRouter requires of vendors. */
  listPrices?: ListPrices;
  /** The usage member with its charge, which is trusted; with the page that documents it. */
  reportsCost?: { member: string; source: string };
};

/** The format of prices in a vendor's list, in US dollars. */
export type ListPrices = {
  /** The dotted path of the prices in an entry. */
  at: string;
  /** The number of tokens that an amount is for. */
  perTokens: 1 | 1_000_000;
  rates: Readonly<Record<string, TokenComponent>>;
  /** Members without effect on the cost of a call. If any other member is not 0, the price is not used. */
  beside?: readonly string[];
  /** The price per web search. */
  search?: string;
  /** It has free models. Otherwise a price of 0 means that the price is unknown. */
  hasFree?: true;
  source: string;
};

/** How a vendor's web search is requested: by a tool, or by a body member. */
export type SearchRow = {
  tool?: Readonly<Record<string, unknown>>;
  member?: { name: string; value: unknown };
  /** The vendor's names of models with web search. Default: all. */
  models?: RegExp;
  /** Dotted paths of the options in the tool or member (`max_uses`: in the body). Other options are left out. */
  options: Readonly<Partial<Record<SearchOption, string>>>;
  /** The value of `include` that makes the answer contain the pages. */
  include?: string;
  /** The caller's location is nested in `approximate`. */
  nestsLocation?: boolean;
  /** It refuses a search with both allowed and blocked domains. */
  oneDomainList?: boolean;
  /** The most domains of a list. Default: not known. */
  mostDomains?: number;
  /** The page that documents it. */
  source: string;
};

export type SearchOption = 'max_uses' | 'allowed_domains' | 'blocked_domains' | 'user_location' | 'search_context_size';

/** A vendor's rules for tools. Calls are written accordingly; passed-through calls are changed only if it would refuse them. */
export type ToolRules = {
  /** The largest length of a name. */
  longestName: number;
  /** Names must begin with a letter or `_`. */
  startsWithLetter?: boolean;
  /** Schema forms that it is known to refuse. */
  refuses?: readonly SchemaForm[];
  /** Usually refused schema forms that it is known to accept. */
  takes?: readonly SchemaForm[];
  /** The page, SDK or report that documents it. */
  source: string;
  /** The date of reading the source as YYYY-MM-DD; absent if the row was not checked. */
  read?: string;
};

/**
 * A form of a schema that some vendors refuse. At the root: an object without `properties`; an object with none; a
 * union; properties whose names are longer than 64 characters or contain other characters than letters, digits, `_`,
 * `.` and `-`. Anywhere: a pattern with a lookaround, a back reference or `\\0`; `true` or `false` as a schema;
 * keywords of drafts 3 to 7; a list of types; a reference; a type beside a union; keywords of JSON Schema that
 * OpenAPI's schemas lack.
 */
export type SchemaForm =
  | 'no-properties'
  | 'empty'
  | 'root-union'
  | 'property-names'
  | 'pattern'
  | 'boolean'
  | 'old-draft'
  | 'type-list'
  | 'ref'
  | 'typed-union'
  | 'json-schema';

/** How thinking is controlled for a group of a vendor's models. */
export type ThinkingRow = {
  /** Matched against the vendor's model name in lower case. */
  models: RegExp;
  /**
   * `effort`: by an effort alone; `none` turns it off, if accepted. `type`: on and off by `thinking.type`, with an
   * effort if it accepts any. `enable`: by `enable_thinking`. `always`, `never`: it cannot be switched.
   */
  switch: 'effort' | 'type' | 'enable' | 'always' | 'never';
  /** The accepted efforts. */
  efforts: readonly string[];
  /** It accepts `thinking_budget`, in tokens. */
  budget?: boolean;
  /** It thinks in streamed answers only. */
  streamedOnly?: boolean;
  /** The page that documents it. */
  source: string;
};

/** Parameters of OpenAI's chat that few other vendors support. */
export type RareParameter = 'prompt_cache_key' | 'prompt_cache_retention' | 'refusal' | 'service_tier' | 'verbosity';

/** Parameters of OpenAI's chat that nearly all vendors support. */
export type CommonParameter =
  | 'frequency_penalty'
  | 'logit_bias'
  | 'logprobs'
  | 'name'
  | 'presence_penalty'
  | 'seed'
  | 'user';

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
