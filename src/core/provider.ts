import type { NanoDollars, Price, TokenComponent } from './money.ts';
import type { OwnParameters } from './parameters.ts';
import type { Route } from './route.ts';
import type { Secret } from './secret.ts';

/** Every wire format that has a name here. A provider that speaks only formats that are not built yet is off. */
export const DIALECT_IDS = [
  'openai-chat',
  'openai-responses',
  'openai-embeddings',
  'anthropic-messages',
  'gemini',
  'bedrock-converse',
] as const;
export type DialectId = (typeof DIALECT_IDS)[number];

/** What is known of a model, from any source. Sizes are token counts; `null` where it is not known, of a single ability too. */
export type ModelFacts = {
  name: string;
  /** Who made it (`Meta`), which need not be who serves it. */
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
  /** The day (ISO) on which its vendor shuts it down, or did; absent where nobody says. */
  shutDownAt?: string;
};

/** The facts that a vendor's own list of models can fill, by the names of the catalog's members. */
export const VENDOR_FACTS = ['context_window', 'max_output_tokens', 'modalities', 'capabilities', 'pricing'] as const;
export type VendorFact = (typeof VENDOR_FACTS)[number];

/** A model as a provider of this gateway serves it. */
export type Model = ModelFacts & {
  /** The name callers use within the provider. */
  id: string;
  /** The name the vendor knows it by. */
  upstreamId: string;
  dialects: readonly DialectId[];
  /** Its text begins with its thinking, between `<think>` and `</think>`; left out: as its vendor's row says. */
  thinkTags?: boolean;
  /** Parameters of its calls; left out, it has none. */
  parameters?: OwnParameters;
  /** What it may be sent; left out: anything. */
  rate?: OutgoingRate;
  /** How one came to be known that neither the configuration nor the catalog has: its vendor's own list, or a caller who named it. */
  known?: 'listed' | 'asked';
  /** The vendor's name of the model whose facts and price these are: this one is a dated version of it, of which nothing else is known. */
  inferredFrom?: string;
  /** The day (ISO) since when its vendor's list, which had it, has it no more. */
  unlistedSince?: string;
  /** The facts that are from its vendor's own list alone, by the catalog's names of its members; left out: none. */
  fromVendor?: readonly VendorFact[];
};

/** Ready-made authorization: the header's name and how its value is made from the credential. */
export type Authorization = { header: string; prefix: string };

/** A dialect at its path, and how to authorize there if it is not the provider's usual way. */
export type Spoken = { dialect: DialectId; path: string; authorization?: Authorization };

/** An address with a way to authorize. Everything about a vendor that is not a wire format. */
export type Provider = {
  id: string;
  label: string;
  /** No trailing slash; paths of `speaks` are appended. Not used by `transport: 'echo'`. */
  baseUrl: string;
  speaks: readonly Spoken[];
  /**
   * The id of the first provider that has the same address and credential, whose models are therefore the same; left out: its
   * own.
   */
  account?: string;
  /** Missing where the address asks for none (a local server). */
  credential: Secret | null;
  /** Which of the provider's credentials this is. */
  credentialName: string;
  authorization: Authorization;
  /** Sent with every call, names in lower case. */
  headers: Readonly<Record<string, string>>;
  quirks: Quirks;
  /** Where it serves (`eu`), as the operator says; `null` where it is not known. */
  region: string | null;
  /** Whether a call may name what is kept in the vendor's account by its id; left out: it may not. */
  sharedIds?: SharedIds;
  /** How many calls it may have at once, and how many more may wait, for how many ms; `null`: any number. */
  concurrency: Concurrency | null;
  /** What it may be sent, all its credentials together, and with this one; left out: anything. */
  rate?: OutgoingRate;
  credentialRate?: OutgoingRate;
  /** Where its list of models is, below its address; left out: `/models`. */
  modelsPath?: string;
  /** Further pages that tell what models can do; left out: there are none. */
  factsLists?: readonly FactsList[];
  /** `echo` answers inside this process, with no network. */
  transport: 'http' | 'echo';
  /** It is connected to where its address is public alone, whatever its name leads to then; left out: anywhere. */
  publicOnly?: boolean;
};

