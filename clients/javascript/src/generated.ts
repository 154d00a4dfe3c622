// Made by `node clients/openapi/typescript.ts` from the gateway's /openapi.json; changes here are lost.
import { type OpenAI, OpenAIError } from 'openai';
import type { APIPromise } from 'openai/core/api-promise';
import { CursorPage, type PagePromise } from 'openai/core/pagination';
import { LiveItems } from './live.ts';

type Caller = Pick<OpenAI, 'get' | 'post' | 'patch' | 'put' | 'delete' | 'getAPIList'>;
type RequestOptions = OpenAI.RequestOptions;

export type ModelInfoList = {
  data: ModelInfo[];
};

/** A model in the format of LiteLLM’s clients. */
export type ModelInfo = {
  /** The value to send as `model`. */
  model_name: string;
  litellm_params: {
    model: string;
  };
  model_info: {
    id: string;
    db_model: false;
    key: string;
    mode: 'chat' | 'embedding';
    /** Its provider. */
    litellm_provider: string;
    max_tokens: number | null;
    max_input_tokens: number | null;
    max_output_tokens: number | null;
    /** US dollars per token; `null` if unknown. */
    input_cost_per_token: number | null;
    /** US dollars per token; `null` if unknown. */
    output_cost_per_token: number | null;
    /** US dollars per token; `null` if unknown. */
    cache_read_input_token_cost: number | null;
    /** US dollars per token; `null` if unknown. */
    cache_creation_input_token_cost: number | null;
    output_vector_size: number | null;
    supports_vision: boolean | null;
    supports_pdf_input: boolean | null;
    supports_audio_input: boolean | null;
    supports_audio_output: boolean | null;
    supports_function_calling: boolean | null;
    supports_tool_choice: boolean | null;
    supports_reasoning: boolean | null;
    supports_response_schema: boolean | null;
    supports_prompt_caching: boolean | null;
    /** The facts that are only from its vendor’s list, by their names in the catalog. */
    from_vendor: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'>;
  };
};

export type Catalog = {
  object: 'list';
  data: CatalogEntry[];
};

export type CatalogEntry = {
  /** The value to send as `model`. */
  id: string;
  object: 'model';
  name: string;
  /** Who serves it; the value for the filter `provider`. */
  provider: string;
  provider_label: string;
  /** Where its provider serves, as the configuration says; of a route `null`: it may have several. */
  region: string | null;
  /** Its maker. */
  brand: string | null;
  origin: 'vendor' | 'smart_route' | 'system_route';
  aliases: string[];
  context_window: number | null;
  max_output_tokens: number | null;
  /** Dimensions of an embedding model’s vectors. */
  dimensions: number | null;
  dialects: Array<
    'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages' | 'gemini' | 'bedrock-converse'
  >;
  routing: {
    strategy: string;
    targets: Array<{
      provider: string | null;
      model: string | null;
      id?: string | undefined;
      weight?: number | undefined;
    }>;
    fallbacks?:
      | Array<{
          provider: string | null;
          model: string | null;
          id?: string | undefined;
          weight?: number | undefined;
        }>
      | undefined;
  };
  capabilities: {
    tools: boolean | null;
    reasoning: boolean | null;
    structured_output: boolean | null;
    attachment: boolean | null;
    temperature: boolean | null;
  } | null;
  modalities: {
    input: string[];
    output: string[];
  } | null;
  released_at: string | null;
  /** The model whose facts and price these are, if this is a dated name of it. */
  inferred_from: string | null;
  /** `vendor`: known only from its vendor’s list, not from the configuration or catalog. */
  listed_by: 'vendor' | null;
  /** The facts that are only from its vendor’s list, by their names in the catalog. */
  from_vendor: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'>;
  /** The day on which its vendor stopped listing it. */
  unlisted_since: string | null;
  /** The day of its shutdown by its vendor, past or future. */
  shut_down_at: string | null;
  pricing: RateList & {
    /** Price by service tier, in the vendor’s words. */
    services?: Record<string, RateList> | undefined;
    /** US dollars per call of a tool that the vendor runs, by its name: `web_search`. */
    per_call?: Record<string, number> | undefined;
    /** Price factors by the region that the vendor reports. */
    regions?: Record<string, number> | undefined;
    currency: 'USD';
    source: string | null;
    date: string | null;
    /** The model whose price this is, if it is another’s. */
    inferred_from?: string | undefined;
    /** Of a route that costs what its target costs. */
    range?:
      | {
          input_per_1m: {
            min: number;
            max: number;
          } | null;
          output_per_1m: {
            min: number;
            max: number;
          } | null;
        }
      | null
      | undefined;
  };
  description?: string | null | undefined;
};

export type RateList = {
  /** US dollars per million tokens; `null` if unknown. */
  input_per_1m: number | null;
  /** US dollars per million tokens; `null` if unknown. */
  output_per_1m: number | null;
  /** US dollars per million tokens; `null` if unknown. */
  cache_read_per_1m: number | null;
  /** US dollars per million tokens; `null` if unknown. */
  cache_write_per_1m: number | null;
  /** US dollars per million tokens; `null` if unknown. */
  cache_write_1h_per_1m: number | null;
  /** Price of cache writes by lifetime, in the vendor’s words (`12h`); `any` for all others. */
  cache_writes_per_1m?: Record<string, number> | undefined;
  /** US dollars per million tokens; `null` if unknown. */
  reasoning_per_1m: number | null;
  /** US dollars per million tokens; `null` if unknown. */
  audio_input_per_1m: number | null;
  /** US dollars per million tokens; `null` if unknown. */
  audio_output_per_1m: number | null;
  /** Rates that apply instead if the prompt is longer than `above_prompt_tokens`. */
  tiers: Array<{
    above_prompt_tokens: number;
    /** US dollars per million tokens; `null` if unknown. */
    input_per_1m: number | null;
    /** US dollars per million tokens; `null` if unknown. */
    output_per_1m: number | null;
    /** US dollars per million tokens; `null` if unknown. */
    cache_read_per_1m: number | null;
    /** US dollars per million tokens; `null` if unknown. */
    cache_write_per_1m: number | null;
    /** US dollars per million tokens; `null` if unknown. */
    cache_write_1h_per_1m: number | null;
    /** Price of cache writes by lifetime, in the vendor’s words (`12h`); `any` for all others. */
    cache_writes_per_1m?: Record<string, number> | undefined;
    /** US dollars per million tokens; `null` if unknown. */
    reasoning_per_1m: number | null;
    /** US dollars per million tokens; `null` if unknown. */
    audio_input_per_1m: number | null;
    /** US dollars per million tokens; `null` if unknown. */
    audio_output_per_1m: number | null;
  }>;
};

export type UsageList = {
  object: 'list';
  data: UsageRecord[];
  has_more: boolean;
};

export type UsageRecord = {
  /** Sorts by time; the cursor for `after`. */
  id: string;
  object: 'usage_record';
  model: string;
  source: 'api_key' | 'product' | 'developer_tool' | 'console';
  /** All prompt tokens, including cached ones. */
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Unix time in seconds. */
  created_at: number;
  /** `null` if a used token has no known price. */
  cost_usd: number | null;
  /** The name that the caller sent. */
  requested_model: string;
  /** The route that chose the target; `null` for a call that named a vendor’s model. */
  route: string | null;
  /** The last provider; `null` for a call of a route, except for administrators’ keys. */
  provider: string | null;
  /** The vendor’s name of the model; `null` for a call of a route, except for administrators’ keys. */
  upstream_model: string | null;
  /** `refused`: it was not sent to a vendor, and costs nothing. */
  status: 'succeeded' | 'failed' | 'cancelled' | 'interrupted' | 'refused';
  http_status: number;
  /** The kind of the error, as in docs/errors.md. */
  error: string | null;
  streamed: boolean;
  cached_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  /** Where the numbers come from: the provider, the gateway’s own count, or nowhere. */
  usage_source: 'provider' | 'estimated' | 'none';
  latency_ms: number;
  time_to_first_token_ms: number | null;
  request_id: string;
  client_request_id: string | null;
  /** Empty for a call that was refused because its key is not valid. */
  api_key_id: string;
  /** `null` if the key was deleted. */
  api_key_name: string | null;
  attempts: number;
  /**
   * Omissions of translation, in the call and its answer: at most 4 KB of names, longer ones cut; the last entry
   * counts the others (`+59871 more`).
   */
  dropped: string[];
  /** The operator’s product; `null` for other sources. */
  product: string | null;
  /** The developer tool’s own name; `null` for other sources. */
  tool: {
    name: string;
    version: string | null;
  } | null;
  /**
   * What the vendors charged for all attempts; `cost_usd` is what the caller is charged. Shown only to
   * administrators’ keys.
   */
  vendor_cost_usd?: number | null | undefined;
  /**
   * What the call counts against limits of its key and product: `cost_usd`, or what was reserved for it if that
   * is `null` or the call was interrupted.
   */
  counted_usd: number;
  /** The words that the caller of a refused call was told. Only of those. */
  error_message?: string | undefined;
  /** The member at fault. Only of refused calls. */
  error_param?: string | null | undefined;
  /** Shown only to commands. */
  organization_id?: string | undefined;
  /** What the provider reported, if it was not credible and the gateway counted instead; else `null`. */
  reported_usage: {
    input_tokens: number;
    output_tokens: number;
    cached_tokens: number;
    cache_write_tokens: number;
    reasoning_tokens: number;
  } | null;
};

export type UsageDetail = UsageRecord & {
  /** The items of `cost_usd` that have a price. `null` if it would reveal what a target costs. */
  line_items: Array<{
    /**
     * `input`, `output`, `cache_read`, `cache_write` (or by lifetime: `cache_write_1h`), `reasoning`,
     * `audio_input`, `audio_output`; `tool:web_search` and others are calls of the vendor’s own tools.
     * `vendor_cost` is the cost that the vendor reported, if no price is known.
     */
    component: string;
    /** Tokens, or calls of a tool. */
    quantity: number;
    amount_usd: number;
  }> | null;
  /** Used units without a price, if `cost_usd` is `null`, by the names of line items. */
  unpriced: string[];
  /** The meaning of the kind, in words. */
  error_meaning: string | null;
  /** The service tier that the vendor reports. */
  service_tier: string | null;
  /** Where the vendor says that it served, if that is not its ordinary place. */
  region: string | null;
  /** The part of `cache_write_tokens` with another lifetime than the vendor’s usual one: `{"1h": 2000}`. */
  cache_writes_by_life: Record<string, number>;
  /** Calls of the vendor’s own tools, as it reports them: `{"web_search": 2}`. */
  tool_calls: Record<string, number>;
  /** The model whose price was used, if the call’s model is a dated name of it. */
  price_inferred_from: string | null;
  /** In order of time. */
  attempt_details: Array<{
    number: number;
    /** `null` for a call of a route, except for administrators’ keys. */
    provider: string | null;
    /** `null` for a call of a route, except for administrators’ keys. */
    upstream_model: string | null;
    /** The provider’s credential, shown only to administrators’ keys. */
    credential?: string | undefined;
    status: 'succeeded' | 'failed' | 'cancelled' | 'interrupted';
    /** The status of the provider’s answer, if there was one. */
    http_status: number | null;
    /** The kind of the error, as in docs/errors.md. */
    error: string | null;
    /** The provider’s error code, if it sent one. */
    error_code: string | null;
    /** Unix time in milliseconds. */
    started_at_ms: number;
    /** Unix time in milliseconds. */
    ended_at_ms: number;
    /** It failed, but the vendor may have charged for it. */
    possibly_billed: boolean;
    /** Where the numbers come from: the provider, the gateway’s own count, or nowhere. */
    usage_source: 'provider' | 'estimated' | 'none';
    upstream_request_id: string | null;
  }>;
  /** How its route chose: shown only to administrators’ keys. `null` for a call that named its model. */
  decision: Decision | null;
  /** Who sent a call that was refused because its key is not valid. */
  refused_caller?:
    | {
        /** The first and last characters of the secret that was sent, if one was. */
        api_key: string | null;
        ip_address: string | null;
      }
    | undefined;
  /** Refused calls of the same key that were too many to be stored, since the one stored before. */
  not_stored_before?: number | undefined;
};

/** How a route chose. Times are Unix milliseconds. */
export type Decision = {
  route: string;
  route_version: string;
  seed: number;
  /** The call, as far as the route considered it. */
  traits: Record<string, unknown>;
  candidates: Array<{
    model: string;
    provider: string;
    upstream_model: string;
    /** The provider’s credential, shown only to administrators’ keys. */
    credential?: string | undefined;
    role: string;
    /** The call’s expected cost there, in dollars. */
    expected_cost_usd: number | null;
    /** Chance of a good answer, as a smart route predicts it. */
    chance: number | null;
    /** Why it was not used. */
    left_out: {
      reason: string;
      detail: string;
    } | null;
    [member: string]: unknown;
  }>;
  /** Indexes in `candidates`, in the order of attempts. */
  order: number[];
  /** What determined the order. */
  because: string[];
  [member: string]: unknown;
};

