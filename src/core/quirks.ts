import type { TokenComponent } from './money.ts';
import type { DialectId } from './provider.ts';

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