/** A page of a vendor's own at another address, which tells facts of models that its list for OpenAI's clients does not. */
export type FactsList = {
  /** The end of the provider's address that `to` stands in the place of. An address without it is not asked. */
  from: RegExp;
  to: string;
  /**
   * `model`: it is asked by POST for one model at a time. `server`: it tells of the only model that a server has loaded, and is
   * not asked where there are more. Default: a list of all models.
   */
  of?: 'model' | 'server';
  /** Default: as the provider's calls. */
  authorization?: Authorization;
  /** The page that says so, and when it was read in the form YYYY-MM-DD. */
  source: string;
  read: string;
};

/** `allow`: all callers belong to the organization whose account it is. */
export type SharedIds = 'refuse' | 'allow';

/** What may be sent in a minute; `null`: any number. `countsCached`: whether prompt tokens read from a cache count. */
export type OutgoingRate = Readonly<{
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  countsCached: boolean;
}>;

export type Concurrency = { max: number; queue: number; wait: number };

/** The name of a credential that was given none. */
export const DEFAULT_CREDENTIAL = 'default';

/** One credential of a provider: the provider with it, and its share of the calls. */
export type Access = { provider: Provider; weight: number };

/** How a vendor bends a dialect, as data. */
export type Quirks = {
  /** The vendor refuses `stream_options`; usage is then estimated. */
  refusesStreamOptions?: boolean;
  /** Its answers are read and written anew even in the caller's own dialect: they bend it more than clients bear. */
  repair?: boolean;
  /** The name of the limit on output tokens. Default: `max_tokens`. */
  maxTokensField?: 'max_completion_tokens';
  /** The vendor tells the role `developer` from `system`. */
  developerRole?: boolean;
  /** It takes system text anywhere. Default: as the first message, and only one. */
  systemAnywhere?: boolean;
  /** The vendor takes custom tools. */
  customTools?: boolean;
  /** What it takes of the parameters that few vendors know: left out elsewhere. */
  takes?: readonly RareParameter[];
  /** What it refuses of the parameters that nearly every vendor knows. */
  refuses?: readonly CommonParameter[];
  /** It takes `json_object`, and no schema, as `response_format`. */
  refusesSchemas?: boolean;
  /** It holds answers to schemas with `strict` alone, and refuses those that are not as it wants them. */
  strictSchemas?: boolean;
  /** The member of an assistant's message in which it wants earlier reasoning back. Default: it wants none. */
  reasoningField?: 'reasoning_content' | 'reasoning';
  /** It wants that member with every call of a tool, even if it is empty. */
  reasoningWithCalls?: boolean;
  /** Ids of tool calls must be nine letters or digits. */
  nineLetterCallIds?: boolean;
  /** A user's turn must not stand directly behind a tool's results. */
  refusesUserAfterTool?: boolean;
  /** Texts may carry `cache_control`, up to which the prompt is then cached; and the page that says so. */
  cacheControl?: { source: string };
  /** Models, by the vendor's names, that take a cache mark of OpenAI's on what the caller sends; and the page that says so. */
  cacheBreakpoints?: { models: RegExp; source: string };
  /**
   * It serves messages as Anthropic does: it keeps threads, and knows the members that others would pass over.
   * https://platform.claude.com/docs/en/build-with-claude/message-threads
   */
  ownFormat?: boolean;
  /** Headers by which the vendor keeps a session at the node whose cache knows it, the usual one first, and the page that says so. */
  session?: { headers: readonly string[]; source: string };
  /** Models that take functions in chat completions only where they do not think; and the page that says so. */
  thinksOrCalls?: { models: RegExp; source: string };
  /** How thinking is switched, by the vendor's names of its models: the first row that fits. */
  thinking?: readonly ThinkingRow[];
  /** What it takes of tools. Default: not known; calls that pass then keep their schemas, but for what changes no meaning. */
  tools?: ToolRules;
  /** It refuses blank texts, turns of the model that end in thinking or white space, and images under another's type. */
  strictContent?: boolean;
  /** How a search of the web is asked for, by dialect. Default: as the dialect has it; in chat completions not at all. */
  webSearch?: Readonly<Partial<Record<DialectId, SearchRow>>>;
  /** The vendor's names of models that search the web once with every call, which their usage does not tell. */
  searches?: RegExp;
  /** Models that write their thinking into their text, between `<think>` and `</think>`; tried in lower case. */
  thinkTags?: { models: RegExp; source: string };
  /** How its list of models tells prices. Default: as OpenRouter wants them of vendors. */
  listPrices?: ListPrices;
  /** The member of its answers' usage that tells what it charged, which is believed; and the page that says so. */
  tellsCost?: { member: string; source: string };
};