export type UsageSummary = {
  object: 'usage_summary';
  by: Array<'key' | 'model' | 'product' | 'tool' | 'source' | 'route' | 'provider' | 'day'>;
  /** Start of the period: the beginning of a UTC day, in Unix seconds. */
  start_time: number;
  /** End of the period, exclusive: the end of a UTC day. */
  end_time: number;
  /** Where the period before begins; it ends where this one begins. */
  previous_start_time: number;
  /** Always `true`: all records of the days are included. */
  complete: boolean;
  totals: UsageSums & {
    /** The same for the previous period. */
    previous: UsageSums;
  };
  /** Largest first (`order_by`); by day, the latest first. */
  data: Array<
    UsageSums & {
      api_key_id?: string | undefined;
      api_key_name?: string | null | undefined;
      /** Its name in the catalog; `other` for names that are not distinguished. */
      model?: string | undefined;
      product?: string | null | undefined;
      tool?: string | null | undefined;
      source?: string | undefined;
      /** `null` for calls that named a vendor’s model. */
      route?: string | null | undefined;
      /** The last provider; `null` for calls of a route, except for administrators’ keys. */
      provider?: string | null | undefined;
      /** A UTC day, such as `2026-11-21`. */
      day?: string | undefined;
      /** Of the row for everything beyond `top`, which has no names: the number of combinations. */
      rest_of?: number | undefined;
      /** The same for the previous period. */
      previous: UsageSums;
    }
  >;
  /** All rows beyond `limit` in one; `null` if there are none. */
  rest:
    | (UsageSums & {
        rows: number;
        /** The same for the previous period. */
        previous: UsageSums;
      })
    | null;
};

export type UsageSums = {
  calls: number;
  failed_calls: number;
  /** Calls whose tokens the gateway counted, because the provider did not report them. */
  estimated_calls: number;
  /** All prompt tokens, including cached ones. */
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Of calls with known cost; `null` if there are calls, but no cost is known. */
  cost_usd: number | null;
  /** Calls with unknown cost, which are in no amount. */
  calls_without_cost: number;
  /** What the vendors charged; shown only to administrators’ keys. */
  vendor_cost_usd?: number | null | undefined;
  /** Shown only to administrators’ keys. */
  calls_without_vendor_cost?: number | undefined;
  /** Calls with more than one attempt, at another target or the same. */
  retried_calls: number;
  /** Calls whose model and tool are shown as `other`, because a key used more than 500 combinations on one day. */
  calls_under_other: number;
};

export type FirstTokenTimes = {
  object: 'first_token_times';
  /** Start of the period: the beginning of a UTC day, in Unix seconds. */
  start_time: number;
  /** End of the period, exclusive: the end of a UTC day. */
  end_time: number;
  /** Where the period before begins; it ends where this one begins. */
  previous_start_time: number;
  totals: {
    /** Streamed answers that reached a first token. */
    streams: number;
    /** The median in ms, to two significant digits. */
    p50_ms: number | null;
    /** And 95 of 100 after so many. */
    p95_ms: number | null;
    /** The same for the previous period. */
    previous: {
      /** Streamed answers that reached a first token. */
      streams: number;
      /** The median in ms, to two significant digits. */
      p50_ms: number | null;
      /** And 95 of 100 after so many. */
      p95_ms: number | null;
    };
  };
  /** Days with such streams, latest first. */
  data: Array<{
    /** A UTC day, such as `2026-11-21`. */
    day: string;
    /** Streamed answers that reached a first token. */
    streams: number;
    /** The median in ms, to two significant digits. */
    p50_ms: number | null;
    /** And 95 of 100 after so many. */
    p95_ms: number | null;
  }>;
};

export type FeedbackRequest = {
  /** The `x-request-id` of the answer, or the id of its usage record. */
  request_id: string;
  /** From 0, of no use, to 1, as good as can be. */
  score: number;
  note?: string | null | undefined;
};

export type Feedback = {
  object: 'feedback';
  request_id: string;
  usage_id: string;
  /** From 0, of no use, to 1, as good as can be. */
  score: number;
  note: string | null;
  /** Unix time in seconds. */
  created_at: number;
  /** The route of the call. */
  route: string | null;
  /** Whether a smart route will learn from it. */
  learned: boolean;
};

export type RouteList = {
  object: 'list';
  data: CatalogEntry[];
};

export type RouteDecision = {
  object: 'route.decision';
  /** `null` if a vendor’s model was named. */
  route: string | null;
  /** The call names a vendor’s model, so no route decides. */
  direct: boolean;
  strategy: string[];
  route_version: string | null;
  /** The learned model that predicted the chances, if there was one. */
  model_version: string | null;
  /** The targets in the order of attempts; empty if the call would be refused. */
  order: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** The provider’s credential, shown only to administrators’ keys. */
    credential?: string | undefined;
    /** The format in which it would be called. */
    dialect:
      | 'openai-chat'
      | 'openai-responses'
      | 'openai-embeddings'
      | 'anthropic-messages'
      | 'gemini'
      | 'bedrock-converse';
    /**
     * Unix time in seconds until which its outgoing rate limit is reached, as far as the answering process knows.
     * For administrators’ keys.
     */
    full_until?: number | null | undefined;
  }>;
  /** Used if the prompt is too long for a target. */
  context_window_fallbacks: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** The provider’s credential, shown only to administrators’ keys. */
    credential?: string | undefined;
    /** The format in which it would be called. */
    dialect:
      | 'openai-chat'
      | 'openai-responses'
      | 'openai-embeddings'
      | 'anthropic-messages'
      | 'gemini'
      | 'bedrock-converse';
    /**
     * Unix time in seconds until which its outgoing rate limit is reached, as far as the answering process knows.
     * For administrators’ keys.
     */
    full_until?: number | null | undefined;
  }>;
  /** Used if a target refuses the content. */
  content_policy_fallbacks: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** The provider’s credential, shown only to administrators’ keys. */
    credential?: string | undefined;
    /** The format in which it would be called. */
    dialect:
      | 'openai-chat'
      | 'openai-responses'
      | 'openai-embeddings'
      | 'anthropic-messages'
      | 'gemini'
      | 'bedrock-converse';
    /**
     * Unix time in seconds until which its outgoing rate limit is reached, as far as the answering process knows.
     * For administrators’ keys.
     */
    full_until?: number | null | undefined;
  }>;
  candidates: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** The provider’s credential, shown only to administrators’ keys. */
    credential?: string | undefined;
    role: 'target' | 'fallback' | 'context_fallback' | 'policy_fallback';
    /** Why it would not be used. */
    left_out: {
      reason:
        | 'unknown_model'
        | 'surface'
        | 'context_window'
        | 'max_output'
        | 'modality'
        | 'tools'
        | 'structured_output'
        | 'region'
        | 'key_models'
        | 'model_limit'
        | 'unpriced'
        | 'max_price'
        | 'weight_zero'
        | 'steering'
        | 'rule'
        | 'thread'
        | 'circuit_open'
        | 'credential_out'
        | 'attempts';
      detail: string;
    } | null;
    /** `null` if no price is known. */
    expected_cost_usd: number | null;
    /** Chance of a good answer, if the route predicts it. */
    chance: number | null;
    health: {
      /** `closed`: calls go there; `open`: none do; `half_open`: one may, as a test. */
      circuit: 'closed' | 'half_open' | 'open';
      /** Unix time in seconds from which calls may go there again. */
      open_until: number | null;
      /** Unix time in seconds from which calls may go there again. */
      credential_out_until: number | null;
      /** Of streams; `null` without recent ones. */
      first_token_ms: number | null;
      /** Of answers that are not streamed; `null` without recent ones. */
      whole_ms: number | null;
      in_flight: number;
    };
  }>;
  /** What determined the order. */
  because: string[];
  /** The conversation stays where its cache is warm. */
  kept: boolean;
  /** The first was drawn at random, so that feedback covers all targets. */
  explored: boolean;
  /** The probability with which the first was drawn. */
  propensity: number;
  /** How the call was classified. */
  traits: Record<string, unknown> | null;
  /**
   * Targets without a price: `unpriced` of the route says whether they serve calls under a budget or spend
   * limit.
   */
  unpriced: string[];
  /** The error that the call would get; `null` if it would be sent. */
  refusal: {
    status: number;
    code: string | null;
    type: string;
    message: string;
    param: string | null;
    retry_after_ms: number | null;
  } | null;
  /** The features of the prompt that decided, by target, if the route predicts. */
  features?:
    | Array<{
        target: string;
        features: Array<{
          name: string;
          weight: number;
        }>;
      }>
    | undefined;
};

export type Organization = {
  id: string;
  object: 'organization';
  name: string;
  /** Where the configuration file says it, so that it is changed there alone. */
  name_set_in: {
    file: string;
    line: number | null;
  } | null;
  /** Creation time in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type OrganizationUpdate = {
  name: string;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ConfigurationList = {
  object: 'list';
  data: ConfigurationSetting[];
};

export type ConfigurationSetting = {
  object: 'organization.configuration_setting';
  /** Its name in the file: `limits.max_body`. */
  name: string;
  /** As in the file; variables are shown by name. */
  value: unknown;
  from: 'file' | 'environment' | 'default';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  description: string;
};

export type About = {
  object: 'organization.about';
  /** Of Headgate. */
  version: string;
  /** Of Node.js. */
  node: string;
  uptime_seconds: number;
  /** Number of serving processes. */
  workers: number;
  storage: {
    kind: string;
    /** On disk. */
    bytes: number;
    schema_version: number;
  };
};

export type SearchResults = {
  object: 'list';
  data: SearchResult[];
  has_more: boolean;
  /** The types with more than `limit` results. */
  more_of: Array<
    'request' | 'model' | 'route' | 'provider' | 'api_key' | 'admin_api_key' | 'user' | 'project' | 'group' | 'budget'
  >;
};

export type SearchResult = {
  object: 'organization.search_result';
  /** `request`: a usage record, or a refused call. */
  type:
    | 'request'
    | 'model'
    | 'route'
    | 'provider'
    | 'api_key'
    | 'admin_api_key'
    | 'user'
    | 'project'
    | 'group'
    | 'budget';
  id: string;
  /** The matching name; for a request its `req_…`. */
  name: string;
  /** Distinguishes equal names: a person’s email, a model’s provider, a route’s name, a request’s model. */
  about: string | null;
  /** Of an API key. */
  project: {
    id: string;
    name: string;
  } | null;
};