/** How a vendor's own list of models tells prices. All in US dollars. */
export type ListPrices = {
  /** Where they stand in an entry, with dots. */
  at: string;
  /** For how many tokens an amount is. */
  perTokens: 1 | 1_000_000;
  rates: Readonly<Record<string, TokenComponent>>;
  /** Members that say nothing of what a call costs. With any other that is not 0, the price is not read. */
  beside?: readonly string[];
  /** An amount per search of the web. */
  search?: string;
  /** It has models that cost nothing. Else a price of 0 means that none is told. */
  hasFree?: true;
  source: string;
};

/** How one vendor is asked to search the web: by a tool, or by a member of the body. */
export type SearchRow = {
  tool?: Readonly<Record<string, unknown>>;
  member?: { name: string; value: unknown };
  /** Its names of the models that can. Default: all. */
  models?: RegExp;
  /** Where the options stand, with dots: in the tool or the member; that of `max_uses` in the body. Others are left out. */
  options: Readonly<Partial<Record<SearchOption, string>>>;
  /** What `include` of the body must have, so that the pages are told. */
  include?: string;
  /** The place of the caller stands in `approximate`. */
  nestsLocation?: boolean;
  /** The page that says so. */
  source: string;
};

export type SearchOption = 'max_uses' | 'allowed_domains' | 'blocked_domains' | 'user_location' | 'search_context_size';

/** What a vendor takes of tools. Calls are written so, and those that pass are changed where it would refuse them. */
export type ToolRules = {
  /** The most characters of a name. */
  longestName: number;
  /** Names must begin with a letter or `_`. */
  startsWithLetter?: boolean;
  /** Forms of schemas that it is known to refuse. */
  refuses?: readonly SchemaForm[];
  /** Forms that it is known to take of those that are usually refused. */
  takes?: readonly SchemaForm[];
  /** The page, SDK or report that says so. */
  source: string;
  /** When the source was read in the form YYYY-MM-DD; left out where the row is from memory and was not checked. */
  read?: string;
};

/**
 * A form of a schema. At the root: an object without `properties`; one without any property; a union; properties whose
 * names are longer than 64 characters or hold others than letters, digits, `_`, `.` and `-`. Anywhere: a pattern that looks
 * around, refers back, or has `\\0`; `true` or `false` as a schema; keywords as drafts 3 to 7 had them; a list of types; a
 * reference; a type beside a union; keywords of JSON Schema that OpenAPI's schemas have not.
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

/** How one vendor's models of a kind are told how much to think. */
export type ThinkingRow = {
  /** Tried on the vendor's name of the model, in lower case. */
  models: RegExp;
  /**
   * `effort`: by an effort alone, where `none` among them turns it off. `type`: on and off by `thinking.type`, beside an effort if it
   * takes any. `enable`: by `enable_thinking`. `always`, `never`: it cannot be switched.
   */
  switch: 'effort' | 'type' | 'enable' | 'always' | 'never';
  /** The efforts that it takes. */
  efforts: readonly string[];
  /** It takes `thinking_budget`, in tokens. */
  budget?: boolean;
  /** It thinks in streamed answers only. */
  streamedOnly?: boolean;
  /** The page that says so. */
  source: string;
};

/** Parameters of OpenAI's chat that few other vendors know. */
export type RareParameter = 'prompt_cache_key' | 'prompt_cache_retention' | 'refusal' | 'service_tier' | 'verbosity';

/** Parameters of OpenAI's chat that are everywhere but at a few vendors. */
export type CommonParameter =
  | 'frequency_penalty'
  | 'logit_bias'
  | 'logprobs'
  | 'name'
  | 'presence_penalty'
  | 'seed'
  | 'user';

/** One place a call can be sent to. */
export type Target = { provider: Provider; model: Model; dialect: DialectId; path: string };

export const ORIGINS = ['vendor', 'smart_route', 'system_route'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Something that can be called. `id` is what callers send. */
export type CatalogEntry = VendorEntry | RouteEntry;

/** A model as callers see it. `id` is the bare id where it leads here, else `provider/id`. */
export type VendorEntry = {
  id: string;
  origin: 'vendor';
  provider: Provider;
  /** The provider with each of its credentials. */
  accesses: readonly Access[];
  model: Model;
  /** Names from the operator's config that lead here. */
  aliases: readonly string[];
};

/** A route as callers see it: what is known of it follows from its targets. */
export type RouteEntry = {
  id: string;
  origin: Exclude<Origin, 'vendor'>;
  route: Route;
  provider: Pick<Provider, 'id' | 'label'>;
  model: Model;
  aliases: readonly string[];
  /** The same under its other version, where a share (0 to 1) of the conversations goes by that. */
  canary?: { entry: RouteEntry; share: number };
};

/**
 * One provider that is on, with its models. `keepsBare` says which may be called without the provider's name; by default
 * all. `accesses`: the provider with each of its credentials; left out, it has one.
 */
export type Served = {
  provider: Provider;
  accesses?: readonly Access[];
  /** What the configuration and the catalog have. */
  models: readonly Model[];
  /** What its vendor's own list has beside them. */
  listed?: readonly Model[];
  keepsBare?: (id: string) => boolean;
  /** A model by its name alone, whoever has heard of it; left out: what is in no list is refused. */
  modelNamed?: (id: string) => Model | null;
};

/** Whether names of models that are in no list are sent to a provider, or refused. */
export const UNKNOWN_MODELS = ['pass', 'refuse'] as const;
export type UnknownModels = (typeof UNKNOWN_MODELS)[number];

/** What each of the operator's products may call, by its id. */
export type Products = ReadonlyMap<string, readonly string[]>;

/** Everything that can be called now. Immutable: a reload makes a new one. */
export type Directory = {
  /** In the order of providers, then of their models; then the routes. */
  entries: readonly CatalogEntry[];
  /**
   * Alias, then route, then `provider/id`, then the bare id: at the first provider that has it by the configuration or the
   * catalog, else by its vendor's list. What is in no list is found as `provider/anything`, and as a dated name of a bare id.
   */
  find(name: string): CatalogEntry | undefined;
  /** Why a name is not found, as a sentence or several. */
  whyUnserved(name: string): string;
  /** The (up to three) names that look most like this one, of those that a caller may use. */
  nearest(name: string, may: (entry: CatalogEntry, name: string) => boolean): string[];
  products: Products;
};

/**
 * The provider that a call was sent to, the model's name there, how often a provider was asked for it, what of the call
 * could not be carried (`core/losses.ts`), and the route that chose, where one did.
 */
export type ServedBy = {
  /** `null`: its route does not tell. */
  provider: string | null;
  model: string | null;
  attempts: number;
  dropped: readonly string[];
  route: string | null;
  /** What the caller is charged; `null` where no price is known. Missing where the answer begins before that can be told. */
  cost?: NanoDollars | null;
  /** The route's targets that were left out because they have no price; missing where none was, or the route does not tell. */
  unpriced?: readonly string[];
};