export type ProjectApiKeyList = {
  object: 'list';
  data: ProjectApiKey[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ProjectApiKey = {
  id: string;
  object: 'organization.project.api_key';
  name: string;
  /** The first and last characters of the secret. */
  redacted_value: string;
  /** Creation time in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /** Last use, for a call, or to the minute for other requests; `null` for never. */
  last_used_at: number | null;
  /** Empty for a key without an owner, such as one that a command created. */
  owner: {
    type?: 'user' | 'service_account' | undefined;
    user?:
      | {
          id: string;
          email: string | null;
          name: string;
          role: string;
          /** Unix time in seconds. */
          created_at: number;
        }
      | undefined;
    service_account?:
      | {
          id: string;
          name: string;
          role: string;
          /** Unix time in seconds. */
          created_at: number;
        }
      | undefined;
  };
  /** Whether its owner is in the project. */
  owner_project_access: 'active' | 'inactive';
  /**
   * The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for
   * older keys.
   */
  created_by: {
    type: 'user' | 'api_key' | 'operator';
    id: string | null;
    name: string | null;
  } | null;
  scopes: string[];
  /**
   * Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope
   * than their own, and a person’s key never reads more than the person may.
   */
  usage: 'organization' | 'project' | 'own';
  status: 'active' | 'disabled' | 'expired';
  /** The product it belongs to; usually `null`. */
  product: string | null;
  /** Grows with each change; see `if_version`. */
  version: number;
  /** `null`: everything its project may use. */
  allowed_models: string[] | null;
  /** From where it may be used; `null`: from anywhere. */
  ip_ranges: string[] | null;
  /** `null`: the default. */
  max_requests_per_1_minute: number | null;
  /** `null`: the default. */
  max_tokens_per_1_minute: number | null;
  /** The spend limit; `amount_decimal` is exact. */
  spend_limit: {
    amount_usd: number;
    amount_decimal: string;
    interval: 'life' | 'day' | 'week' | 'month';
  } | null;
  /** What counts against its spend limit in the period; without one, all its spending. */
  spent_usd: number;
  spend_resets_at: number | null;
};

export type ApiKeyList = {
  object: 'list';
  data: PlacedApiKey[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type PlacedApiKey = ProjectApiKey & {
  project: {
    id: string;
    name: string;
  };
};

export type ProjectApiKeyRequest = {
  /**
   * Owner of the key (default: the caller, signed in or by key). `null`: no owner, as for keys created by such a
   * key. Anything but yourself needs `api.members.write`.
   */
  user_id?: string | null | undefined;
  /** The service account that owns the key, instead of a person. Needs `api.members.write`. */
  service_account_id?: string | undefined;
  expires_in_seconds?: number | null | undefined;
  name: string;
  /** Empty for everything. Stored and returned. */
  scopes?: string[] | undefined;
  /**
   * Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope
   * than their own, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
  allowed_models?: string[] | null | undefined;
  /** Addresses and ranges such as `10.0.0.0/8`. */
  ip_ranges?: string[] | null | undefined;
  max_requests_per_1_minute?: number | null | undefined;
  max_tokens_per_1_minute?: number | null | undefined;
  spend_limit?:
    | {
        /** A number, or a text for exact values: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
};

export type NewProjectApiKey = ProjectApiKey & {
  /** The secret, shown only here. */
  value: string;
};

export type ProjectApiKeyUpdate = {
  name?: string | undefined;
  /** Empty for everything. Stored and returned. */
  scopes?: string[] | undefined;
  /**
   * Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope
   * than their own, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
  allowed_models?: string[] | null | undefined;
  /** Addresses and ranges such as `10.0.0.0/8`. */
  ip_ranges?: string[] | null | undefined;
  max_requests_per_1_minute?: number | null | undefined;
  max_tokens_per_1_minute?: number | null | undefined;
  spend_limit?:
    | {
        /** A number, or a text for exact values: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
  /** `null` for no expiry. */
  expires_in_seconds?: number | null | undefined;
  /** Whether it is enabled. */
  enabled?: boolean | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type RotateRequest = {
  /** How long the old secret stays valid; at most 90 days. */
  overlap_seconds?: number | undefined;
};

export type RotatedApiKey = ProjectApiKey & {
  /** The secret, shown only here. */
  value: string;
  /** Unix time in seconds. */
  earlier_secret_until: number;
};

export type ProjectApiKeyDeleted = {
  id: string;
  object: 'organization.project.api_key.deleted';
  deleted: true;
};

export type ModelAccessList = {
  object: 'list';
  data: ModelAccess[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ModelAccess = {
  /** The project’s. */
  id: string;
  object: 'organization.model_access';
  name: string;
  /** According to the project’s models; a key may be limited further. */
  permitted: boolean;
  /** `null` if the caller may not read keys. */
  api_keys: {
    /** Its enabled keys. */
    total: number;
    /** Those of them that may use it. */
    permitted: number;
    /** Those that may not, at most 20. Empty if the project may not. */
    refused: Array<{
      id: string;
      name: string;
    }>;
  } | null;
};

export type ModelPriceList = {
  object: 'list';
  data: ModelPrice[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ModelPrice = {
  id: string;
  object: 'organization.model_price';
  model: string;
  pricing: RateList & {
    /** Price by service tier, in the vendor’s words. */
    services?: Record<string, RateList> | undefined;
    /** US dollars per call of a tool that the vendor runs, by its name: `web_search`. */
    per_call?: Record<string, number> | undefined;
    /** Price factors by the region that the vendor reports. */
    regions?: Record<string, number> | undefined;
    currency: 'USD';
    source: string | null;
    date: string | null;
    /** The model whose price this is, if it is another’s. */
    inferred_from?: string | undefined;
  };
  /** Start; `null` if unknown. */
  effective_at: number | null;
  /** End; `null` if unknown. */
  ended_at: number | null;
  in_force: boolean;
  /** Its origin. `billed`: calls were billed by it before; `pricing.source` has the original one. */
  origin: 'settings' | 'file' | 'catalog' | 'billed';
  price_override_id: string | null;
  set_by: {
    type: 'session' | 'api_key' | 'operator';
    id: string | null;
    email: string | null;
  } | null;
};

export type LimitUseList = {
  object: 'list';
  data: LimitUse[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type LimitUse = {
  id: string;
  object: 'organization.limit_use';
  /** `null`: the organization’s own limit. */
  project: {
    id: string;
    name: string;
  } | null;
  /** Of a rate limit: the name in calls. */
  model: string | null;
  /** `spend_usd`: dollars per UTC month. The others are per minute. */
  measure: 'spend_usd' | 'requests' | 'tokens';
  limit: number;
  /** Of a rate limit, in the busiest of the last 10 minutes; calls count in the minute in which they began. */
  used: number;
  /** The end of the month; `null` for a rate limit. */
  resets_at: number | null;
};

export type SpendLimitList = {
  object: 'list';
  data: SpendLimit[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type SpendLimit = {
  /** Id of the project, or of the organization. */
  id: string;
  object: 'organization.spend_limit' | 'project.spend_limit';
  /** `null`: the organization as a whole. */
  project_id: string | null;
  currency: 'USD';
  /** A UTC month. */
  interval: 'month';
  /** Whole cents. */
  threshold_amount: number;
  /** Grows with each change; see `if_version`. */
  version: number;
  enforcement: {
    status: 'inactive' | 'enforcing';
  };
};

export type BudgetList = {
  object: 'list';
  data: Budget[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Budget = {
  id: string;
  object: 'organization.budget';
  name: string;
  /** Its holders, who share it. */
  holders: Array<{
    type: 'organization' | 'project' | 'group' | 'user' | 'api_key' | 'product';
    id: string;
  }>;
  /** Dollars, exactly: `"12.5"`. */
  amount_usd: string;
  interval: 'life' | 'day' | 'week' | 'month';
  /** Whether calls are refused once it is used up. */
  hard: boolean;
  alerts: number[];
  recipients: string[];
  /** Temporary additions. */
  overrides: Array<{
    /** Dollars, exactly: `"12.5"`. */
    amount_usd: string;
    /** Unix time in seconds. */
    ends_at: number;
  }>;
  models: string[] | null;
  instead: string | null;
  /** The amount including current overrides. */
  limit_usd: string;
  /** Spent in the current period, since the budget was created. */
  spent_usd: string;
  /** The most that open calls may cost. */
  reserved_usd: string;
  /** The next reset; `null` for none. */
  resets_at: number | null;
  /** Creation time in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type BudgetRequest = {
  name: string;
  /** Its holders, who share it. For a `group` or `user`, the keys that people own. */
  holders: Array<{
    type: 'organization' | 'project' | 'group' | 'user' | 'api_key' | 'product';
    /** Left out for the type `organization`. */
    id?: string | undefined;
  }>;
  /** A number, or a text for exact values: `"12.345678901"`. */
  amount_usd: number | string;
  /** In UTC; weeks begin on Monday. */
  interval?: 'life' | 'day' | 'week' | 'month' | undefined;
  /** Whether calls are refused once it is used up; otherwise it only counts. */
  hard?: boolean | undefined;
  /** Parts of the amount that send `spend_alert.triggered`, once per period: `[0.5, 0.8]`. */
  alerts?: number[] | undefined;
  /** Email addresses for its alerts. */
  recipients?: string[] | undefined;
  /** Temporary additions; ended ones are left out. */
  overrides?:
    | Array<{
        /** A number, or a text for exact values: `"12.345678901"`. */
        amount_usd: number | string;
        ends_at: number;
      }>
    | undefined;
  /** The models and routes that it applies to; `null` for all. */
  models?: string[] | null | undefined;
  /** The model or route that serves once it is used up. Those calls count against other budgets only. */
  instead?: string | null | undefined;
};

export type BudgetUpdate = {
  name?: string | undefined;
  /** Its holders, who share it. For a `group` or `user`, the keys that people own. */
  holders?:
    | Array<{
        type: 'organization' | 'project' | 'group' | 'user' | 'api_key' | 'product';
        /** Left out for the type `organization`. */
        id?: string | undefined;
      }>
    | undefined;
  /** A number, or a text for exact values: `"12.345678901"`. */
  amount_usd?: number | string | undefined;
  /** In UTC; weeks begin on Monday. */
  interval?: 'life' | 'day' | 'week' | 'month' | undefined;
  /** Whether calls are refused once it is used up; otherwise it only counts. */
  hard?: boolean | undefined;
  /** Parts of the amount that send `spend_alert.triggered`, once per period: `[0.5, 0.8]`. */
  alerts?: number[] | undefined;
  /** Email addresses for its alerts. */
  recipients?: string[] | undefined;
  /** Temporary additions; ended ones are left out. */
  overrides?:
    | Array<{
        /** A number, or a text for exact values: `"12.345678901"`. */
        amount_usd: number | string;
        ends_at: number;
      }>
    | undefined;
  /** The models and routes that it applies to; `null` for all. */
  models?: string[] | null | undefined;
  /** The model or route that serves once it is used up. Those calls count against other budgets only. */
  instead?: string | null | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type BudgetDeleted = {
  id: string;
  object: 'organization.budget.deleted';
  deleted: true;
};

export type InviteRequest = {
  email: string;
  role: 'owner' | 'reader';
  projects?:
    | Array<{
        id: string;
        role: 'owner' | 'member';
      }>
    | null
    | undefined;
  /** Ids of groups that the person joins. Not in OpenAI’s API. */
  groups?: string[] | null | undefined;
};

export type InviteCreated = {
  id: string;
  object: 'organization.invite';
  email: string;
  role: 'owner' | 'reader';
  projects: Array<{
    id: string;
    role: 'owner' | 'member';
  }>;
  /** Ids of the groups that the person joins. */
  groups: string[];
  /** An invite is also `expired` if its sender could no longer send it. */
  status: 'accepted' | 'expired' | 'pending';
  /** Creation time in Unix seconds. */
  created_at: number;
  /** Unix time in seconds. */
  expires_at: number;
  accepted_at: number | null;
  /** The secret of the link, shown only here. Whoever has it can accept the invite. */
  invite_token: string;
  /** The link; `null` if browsers cannot sign in (`server.public_url`). */
  invite_link: string | null;
  /** Whether the link was mailed; `off`: there is no mail server, or no link. */
  mail: 'sent' | 'failed' | 'off';
};

export type WebhookEndpointList = {
  object: 'list';
  data: WebhookEndpoint[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type WebhookEndpoint = {
  id: string;
  object: 'webhook_endpoint';
  /** Creation time in Unix seconds. */
  created_at: number;
  /** Unix time in seconds. */
  updated_at: number;
  name: string;
  /** The values of its query are hidden: `***`. An update with this address keeps them. */
  url: string;
  event_types: string[];
  signing_secret_hint: string;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type WebhookEndpointRequest = {
  name: string;
  /** The public https address that events are sent to. */
  url: string;
  event_types: Array<
    | 'spend_alert.triggered'
    | 'spend_limit.reached'
    | 'api_key.created'
    | 'api_key.rotated'
    | 'api_key.deleted'
    | 'project.created'
    | 'project.archived'
  >;
};

export type WebhookEndpointWithSecret = WebhookEndpoint & {
  /** Shown only here. */
  signing_secret: string;
};

export type WebhookEndpointUpdate = {
  name?: string | undefined;
  /** The public https address that events are sent to. */
  url?: string | undefined;
  event_types?:
    | Array<
        | 'spend_alert.triggered'
        | 'spend_limit.reached'
        | 'api_key.created'
        | 'api_key.rotated'
        | 'api_key.deleted'
        | 'project.created'
        | 'project.archived'
      >
    | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type WebhookEndpointDeleted = {
  id: string;
  object: 'webhook_endpoint.deleted';
  deleted: true;
};

export type WebhookSecretRotation = {
  /** Whether requests are signed with both secrets for a day. */
  keep_old_secret_active_for_24_hours?: boolean | undefined;
};

export type WebhookTest = {
  event_type:
    | 'spend_alert.triggered'
    | 'spend_limit.reached'
    | 'api_key.created'
    | 'api_key.rotated'
    | 'api_key.deleted'
    | 'project.created'
    | 'project.archived';
};

export type WebhookTestResult = {
  object: 'webhook_endpoint.test';
  webhook_endpoint_id: string;
  event_type: string;
  status_code: number;
  /** It was sent; `status_code` has the answer. */
  success: true;
};

export type WebhookDeliveryList = {
  object: 'list';
  data: WebhookDelivery[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type WebhookDelivery = {
  id: string;
  object: 'webhook_endpoint.delivery';
  /** Creation time in Unix seconds. */
  created_at: number;
  /** The `webhook-id` of every attempt. */
  event_id: string;
  event_type: string;
  status: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  next_attempt_at: number | null;
  delivered_at: number | null;
  /** The status of the last attempt. */
  status_code: number | null;
  /** Why the last attempt could not be sent. */
  error: string | null;
};

export type WebhookEventTypeList = {
  object: 'list';
  data: string[];
};

export type ProviderList = {
  object: 'list';
  data: Provider[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Provider = {
  id: string;
  object: 'organization.provider';
  label: string;
  /** Where calls go; empty where that is not known. */
  base_url: string;
  /** Its definition, in the terms of the configuration file. */
  definition: Record<string, unknown>;
  /** Only providers of the settings can be changed here. */
  origin: 'settings' | 'file' | 'environment';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  /** Why it cannot be called; `null` if it can. */
  off: string | null;
  credentials: ProviderCredential[];
  /** Its answer to the last request for its models. */
  list: 'key_refused' | 'failed' | 'unheard' | 'listed' | null;
  /** Its number of callable models. */
  models: number;
  /** The worst status of its models; `null` if none was called. */
  circuit: 'closed' | 'half_open' | 'open' | null;
  recent_calls: number;
  error_rate: number | null;
  last_error: {
    kind: string;
    status: number;
    message: string;
    /** Unix time in seconds. */
    at: number;
  } | null;
  created_at: number | null;
  updated_at: number | null;
  version: number | null;
};

export type ProviderCredential = {
  /** `null`: it is set in the configuration file or the environment. */
  id: string | null;
  object: 'organization.provider.credential';
  name: string;
  weight: number;
  /** The last characters of the key; empty if it is short. */
  hint: string;
  created_at: number | null;
  updated_at: number | null;
  /** `refused`: the vendor refuses it, and calls use others. */
  state: 'in_use' | 'refused' | 'off';
  /** The time of the next try. */
  out_until: number | null;
};

export type ProviderPresetList = {
  object: 'list';
  data: ProviderPreset[];
};

export type ProviderPreset = {
  id: string;
  object: 'organization.provider_preset';
  label: string;
  /** `null`: each customer has its own. */
  base_url: string | null;
  needs_key: boolean;
  /** The vendor’s documentation. */
  docs: string;
};

export type ProviderRequest = {
  /** The prefix of its models: `openai/gpt-4o`. */
  id: string;
  /**
   * The vendor preset with address and quirks (default: the one with the same id). `provider_presets` lists
   * them.
   */
  preset?: string | undefined;
  /** Where it is: over https, and public. */
  base_url?: string | undefined;
  /** Display name. */
  label?: string | undefined;
  /** Formats it supports. */
  dialects?:
    | Array<
        'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages' | 'gemini' | 'bedrock-converse'
      >
    | undefined;
  /** Models beyond those of the catalog and its own list, or facts of these. */
  models?:
    | Array<{
        /** The name in calls. */
        id: string;
        /** The vendor’s name for it (default: the id). */
        upstream?: string | undefined;
        dialects?:
          | Array<
              | 'openai-chat'
              | 'openai-responses'
              | 'openai-embeddings'
              | 'anthropic-messages'
              | 'gemini'
              | 'bedrock-converse'
            >
          | undefined;
        name?: string | undefined;
        context_window?: number | undefined;
        max_output_tokens?: number | undefined;
        dimensions?: number | undefined;
        /** As in the configuration file: `input_per_1m`, `output_per_1m` and so on, in dollars. */
        price?: Record<string, unknown> | undefined;
        /** As in the configuration file: default parameters of calls, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters that override the callers’. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** The only models it serves. */
  only?:
    | Array<{
        /** The name in calls. */
        id: string;
        /** The vendor’s name for it (default: the id). */
        upstream?: string | undefined;
        dialects?:
          | Array<
              | 'openai-chat'
              | 'openai-responses'
              | 'openai-embeddings'
              | 'anthropic-messages'
              | 'gemini'
              | 'bedrock-converse'
            >
          | undefined;
        name?: string | undefined;
        context_window?: number | undefined;
        max_output_tokens?: number | undefined;
        dimensions?: number | undefined;
        /** As in the configuration file: `input_per_1m`, `output_per_1m` and so on, in dollars. */
        price?: Record<string, unknown> | undefined;
        /** As in the configuration file: default parameters of calls, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters that override the callers’. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** `refuse`: unlisted names are not sent to it. */
  unknown_models?: 'pass' | 'refuse' | undefined;
  /** The region that it serves from, such as eu; routes can require it. */
  region?: string | undefined;
  /** Whether calls may refer to files and other objects in its account. */
  shared_ids?: 'refuse' | 'allow' | undefined;
  credentials?:
    | Array<{
        /** Name for targets of routes. */
        name?: string | undefined;
        /** The vendor’s key. It is encrypted and never shown again. */
        key: string;
        /** Its share of the calls; with 0, only targets that name it use it. */
        weight?: number | undefined;
      }>
    | undefined;
};

export type ProviderTestRequest = {
  /** An existing provider; other given members override its own. */
  provider_id?: string | undefined;
  /** The key to send (default: the first). */
  credential_id?: string | undefined;
  /**
   * The vendor preset with address and quirks (default: the one with the same id). `provider_presets` lists
   * them.
   */
  preset?: string | undefined;
  /** Where it is: over https, and public. */
  base_url?: string | undefined;
  /** Display name. */
  label?: string | undefined;
  /** Formats it supports. */
  dialects?:
    | Array<
        'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages' | 'gemini' | 'bedrock-converse'
      >
    | undefined;
  /** Models beyond those of the catalog and its own list, or facts of these. */
  models?:
    | Array<{
        /** The name in calls. */
        id: string;
        /** The vendor’s name for it (default: the id). */
        upstream?: string | undefined;
        dialects?:
          | Array<
              | 'openai-chat'
              | 'openai-responses'
              | 'openai-embeddings'
              | 'anthropic-messages'
              | 'gemini'
              | 'bedrock-converse'
            >
          | undefined;
        name?: string | undefined;
        context_window?: number | undefined;
        max_output_tokens?: number | undefined;
        dimensions?: number | undefined;
        /** As in the configuration file: `input_per_1m`, `output_per_1m` and so on, in dollars. */
        price?: Record<string, unknown> | undefined;
        /** As in the configuration file: default parameters of calls, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters that override the callers’. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** The only models it serves. */
  only?:
    | Array<{
        /** The name in calls. */
        id: string;
        /** The vendor’s name for it (default: the id). */
        upstream?: string | undefined;
        dialects?:
          | Array<
              | 'openai-chat'
              | 'openai-responses'
              | 'openai-embeddings'
              | 'anthropic-messages'
              | 'gemini'
              | 'bedrock-converse'
            >
          | undefined;
        name?: string | undefined;
        context_window?: number | undefined;
        max_output_tokens?: number | undefined;
        dimensions?: number | undefined;
        /** As in the configuration file: `input_per_1m`, `output_per_1m` and so on, in dollars. */
        price?: Record<string, unknown> | undefined;
        /** As in the configuration file: default parameters of calls, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters that override the callers’. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** `refuse`: unlisted names are not sent to it. */
  unknown_models?: 'pass' | 'refuse' | undefined;
  /** The region that it serves from, such as eu; routes can require it. */
  region?: string | undefined;
  /** Whether calls may refer to files and other objects in its account. */
  shared_ids?: 'refuse' | 'allow' | undefined;
  /** The vendor’s key. It is encrypted and never shown again. */
  key?: string | undefined;
};

export type ProviderTest = {
  object: 'organization.provider.test';
  ok: boolean;
  /** The number of models it lists; `null` if it did not list any. */
  models: number | null;
  /** Its reaction to the key. `unknown`: it lists models without a key, or did not answer. */
  key: 'accepted' | 'refused' | 'unknown' | 'none';
  /** What went wrong. */
  error: string | null;
  took_ms: number;
};

/** `null` removes a member. */
export type ProviderUpdate = {
  preset?: string | null | undefined;
  base_url?: string | null | undefined;
  label?: string | null | undefined;
  dialects?:
    | Array<
        'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages' | 'gemini' | 'bedrock-converse'
      >
    | null
    | undefined;
  models?:
    | Array<{
        /** The name in calls. */
        id: string;
        /** The vendor’s name for it (default: the id). */
        upstream?: string | undefined;
        dialects?:
          | Array<
              | 'openai-chat'
              | 'openai-responses'
              | 'openai-embeddings'
              | 'anthropic-messages'
              | 'gemini'
              | 'bedrock-converse'
            >
          | undefined;
        name?: string | undefined;
        context_window?: number | undefined;
        max_output_tokens?: number | undefined;
        dimensions?: number | undefined;
        /** As in the configuration file: `input_per_1m`, `output_per_1m` and so on, in dollars. */
        price?: Record<string, unknown> | undefined;
        /** As in the configuration file: default parameters of calls, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters that override the callers’. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | null
    | undefined;
  only?:
    | Array<{
        /** The name in calls. */
        id: string;
        /** The vendor’s name for it (default: the id). */
        upstream?: string | undefined;
        dialects?:
          | Array<
              | 'openai-chat'
              | 'openai-responses'
              | 'openai-embeddings'
              | 'anthropic-messages'
              | 'gemini'
              | 'bedrock-converse'
            >
          | undefined;
        name?: string | undefined;
        context_window?: number | undefined;
        max_output_tokens?: number | undefined;
        dimensions?: number | undefined;
        /** As in the configuration file: `input_per_1m`, `output_per_1m` and so on, in dollars. */
        price?: Record<string, unknown> | undefined;
        /** As in the configuration file: default parameters of calls, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters that override the callers’. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | null
    | undefined;
  unknown_models?: 'pass' | 'refuse' | null | undefined;
  region?: string | null | undefined;
  shared_ids?: 'refuse' | 'allow' | null | undefined;
  /** Replaces all its keys. Required with a new address. */
  credentials?:
    | Array<{
        /** Name for targets of routes. */
        name?: string | undefined;
        /** The vendor’s key. It is encrypted and never shown again. */
        key: string;
        /** Its share of the calls; with 0, only targets that name it use it. */
        weight?: number | undefined;
      }>
    | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProviderDeleted = {
  id: string;
  object: 'organization.provider.deleted';
  deleted: true;
};

export type ProviderCredentialRequest = {
  /** Name for targets of routes. */
  name?: string | undefined;
  /** The vendor’s key. It is encrypted and never shown again. */
  key: string;
  /** Its share of the calls; with 0, only targets that name it use it. */
  weight?: number | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProviderCredentialUpdate = {
  name?: string | undefined;
  /** The vendor’s key. It is encrypted and never shown again. */
  key?: string | undefined;
  /** Its share of the calls; with 0, only targets that name it use it. */
  weight?: number | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProviderCredentialDeleted = {
  id: string;
  object: 'organization.provider.credential.deleted';
  deleted: true;
};

export type OrganizationRouteList = {
  object: 'list';
  data: OrganizationRoute[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type OrganizationRoute = {
  /** The model name that callers send. */
  id: string;
  object: 'organization.route';
  /** `file`: it can be changed only in the configuration. */
  from: 'file' | 'store';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  /** A stored route is not used while the file has one with the same id. */
  hides_stored: boolean;
  name: string | null;
  origin: 'vendor' | 'smart_route' | 'system_route' | null;
  strategy: string[];
  targets: string[];
  fallbacks: string[];
  /** Why it is not used; `null` if it is. */
  problem: string | null;
  definition_version: string | null;
  /** The id of the version; `null` for routes of the file. */
  version_in_force: string | null;
  /** The version that a rollback restores. */
  version_before: string | null;
  canary: {
    version_id: string;
    /** The share of the conversations (0 to 1) that use this version. */
    share: number;
  } | null;
  created_at: number | null;
  updated_at: number | null;
  version: number | null;
};

export type OrganizationRouteRequest = OrganizationRouteDraft & {
  /** Reason, for people. */
  note?: string | null | undefined;
};

export type OrganizationRouteWhole = OrganizationRoute & {
  /** The definition as in a file; `null` if it cannot be read. */
  definition: Record<string, unknown> | null;
  /** The same as YAML, as it was typed if known. */
  yaml: string | null;
};

export type OrganizationRouteUpdate = {
  /** The id of a version of this route. */
  version_in_force?: string | undefined;
  /** `null` ends it. */
  canary?:
    | {
        /** The id of a version of this route. */
        version_id: string;
        /** The share of the conversations that use it. Each conversation keeps its version. */
        share: number;
      }
    | null
    | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type OrganizationRouteRollback = {
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type OrganizationRouteDeleted = {
  id: string;
  object: 'organization.route.deleted';
  deleted: true;
};

export type OrganizationRouteDraft = {
  /** The model name that callers send, such as `acme/fast`. */
  id: string;
  /** The definition of the route as in a file, in JSON; alternative to `yaml`. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: only the definition, or a complete configuration with it. Variables are not allowed. */
  yaml?: string | undefined;
};

export type OrganizationRouteCheck = {
  object: 'organization.route.check';
  valid: boolean;
  problems: Array<{
    /** The member of the definition; empty for the whole. */
    path: string;
    message: string;
    /** In `yaml`, from 1. */
    line: number | null;
    column: number | null;
  }>;
  definition_version: string | null;
  /** The draft as JSON; `null` if it has a problem. */
  definition: Record<string, unknown> | null;
  /** Targets that no provider serves. */
  unserved: Array<{
    model: string;
    detail: string;
  }>;
  /** Providers that did not list their models. */
  unasked: string[];
};

export type OrganizationRouteTry = {
  /** The body of the call; its `model` is ignored. */
  call: Record<string, unknown>;
  /** Type of the call (default: determined by its members). */
  surface?: 'chat' | 'responses' | 'messages' | 'embeddings' | undefined;
  /** The definition of the route as in a file, in JSON; alternative to `yaml`. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: only the definition, or a complete configuration with it. Variables are not allowed. */
  yaml?: string | undefined;
  /** A version of the route instead of a draft (default: the version in force). */
  version_id?: string | undefined;
};

export type OrganizationRouteReplay = {
  /** The definition of the route as in a file, in JSON; alternative to `yaml`. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: only the definition, or a complete configuration with it. Variables are not allowed. */
  yaml?: string | undefined;
  /** A version of the route instead of a draft (default: the version in force). */
  version_id?: string | undefined;
  /** Start in Unix seconds (default: seven days ago). */
  since?: number | undefined;
  /** Only the first calls. */
  limit?: number | undefined;
};

export type OrganizationRouteReplayed = {
  object: 'organization.route.replay';
  route_id: string;
  definition_version: string;
  /** Unix time in seconds. */
  since: number;
  calls: number;
  /** `false`: the number or time was not enough for all calls. */
  complete: boolean;
  /** Calls that would use another target. */
  moved: number;
  moves: Array<{
    /** `null`: nobody. */
    from: {
      provider: string;
      model: string;
    } | null;
    /** `null`: nobody. */
    to: {
      provider: string;
      model: string;
    } | null;
    calls: number;
  }>;
  /** Over calls with both values. */
  expected_cost: {
    calls: number;
    before_usd: number;
    after_usd: number;
  } | null;
  expected_quality: {
    calls: number;
    before: number;
    after: number;
  } | null;
  unserved: {
    calls: number;
    errors: Record<string, number>;
  };
};

export type OrganizationRouteVersionList = {
  object: 'list';
  data: OrganizationRouteVersion[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type OrganizationRouteVersion = {
  id: string;
  object: 'organization.route.version';
  route_id: string;
  /** Counts from 1. */
  number: number;
  /** Creation time in Unix seconds. */
  created_at: number;
  created_by: {
    type: 'session' | 'api_key' | 'operator';
    id: string | null;
    email: string | null;
  } | null;
  note: string | null;
  /** A hash of the definition; usage records have it as `route_version`. */
  definition_version: string;
};

export type OrganizationRouteVersionRequest = {
  /** The definition of the route as in a file, in JSON; alternative to `yaml`. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: only the definition, or a complete configuration with it. Variables are not allowed. */
  yaml?: string | undefined;
  /** Reason, for people. */
  note?: string | null | undefined;
  /** `false`: store it without using it. */
  in_force?: boolean | undefined;
  /** The `version` of the route that was read. */
  if_version?: number | undefined;
};

export type OrganizationRouteVersionWhole = OrganizationRouteVersion & {
  definition: Record<string, unknown>;
  yaml: string;
};

export type OrganizationRouteDiff = {
  object: 'organization.route.diff';
  from: string;
  to: string;
  changes: Array<{
    path: string;
    /** Left out if the member is new. */
    before: unknown;
    /** Left out if the member was removed. */
    after: unknown;
  }>;
};

export type ProductList = {
  object: 'list';
  data: Product[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Product = {
  /** The id that its keys refer to. */
  id: string;
  object: 'organization.product';
  name: string;
  /** What its keys may call. */
  routes: string[];
  /** Those of `routes` that do not exist now. */
  unserved: string[];
  /** Total its keys may spend; `amount_decimal` is exact. */
  spend_limit: {
    amount_usd: number;
    amount_decimal: string;
    interval: 'life' | 'day' | 'week' | 'month';
  } | null;
  /** What counts against that in the period; without a limit, all its spending. */
  spent_usd: number;
  spend_resets_at: number | null;
  /**
   * Its keys, newest first, at most 20. They are changed and revoked like other keys of their project, by people
   * who may change products.
   */
  api_keys: Array<{
    id: string;
    project_id: string;
    name: string;
    /** The first and last characters of the secret. */
    redacted_value: string;
    /** Creation time in Unix seconds. */
    created_at: number;
    expires_at: number | null;
    status: 'active' | 'disabled' | 'expired';
  }>;
  /** `file`: it can be changed only in the configuration. */
  origin: 'file' | 'settings';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  /** Why it is not in force: the file has a product with its id. */
  off: string | null;
  created_at: number | null;
  updated_at: number | null;
  version: number | null;
};

export type ProductRequest = {
  /** Letters, digits, `_` and `-`. Used in usage records. */
  id: string;
  /** Project of its key (default: the default project). */
  project_id?: string | undefined;
  /** Expiry of its key (default: never). */
  expires_in_seconds?: number | null | undefined;
  /** The expiry as a time, in Unix seconds, instead of `expires_in_seconds`. */
  expires_at?: number | undefined;
  /** Default: the id. */
  name?: string | undefined;
  /** Default: the system route. */
  routes?: string[] | undefined;
  /** Total its keys may spend; `null`: as much as its keys allow. */
  spend_limit?:
    | {
        /** A number, or a text for exact values: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
};

export type ProductWithKey = Product & {
  api_key: {
    id: string;
    name: string;
    /** The secret, shown only here. */
    value: string;
    /** Creation time in Unix seconds. */
    created_at: number;
    expires_at: number | null;
  };
};

export type ProductUpdate = {
  name?: string | undefined;
  /** Routes, models and aliases that its keys may call. */
  routes?: string[] | undefined;
  /** Total its keys may spend; `null`: as much as its keys allow. */
  spend_limit?:
    | {
        /** A number, or a text for exact values: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProductRotateRequest = {
  /** Required if it has several keys. */
  api_key_id?: string | undefined;
  /** How long the old secret stays valid; at most 90 days. */
  overlap_seconds?: number | undefined;
};

export type RotatedProductKey = Product & {
  api_key: {
    id: string;
    name: string;
    /** The secret, shown only here. */
    value: string;
    /** Creation time in Unix seconds. */
    created_at: number;
    expires_at: number | null;
  };
  /** `null`: it had none. */
  earlier_secret_until: number | null;
};

export type ProductDeleted = {
  id: string;
  object: 'organization.product.deleted';
  deleted: true;
};

export type PriceOverrideList = {
  object: 'list';
  data: PriceOverride[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type PriceOverride = {
  id: string;
  object: 'organization.price_override';
  /** `provider/model`. */
  model: string;
  /** `null` if it can no longer be read. */
  price:
    | (RateList & {
        /** Price by service tier, in the vendor’s words. */
        services?: Record<string, RateList> | undefined;
        /** US dollars per call of a tool that the vendor runs, by its name: `web_search`. */
        per_call?: Record<string, number> | undefined;
        /** Price factors by the region that the vendor reports. */
        regions?: Record<string, number> | undefined;
        currency: 'USD';
        source: string | null;
        date: string | null;
        /** The model whose price this is, if it is another’s. */
        inferred_from?: string | undefined;
      })
    | null;
  /** Start; `null` if unknown. */
  effective_at: number | null;
  /** End; `null` if unknown. */
  ended_at: number | null;
  /** `replaced`: a later one followed; `cancelled`: it ended before it began; `hidden`: the file has another. */
  state: 'scheduled' | 'in_force' | 'replaced' | 'ended' | 'cancelled' | 'hidden';
  note: string | null;
  set_by: {
    type: 'session' | 'api_key' | 'operator';
    id: string | null;
    email: string | null;
  } | null;
  /** `file`: it can be changed only in the configuration. */
  origin: 'file' | 'settings';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  created_at: number | null;
  updated_at: number | null;
  version: number | null;
};

export type PriceOverrideRequest = {
  /** `provider/model`, or a name that leads to a model. */
  model: string;
  /**
   * As in the configuration file: `input_per_1m`, `output_per_1m`, `cache_read_per_1m`, `tiers` and so on, in
   * dollars.
   */
  price: Record<string, unknown>;
  /** Default: now. */
  effective_at?: number | undefined;
  /** Reason, for people. */
  note?: string | null | undefined;
};

export type PriceOverrideUpdate = {
  /**
   * As in the configuration file: `input_per_1m`, `output_per_1m`, `cache_read_per_1m`, `tiers` and so on, in
   * dollars.
   */
  price?: Record<string, unknown> | undefined;
  /** From when on it bills, in Unix seconds: now or later. */
  effective_at?: number | undefined;
  /** Reason, for people. */
  note?: string | null | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type PriceOverrideDeleted = {
  id: string;
  object: 'organization.price_override.deleted';
  deleted: true;
};

export type AliasList = {
  object: 'list';
  data: Alias[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Alias = {
  /** The model name that callers send. */
  id: string;
  object: 'organization.alias';
  /** A model, a route, or another alias. */
  target: string;
  /** The model or route that it leads to now; `null` if there is none. */
  leads_to: string | null;
  /** Why it is not in force: the file has an alias or a route with its name. */
  off: string | null;
  /** `file`: it can be changed only in the configuration. */
  origin: 'file' | 'settings';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  created_at: number | null;
  updated_at: number | null;
  version: number | null;
};

export type AliasRequest = {
  /** The model name that callers send, such as `acme/fast`. */
  id: string;
  /** The name of a model, a route, or another alias. */
  target: string;
};

export type AliasUpdate = {
  /** The name of a model, a route, or another alias. */
  target: string;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type AliasDeleted = {
  id: string;
  object: 'organization.alias.deleted';
  deleted: true;
};

export type AttentionList = {
  object: 'list';
  data: AttentionItem[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type AttentionItem = {
  /** Stable as long as the same problem exists. */
  id: string;
  object: 'organization.attention_item';
  kind:
    | 'credential_refused'
    | 'circuit'
    | 'budget'
    | 'spend_limit'
    | 'rate_limit'
    | 'outgoing_rate'
    | 'model_shutdown'
    | 'unpriced_targets'
    | 'api_key_expiry'
    | 'admin_api_key_expiry'
    | 'api_key_usage';
  /** `critical`: calls fail, or an amount is used up. `warning`: this is near. */
  severity: 'critical' | 'warning';
  /** A description in plain words. */
  sentence: string;
  /** What it is about. */
  subject: {
    type: 'provider' | 'budget' | 'organization' | 'project' | 'model' | 'route' | 'api_key' | 'admin_api_key';
    id: string;
    name: string;
  };
  /** Of a key or a limit. */
  project: {
    id: string;
    name: string;
  } | null;
  provider: string | null;
  /** Of a circuit the vendor’s name for it; of a rate limit the name in calls. */
  model: string | null;
  /** The refused credentials, or that of the circuit. */
  credentials: string[];
  /** The routes that lead to a model with a shutdown date, or the one with targets without a price. */
  routes: string[];
  /** Of budgets and limits. `requests` and `tokens` are per minute. */
  unit: 'usd' | 'requests' | 'tokens' | null;
  used: number | null;
  limit: number | null;
  /** Used part of the limit in whole percent, rounded down: 99 is not quite all. */
  percent: number | null;
  /** Last refusal for a budget or spend limit, or last skip for a rate limit, to the minute. */
  refused_at: number | null;
  /** The model or route that serves calls once the budget is nearly used up. */
  instead: string | null;
  /** When a key expires, a model is shut down, an amount resets, a circuit is tested, or a rate limit has room. */
  at: number | null;
  /** The vendor’s last answer. */
  last_error: {
    message: string;
    /** Unix time in seconds. */
    at: number;
  } | null;
  /**
   * Of `api_key_usage`: the first 20 keys that still read the usage of the whole organization, because they are
   * older than usage scopes.
   */
  api_keys: Array<{
    id: string;
    name: string;
  }>;
};

export type Status = {
  object: 'status';
  process: {
    version: string;
    uptime_seconds: number;
    open_calls: number;
    /** Number of serving processes. */
    workers: number;
    /** Processes that did not answer in time and are not in the sums. */
    silent_workers: number;
  };
  /**
   * Each provider’s answer to the last request for its models: it listed them, refused the key, or failed, or
   * has not answered yet. For restricted providers only the keys are tested.
   */
  providers: Array<{
    provider: string;
    list: 'key_refused' | 'failed' | 'unheard' | 'listed';
    /** The names of the credentials that it last refused. */
    refused_credentials: string[];
  }>;
  /** The outgoing rate limits of providers, their keys and models. */
  outgoing_rates: Array<{
    provider: string;
    /** Of a rate limit of one key: its name. */
    credential: string | null;
    /** Of a rate limit of one model: the vendor’s name for it. */
    model: string | null;
    requests_per_minute: number | null;
    tokens_per_minute: number | null;
    /** Calls that passed it over since the processes started. */
    passed_over: number;
    /** The last time. */
    full_at: number | null;
    /** Until then it is full; `null`: it has room, as far as is known. */
    full_until: number | null;
  }>;
  /**
   * Targets of routes without a price: under a budget or spend limit, others serve the call (`skip`), or it is
   * refused.
   */
  unpriced: Array<{
    route: string;
    models: string[];
    unpriced: 'skip' | 'refuse';
    sentence: string;
  }>;
  /** Models in routes, and models that were called. */
  targets: TargetStatus[];
};

/** With several workers: the worst circuit, the sums of calls, and the longest times. */
export type TargetStatus = {
  provider: string;
  /** The vendor’s name for it. */
  model: string;
  credential: string;
  /** `closed`: calls go there; `open`: none do; `half_open`: one may, as a test. */
  circuit: 'closed' | 'half_open' | 'open';
  /** Unix time in seconds from which calls may go there again. */
  open_until: number | null;
  /** The same for its credential, if the vendor refused it. */
  credential_out_until: number | null;
  /** Time to the first token of the last 200 streams. */
  p50_ms: number | null;
  p95_ms: number | null;
  /** Duration of the last 200 answers that were not streamed. */
  whole_p50_ms: number | null;
  whole_p95_ms: number | null;
  /** Failed part of `recent_calls`, 0 to 1. */
  error_rate: number | null;
  /** Calls that ended within `breaker.window`. */
  recent_calls: number;
  in_flight: number;
  last_error: {
    kind:
      | 'invalid_request'
      | 'invalid_json'
      | 'invalid_http'
      | 'missing_api_key'
      | 'invalid_api_key'
      | 'revoked_api_key'
      | 'disabled_api_key'
      | 'expired_api_key'
      | 'not_signed_in'
      | 'sign_in_failed'
      | 'recent_sign_in_required'
      | 'too_many_attempts'
      | 'context_length_exceeded'
      | 'model_not_allowed'
      | 'model_unpriced'
      | 'forbidden'
      | 'model_not_found'
      | 'not_found'
      | 'thread_not_found'
      | 'conflict'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'body_too_large'
      | 'unsupported_media_type'
      | 'headers_too_large'
      | 'rate_limit_exceeded'
      | 'token_limit_exceeded'
      | 'token_limit_unreachable'
      | 'insufficient_quota'
      | 'client_closed_request'
      | 'internal'
      | 'storage_unavailable'
      | 'overloaded'
      | 'provider_busy'
      | 'no_target_available'
      | 'shutting_down'
      | 'upstream_rejected'
      | 'upstream_rate_limited'
      | 'upstream_unauthorized'
      | 'upstream_account_empty'
      | 'upstream_error'
      | 'upstream_unreachable'
      | 'upstream_disconnected'
      | 'upstream_invalid_answer'
      | 'upstream_timeout';
    status: number;
    message: string;
    /** Unix time in seconds. */
    at: number;
  } | null;
};

export type CatalogInfoParams = {
  /** Lists only the model with this `model_info.id`. */
  litellm_model_id?: string | undefined;
};

export type CatalogInfoAtRootParams = {
  /** Lists only the model with this `model_info.id`. */
  litellm_model_id?: string | undefined;
};

export type CatalogListParams = {
  /** Only this provider’s, by id or label. */
  provider?: string | undefined;
  /** Only models with this in the id, a name, an alias or the provider’s label; case is ignored. */
  search?: string | undefined;
};

export class CatalogResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the models that the key may use, in LiteLLM’s format. */
  info(query: CatalogInfoParams = {}, options?: RequestOptions): APIPromise<ModelInfoList> {
    return this.#client.get('/model/info', { query, ...options });
  }

  /** List the models that the key may use, in LiteLLM’s format. */
  infoAtRoot(query: CatalogInfoAtRootParams = {}, options?: RequestOptions): APIPromise<ModelInfoList> {
    return this.#client.get('/model/info', { query, ...options });
  }

  /** List the models with their providers, targets and prices. */
  list(query: CatalogListParams = {}, options?: RequestOptions): APIPromise<Catalog> {
    return this.#client.get('/models/catalog', { query, ...options });
  }

  /**
   * Get one model with its providers, targets and prices.
   * @param id The value for `model`, or an alias. Slashes may be encoded or not.
   */
  retrieve(id: string, options?: RequestOptions): APIPromise<CatalogEntry> {
    return this.#client.get(`/models/catalog/${piece('id', id)}`, options);
  }
}

export type UsageListParams = {
  /** Only this model. */
  model?: string | undefined;
  /** Only keys of this source. */
  source?: 'api_key' | 'product' | 'developer_tool' | 'console' | undefined;
  /** Only this product, by id. */
  product?: string | undefined;
  /** Only this developer tool, by name. */
  tool?: string | undefined;
  /** Only this key. */
  api_key_id?: string | undefined;
  /** Only calls with this status. Refused calls have no usage, and are listed only if asked for. */
  status?: 'succeeded' | 'failed' | 'cancelled' | 'interrupted' | 'refused' | undefined;
  /** Only calls from this time on (Unix seconds). */
  start_time?: number | undefined;
  /** Only calls before this time (Unix seconds). */
  end_time?: number | undefined;
  /** Number of records. */
  limit?: number | undefined;
  /** Id of the last record of the previous page. */
  after?: string | undefined;
};

export type UsageLiveParams = {
  /** Only this model. */
  model?: string | undefined;
  /** Only keys of this source. */
  source?: 'api_key' | 'product' | 'developer_tool' | 'console' | undefined;
  /** Only this product, by id. */
  product?: string | undefined;
  /** Only this developer tool, by name. */
  tool?: string | undefined;
  /** Only this key. */
  api_key_id?: string | undefined;
  /** Only calls with this status. */
  status?: 'succeeded' | 'failed' | 'cancelled' | 'interrupted' | undefined;
  /** Only calls from this time on (Unix seconds). */
  start_time?: number | undefined;
  /** Only calls before this time (Unix seconds). */
  end_time?: number | undefined;
  /** Id of the last received event, for clients that cannot send the header. */
  last_event_id?: string | undefined;
};

export type UsageSummaryParams = {
  /**
   * Grouping, separated by commas: key, model, product, tool, source, route, provider, day (default: only
   * totals).
   */
  by?: string | undefined;
  /** Only this model, by its catalog name. */
  model?: string | undefined;
  /** Only keys of this source. */
  source?: 'api_key' | 'product' | 'developer_tool' | 'console' | undefined;
  /** Only this product, by id. */
  product?: string | undefined;
  /** Only this developer tool, by name. */
  tool?: string | undefined;
  /** Only this route. */
  route?: string | undefined;
  /** Only calls served by this provider. */
  provider?: string | undefined;
  /** Only this key. */
  api_key_id?: string | undefined;
  /** From the UTC day of this time on (Unix seconds); left out, 30 days ago. */
  start_time?: number | undefined;
  /** End of the period; its UTC day is included (default: now). */
  end_time?: number | undefined;
  /** Number of rows; the others are summed in `rest`. */
  limit?: number | undefined;
  /** Sort order of the rows, largest first. */
  order_by?: 'cost' | 'calls' | 'tokens' | 'cached_tokens' | 'failed_calls' | undefined;
  /**
   * The number of names, or combinations of them, that are shown by themselves: the largest of the whole period,
   * not counting days. The others are one row, or one per day. Default: all are shown.
   */
  top?: number | undefined;
};

export type UsageFirstTokensParams = {
  /** From the UTC day of this time on (Unix seconds); left out, 30 days ago. */
  start_time?: number | undefined;
  /** End of the period; its UTC day is included (default: now). */
  end_time?: number | undefined;
};

export class UsageResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the usage records of the key’s organization, newest first. `for await` walks through all pages.
   * A key reads the records of its organization, its project or only its own, according to its `usage`, here and
   * in the other operations. A person’s key never reads more than the person may.
   */
  list(query: UsageListParams = {}, options?: RequestOptions): PagePromise<CursorPage<UsageRecord>, UsageRecord> {
    return this.#client.getAPIList('/usage', CursorPage<UsageRecord>, { query, ...options });
  }

  /**
   * Follow calls as they end: server-sent events, each with one call in the format of `GET /v1/usage/{id}`. `for
   * await` reads them, and goes on by itself where the connection is lost.
   * Callers see the same calls as in the list. An event arrives within a second of its call’s end, in the order
   * in which calls ended, at most 20 a second. Calls beyond that are skipped and counted in an event `skipped`
   * (`{"calls": 312}`; `null` if unknown). The first event is `begin`, with only an id. Each call’s event has an
   * id. A client that reconnects with the last one in `Last-Event-ID`, as browsers do automatically, or in
   * `last_event_id`, continues after it. A stream ends when the gateway stops or is overloaded, within a second
   * after the caller loses the permission, and for signed-in people after a minute: then reconnect.
   */
  live(query: UsageLiveParams = {}, options?: RequestOptions): LiveItems<UsageDetail> {
    return new LiveItems(this.#client, '/usage/live', query, options);
  }

  /**
   * Sum up usage and costs of the key’s organization, beside the previous period.
   * The period is whole UTC days, including today so far, and is compared with as many days before. A call
   * belongs to the day on which it began, and counts once it has ended.
   */
  summary(query: UsageSummaryParams = {}, options?: RequestOptions): APIPromise<UsageSummary> {
    return this.#client.get('/usage/summary', { query, ...options });
  }

  /**
   * Get the time to the first token of the organization’s streams, beside the previous period.
   * The period is whole UTC days, including today so far, and is compared with as many days before. A call
   * belongs to the day on which it began, and counts once it has ended.
   */
  firstTokens(query: UsageFirstTokensParams = {}, options?: RequestOptions): APIPromise<FirstTokenTimes> {
    return this.#client.get('/usage/first_tokens', { query, ...options });
  }

  /**
   * Get one complete call: its record, each attempt, and its route’s decision.
   * @param id The record’s id, or the request’s (`x-request-id` of the answer).
   */
  retrieve(id: string, options?: RequestOptions): APIPromise<UsageDetail> {
    return this.#client.get(`/usage/${piece('id', id)}`, options);
  }
}

export class FeedbackResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * Rate the answer to a call; a smart route learns from it.
   * With the key that made the call, or an administrator’s of its organization. A later score replaces an
   * earlier one.
   */
  create(body: FeedbackRequest, options?: RequestOptions): APIPromise<Feedback> {
    return this.#client.post('/feedback', { body, ...options });
  }
}

export type RoutesExplainParams = {
  /** Type of the body (default: determined by its members). */
  surface?: 'chat' | 'responses' | 'messages' | 'embeddings' | undefined;
};

export class RoutesResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the routes that the key may use, in the catalog’s format. */
  list(options?: RequestOptions): APIPromise<RouteList> {
    return this.#client.get('/routes', options);
  }

  /**
   * Show who would serve a call, and why. No provider is called, and nothing is recorded.
   * @param id A route or a vendor’s model. Slashes may be encoded or not.
   */
  explain(
    id: string,
    body: Record<string, unknown>,
    query: RoutesExplainParams = {},
    options?: RequestOptions,
  ): APIPromise<RouteDecision> {
    return this.#client.post(`/routes/${piece('id', id)}/explain`, { query, body, ...options });
  }
}

export type SettingsProjectsApiKeysListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** Id of the first item of the next page. */
  before?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
  /** Keys of owners who are in the project, of others, or all. */
  owner_project_access?: 'active' | 'inactive' | 'any' | undefined;
};

export type SettingsProjectsApiKeysListAllParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** Id of the first item of the next page. */
  before?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
  /** Only keys with this in their name or id, best match first: up to `limit`, in one page. */
  search?: string | undefined;
};

export class SettingsProjectsApiKeysResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the keys of a project with their use. `for await` walks through all pages. */
  list(
    projectId: string,
    query: SettingsProjectsApiKeysListParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<ProjectApiKey>, ProjectApiKey> {
    return this.#client.getAPIList(
      `/organization/projects/${piece('projectId', projectId)}/api_keys`,
      CursorPage<ProjectApiKey>,
      { ...ADMINISTRATION, query, ...options },
    );
  }

  /**
   * List the keys of all projects, or of the projects that the caller may read. Archived projects are left out.
   * `for await` walks through all pages.
   * Not in OpenAI’s API.
   */
  listAll(
    query: SettingsProjectsApiKeysListAllParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<PlacedApiKey>, PlacedApiKey> {
    return this.#client.getAPIList('/organization/api_keys', CursorPage<PlacedApiKey>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Create a key in a project: for yourself, another person, a service account, or nobody.
   * Not in OpenAI’s API.
   */
  create(projectId: string, body: ProjectApiKeyRequest, options?: RequestOptions): APIPromise<NewProjectApiKey> {
    return this.#client.post(`/organization/projects/${piece('projectId', projectId)}/api_keys`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Get a key. */
  retrieve(projectId: string, apiKeyId: string, options?: RequestOptions): APIPromise<ProjectApiKey> {
    return this.#client.get(
      `/organization/projects/${piece('projectId', projectId)}/api_keys/${piece('apiKeyId', apiKeyId)}`,
      { ...ADMINISTRATION, ...options },
    );
  }

  /**
   * Change a key. Members that are left out stay. The change is in force everywhere within a second.
   * A key of somebody else also needs `api.members.write`, a product’s key `api.products.write`, an admin key an
   * owner.
   */
  update(
    projectId: string,
    apiKeyId: string,
    body: ProjectApiKeyUpdate = {},
    options?: RequestOptions,
  ): APIPromise<ProjectApiKey> {
    return this.#client.post(
      `/organization/projects/${piece('projectId', projectId)}/api_keys/${piece('apiKeyId', apiKeyId)}`,
      { ...ADMINISTRATION, body, ...options },
    );
  }

  /**
   * Replace the secret of a key. The old secret stays valid for a while.
   * A key of somebody else also needs `api.members.write`, a product’s key `api.products.write`, an admin key an
   * owner. If the key reads more usage than the person who gets the secret, its scope is reduced to theirs;
   * `usage` in the answer shows it. Your own key keeps its scope.
   */
  rotate(
    projectId: string,
    apiKeyId: string,
    body: RotateRequest = {},
    options?: RequestOptions,
  ): APIPromise<RotatedApiKey> {
    return this.#client.post(
      `/organization/projects/${piece('projectId', projectId)}/api_keys/${piece('apiKeyId', apiKeyId)}/rotate`,
      { ...ADMINISTRATION, body, ...options },
    );
  }

  /**
   * Revoke a key permanently.
   * A key of somebody else also needs `api.members.write`, a product’s key `api.products.write`, an admin key an
   * owner.
   */
  delete(projectId: string, apiKeyId: string, options?: RequestOptions): APIPromise<ProjectApiKeyDeleted> {
    return this.#client.delete(
      `/organization/projects/${piece('projectId', projectId)}/api_keys/${piece('apiKeyId', apiKeyId)}`,
      { ...ADMINISTRATION, ...options },
    );
  }
}

export class SettingsProjectsResource {
  readonly apiKeys: SettingsProjectsApiKeysResource;

  constructor(client: Caller) {
    this.apiKeys = new SettingsProjectsApiKeysResource(client);
  }
}

export type SettingsModelsAccessParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export type SettingsModelsPricesParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsModelsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the projects with whether they, and how many of their keys, may use a model. `for await` walks through
   * all pages.
   * The model’s name in calls, or an alias; slashes are written `%2F`. Archived projects are left out.
   */
  access(
    modelId: string,
    query: SettingsModelsAccessParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<ModelAccess>, ModelAccess> {
    return this.#client.getAPIList(
      `/organization/models/${piece('modelId', modelId)}/access`,
      CursorPage<ModelAccess>,
      { ...ADMINISTRATION, query, ...options },
    );
  }

  /**
   * List a model’s past, present and future prices. `for await` walks through all pages.
   * Prices that were set, the present one, and those that calls were billed by. Slashes in the name are encoded
   * as `%2F`. Prices belong to the gateway: its first organization sets them, and they apply to all.
   */
  prices(
    modelId: string,
    query: SettingsModelsPricesParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<ModelPrice>, ModelPrice> {
    return this.#client.getAPIList(`/organization/models/${piece('modelId', modelId)}/prices`, CursorPage<ModelPrice>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }
}

export type SettingsLimitUseListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
  /** Only limits used at least this much, in percent: 80 finds those nearly used up. */
  least_percent?: number | undefined;
  /** Only limits of this. */
  measure?: 'spend_usd' | 'requests' | 'tokens' | undefined;
  /** Whether spend limits of archived projects are listed, too. */
  include_archived?: boolean | undefined;
};

export class SettingsLimitUseResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the limits of the organization and its projects with their use. `for await` walks through all pages.
   * Monthly spend limits for readers of budgets, and rate limits of models for readers of usage. The
   * configuration’s own rate limits are left out, and archived projects unless they are included.
   */
  list(query: SettingsLimitUseListParams = {}, options?: RequestOptions): PagePromise<CursorPage<LimitUse>, LimitUse> {
    return this.#client.getAPIList('/organization/limit_use', CursorPage<LimitUse>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }
}

export type SettingsSpendLimitsListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsSpendLimitsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the monthly spend limits of the organization and its projects. `for await` walks through all pages. */
  list(
    query: SettingsSpendLimitsListParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<SpendLimit>, SpendLimit> {
    return this.#client.getAPIList('/organization/spend_limits', CursorPage<SpendLimit>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }
}

export type SettingsBudgetsListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** Id of the first item of the next page. */
  before?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsBudgetsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List budgets with their spending. `for await` walks through all pages. */
  list(query: SettingsBudgetsListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Budget>, Budget> {
    return this.#client.getAPIList('/organization/budgets', CursorPage<Budget>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Create a budget for a project, group, person, key, product or all, or several of them together.
   * Spending of its holders in the current period counts; for groups, `models`, `instead` and `life` it counts
   * from now on. Every process goes by it within a second.
   */
  create(body: BudgetRequest, options?: RequestOptions): APIPromise<Budget> {
    return this.#client.post('/organization/budgets', { ...ADMINISTRATION, body, ...options });
  }

  /** Get a budget with its spending. */
  retrieve(budgetId: string, options?: RequestOptions): APIPromise<Budget> {
    return this.#client.get(`/organization/budgets/${piece('budgetId', budgetId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Change a budget. Members that are left out stay, and so does its spending. */
  update(budgetId: string, body: BudgetUpdate = {}, options?: RequestOptions): APIPromise<Budget> {
    return this.#client.post(`/organization/budgets/${piece('budgetId', budgetId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Delete a budget. What it has spent is forgotten. */
  delete(budgetId: string, options?: RequestOptions): APIPromise<BudgetDeleted> {
    return this.#client.delete(`/organization/budgets/${piece('budgetId', budgetId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }
}

export class SettingsInvitesResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * Invite somebody for 7 days.
   * Nobody can invite with more permissions than their own: only an owner invites owners.
   */
  create(body: InviteRequest, options?: RequestOptions): APIPromise<InviteCreated> {
    return this.#client.post('/organization/invites', { ...ADMINISTRATION, body, ...options });
  }
}

export type SettingsWebhookEndpointsListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** Id of the first item of the next page. */
  before?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export type SettingsWebhookEndpointsDeliveriesParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** Id of the first item of the next page. */
  before?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsWebhookEndpointsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the organization’s webhook endpoints, newest first. `for await` walks through all pages. */
  list(
    query: SettingsWebhookEndpointsListParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<WebhookEndpoint>, WebhookEndpoint> {
    return this.#client.getAPIList('/webhook_endpoints', CursorPage<WebhookEndpoint>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Create a webhook endpoint.
   * Requests are signed as in Standard Webhooks, and repeated with growing pauses for a day until one is
   * answered with 2xx. The `webhook-id` stays the same.
   */
  create(body: WebhookEndpointRequest, options?: RequestOptions): APIPromise<WebhookEndpointWithSecret> {
    return this.#client.post('/webhook_endpoints', { ...ADMINISTRATION, body, ...options });
  }

  /** Get an endpoint. */
  retrieve(webhookId: string, options?: RequestOptions): APIPromise<WebhookEndpoint> {
    return this.#client.get(`/webhook_endpoints/${piece('webhookId', webhookId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Change an endpoint. */
  update(webhookId: string, body: WebhookEndpointUpdate = {}, options?: RequestOptions): APIPromise<WebhookEndpoint> {
    return this.#client.post(`/webhook_endpoints/${piece('webhookId', webhookId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Delete an endpoint, and what it was still to be told. */
  delete(webhookId: string, options?: RequestOptions): APIPromise<WebhookEndpointDeleted> {
    return this.#client.delete(`/webhook_endpoints/${piece('webhookId', webhookId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }

  /** Replace the secret of an endpoint. */
  rotateSecret(
    webhookId: string,
    body: WebhookSecretRotation = {},
    options?: RequestOptions,
  ): APIPromise<WebhookEndpointWithSecret> {
    return this.#client.post(`/webhook_endpoints/${piece('webhookId', webhookId)}/rotate_secret`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Send one test event to an endpoint. */
  test(webhookId: string, body: WebhookTest, options?: RequestOptions): APIPromise<WebhookTestResult> {
    return this.#client.post(`/webhook_endpoints/${piece('webhookId', webhookId)}/test`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** List the deliveries to an endpoint of the last 30 days, newest first. `for await` walks through all pages. */
  deliveries(
    webhookId: string,
    query: SettingsWebhookEndpointsDeliveriesParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<WebhookDelivery>, WebhookDelivery> {
    return this.#client.getAPIList(
      `/webhook_endpoints/${piece('webhookId', webhookId)}/deliveries`,
      CursorPage<WebhookDelivery>,
      { ...ADMINISTRATION, query, ...options },
    );
  }

  /** List the types of webhook events. */
  eventTypes(options?: RequestOptions): APIPromise<WebhookEventTypeList> {
    return this.#client.get('/webhook_event_types', { ...ADMINISTRATION, ...options });
  }
}

export class SettingsProvidersCredentialsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** Add a key to a provider. */
  create(
    providerId: string,
    body: ProviderCredentialRequest,
    options?: RequestOptions,
  ): APIPromise<ProviderCredential> {
    return this.#client.post(`/organization/providers/${piece('providerId', providerId)}/credentials`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Change a credential: its name, its share of the calls, or the key itself. */
  update(
    providerId: string,
    credentialId: string,
    body: ProviderCredentialUpdate = {},
    options?: RequestOptions,
  ): APIPromise<ProviderCredential> {
    return this.#client.post(
      `/organization/providers/${piece('providerId', providerId)}/credentials/${piece('credentialId', credentialId)}`,
      { ...ADMINISTRATION, body, ...options },
    );
  }

  /** Delete a key of a provider. */
  delete(providerId: string, credentialId: string, options?: RequestOptions): APIPromise<ProviderCredentialDeleted> {
    return this.#client.delete(
      `/organization/providers/${piece('providerId', providerId)}/credentials/${piece('credentialId', credentialId)}`,
      { ...ADMINISTRATION, ...options },
    );
  }
}

export type SettingsProvidersListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** Id of the first item of the next page. */
  before?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsProvidersResource {
  readonly #client: Caller;
  readonly credentials: SettingsProvidersCredentialsResource;

  constructor(client: Caller) {
    this.#client = client;
    this.credentials = new SettingsProvidersCredentialsResource(client);
  }

  /**
   * List the providers by id: those of the configuration file, where they are changed, and others. `for await`
   * walks through all pages.
   */
  list(query: SettingsProvidersListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Provider>, Provider> {
    return this.#client.getAPIList('/organization/providers', CursorPage<Provider>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /** List the known vendors. These need only a key. */
  presets(options?: RequestOptions): APIPromise<ProviderPresetList> {
    return this.#client.get('/organization/provider_presets', { ...ADMINISTRATION, ...options });
  }

  /** Add a provider. It can be called within a second. */
  create(body: ProviderRequest, options?: RequestOptions): APIPromise<Provider> {
    return this.#client.post('/organization/providers', { ...ADMINISTRATION, body, ...options });
  }

  /**
   * Test an existing, changed or new provider by asking for its models.
   * Nothing is stored, and vendors bill nothing.
   */
  test(body: ProviderTestRequest = {}, options?: RequestOptions): APIPromise<ProviderTest> {
    return this.#client.post('/organization/providers/test', { ...ADMINISTRATION, body, ...options });
  }

  /** Get a provider with its status. */
  retrieve(providerId: string, options?: RequestOptions): APIPromise<Provider> {
    return this.#client.get(`/organization/providers/${piece('providerId', providerId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }

  /** Change a provider. */
  update(providerId: string, body: ProviderUpdate = {}, options?: RequestOptions): APIPromise<Provider> {
    return this.#client.post(`/organization/providers/${piece('providerId', providerId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Delete a provider with its keys: it cannot be called any more within a second. */
  delete(providerId: string, options?: RequestOptions): APIPromise<ProviderDeleted> {
    return this.#client.delete(`/organization/providers/${piece('providerId', providerId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }
}

export type SettingsRoutesVersionsListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** Id of the first item of the next page. */
  before?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export type SettingsRoutesVersionsDiffParams = {
  /** The version to compare with (default: the one in force). */
  from?: string | undefined;
};

export class SettingsRoutesVersionsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the versions of a stored route, oldest first. `for await` walks through all pages. */
  list(
    routeId: string,
    query: SettingsRoutesVersionsListParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<OrganizationRouteVersion>, OrganizationRouteVersion> {
    return this.#client.getAPIList(
      `/organization/routes/${piece('routeId', routeId)}/versions`,
      CursorPage<OrganizationRouteVersion>,
      { ...ADMINISTRATION, query, ...options },
    );
  }

  /** Give a stored route a new definition. An earlier definition becomes the earlier version again. */
  create(
    routeId: string,
    body: OrganizationRouteVersionRequest = {},
    options?: RequestOptions,
  ): APIPromise<OrganizationRouteVersionWhole> {
    return this.#client.post(`/organization/routes/${piece('routeId', routeId)}/versions`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Get a version with its definition. */
  retrieve(routeId: string, versionId: string, options?: RequestOptions): APIPromise<OrganizationRouteVersionWhole> {
    return this.#client.get(
      `/organization/routes/${piece('routeId', routeId)}/versions/${piece('versionId', versionId)}`,
      { ...ADMINISTRATION, ...options },
    );
  }

  /** Get the differences between two versions of a route. */
  diff(
    routeId: string,
    versionId: string,
    query: SettingsRoutesVersionsDiffParams = {},
    options?: RequestOptions,
  ): APIPromise<OrganizationRouteDiff> {
    return this.#client.get(
      `/organization/routes/${piece('routeId', routeId)}/versions/${piece('versionId', versionId)}/diff`,
      { ...ADMINISTRATION, query, ...options },
    );
  }
}

export type SettingsRoutesListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsRoutesResource {
  readonly #client: Caller;
  readonly versions: SettingsRoutesVersionsResource;

  constructor(client: Caller) {
    this.#client = client;
    this.versions = new SettingsRoutesVersionsResource(client);
  }

  /**
   * List the routes of the configuration and of the store, by id. `for await` walks through all pages.
   * Routes belong to the gateway: its first organization manages them, and all may call them. Slashes in an id
   * are encoded as `%2F`.
   */
  list(
    query: SettingsRoutesListParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<OrganizationRoute>, OrganizationRoute> {
    return this.#client.getAPIList('/organization/routes', CursorPage<OrganizationRoute>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /** Store a route, which calls may use within a second. */
  create(body: OrganizationRouteRequest, options?: RequestOptions): APIPromise<OrganizationRouteWhole> {
    return this.#client.post('/organization/routes', { ...ADMINISTRATION, body, ...options });
  }

  /** Get a route with its definition. */
  retrieve(routeId: string, options?: RequestOptions): APIPromise<OrganizationRouteWhole> {
    return this.#client.get(`/organization/routes/${piece('routeId', routeId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Put a version of a stored route in force, or give another version a share of its conversations. */
  update(
    routeId: string,
    body: OrganizationRouteUpdate = {},
    options?: RequestOptions,
  ): APIPromise<OrganizationRouteWhole> {
    return this.#client.post(`/organization/routes/${piece('routeId', routeId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Restore the previous version. */
  rollback(
    routeId: string,
    body: OrganizationRouteRollback = {},
    options?: RequestOptions,
  ): APIPromise<OrganizationRouteWhole> {
    return this.#client.post(`/organization/routes/${piece('routeId', routeId)}/rollback`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Remove a route from the store, with its versions. Usage records stay. */
  delete(routeId: string, options?: RequestOptions): APIPromise<OrganizationRouteDeleted> {
    return this.#client.delete(`/organization/routes/${piece('routeId', routeId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Check the draft of a route. Nothing is stored. */
  validate(body: OrganizationRouteDraft, options?: RequestOptions): APIPromise<OrganizationRouteCheck> {
    return this.#client.post('/organization/routes/validate', { ...ADMINISTRATION, body, ...options });
  }

  /**
   * Show who would serve a call, and why, by a route or its draft. No provider is called, and nothing is
   * recorded.
   */
  explain(routeId: string, body: OrganizationRouteTry, options?: RequestOptions): APIPromise<RouteDecision> {
    return this.#client.post(`/organization/routes/${piece('routeId', routeId)}/explain`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /**
   * Decide past calls of a route again by a draft, and show what would change.
   * Each call is decided from its record: its features, the health of the targets then, the same random numbers.
   * Expected costs use the prices known now. It takes at most 10 seconds, and one replay runs at a time. Its
   * sums cover everybody’s calls, so it also needs the permission `api.usage.read`.
   */
  replay(
    routeId: string,
    body: OrganizationRouteReplay = {},
    options?: RequestOptions,
  ): APIPromise<OrganizationRouteReplayed> {
    return this.#client.post(`/organization/routes/${piece('routeId', routeId)}/replay`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }
}

export type SettingsProductsListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsProductsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the products of the configuration file, where they are changed, and of the settings, by id. `for await`
   * walks through all pages.
   * Products belong to the gateway: its first organization manages them.
   */
  list(query: SettingsProductsListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Product>, Product> {
    return this.#client.getAPIList('/organization/products', CursorPage<Product>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Create a product with its first key, whose secret is shown only here. The key works within a second.
   * Products belong to the gateway: its first organization manages them.
   */
  create(body: ProductRequest, options?: RequestOptions): APIPromise<ProductWithKey> {
    return this.#client.post('/organization/products', { ...ADMINISTRATION, body, ...options });
  }

  /** Get a product with its spending and keys. */
  retrieve(productId: string, options?: RequestOptions): APIPromise<Product> {
    return this.#client.get(`/organization/products/${piece('productId', productId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }

  /** Change a product. Members that are left out stay, and so does its spending. */
  update(productId: string, body: ProductUpdate = {}, options?: RequestOptions): APIPromise<Product> {
    return this.#client.post(`/organization/products/${piece('productId', productId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Replace the secret of a product’s key, or create the first key. Products of the file are accepted too. */
  rotate(productId: string, body: ProductRotateRequest = {}, options?: RequestOptions): APIPromise<RotatedProductKey> {
    return this.#client.post(`/organization/products/${piece('productId', productId)}/rotate`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Delete a product, and revoke its keys. Usage records stay; another of its id goes on with what was spent. */
  delete(productId: string, options?: RequestOptions): APIPromise<ProductDeleted> {
    return this.#client.delete(`/organization/products/${piece('productId', productId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }
}

export type SettingsPriceOverridesListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
  /** Only those of this model. */
  model?: string | undefined;
};

export class SettingsPriceOverridesResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the prices that were set for models, including ended ones, and those of the configuration file. `for
   * await` walks through all pages.
   * Prices belong to the gateway: its first organization sets them, and they apply to all.
   */
  list(
    query: SettingsPriceOverridesListParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<PriceOverride>, PriceOverride> {
    return this.#client.getAPIList('/organization/price_overrides', CursorPage<PriceOverride>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Set a model’s price from a time on. It applies to calls that begin then; earlier ones do not change.
   * Prices belong to the gateway: its first organization sets them, and they apply to all.
   */
  create(body: PriceOverrideRequest, options?: RequestOptions): APIPromise<PriceOverride> {
    return this.#client.post('/organization/price_overrides', { ...ADMINISTRATION, body, ...options });
  }

  /** Get a price. */
  retrieve(priceOverrideId: string, options?: RequestOptions): APIPromise<PriceOverride> {
    return this.#client.get(`/organization/price_overrides/${piece('priceOverrideId', priceOverrideId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }

  /** Change a price that has not begun. A later one must follow a price in force, so that bills stay. */
  update(priceOverrideId: string, body: PriceOverrideUpdate = {}, options?: RequestOptions): APIPromise<PriceOverride> {
    return this.#client.post(`/organization/price_overrides/${piece('priceOverrideId', priceOverrideId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** End a price now, so that the model costs what it would without it. It stays in the history. */
  delete(priceOverrideId: string, options?: RequestOptions): APIPromise<PriceOverrideDeleted> {
    return this.#client.delete(`/organization/price_overrides/${piece('priceOverrideId', priceOverrideId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }
}

export type SettingsAliasesListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
  /** By creation time. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsAliasesResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the aliases of the configuration file, where they are changed, and of the settings, by name. `for
   * await` walks through all pages.
   * Aliases belong to the gateway: its first organization manages them, and all may call them. Slashes in an id
   * are encoded as `%2F`.
   */
  list(query: SettingsAliasesListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Alias>, Alias> {
    return this.#client.getAPIList('/organization/aliases', CursorPage<Alias>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Give a model or a route another name, which calls may use within a second.
   * Aliases belong to the gateway: its first organization manages them, and all may call them. Slashes in an id
   * are encoded as `%2F`.
   */
  create(body: AliasRequest, options?: RequestOptions): APIPromise<Alias> {
    return this.#client.post('/organization/aliases', { ...ADMINISTRATION, body, ...options });
  }

  /** Get an alias with its target. */
  retrieve(aliasId: string, options?: RequestOptions): APIPromise<Alias> {
    return this.#client.get(`/organization/aliases/${piece('aliasId', aliasId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Change the target of an alias. */
  update(aliasId: string, body: AliasUpdate, options?: RequestOptions): APIPromise<Alias> {
    return this.#client.post(`/organization/aliases/${piece('aliasId', aliasId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Delete an alias: calls cannot name it any more within a second. */
  delete(aliasId: string, options?: RequestOptions): APIPromise<AliasDeleted> {
    return this.#client.delete(`/organization/aliases/${piece('aliasId', aliasId)}`, { ...ADMINISTRATION, ...options });
  }
}

export type SettingsAttentionListParams = {
  /** Number of items. */
  limit?: number | undefined;
  /** Id of the last item of the previous page. */
  after?: string | undefined;
};

export class SettingsAttentionResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List problems that need attention, worst first. `for await` walks through all pages.
   * Refused keys, models with an open circuit, rate limits of providers, keys and models that were reached in
   * the last hour, and routes with targets that budgets skip for lack of a price (for readers of usage and
   * settings); budgets and limits that are 80 % used or refused a call in the last hour; models with a shutdown
   * within 60 days that were called in the last 30 days or are in a route; the first 200 API keys that expire
   * within 14 days; and API keys older than `usage` that read the usage of the whole organization, until it is
   * set. Each kind is shown to those who may read its subject; readers of keys in some projects see only these.
   */
  list(
    query: SettingsAttentionListParams = {},
    options?: RequestOptions,
  ): PagePromise<CursorPage<AttentionItem>, AttentionItem> {
    return this.#client.getAPIList('/organization/attention', CursorPage<AttentionItem>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }
}

export type SettingsSearchParams = {
  /** The words to find; each must be in a name. */
  query: string;
  /**
   * Only these types, separated by commas: request, model, route, provider, api_key, admin_api_key, user,
   * project, group, budget.
   */
  types?: string | undefined;
  /** Results of each type. */
  limit?: number | undefined;
};

export class SettingsResource {
  readonly #client: Caller;
  readonly projects: SettingsProjectsResource;
  readonly models: SettingsModelsResource;
  readonly limitUse: SettingsLimitUseResource;
  readonly spendLimits: SettingsSpendLimitsResource;
  readonly budgets: SettingsBudgetsResource;
  readonly invites: SettingsInvitesResource;
  readonly webhookEndpoints: SettingsWebhookEndpointsResource;
  readonly providers: SettingsProvidersResource;
  readonly routes: SettingsRoutesResource;
  readonly products: SettingsProductsResource;
  readonly priceOverrides: SettingsPriceOverridesResource;
  readonly aliases: SettingsAliasesResource;
  readonly attention: SettingsAttentionResource;

  constructor(client: Caller) {
    this.#client = client;
    this.projects = new SettingsProjectsResource(client);
    this.models = new SettingsModelsResource(client);
    this.limitUse = new SettingsLimitUseResource(client);
    this.spendLimits = new SettingsSpendLimitsResource(client);
    this.budgets = new SettingsBudgetsResource(client);
    this.invites = new SettingsInvitesResource(client);
    this.webhookEndpoints = new SettingsWebhookEndpointsResource(client);
    this.providers = new SettingsProvidersResource(client);
    this.routes = new SettingsRoutesResource(client);
    this.products = new SettingsProductsResource(client);
    this.priceOverrides = new SettingsPriceOverridesResource(client);
    this.aliases = new SettingsAliasesResource(client);
    this.attention = new SettingsAttentionResource(client);
  }

  /** Get the organization. */
  retrieve(options?: RequestOptions): APIPromise<Organization> {
    return this.#client.get('/organization', { ...ADMINISTRATION, ...options });
  }

  /** Rename the organization. */
  update(body: OrganizationUpdate, options?: RequestOptions): APIPromise<Organization> {
    return this.#client.post('/organization', { ...ADMINISTRATION, body, ...options });
  }

  /**
   * List the gateway’s settings and where each is set.
   * For the gateway’s first organization. They are changed in the file. Possible secrets are left out.
   */
  configuration(options?: RequestOptions): APIPromise<ConfigurationList> {
    return this.#client.get('/organization/configuration', { ...ADMINISTRATION, ...options });
  }

  /** Get versions and facts of the running gateway. */
  about(options?: RequestOptions): APIPromise<About> {
    return this.#client.get('/organization/about', { ...ADMINISTRATION, ...options });
  }

  /**
   * Find models, routes, keys, people and other named objects, and a request by its id.
   * By name, email or id, ignoring case; matches at the beginning come first. A request needs its complete id.
   * Results include only what the caller may read.
   */
  search(query: SettingsSearchParams, options?: RequestOptions): APIPromise<SearchResults> {
    return this.#client.get('/organization/search', { ...ADMINISTRATION, query, ...options });
  }
}

export class StatusResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** Get the health of all targets. For administrators’ keys. */
  retrieve(options?: RequestOptions): APIPromise<Status> {
    return this.#client.get('/status', { ...ADMINISTRATION, ...options });
  }
}

/** The operation is for administrators: their key goes along where the client has one, else the ordinary one. */
const ADMINISTRATION = { __security: { bearerAuth: true, adminAPIKeyAuth: true } };

/** A value as one piece of a path. */
function piece(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') throw new OpenAIError(`\`${name}\` must be an id.`);
  return encodeURIComponent(value);
}
