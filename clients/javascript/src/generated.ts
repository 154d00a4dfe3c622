// Made by `node clients/openapi/typescript.ts` from the gateway's /openapi.json; changes here are lost.
import { type OpenAI, OpenAIError } from 'openai';
import type { APIPromise } from 'openai/core/api-promise';
import { CursorPage, type PagePromise } from 'openai/core/pagination';
import { LiveItems } from './live.ts';

type Caller = Pick<OpenAI, 'get' | 'post' | 'patch' | 'put' | 'delete' | 'getAPIList'>;
type RequestOptions = OpenAI.RequestOptions;

export type Catalog = {
  object: 'list';
  data: CatalogEntry[];
};

export type CatalogEntry = {
  /** What to send as `model`. */
  id: string;
  object: 'model';
  name: string;
  /** Who serves it; what the filter `provider` takes. */
  provider: string;
  provider_label: string;
  /** Where its provider serves, as the configuration says; of a route `null`: it may have several. */
  region: string | null;
  /** Who made it. */
  brand: string | null;
  origin: 'vendor' | 'smart_route' | 'system_route';
  aliases: string[];
  context_window: number | null;
  max_output_tokens: number | null;
  /** Length of the vectors of an embedding model. */
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
  /** The model whose facts and price these are: of this one, a dated name of it, nothing else is known. */
  inferred_from: string | null;
  /** `vendor`: it is known from its vendor’s own list alone, and neither configured nor in the catalog. */
  listed_by: 'vendor' | null;
  /**
   * What of this is from its vendor’s own list alone, by the catalog’s names: neither configured nor in the
   * catalog.
   */
  from_vendor: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'>;
  /** The day since when its vendor’s list, which had it, has it no more. */
  unlisted_since: string | null;
  /** The day on which its vendor shuts it down, or did. */
  shut_down_at: string | null;
  pricing: RateList & {
    /** What it costs under a tier of service, by the vendor’s name for it. */
    services?: Record<string, RateList> | undefined;
    /** US dollars for one call of a tool that the vendor runs, by its name for it: `web_search`. */
    per_call?: Record<string, number> | undefined;
    /** By how much tokens cost more, by the region in which the vendor says that it made them. */
    regions?: Record<string, number> | undefined;
    currency: 'USD';
    source: string | null;
    date: string | null;
    /** The model that this is the price of, where it is another’s. */
    inferred_from?: string | undefined;
    /** Of a route whose calls cost what its target costs. */
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
  /** US dollars per million tokens; `null` where it is not known. */
  input_per_1m: number | null;
  /** US dollars per million tokens; `null` where it is not known. */
  output_per_1m: number | null;
  /** US dollars per million tokens; `null` where it is not known. */
  cache_read_per_1m: number | null;
  /** US dollars per million tokens; `null` where it is not known. */
  cache_write_per_1m: number | null;
  /** US dollars per million tokens; `null` where it is not known. */
  cache_write_1h_per_1m: number | null;
  /**
   * What cache writes cost by how long they are kept, by the vendor’s name for it (`12h`); `any`: where none of
   * these names it.
   */
  cache_writes_per_1m?: Record<string, number> | undefined;
  /** US dollars per million tokens; `null` where it is not known. */
  reasoning_per_1m: number | null;
  /** US dollars per million tokens; `null` where it is not known. */
  audio_input_per_1m: number | null;
  /** US dollars per million tokens; `null` where it is not known. */
  audio_output_per_1m: number | null;
  /** Rates that hold in place of the others once the prompt is longer than `above_prompt_tokens`. */
  tiers: Array<{
    above_prompt_tokens: number;
    /** US dollars per million tokens; `null` where it is not known. */
    input_per_1m: number | null;
    /** US dollars per million tokens; `null` where it is not known. */
    output_per_1m: number | null;
    /** US dollars per million tokens; `null` where it is not known. */
    cache_read_per_1m: number | null;
    /** US dollars per million tokens; `null` where it is not known. */
    cache_write_per_1m: number | null;
    /** US dollars per million tokens; `null` where it is not known. */
    cache_write_1h_per_1m: number | null;
    /**
     * What cache writes cost by how long they are kept, by the vendor’s name for it (`12h`); `any`: where none of
     * these names it.
     */
    cache_writes_per_1m?: Record<string, number> | undefined;
    /** US dollars per million tokens; `null` where it is not known. */
    reasoning_per_1m: number | null;
    /** US dollars per million tokens; `null` where it is not known. */
    audio_input_per_1m: number | null;
    /** US dollars per million tokens; `null` where it is not known. */
    audio_output_per_1m: number | null;
  }>;
};

export type ModelInfoList = {
  data: ModelInfo[];
};

/** A model with the members that LiteLLM’s clients read. */
export type ModelInfo = {
  /** What to send as `model`. */
  model_name: string;
  litellm_params: {
    model: string;
  };
  model_info: {
    id: string;
    db_model: false;
    key: string;
    mode: 'chat' | 'embedding';
    /** Who serves it. */
    litellm_provider: string;
    max_tokens: number | null;
    max_input_tokens: number | null;
    max_output_tokens: number | null;
    /** US dollars for one token; `null` where it is not known. */
    input_cost_per_token: number | null;
    /** US dollars for one token; `null` where it is not known. */
    output_cost_per_token: number | null;
    /** US dollars for one token; `null` where it is not known. */
    cache_read_input_token_cost: number | null;
    /** US dollars for one token; `null` where it is not known. */
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
    /**
     * What of this is from its vendor’s own list alone, by the catalog’s names: neither configured nor in the
     * catalog.
     */
    from_vendor: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'>;
  };
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
  /** The whole prompt, cached tokens too. */
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Unix time in seconds. */
  created_at: number;
  /** `null` where a token that was used has no known price. */
  cost_usd: number | null;
  /** The name that the caller sent. */
  requested_model: string;
  /** The route that chose who serves; `null` for a call that named a vendor’s model. */
  route: string | null;
  /** Who served it last; `null` for a call of a route, but to administrators’ keys. */
  provider: string | null;
  /** The vendor’s name of the model; `null` for a call of a route, but to administrators’ keys. */
  upstream_model: string | null;
  status: 'succeeded' | 'failed' | 'cancelled' | 'interrupted';
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
  api_key_id: string;
  /** `null` where the key is kept no more. */
  api_key_name: string | null;
  attempts: number;
  /**
   * What translation could not carry of the call and its answer: at most 4 KB of names, the longer ones cut;
   * then, as the last, how many there were besides (`+59871 more`).
   */
  dropped: string[];
  /** The operator’s product that called; `null` for every other source. */
  product: string | null;
  /** The developer tool that called, as it names itself; `null` for every other source. */
  tool: {
    name: string;
    version: string | null;
  } | null;
  /**
   * What the vendors charged, all attempts together; `cost_usd` is what the caller is charged. Shown to
   * administrators’ keys only.
   */
  vendor_cost_usd?: number | null | undefined;
  /**
   * What the call took of the limits of its key and product: `cost_usd`; where that is `null`, or the call was
   * interrupted, what was held for it.
   */
  counted_usd: number;
  /** What the provider reported, where it was more than can be and the gateway counted instead; else `null`. */
  reported_usage: {
    input_tokens: number;
    output_tokens: number;
    cached_tokens: number;
    cache_write_tokens: number;
    reasoning_tokens: number;
  } | null;
};

export type UsageDetail = UsageRecord & {
  /** What `cost_usd` is the sum of; of what has a price. `null` where it would tell callers what a target costs. */
  line_items: Array<{
    /**
     * `input`, `output`, `cache_read`, `cache_write` (or by how long it is kept: `cache_write_1h`), `reasoning`,
     * `audio_input`, `audio_output`; `tool:web_search` and the like are calls of the vendor’s own tools.
     * `vendor_cost` is what the vendor says that it charged, where no price is known.
     */
    component: string;
    /** Tokens, or calls of a tool. */
    quantity: number;
    amount_usd: number;
  }> | null;
  /** What was used and has no price, where `cost_usd` is `null`, by the names of line items. */
  unpriced: string[];
  /** What the kind of the error means, in words. */
  error_meaning: string | null;
  /** The tier of service that the vendor says it used. */
  service_tier: string | null;
  /** Where the vendor says that it served, if that is not its ordinary place. */
  region: string | null;
  /**
   * Of `cache_write_tokens`, those that are kept for another time than the vendor’s ordinary one: `{"1h":
   * 2000}`.
   */
  cache_writes_by_life: Record<string, number>;
  /** How often the vendor says that its own tools were called: `{"web_search": 2}`. */
  tool_calls: Record<string, number>;
  /** The model whose price the call was billed by, where its own is a dated name of that one. */
  price_inferred_from: string | null;
  /** In the order in which they were made. */
  attempt_details: Array<{
    number: number;
    /** `null` for a call of a route, but to administrators’ keys. */
    provider: string | null;
    /** `null` for a call of a route, but to administrators’ keys. */
    upstream_model: string | null;
    /** Which of the provider’s credentials: shown to administrators’ keys only. */
    credential?: string | undefined;
    status: 'succeeded' | 'failed' | 'cancelled' | 'interrupted';
    /** What the provider answered, if it got that far. */
    http_status: number | null;
    /** The kind of the error, as in docs/errors.md. */
    error: string | null;
    /** What the provider calls the error for programs, where it says so. */
    error_code: string | null;
    /** Unix time in milliseconds. */
    started_at_ms: number;
    /** Unix time in milliseconds. */
    ended_at_ms: number;
    /** It failed, and the vendor may have charged for it all the same. */
    possibly_billed: boolean;
    /** Where the numbers come from: the provider, the gateway’s own count, or nowhere. */
    usage_source: 'provider' | 'estimated' | 'none';
    upstream_request_id: string | null;
  }>;
  /** How its route chose: shown to administrators’ keys only. `null` for a call that named its model. */
  decision: Decision | null;
};

/** How a route chose, as it is kept. Times are Unix milliseconds. */
export type Decision = {
  route: string;
  route_version: string;
  seed: number;
  /** What the call was, as far as the route looked at it. */
  traits: Record<string, unknown>;
  candidates: Array<{
    model: string;
    provider: string;
    upstream_model: string;
    /** Which of the provider’s credentials: shown to administrators’ keys only. */
    credential?: string | undefined;
    role: string;
    /** What the call was expected to cost there, in dollars. */
    expected_cost_usd: number | null;
    /** Of a good answer, as a smart route expects it. */
    chance: number | null;
    /** Why it was not used. */
    left_out: {
      reason: string;
      detail: string;
    } | null;
    [member: string]: unknown;
  }>;
  /** Places in `candidates`, in the order in which they were to be tried. */
  order: number[];
  /** What the order came of. */
  because: string[];
  [member: string]: unknown;
};

export type UsageSummary = {
  object: 'usage_summary';
  by: Array<'key' | 'model' | 'product' | 'tool' | 'source' | 'route' | 'provider' | 'day'>;
  /** The first moment that is added up: the beginning of a UTC day, in Unix seconds. */
  start_time: number;
  /** The first moment that is not: the end of a UTC day. */
  end_time: number;
  /** Where the period before begins; it ends where this one begins. */
  previous_start_time: number;
  /** `false` while records of an earlier version are still being added up, in the background. */
  complete: boolean;
  totals: UsageSums & {
    /** The same of the period before. */
    previous: UsageSums;
  };
  /** What comes to most first (`order_by`); by day, the last day first. */
  data: Array<
    UsageSums & {
      api_key_id?: string | undefined;
      api_key_name?: string | null | undefined;
      /** Its name in the catalog; `other` for names beyond those that are told apart. */
      model?: string | undefined;
      product?: string | null | undefined;
      tool?: string | null | undefined;
      source?: string | undefined;
      /** `null` for calls that named a vendor’s model. */
      route?: string | null | undefined;
      /** Who served last; `null` for calls of a route, but to administrators’ keys. */
      provider?: string | null | undefined;
      /** A UTC day, such as `2026-11-21`. */
      day?: string | undefined;
      /** Of a row of all that is beyond `top`, which has no names: of how many combinations of them. */
      rest_of?: number | undefined;
      /** The same of the period before. */
      previous: UsageSums;
    }
  >;
  /** All rows beyond `limit` in one; `null` where there are none. */
  rest:
    | (UsageSums & {
        rows: number;
        /** The same of the period before. */
        previous: UsageSums;
      })
    | null;
};

export type UsageSums = {
  calls: number;
  failed_calls: number;
  /** Whose tokens the gateway counted, since the provider did not report them. */
  estimated_calls: number;
  /** Whole prompts, cached tokens too. */
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Of the calls whose cost is known; `null` where there are calls, and the cost of none is known. */
  cost_usd: number | null;
  /** Calls whose cost is not known: they are in no amount. */
  calls_without_cost: number;
  /** What the vendors charged, likewise: shown to administrators’ keys only. */
  vendor_cost_usd?: number | null | undefined;
  /** Shown to administrators’ keys only. */
  calls_without_vendor_cost?: number | undefined;
  /** Calls that took more than one attempt: another target answered, or the same one again. */
  retried_calls: number;
  /** Calls whose model and tool are told as `other`: beyond 500 combinations of names, those of a key’s day are. */
  calls_under_other: number;
};

export type FirstTokenTimes = {
  object: 'first_token_times';
  /** The first moment that is counted: the beginning of a UTC day, in Unix seconds. */
  start_time: number;
  /** The first moment that is not: the end of a UTC day. */
  end_time: number;
  /** Where the period before begins; it ends where this one begins. */
  previous_start_time: number;
  totals: {
    /** Streamed answers that came as far as a first token. */
    streams: number;
    /** Half of them had it after so many ms, of which the two highest digits are told. */
    p50_ms: number | null;
    /** And 95 of 100 after so many. */
    p95_ms: number | null;
    /** The same of the period before. */
    previous: {
      /** Streamed answers that came as far as a first token. */
      streams: number;
      /** Half of them had it after so many ms, of which the two highest digits are told. */
      p50_ms: number | null;
      /** And 95 of 100 after so many. */
      p95_ms: number | null;
    };
  };
  /** Days that have such streams, the last first. */
  data: Array<{
    /** A UTC day, such as `2026-11-21`. */
    day: string;
    /** Streamed answers that came as far as a first token. */
    streams: number;
    /** Half of them had it after so many ms, of which the two highest digits are told. */
    p50_ms: number | null;
    /** And 95 of 100 after so many. */
    p95_ms: number | null;
  }>;
};

export type RouteList = {
  object: 'list';
  data: CatalogEntry[];
};

export type RouteDecision = {
  object: 'route.decision';
  /** `null` where a vendor’s model was named. */
  route: string | null;
  /** The call names a vendor’s model: no route decides. */
  direct: boolean;
  strategy: string[];
  route_version: string | null;
  /** Of what predicted the chances, where something did. */
  model_version: string | null;
  /** The targets that would be asked, in this order; empty where the call would be refused. */
  order: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** Which of the provider’s credentials: shown to administrators’ keys only. */
    credential?: string | undefined;
    /** The format that it would be called in. */
    dialect:
      | 'openai-chat'
      | 'openai-responses'
      | 'openai-embeddings'
      | 'anthropic-messages'
      | 'gemini'
      | 'bedrock-converse';
    /**
     * Unix time in seconds until which it is passed over, because as much was sent to it as may be in a minute; as
     * the process that answers knows. For administrators’ keys.
     */
    full_until?: number | null | undefined;
  }>;
  /** Asked where a target says that the prompt is too long for it. */
  context_window_fallbacks: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** Which of the provider’s credentials: shown to administrators’ keys only. */
    credential?: string | undefined;
    /** The format that it would be called in. */
    dialect:
      | 'openai-chat'
      | 'openai-responses'
      | 'openai-embeddings'
      | 'anthropic-messages'
      | 'gemini'
      | 'bedrock-converse';
    /**
     * Unix time in seconds until which it is passed over, because as much was sent to it as may be in a minute; as
     * the process that answers knows. For administrators’ keys.
     */
    full_until?: number | null | undefined;
  }>;
  /** Asked where a target refuses the content. */
  content_policy_fallbacks: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** Which of the provider’s credentials: shown to administrators’ keys only. */
    credential?: string | undefined;
    /** The format that it would be called in. */
    dialect:
      | 'openai-chat'
      | 'openai-responses'
      | 'openai-embeddings'
      | 'anthropic-messages'
      | 'gemini'
      | 'bedrock-converse';
    /**
     * Unix time in seconds until which it is passed over, because as much was sent to it as may be in a minute; as
     * the process that answers knows. For administrators’ keys.
     */
    full_until?: number | null | undefined;
  }>;
  candidates: Array<{
    /** The route’s name for it. */
    model: string;
    provider: string;
    upstream_model: string;
    /** Which of the provider’s credentials: shown to administrators’ keys only. */
    credential?: string | undefined;
    role: 'target' | 'fallback' | 'context_fallback' | 'policy_fallback';
    /** Why it would not be asked. */
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
    /** `null` where no price is known. */
    expected_cost_usd: number | null;
    /** Of a good answer, where the route predicts it. */
    chance: number | null;
    health: {
      /** `closed`: calls go there; `open`: none do; `half_open`: one may, to find out. */
      circuit: 'closed' | 'half_open' | 'open';
      /** Unix time in seconds from which calls may go there again. */
      open_until: number | null;
      /** Unix time in seconds from which calls may go there again. */
      credential_out_until: number | null;
      /** Of streams; `null` where none came of late. */
      first_token_ms: number | null;
      /** Of answers that are not streamed, likewise. */
      whole_ms: number | null;
      in_flight: number;
    };
  }>;
  /** What the order came of. */
  because: string[];
  /** The conversation stays where its cache is warm. */
  kept: boolean;
  /** The first was drawn, so that feedback tells of all. */
  explored: boolean;
  /** The chance with which the first came first. */
  propensity: number;
  /** What the call was taken to be. */
  traits: Record<string, unknown> | null;
  /**
   * Targets without a price: `unpriced` of the route says whether they serve a call under a budget or spend
   * limit.
   */
  unpriced: string[];
  /** The error that the call would get; `null` where it would be sent. */
  refusal: {
    status: number;
    code: string | null;
    type: string;
    message: string;
    param: string | null;
    retry_after_ms: number | null;
  } | null;
  /** What of the prompt decided, by target; of routes that predict. */
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
  /** The route that chose who served the call. */
  route: string | null;
  /** Whether a smart route will learn from it. */
  learned: boolean;
};

export type Status = {
  object: 'status';
  process: {
    version: string;
    uptime_seconds: number;
    open_calls: number;
    /** Processes that serve. */
    workers: number;
    /** Those of them that did not answer in time; they are not in the sums. */
    silent_workers: number;
  };
  /**
   * What each provider said when it was asked for its models last: it listed them, it refuses the key, it failed
   * to say, or it was not heard yet. Those that the configuration restricts are asked about their keys alone.
   */
  providers: Array<{
    provider: string;
    list: 'key_refused' | 'failed' | 'unheard' | 'listed';
    /** The names of its credentials that it refused when it was asked last. */
    refused_credentials: string[];
  }>;
  /** What providers, their keys and their models may be sent in a minute, where that is limited. */
  outgoing_rates: Array<{
    provider: string;
    /** Of a rate of one key: its name. */
    credential: string | null;
    /** Of a rate of one model: the vendor’s name for it. */
    model: string | null;
    requests_per_minute: number | null;
    tokens_per_minute: number | null;
    /** Calls for which it had no room since the processes that serve began. */
    passed_over: number;
    /** When that was last. */
    full_at: number | null;
    /** Until when it has no room; `null`: it has room, as far as is known. */
    full_until: number | null;
  }>;
  /**
   * Targets of routes without a price: a call under a budget or spend limit is served by others (`skip`), or
   * refused.
   */
  unpriced: Array<{
    route: string;
    models: string[];
    unpriced: 'skip' | 'refuse';
    sentence: string;
  }>;
  /** Those behind a route, and those that were called. */
  targets: TargetStatus[];
};

/** Of several workers: the worst circuit, the sums of calls, and the longest of their times. */
export type TargetStatus = {
  provider: string;
  /** The vendor’s name for it. */
  model: string;
  credential: string;
  /** `closed`: calls go there; `open`: none do; `half_open`: one may, to find out. */
  circuit: 'closed' | 'half_open' | 'open';
  /** Unix time in seconds from which calls may go there again. */
  open_until: number | null;
  /** The same for its credential, where the vendor refused that. */
  credential_out_until: number | null;
  /** Time to the first token of the last 200 streams. */
  p50_ms: number | null;
  p95_ms: number | null;
  /** Time to the end of the last 200 answers that were not streamed. */
  whole_p50_ms: number | null;
  whole_p95_ms: number | null;
  /** The part of `recent_calls` that failed, 0 to 1. */
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

export type Organization = {
  id: string;
  object: 'organization';
  name: string;
  /** Where the configuration file says it, so that it is changed there alone. */
  name_set_in: {
    file: string;
    line: number | null;
  } | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type OrganizationUpdate = {
  name: string;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type About = {
  object: 'organization.about';
  /** Of Headgate. */
  version: string;
  /** Of Node.js. */
  node: string;
  uptime_seconds: number;
  /** Processes that serve. */
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
  /** The types of which there are more than `limit`. */
  more_of: Array<
    'request' | 'model' | 'route' | 'provider' | 'api_key' | 'admin_api_key' | 'user' | 'project' | 'group' | 'budget'
  >;
};

export type SearchResult = {
  object: 'organization.search_result';
  /** `request`: a usage record. */
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
  /** What it was found by, or is known by; of a request its `req_…`. */
  name: string;
  /**
   * What tells it from others of its name: a person’s address, a model’s provider, a route’s name, a request’s
   * model.
   */
  about: string | null;
  /** Of an API key. */
  project: {
    id: string;
    name: string;
  } | null;
};

export type ConfigurationList = {
  object: 'list';
  data: ConfigurationSetting[];
};

export type ConfigurationSetting = {
  object: 'organization.configuration_setting';
  /** As the file calls it: `limits.max_body`. */
  name: string;
  /** In the words of the file; variables stand by their names. */
  value: unknown;
  from: 'file' | 'environment' | 'default';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  description: string;
};

export type ApiKeyList = {
  object: 'list';
  data: PlacedApiKey[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type PlacedApiKey = ProjectApiKey & {
  project: {
    id: string;
    name: string;
  };
};

export type ProjectApiKeyList = {
  object: 'list';
  data: ProjectApiKey[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type ProjectApiKey = {
  id: string;
  object: 'organization.project.api_key';
  name: string;
  /** The first and last characters of the secret. */
  redacted_value: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /** When it was last used for a call, or, to the minute, for something else; `null`: never. */
  last_used_at: number | null;
  /** Empty for a key that belongs to nobody in particular, such as one that the command made. */
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
   * Who has made it: a person, the holder of a key that is nobody’s, or a command (`operator`). `null`: unknown,
   * since it was made before this was kept.
   */
  created_by: {
    type: 'user' | 'api_key' | 'operator';
    id: string | null;
    name: string | null;
  } | null;
  scopes: string[];
  /**
   * Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more
   * than they may read themselves, and a person’s key never reads more than the person may.
   */
  usage: 'organization' | 'project' | 'own';
  status: 'active' | 'disabled' | 'expired';
  /** The product that it is of; `null` for most. */
  product: string | null;
  /** Grows with each change; see `if_version`. */
  version: number;
  /** `null`: all that its project may. */
  allowed_models: string[] | null;
  /** From where it may be used; `null`: from anywhere. */
  ip_ranges: string[] | null;
  /** `null`: the default. */
  max_requests_per_1_minute: number | null;
  /** `null`: the default. */
  max_tokens_per_1_minute: number | null;
  /** What it may spend; `amount_decimal` is exact. */
  spend_limit: {
    amount_usd: number;
    amount_decimal: string;
    interval: 'life' | 'day' | 'week' | 'month';
  } | null;
  /** What counts against its spend limit, in its period; in its life where it has none. */
  spent_usd: number;
  spend_resets_at: number | null;
};

export type ProjectApiKeyRequest = {
  name: string;
  /**
   * The person whose key it is. Left out: the one who asks, signed in or by a key of theirs. `null`: nobody in
   * particular, as what a key of nobody makes is by itself. For all but oneself this needs `api.members.write`.
   */
  user_id?: string | null | undefined;
  /** The service account whose key it is, in the place of a person. This needs `api.members.write`. */
  service_account_id?: string | undefined;
  expires_in_seconds?: number | null | undefined;
  /** None: everything. Kept and given back. */
  scopes?: string[] | undefined;
  /**
   * Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more
   * than they may read themselves, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
  allowed_models?: string[] | null | undefined;
  /** Addresses and ranges such as `10.0.0.0/8`. */
  ip_ranges?: string[] | null | undefined;
  max_requests_per_1_minute?: number | null | undefined;
  max_tokens_per_1_minute?: number | null | undefined;
  spend_limit?:
    | {
        /** A number, or a text where it has to be exact: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
};

export type NewProjectApiKey = ProjectApiKey & {
  /** The secret, told this once. */
  value: string;
};

export type ProjectApiKeyUpdate = {
  name?: string | undefined;
  /** `null`: it has no end. */
  expires_in_seconds?: number | null | undefined;
  /** None: everything. Kept and given back. */
  scopes?: string[] | undefined;
  /**
   * Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more
   * than they may read themselves, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
  /** Whether it is on. */
  enabled?: boolean | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
  allowed_models?: string[] | null | undefined;
  /** Addresses and ranges such as `10.0.0.0/8`. */
  ip_ranges?: string[] | null | undefined;
  max_requests_per_1_minute?: number | null | undefined;
  max_tokens_per_1_minute?: number | null | undefined;
  spend_limit?:
    | {
        /** A number, or a text where it has to be exact: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
};

export type RotateRequest = {
  /** How long the secret that it has goes on; at most 90 days. */
  overlap_seconds?: number | undefined;
};

export type RotatedApiKey = ProjectApiKey & {
  /** The secret, told this once. */
  value: string;
  /** Unix time in seconds. */
  earlier_secret_until: number;
};

export type ProjectApiKeyDeleted = {
  id: string;
  object: 'organization.project.api_key.deleted';
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
  /** Ids of groups that they come into. OpenAI’s API has no such member. */
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
  /** Ids of the groups that they come into. */
  groups: string[];
  /** `expired` is also an invite whose sender, a person or a key, could not send it any more. */
  status: 'accepted' | 'expired' | 'pending';
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Unix time in seconds. */
  expires_at: number;
  accepted_at: number | null;
  /** What the link carries. It is shown once: whoever has it can accept the invite. */
  invite_token: string;
  /** The link; `null` where browsers cannot sign in (`server.public_url`). */
  invite_link: string | null;
  /** Whether the link was mailed to them; `off`: there is no mail server, or no link. */
  mail: 'sent' | 'failed' | 'off';
};

export type BudgetList = {
  object: 'list';
  data: Budget[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type Budget = {
  id: string;
  object: 'organization.budget';
  name: string;
  /** Whose calls count; several share it. */
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
  /** More, until a time. */
  overrides: Array<{
    /** Dollars, exactly: `"12.5"`. */
    amount_usd: string;
    /** Unix time in seconds. */
    ends_at: number;
  }>;
  models: string[] | null;
  instead: string | null;
  /** What may be spent now: the amount with its overrides. */
  limit_usd: string;
  /** What was spent in the present period, since the budget was made. */
  spent_usd: string;
  /** What calls that are open may cost at most. */
  reserved_usd: string;
  /** When it begins anew; `null`: never. */
  resets_at: number | null;
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type BudgetRequest = {
  name: string;
  /** Whom it holds for; several share it. Of a `group` and a `user`, the keys that people own. */
  holders: Array<{
    type: 'organization' | 'project' | 'group' | 'user' | 'api_key' | 'product';
    /** Left out of the type `organization`. */
    id?: string | undefined;
  }>;
  /** A number, or a text where it has to be exact: `"12.345678901"`. */
  amount_usd: number | string;
  /** In UTC; weeks begin on Monday. */
  interval?: 'life' | 'day' | 'week' | 'month' | undefined;
  /** Whether calls are refused once it is used up; else it only counts. */
  hard?: boolean | undefined;
  /** Parts of the amount that are told of as `spend_alert.triggered`, once in each period: `[0.5, 0.8]`. */
  alerts?: number[] | undefined;
  /** Who gets its alerts by mail, too. */
  recipients?: string[] | undefined;
  /** So much more until a time; those that are over are left out. */
  overrides?:
    | Array<{
        /** A number, or a text where it has to be exact: `"12.345678901"`. */
        amount_usd: number | string;
        ends_at: number;
      }>
    | undefined;
  /** The models and routes that it holds for; `null`: all. */
  models?: string[] | null | undefined;
  /** The model or route that serves once it is used up. Calls to that count against other budgets alone. */
  instead?: string | null | undefined;
};

export type BudgetUpdate = {
  name?: string | undefined;
  /** Whom it holds for; several share it. Of a `group` and a `user`, the keys that people own. */
  holders?:
    | Array<{
        type: 'organization' | 'project' | 'group' | 'user' | 'api_key' | 'product';
        /** Left out of the type `organization`. */
        id?: string | undefined;
      }>
    | undefined;
  /** A number, or a text where it has to be exact: `"12.345678901"`. */
  amount_usd?: number | string | undefined;
  /** In UTC; weeks begin on Monday. */
  interval?: 'life' | 'day' | 'week' | 'month' | undefined;
  /** Whether calls are refused once it is used up; else it only counts. */
  hard?: boolean | undefined;
  /** Parts of the amount that are told of as `spend_alert.triggered`, once in each period: `[0.5, 0.8]`. */
  alerts?: number[] | undefined;
  /** Who gets its alerts by mail, too. */
  recipients?: string[] | undefined;
  /** So much more until a time; those that are over are left out. */
  overrides?:
    | Array<{
        /** A number, or a text where it has to be exact: `"12.345678901"`. */
        amount_usd: number | string;
        ends_at: number;
      }>
    | undefined;
  /** The models and routes that it holds for; `null`: all. */
  models?: string[] | null | undefined;
  /** The model or route that serves once it is used up. Calls to that count against other budgets alone. */
  instead?: string | null | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type BudgetDeleted = {
  id: string;
  object: 'organization.budget.deleted';
  deleted: true;
};

export type SpendLimitList = {
  object: 'list';
  data: SpendLimit[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type SpendLimit = {
  /** Of the project that may spend it, or of the organization. */
  id: string;
  object: 'organization.spend_limit' | 'project.spend_limit';
  /** `null`: of the organization as a whole. */
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

export type LimitUseList = {
  object: 'list';
  data: LimitUse[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type LimitUse = {
  id: string;
  object: 'organization.limit_use';
  /** `null`: it is the organization’s own limit. */
  project: {
    id: string;
    name: string;
  } | null;
  /** Of a rate, by the name that calls give. */
  model: string | null;
  /** `spend_usd`: dollars in the UTC month. The others are in a minute. */
  measure: 'spend_usd' | 'requests' | 'tokens';
  limit: number;
  /** Of a rate, in the busiest of the last 10 minutes; calls count in the minute in which they began. */
  used: number;
  /** When the month ends; of a rate `null`. */
  resets_at: number | null;
};

export type AttentionList = {
  object: 'list';
  data: AttentionItem[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type AttentionItem = {
  /** The same as long as it is the same thing that needs somebody. */
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
  /** `critical`: calls fail, or an amount is used up. `warning`: that is near. */
  severity: 'critical' | 'warning';
  /** What it is, in plain words. */
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
  /** Of a circuit the vendor’s name for it; of a rate, the name that calls give. */
  model: string | null;
  /** The names of those that are refused, or of the circuit’s. */
  credentials: string[];
  /** Those that lead to a model that is shut down, or the one whose targets have no price. */
  routes: string[];
  /** Of budgets and limits. `requests` and `tokens` are in a minute. */
  unit: 'usd' | 'requests' | 'tokens' | null;
  used: number | null;
  limit: number | null;
  /** Whole hundredths of the limit that are used: 99 is not quite all. */
  percent: number | null;
  /** When a call was refused for a budget or spend limit last, or passed a provider over, to the minute. */
  refused_at: number | null;
  /** The model or route that serves calls for which a budget has too little left. */
  instead: string | null;
  /**
   * When a key ends, a model is shut down, an amount begins anew, a circuit lets a call through, or a rate has
   * room.
   */
  at: number | null;
  /** What the vendor answered last. */
  last_error: {
    message: string;
    /** Unix time in seconds. */
    at: number;
  } | null;
  /**
   * Of `api_key_usage`: the first 20 keys that read the usage of the whole organization since before that could
   * be chosen.
   */
  api_keys: Array<{
    id: string;
    name: string;
  }>;
};

export type ModelAccessList = {
  object: 'list';
  data: ModelAccess[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type ModelAccess = {
  /** The project’s. */
  id: string;
  object: 'organization.model_access';
  name: string;
  /** By the models that the project was given; a key may still be limited to others. */
  permitted: boolean;
  /** `null` for those who may not read keys. */
  api_keys: {
    /** Its keys that are on. */
    total: number;
    /** Those of them that may use it. */
    permitted: number;
    /** Those that may not, 20 at most. Where the project may not, none is named. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type ModelPrice = {
  id: string;
  object: 'organization.model_price';
  model: string;
  pricing: RateList & {
    /** What it costs under a tier of service, by the vendor’s name for it. */
    services?: Record<string, RateList> | undefined;
    /** US dollars for one call of a tool that the vendor runs, by its name for it: `web_search`. */
    per_call?: Record<string, number> | undefined;
    /** By how much tokens cost more, by the region in which the vendor says that it made them. */
    regions?: Record<string, number> | undefined;
    currency: 'USD';
    source: string | null;
    date: string | null;
    /** The model that this is the price of, where it is another’s. */
    inferred_from?: string | undefined;
  };
  /** When it begins, or began; `null` where nobody says. */
  effective_at: number | null;
  /** When it ended, or will; `null`: that is not known. */
  ended_at: number | null;
  in_force: boolean;
  /** Who says it. `billed`: calls were billed by it before; `pricing.source` says whose it was. */
  origin: 'settings' | 'file' | 'catalog' | 'billed';
  price_override_id: string | null;
  set_by: {
    type: 'session' | 'api_key' | 'operator';
    id: string | null;
    email: string | null;
  } | null;
};

export type PriceOverrideList = {
  object: 'list';
  data: PriceOverride[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type PriceOverride = {
  id: string;
  object: 'organization.price_override';
  /** `provider/model`. */
  model: string;
  /** `null` where it cannot be read any more. */
  price:
    | (RateList & {
        /** What it costs under a tier of service, by the vendor’s name for it. */
        services?: Record<string, RateList> | undefined;
        /** US dollars for one call of a tool that the vendor runs, by its name for it: `web_search`. */
        per_call?: Record<string, number> | undefined;
        /** By how much tokens cost more, by the region in which the vendor says that it made them. */
        regions?: Record<string, number> | undefined;
        currency: 'USD';
        source: string | null;
        date: string | null;
        /** The model that this is the price of, where it is another’s. */
        inferred_from?: string | undefined;
      })
    | null;
  /** When it begins, or began; `null` where nobody says. */
  effective_at: number | null;
  /** When it ended, or will; `null`: that is not known. */
  ended_at: number | null;
  /** `replaced`: a later one came; `cancelled`: it ended before it began; `hidden`: the file says another. */
  state: 'scheduled' | 'in_force' | 'replaced' | 'ended' | 'cancelled' | 'hidden';
  note: string | null;
  set_by: {
    type: 'session' | 'api_key' | 'operator';
    id: string | null;
    email: string | null;
  } | null;
  /** `file`: it is changed in the configuration alone. */
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
  /** Left out: now. */
  effective_at?: number | undefined;
  /** Why it was set, for people. */
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
  /** Why it was set, for people. */
  note?: string | null | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type Alias = {
  /** The model name that callers send. */
  id: string;
  object: 'organization.alias';
  /** A model, a route, or another alias. */
  target: string;
  /** The model or route that it leads to now; `null`: it leads nowhere. */
  leads_to: string | null;
  /** Why it is not in force: the file has an alias or a route of its name. */
  off: string | null;
  /** `file`: it is changed in the configuration alone. */
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
  /** What callers send as the model, such as `acme/fast`. */
  id: string;
  /** A model, a route, or another alias, by its name. */
  target: string;
};

export type AliasUpdate = {
  /** A model, a route, or another alias, by its name. */
  target: string;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type AliasDeleted = {
  id: string;
  object: 'organization.alias.deleted';
  deleted: true;
};

export type ProductList = {
  object: 'list';
  data: Product[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type Product = {
  /** What its keys name. */
  id: string;
  object: 'organization.product';
  name: string;
  /** What its keys may call. */
  routes: string[];
  /** Those of `routes` that lead nowhere now. */
  unserved: string[];
  /** What all its keys may spend together; `amount_decimal` is exact. */
  spend_limit: {
    amount_usd: number;
    amount_decimal: string;
    interval: 'life' | 'day' | 'week' | 'month';
  } | null;
  /** What counts against that, in its period; in its life where it has none. */
  spent_usd: number;
  spend_resets_at: number | null;
  /**
   * Its keys, newest first, 20 at most. They are changed and revoked as those of their project, by whoever may
   * change products.
   */
  api_keys: Array<{
    id: string;
    project_id: string;
    name: string;
    /** The first and last characters of the secret. */
    redacted_value: string;
    /** When it was made, in Unix seconds. */
    created_at: number;
    expires_at: number | null;
    status: 'active' | 'disabled' | 'expired';
  }>;
  /** `file`: it is changed in the configuration alone. */
  origin: 'file' | 'settings';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  /** Why it is not in force: the file has a product of its id. */
  off: string | null;
  created_at: number | null;
  updated_at: number | null;
  version: number | null;
};

export type ProductRequest = {
  /** Letters, digits, `_` and `-`. Usage records name it. */
  id: string;
  /** Left out, the id. */
  name?: string | undefined;
  /** Left out, the system route. */
  routes?: string[] | undefined;
  /** What all its keys may spend together; `null`: whatever they may. */
  spend_limit?:
    | {
        /** A number, or a text where it has to be exact: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
  /** Project of its key (default: the default project). */
  project_id?: string | undefined;
  /** When its key ends; left out, never. */
  expires_in_seconds?: number | null | undefined;
};

export type ProductWithKey = Product & {
  api_key: {
    id: string;
    name: string;
    /** The secret, told this once. */
    value: string;
    /** When it was made, in Unix seconds. */
    created_at: number;
    expires_at: number | null;
  };
};

export type ProductUpdate = {
  name?: string | undefined;
  /** Routes, models and aliases that its keys may call. */
  routes?: string[] | undefined;
  /** What all its keys may spend together; `null`: whatever they may. */
  spend_limit?:
    | {
        /** A number, or a text where it has to be exact: `"12.345678901"`. */
        amount_usd: number | string;
        interval?: 'life' | 'day' | 'week' | 'month' | undefined;
      }
    | null
    | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProductRotateRequest = {
  /** Must be given where it has several keys. */
  api_key_id?: string | undefined;
  /** How long the secret that it has goes on; at most 90 days. */
  overlap_seconds?: number | undefined;
};

export type RotatedProductKey = Product & {
  api_key: {
    id: string;
    name: string;
    /** The secret, told this once. */
    value: string;
    /** When it was made, in Unix seconds. */
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

export type ProviderList = {
  object: 'list';
  data: Provider[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type Provider = {
  id: string;
  object: 'organization.provider';
  label: string;
  /** Where calls go; empty where that is not known. */
  base_url: string;
  /** What was said of it, in the words of the configuration file. */
  definition: Record<string, unknown>;
  /** Only what is of the settings is changed here. */
  origin: 'settings' | 'file' | 'environment';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  /** Why it cannot be called; `null` where it can. */
  off: string | null;
  credentials: ProviderCredential[];
  /** What it said when it was asked for its models last. */
  list: 'key_refused' | 'failed' | 'unheard' | 'listed' | null;
  /** How many models of it can be called. */
  models: number;
  /** The worst of its models; `null` where none was called. */
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
  /** `null`: it is set in the configuration file, or the environment. */
  id: string | null;
  object: 'organization.provider.credential';
  name: string;
  weight: number;
  /** The last characters of the key; empty where it is short. */
  hint: string;
  created_at: number | null;
  updated_at: number | null;
  /** `refused`: the vendor does not take it, and calls go with others. */
  state: 'in_use' | 'refused' | 'off';
  /** When it is tried again. */
  out_until: number | null;
};

export type ProviderRequest = {
  /** Behind it, models are called: `openai/gpt-4o`. */
  id: string;
  /** The vendor whose address and ways it has; left out, the one of its own id. `provider_presets` lists them. */
  preset?: string | undefined;
  /** Where it is: over https, and public. */
  base_url?: string | undefined;
  /** Display name. */
  label?: string | undefined;
  /** What it speaks. */
  dialects?:
    | Array<
        'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages' | 'gemini' | 'bedrock-converse'
      >
    | undefined;
  /** What it serves beside what the catalog and its own list have, or facts of these. */
  models?:
    | Array<{
        /** The name callers use. */
        id: string;
        /** The vendor’s own name for it; left out, the id. */
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
        /** As in the configuration file: parameters of calls whose callers do not say them, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters of all calls, whatever their callers say. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** All that it serves. */
  only?:
    | Array<{
        /** The name callers use. */
        id: string;
        /** The vendor’s own name for it; left out, the id. */
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
        /** As in the configuration file: parameters of calls whose callers do not say them, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters of all calls, whatever their callers say. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** `refuse`: what is in no list is not sent to it. */
  unknown_models?: 'pass' | 'refuse' | undefined;
  /** Where it serves, such as eu: routes may ask for it. */
  region?: string | undefined;
  /** Whether calls may name files and the like that are kept in its account. */
  shared_ids?: 'refuse' | 'allow' | undefined;
  credentials?:
    | Array<{
        /** Name for targets of routes. */
        name?: string | undefined;
        /** The vendor’s key. It is kept encrypted, and never shown again. */
        key: string;
        /** Its share of the calls beside the others; 0: only where a route’s target names it. */
        weight?: number | undefined;
      }>
    | undefined;
};

/** `null` takes a member away. */
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
        /** The name callers use. */
        id: string;
        /** The vendor’s own name for it; left out, the id. */
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
        /** As in the configuration file: parameters of calls whose callers do not say them, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters of all calls, whatever their callers say. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | null
    | undefined;
  only?:
    | Array<{
        /** The name callers use. */
        id: string;
        /** The vendor’s own name for it; left out, the id. */
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
        /** As in the configuration file: parameters of calls whose callers do not say them, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters of all calls, whatever their callers say. */
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
  /** Takes the place of all its keys. Must be given where another address is. */
  credentials?:
    | Array<{
        /** Name for targets of routes. */
        name?: string | undefined;
        /** The vendor’s key. It is kept encrypted, and never shown again. */
        key: string;
        /** Its share of the calls beside the others; 0: only where a route’s target names it. */
        weight?: number | undefined;
      }>
    | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProviderDeleted = {
  id: string;
  object: 'organization.provider.deleted';
  deleted: true;
};

export type ProviderTestRequest = {
  /** One that there is: what else is given takes the place of what it has. */
  provider_id?: string | undefined;
  /** Whose key is sent; left out, the first. */
  credential_id?: string | undefined;
  /** The vendor whose address and ways it has; left out, the one of its own id. `provider_presets` lists them. */
  preset?: string | undefined;
  /** Where it is: over https, and public. */
  base_url?: string | undefined;
  /** Display name. */
  label?: string | undefined;
  /** What it speaks. */
  dialects?:
    | Array<
        'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages' | 'gemini' | 'bedrock-converse'
      >
    | undefined;
  /** What it serves beside what the catalog and its own list have, or facts of these. */
  models?:
    | Array<{
        /** The name callers use. */
        id: string;
        /** The vendor’s own name for it; left out, the id. */
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
        /** As in the configuration file: parameters of calls whose callers do not say them, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters of all calls, whatever their callers say. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** All that it serves. */
  only?:
    | Array<{
        /** The name callers use. */
        id: string;
        /** The vendor’s own name for it; left out, the id. */
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
        /** As in the configuration file: parameters of calls whose callers do not say them, such as `temperature`. */
        defaults?: Record<string, unknown> | undefined;
        /** As in the configuration file: parameters of all calls, whatever their callers say. */
        force?: Record<string, unknown> | undefined;
        requests_per_minute?: number | undefined;
        tokens_per_minute?: number | undefined;
        count_cached_input?: boolean | undefined;
      }>
    | undefined;
  /** `refuse`: what is in no list is not sent to it. */
  unknown_models?: 'pass' | 'refuse' | undefined;
  /** Where it serves, such as eu: routes may ask for it. */
  region?: string | undefined;
  /** Whether calls may name files and the like that are kept in its account. */
  shared_ids?: 'refuse' | 'allow' | undefined;
  /** The vendor’s key. It is kept encrypted, and never shown again. */
  key?: string | undefined;
};

export type ProviderTest = {
  object: 'organization.provider.test';
  ok: boolean;
  /** How many models it lists; `null` where it did not, or lists something else. */
  models: number | null;
  /** What it said of the key. `unknown`: it shows its list to everybody, or did not answer. */
  key: 'accepted' | 'refused' | 'unknown' | 'none';
  /** What went wrong. */
  error: string | null;
  took_ms: number;
};

export type ProviderPresetList = {
  object: 'list';
  data: ProviderPreset[];
};

export type ProviderPreset = {
  id: string;
  object: 'organization.provider_preset';
  label: string;
  /** `null`: each customer has an own one. */
  base_url: string | null;
  needs_key: boolean;
  /** The vendor’s page on its API. */
  docs: string;
};

export type ProviderCredentialRequest = {
  /** Name for targets of routes. */
  name?: string | undefined;
  /** The vendor’s key. It is kept encrypted, and never shown again. */
  key: string;
  /** Its share of the calls beside the others; 0: only where a route’s target names it. */
  weight?: number | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProviderCredentialUpdate = {
  name?: string | undefined;
  /** The vendor’s key. It is kept encrypted, and never shown again. */
  key?: string | undefined;
  /** Its share of the calls beside the others; 0: only where a route’s target names it. */
  weight?: number | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type OrganizationRoute = {
  /** The model name that callers send. */
  id: string;
  object: 'organization.route';
  /** `file`: it is changed in the configuration alone. */
  from: 'file' | 'store';
  /** Where the configuration file says it, so that it is changed there alone. */
  set_in: {
    file: string;
    line: number | null;
  } | null;
  /** A stored route of this id serves nothing while the file has one. */
  hides_stored: boolean;
  name: string | null;
  origin: 'vendor' | 'smart_route' | 'system_route' | null;
  strategy: string[];
  targets: string[];
  fallbacks: string[];
  /** Why it serves nothing; `null` where it serves. */
  problem: string | null;
  definition_version: string | null;
  /** The id of the version; `null` for those of the file. */
  version_in_force: string | null;
  /** What a rollback puts in force. */
  version_before: string | null;
  canary: {
    version_id: string;
    /** The part of the conversations (0 to 1) that goes by this version. */
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
  /** What a file would say; `null` where it cannot be read. */
  definition: Record<string, unknown> | null;
  /** The same as YAML: as it was typed, where that is known. */
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
        /** The part of the conversations that goes by it. Each stays with its version. */
        share: number;
      }
    | null
    | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type OrganizationRouteDeleted = {
  id: string;
  object: 'organization.route.deleted';
  deleted: true;
};

export type OrganizationRouteRollback = {
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type OrganizationRouteDraft = {
  /** What callers send as the model, such as `acme/fast`. */
  id: string;
  /** What a file would say of the route, as JSON. `yaml` stands in its place. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: the definition alone, or a whole configuration with it. It may name no variables. */
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
  /** What the draft says, as JSON; `null` where it has a problem. */
  definition: Record<string, unknown> | null;
  /** Targets that no provider serves. */
  unserved: Array<{
    model: string;
    detail: string;
  }>;
  /** Providers that did not say which models they have. */
  unasked: string[];
};

export type OrganizationRouteTry = {
  /** The body of the call; its `model` is ignored. */
  call: Record<string, unknown>;
  /** What the call is of; left out, it is told by its members. */
  surface?: 'chat' | 'responses' | 'messages' | 'embeddings' | undefined;
  /** What a file would say of the route, as JSON. `yaml` stands in its place. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: the definition alone, or a whole configuration with it. It may name no variables. */
  yaml?: string | undefined;
  /** A version of the route, in the place of a draft; with neither, what is in force. */
  version_id?: string | undefined;
};

export type OrganizationRouteReplay = {
  /** What a file would say of the route, as JSON. `yaml` stands in its place. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: the definition alone, or a whole configuration with it. It may name no variables. */
  yaml?: string | undefined;
  /** A version of the route, in the place of a draft; with neither, what is in force. */
  version_id?: string | undefined;
  /** Calls from then on, in Unix seconds; left out, those of the last seven days. */
  since?: number | undefined;
  /** The first so many calls. */
  limit?: number | undefined;
};

export type OrganizationRouteReplayed = {
  object: 'organization.route.replay';
  route_id: string;
  definition_version: string;
  /** Unix time in seconds. */
  since: number;
  calls: number;
  /** `false`: further calls were left out, for their number or the time. */
  complete: boolean;
  /** Calls that would go to another target. */
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
  /** Over the calls of which both are known. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type OrganizationRouteVersion = {
  id: string;
  object: 'organization.route.version';
  route_id: string;
  /** Counts from 1. */
  number: number;
  /** When it was made, in Unix seconds. */
  created_at: number;
  created_by: {
    type: 'session' | 'api_key' | 'operator';
    id: string | null;
    email: string | null;
  } | null;
  note: string | null;
  /** A hash of the definition: records of calls name it as `route_version`. */
  definition_version: string;
};

export type OrganizationRouteVersionRequest = {
  /** What a file would say of the route, as JSON. `yaml` stands in its place. */
  definition?: Record<string, unknown> | undefined;
  /** The same as YAML: the definition alone, or a whole configuration with it. It may name no variables. */
  yaml?: string | undefined;
  /** Reason, for people. */
  note?: string | null | undefined;
  /** `false`: it is kept, for later. */
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
    /** Left out where the member is new. */
    before: unknown;
    /** Left out where the member is gone. */
    after: unknown;
  }>;
};

export type WebhookEndpointList = {
  object: 'list';
  data: WebhookEndpoint[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type WebhookEndpoint = {
  id: string;
  object: 'webhook_endpoint';
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Unix time in seconds. */
  updated_at: number;
  name: string;
  url: string;
  event_types: string[];
  signing_secret_hint: string;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type WebhookEndpointRequest = {
  name: string;
  /** Over https, and public: where events are sent. */
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
  /** Shown this once. */
  signing_secret: string;
};

export type WebhookEndpointUpdate = {
  name?: string | undefined;
  /** Over https, and public: where events are sent. */
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
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type WebhookEndpointDeleted = {
  id: string;
  object: 'webhook_endpoint.deleted';
  deleted: true;
};

export type WebhookSecretRotation = {
  /** Whether requests are signed with both for a day. */
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
  /** It was sent, and answered: `status_code` says how. */
  success: true;
};

export type WebhookDeliveryList = {
  object: 'list';
  data: WebhookDelivery[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type WebhookDelivery = {
  id: string;
  object: 'webhook_endpoint.delivery';
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** `webhook-id` of every attempt. */
  event_id: string;
  event_type: string;
  status: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  next_attempt_at: number | null;
  delivered_at: number | null;
  /** What the last attempt was answered. */
  status_code: number | null;
  /** Why the last attempt could not be sent. */
  error: string | null;
};

export type WebhookEventTypeList = {
  object: 'list';
  data: string[];
};

export type CatalogListParams = {
  /** Only this provider’s, by its id or label. */
  provider?: string | undefined;
  /** Only those with this in an id, a name, an alias or the provider’s label; in any case. */
  search?: string | undefined;
};

export class CatalogResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the models with who serves them, where they go and what they cost. */
  list(query: CatalogListParams = {}, options?: RequestOptions): APIPromise<Catalog> {
    return this.#client.get('/models/catalog', { query, ...options });
  }

  /**
   * Tell who serves one model, where it goes and what it costs.
   * @param id What would be sent as `model`, an alias too. Slashes in it may be encoded or not.
   */
  retrieve(id: string, options?: RequestOptions): APIPromise<CatalogEntry> {
    return this.#client.get(`/models/catalog/${piece('id', id)}`, options);
  }

  /** List the models that the key may use, as LiteLLM’s clients ask for them. */
  info(options?: RequestOptions): APIPromise<ModelInfoList> {
    return this.#client.get('/model/info', options);
  }

  /** List the models that the key may use, as LiteLLM’s clients ask for them. */
  infoAtRoot(options?: RequestOptions): APIPromise<ModelInfoList> {
    return this.#client.get('/model/info', options);
  }
}

export type UsageListParams = {
  /** Only this model’s. */
  model?: string | undefined;
  /** Only what keys of this source have used. */
  source?: 'api_key' | 'product' | 'developer_tool' | 'console' | undefined;
  /** Only this product’s, by its id. */
  product?: string | undefined;
  /** Only this developer tool’s, by its name. */
  tool?: string | undefined;
  /** Only what this key has used. */
  api_key_id?: string | undefined;
  /** Only calls that ended so. */
  status?: 'succeeded' | 'failed' | 'cancelled' | 'interrupted' | undefined;
  /** Only calls from this time on (Unix seconds). */
  start_time?: number | undefined;
  /** Only calls before this time (Unix seconds). */
  end_time?: number | undefined;
  /** Records to return. */
  limit?: number | undefined;
  /** The id of the last record of the page before. */
  after?: string | undefined;
};

export type UsageSummaryParams = {
  /**
   * What to take it apart by, with commas: key, model, product, tool, source, route, provider, day. Left out,
   * totals alone.
   */
  by?: string | undefined;
  /** Only this model’s, by its name in the catalog. */
  model?: string | undefined;
  /** Only what keys of this source have used. */
  source?: 'api_key' | 'product' | 'developer_tool' | 'console' | undefined;
  /** Only this product’s, by its id. */
  product?: string | undefined;
  /** Only this developer tool’s, by its name. */
  tool?: string | undefined;
  /** Only this route’s. */
  route?: string | undefined;
  /** Only what this provider served. */
  provider?: string | undefined;
  /** Only what this key has used. */
  api_key_id?: string | undefined;
  /** From the UTC day of this time on (Unix seconds); left out, 30 days ago. */
  start_time?: number | undefined;
  /** Up to this time, whose UTC day is whole; left out, now. */
  end_time?: number | undefined;
  /** Rows to return; the others are added up in `rest`. */
  limit?: number | undefined;
  /** What the rows are sorted by, the most first. */
  order_by?: 'cost' | 'calls' | 'tokens' | 'cached_tokens' | 'failed_calls' | undefined;
  /**
   * How many names, or combinations of them, are told apart, days aside: those that come to most in the whole
   * period. The others are one row, or one a day. Left out, all are.
   */
  top?: number | undefined;
};

export type UsageFirstTokensParams = {
  /** From the UTC day of this time on (Unix seconds); left out, 30 days ago. */
  start_time?: number | undefined;
  /** Up to this time, whose UTC day is whole; left out, now. */
  end_time?: number | undefined;
};

export type UsageLiveParams = {
  /** Only this model’s. */
  model?: string | undefined;
  /** Only what keys of this source have used. */
  source?: 'api_key' | 'product' | 'developer_tool' | 'console' | undefined;
  /** Only this product’s, by its id. */
  product?: string | undefined;
  /** Only this developer tool’s, by its name. */
  tool?: string | undefined;
  /** Only what this key has used. */
  api_key_id?: string | undefined;
  /** Only calls that ended so. */
  status?: 'succeeded' | 'failed' | 'cancelled' | 'interrupted' | undefined;
  /** Only calls from this time on (Unix seconds). */
  start_time?: number | undefined;
  /** Only calls before this time (Unix seconds). */
  end_time?: number | undefined;
  /** The id of the last event that was read, where no header can tell it. */
  last_event_id?: string | undefined;
};

export class UsageResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the usage records of the key’s organization, newest first. `for await` walks through all pages.
   * A key reads the records of its organization, of its project or its own alone, as its `usage` says, here and
   * in what follows. A person’s key never reads more than the person may.
   */
  list(query: UsageListParams = {}, options?: RequestOptions): PagePromise<CursorPage<UsageRecord>, UsageRecord> {
    return this.#client.getAPIList('/usage', CursorPage<UsageRecord>, { query, ...options });
  }

  /**
   * Tell all of one call: its record, each attempt, and how its route decided.
   * @param id The record’s id, or that of the request (`x-request-id` of the answer).
   */
  retrieve(id: string, options?: RequestOptions): APIPromise<UsageDetail> {
    return this.#client.get(`/usage/${piece('id', id)}`, options);
  }

  /**
   * Add up what the key’s organization used and what it cost, beside the period before.
   * Whole UTC days are added up, today as far as it has come, and the same number of days before them. A call is
   * of the day on which it began, and is added up once it is over.
   */
  summary(query: UsageSummaryParams = {}, options?: RequestOptions): APIPromise<UsageSummary> {
    return this.#client.get('/usage/summary', { query, ...options });
  }

  /**
   * Tell how long the organization’s callers waited for the first token of a stream, beside the period before.
   * Whole UTC days are told, today as far as it has come, and the same number of days before them. A call is of
   * the day on which it began, and is counted once it is over.
   */
  firstTokens(query: UsageFirstTokensParams = {}, options?: RequestOptions): APIPromise<FirstTokenTimes> {
    return this.#client.get('/usage/first_tokens', { query, ...options });
  }

  /**
   * Follow calls as they end: server-sent events, each with one call as `GET /v1/usage/{id}` tells it. `for
   * await` reads them, and goes on by itself where the connection is lost.
   * The same callers see the same calls as in the list. An event comes within a second of its call’s end, in the
   * order in which calls ended. There are at most 20 a second; where there are more calls, those that are passed
   * over are counted by an event `skipped` (`{"calls": 312}`; `null` where that is not known). It begins with an
   * event `begin`, which says nothing but its id. Each event of a call has an id: who comes back with the last
   * one in `Last-Event-ID`, as browsers do by themselves, or in `last_event_id`, goes on behind it. A stream
   * ends when the gateway stops or has too much to do, within a second of when its caller may follow these calls
   * no more, and for those who are signed in after a minute: come back then.
   */
  live(query: UsageLiveParams = {}, options?: RequestOptions): LiveItems<UsageDetail> {
    return new LiveItems(this.#client, '/usage/live', query, options);
  }
}

export type RoutesExplainParams = {
  /** What the body is of; left out, it is told by its members. */
  surface?: 'chat' | 'responses' | 'messages' | 'embeddings' | undefined;
};

export class RoutesResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List the routes that the key may use, as the catalog has them. */
  list(options?: RequestOptions): APIPromise<RouteList> {
    return this.#client.get('/routes', options);
  }

  /**
   * Tell who would serve a call, and why. No provider is called, and nothing is recorded.
   * @param id A route or a vendor’s model. Slashes in it may be encoded or not.
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

export class FeedbackResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * Say how good the answer to a call was; a smart route learns from it.
   * By the key that made the call, or an administrator’s of its organization. A later score takes the place of
   * an earlier one.
   */
  create(body: FeedbackRequest, options?: RequestOptions): APIPromise<Feedback> {
    return this.#client.post('/feedback', { body, ...options });
  }
}

export class StatusResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** Tell how every target does. For administrators’ keys. */
  retrieve(options?: RequestOptions): APIPromise<Status> {
    return this.#client.get('/status', { ...ADMINISTRATION, ...options });
  }
}

export type SettingsProjectsApiKeysListAllParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** The id of the first item of the page behind. */
  before?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
  /** Only those with this in their name or id, the best first: `limit` of them, and no further page. */
  search?: string | undefined;
};

export type SettingsProjectsApiKeysListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** The id of the first item of the page behind. */
  before?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
  /** Keys of owners who are in the project, of others, or all. */
  owner_project_access?: 'active' | 'inactive' | 'any' | undefined;
};

export class SettingsProjectsApiKeysResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the keys of all projects, each with its project; for whoever may see some projects alone, of these.
   * Those of archived ones are left out. `for await` walks through all pages.
   * OpenAI’s API has no such operation.
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

  /** List the keys of a project, with what they have used. `for await` walks through all pages. */
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
   * Make a key in a project: for yourself, another person, a service account, or nobody in particular.
   * OpenAI’s API has no such operation.
   */
  create(projectId: string, body: ProjectApiKeyRequest, options?: RequestOptions): APIPromise<NewProjectApiKey> {
    return this.#client.post(`/organization/projects/${piece('projectId', projectId)}/api_keys`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** Show a key. */
  retrieve(projectId: string, apiKeyId: string, options?: RequestOptions): APIPromise<ProjectApiKey> {
    return this.#client.get(
      `/organization/projects/${piece('projectId', projectId)}/api_keys/${piece('apiKeyId', apiKeyId)}`,
      { ...ADMINISTRATION, ...options },
    );
  }

  /**
   * Change a key. What is not named stays; every process goes by it within a second.
   * A key that is not your own needs `api.members.write`, too; a product’s `api.products.write`; one that
   * administers is for owners.
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
   * Give a key another secret. The one that it has goes on for a while.
   * A key that is not your own needs `api.members.write`, too; a product’s `api.products.write`; one that
   * administers is for owners. A key that reads more usage than whoever is told the secret may read reads as
   * much as they may from then on: `usage` of the answer says what. One’s own key stays as it is.
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
   * Revoke a key, for good.
   * A key that is not your own needs `api.members.write`, too; a product’s `api.products.write`; one that
   * administers is for owners.
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

export class SettingsInvitesResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * Invite somebody for 7 days.
   * Nobody invites into more than they may themselves: only an owner invites owners.
   */
  create(body: InviteRequest, options?: RequestOptions): APIPromise<InviteCreated> {
    return this.#client.post('/organization/invites', { ...ADMINISTRATION, body, ...options });
  }
}

export type SettingsBudgetsListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** The id of the first item of the page behind. */
  before?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsBudgetsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List budgets, with what was spent of each. `for await` walks through all pages. */
  list(query: SettingsBudgetsListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Budget>, Budget> {
    return this.#client.getAPIList('/organization/budgets', CursorPage<Budget>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Set what a project, group, person, key, product or all may spend, or several of them together.
   * What its holders have spent in the present period counts; of groups, with `models` or `instead`, and for
   * good (`life`), it counts from now on. Every process goes by it within a second.
   */
  create(body: BudgetRequest, options?: RequestOptions): APIPromise<Budget> {
    return this.#client.post('/organization/budgets', { ...ADMINISTRATION, body, ...options });
  }

  /** Show a budget, with what was spent of it. */
  retrieve(budgetId: string, options?: RequestOptions): APIPromise<Budget> {
    return this.#client.get(`/organization/budgets/${piece('budgetId', budgetId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Change a budget; what is left out stays, and so does what was spent. */
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

export type SettingsSpendLimitsListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsSpendLimitsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the limits of a month that are set, of the organization and of its projects. `for await` walks through
   * all pages.
   */
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

export type SettingsLimitUseListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
  /** Only those of which this much was used, in hundredths: 80 finds what is near its end. */
  least_percent?: number | undefined;
};

export class SettingsLimitUseResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the limits that were set for the organization and its projects, with how much of them was used. `for
   * await` walks through all pages.
   * Monthly spend limits, for those who may read budgets, and rates by model, for those who may read usage.
   * Archived projects, and rates that are only the configuration’s, are left out.
   */
  list(query: SettingsLimitUseListParams = {}, options?: RequestOptions): PagePromise<CursorPage<LimitUse>, LimitUse> {
    return this.#client.getAPIList('/organization/limit_use', CursorPage<LimitUse>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }
}

export type SettingsAttentionListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
};

export class SettingsAttentionResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List what somebody should look at, the worst first. `for await` walks through all pages.
   * Keys that vendors refuse, models that get no calls because they failed too often, providers, keys and models
   * that were sent as much as they may be in a minute within the hour, and routes of which budgets leave targets
   * out because they have no price (for those who read usage and settings); budgets and limits of which 80 % are
   * used, or for which a call was refused within the hour; models that were called within 30 days, or that a
   * route leads to, and that their vendor shuts down within 60 days; API keys that end within 14 days, the 200
   * that end first; and API keys of before `usage` could be chosen that read the usage of the whole
   * organization, until it is set. Each kind is listed to those alone who may read what it is about; who may
   * read keys in some projects alone is told of these.
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

export type SettingsModelsAccessParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export type SettingsModelsPricesParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsModelsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the projects with whether they may use a model, and how many of their keys may. `for await` walks
   * through all pages.
   * The model as calls name it, an alias too; slashes in it are written `%2F`. Archived projects are left out.
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
   * List the prices that a model has, had and will have, as far as they are kept. `for await` walks through all
   * pages.
   * What was set, what holds now, and by what calls were billed before. Slashes in the name are encoded as
   * `%2F`. Prices are the gateway’s own: its first organization sets them, and all are billed by them.
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

export type SettingsPriceOverridesListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
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
   * List the prices that were set for models, with all that are over, and those of the configuration file. `for
   * await` walks through all pages.
   * Prices are the gateway’s own: its first organization sets them, and all are billed by them.
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
   * Set what a model costs from a time on. Calls that begin then are billed by it; those before stay as they
   * are.
   * Prices are the gateway’s own: its first organization sets them, and all are billed by them.
   */
  create(body: PriceOverrideRequest, options?: RequestOptions): APIPromise<PriceOverride> {
    return this.#client.post('/organization/price_overrides', { ...ADMINISTRATION, body, ...options });
  }

  /** Show a price that was set. */
  retrieve(priceOverrideId: string, options?: RequestOptions): APIPromise<PriceOverride> {
    return this.#client.get(`/organization/price_overrides/${piece('priceOverrideId', priceOverrideId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }

  /** Change a price that has not begun. One that has is followed by another: what was billed stays. */
  update(priceOverrideId: string, body: PriceOverrideUpdate = {}, options?: RequestOptions): APIPromise<PriceOverride> {
    return this.#client.post(`/organization/price_overrides/${piece('priceOverrideId', priceOverrideId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /** End a price now: the model costs what it would without. It stays in the history. */
  delete(priceOverrideId: string, options?: RequestOptions): APIPromise<PriceOverrideDeleted> {
    return this.#client.delete(`/organization/price_overrides/${piece('priceOverrideId', priceOverrideId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }
}

export type SettingsAliasesListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsAliasesResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the aliases of the configuration file, which is where they are changed, and of the settings, by name.
   * `for await` walks through all pages.
   * Aliases are the gateway’s own: its first organization has them, and all may call them. Slashes in an id are
   * encoded as `%2F`.
   */
  list(query: SettingsAliasesListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Alias>, Alias> {
    return this.#client.getAPIList('/organization/aliases', CursorPage<Alias>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Give a model or a route another name. Calls may name it within a second.
   * Aliases are the gateway’s own: its first organization has them, and all may call them. Slashes in an id are
   * encoded as `%2F`.
   */
  create(body: AliasRequest, options?: RequestOptions): APIPromise<Alias> {
    return this.#client.post('/organization/aliases', { ...ADMINISTRATION, body, ...options });
  }

  /** Show an alias, and what it leads to. */
  retrieve(aliasId: string, options?: RequestOptions): APIPromise<Alias> {
    return this.#client.get(`/organization/aliases/${piece('aliasId', aliasId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Have an alias lead elsewhere. */
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

export type SettingsProductsListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsProductsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /**
   * List the products of the configuration file, which is where they are changed, and of the settings, by id.
   * `for await` walks through all pages.
   * Products are the gateway’s own: its first organization has them.
   */
  list(query: SettingsProductsListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Product>, Product> {
    return this.#client.getAPIList('/organization/products', CursorPage<Product>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /**
   * Make a product with its first key, whose secret is told this once. It is taken within a second.
   * Products are the gateway’s own: its first organization has them.
   */
  create(body: ProductRequest, options?: RequestOptions): APIPromise<ProductWithKey> {
    return this.#client.post('/organization/products', { ...ADMINISTRATION, body, ...options });
  }

  /** Show a product, what it has spent, and its keys. */
  retrieve(productId: string, options?: RequestOptions): APIPromise<Product> {
    return this.#client.get(`/organization/products/${piece('productId', productId)}`, {
      ...ADMINISTRATION,
      ...options,
    });
  }

  /** Change a product; what is left out stays, and so does what was spent. */
  update(productId: string, body: ProductUpdate = {}, options?: RequestOptions): APIPromise<Product> {
    return this.#client.post(`/organization/products/${piece('productId', productId)}`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /**
   * Give a key of a product another secret, and a product without a key its first. One of the file may be named,
   * too.
   */
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
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** The id of the first item of the page behind. */
  before?: string | undefined;
  /** By time of creation. */
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
   * List the providers of the gateway, by id: those of its configuration file, which is where they are changed,
   * and others. `for await` walks through all pages.
   */
  list(query: SettingsProvidersListParams = {}, options?: RequestOptions): PagePromise<CursorPage<Provider>, Provider> {
    return this.#client.getAPIList('/organization/providers', CursorPage<Provider>, {
      ...ADMINISTRATION,
      query,
      ...options,
    });
  }

  /** Add a provider. It can be called within a second. */
  create(body: ProviderRequest, options?: RequestOptions): APIPromise<Provider> {
    return this.#client.post('/organization/providers', { ...ADMINISTRATION, body, ...options });
  }

  /** Show a provider, and how it does. */
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

  /**
   * Ask a vendor for its models: one that there is, or one that is about to be added or changed.
   * Nothing is kept of it, and nothing is billed by vendors.
   */
  test(body: ProviderTestRequest = {}, options?: RequestOptions): APIPromise<ProviderTest> {
    return this.#client.post('/organization/providers/test', { ...ADMINISTRATION, body, ...options });
  }

  /** List the vendors that are known: of these a provider needs a key, and no more. */
  presets(options?: RequestOptions): APIPromise<ProviderPresetList> {
    return this.#client.get('/organization/provider_presets', { ...ADMINISTRATION, ...options });
  }
}

export type SettingsRoutesVersionsListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** The id of the first item of the page behind. */
  before?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export type SettingsRoutesVersionsDiffParams = {
  /** The version that this one is held against; left out, the one in force. */
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

  /** Give a stored route another definition. One that it had before is that version again. */
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

  /** Show a version with its definition. */
  retrieve(routeId: string, versionId: string, options?: RequestOptions): APIPromise<OrganizationRouteVersionWhole> {
    return this.#client.get(
      `/organization/routes/${piece('routeId', routeId)}/versions/${piece('versionId', versionId)}`,
      { ...ADMINISTRATION, ...options },
    );
  }

  /** Tell what differs between two versions of a route. */
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
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** By time of creation. */
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
   * List the routes of the configuration and of the store, by their ids. `for await` walks through all pages.
   * Routes are the gateway’s own: its first organization has them, and all may call them. Slashes in an id are
   * encoded as `%2F`.
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

  /** Store a route; calls may name it within a second. */
  create(body: OrganizationRouteRequest, options?: RequestOptions): APIPromise<OrganizationRouteWhole> {
    return this.#client.post('/organization/routes', { ...ADMINISTRATION, body, ...options });
  }

  /** Show a route with its definition. */
  retrieve(routeId: string, options?: RequestOptions): APIPromise<OrganizationRouteWhole> {
    return this.#client.get(`/organization/routes/${piece('routeId', routeId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Put a version of a stored route in force, or have a share of its conversations go by another. */
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

  /** Remove a route from the store, with its versions. Usage records stay. */
  delete(routeId: string, options?: RequestOptions): APIPromise<OrganizationRouteDeleted> {
    return this.#client.delete(`/organization/routes/${piece('routeId', routeId)}`, { ...ADMINISTRATION, ...options });
  }

  /** Put the version in force again that was before the present one. */
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

  /** Tell what is wrong with the draft of a route. Nothing is kept. */
  validate(body: OrganizationRouteDraft, options?: RequestOptions): APIPromise<OrganizationRouteCheck> {
    return this.#client.post('/organization/routes/validate', { ...ADMINISTRATION, body, ...options });
  }

  /**
   * Tell who would serve a call, and why, by a route or a draft of it. No provider is called, and nothing is
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
   * Decide past calls of a route anew by a draft of it, and tell what would change.
   * Each call is decided from what was kept of it: what it was, how the targets did then, the same chance.
   * Expected costs are by the prices known now. It takes 10 seconds at most, beside the work for calls; one is
   * done at a time. It sums up the calls of all, so it needs the permission `api.usage.read`, too.
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

export type SettingsWebhookEndpointsListParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** The id of the first item of the page behind. */
  before?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export type SettingsWebhookEndpointsDeliveriesParams = {
  /** Items to return. */
  limit?: number | undefined;
  /** The id of the last item of the page before. */
  after?: string | undefined;
  /** The id of the first item of the page behind. */
  before?: string | undefined;
  /** By time of creation. */
  order?: 'asc' | 'desc' | undefined;
};

export class SettingsWebhookEndpointsResource {
  readonly #client: Caller;

  constructor(client: Caller) {
    this.#client = client;
  }

  /** List where the organization is told of events, newest first. `for await` walks through all pages. */
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
   * Name an address that is told of events.
   * Requests are signed as Standard Webhooks say, and sent again with growing pauses for a day until one is
   * answered with 2xx. What `webhook-id` says is the same each time.
   */
  create(body: WebhookEndpointRequest, options?: RequestOptions): APIPromise<WebhookEndpointWithSecret> {
    return this.#client.post('/webhook_endpoints', { ...ADMINISTRATION, body, ...options });
  }

  /** Show an endpoint. */
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

  /** Give an endpoint another secret. */
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

  /** Send an endpoint an event that says it is a test, once. */
  test(webhookId: string, body: WebhookTest, options?: RequestOptions): APIPromise<WebhookTestResult> {
    return this.#client.post(`/webhook_endpoints/${piece('webhookId', webhookId)}/test`, {
      ...ADMINISTRATION,
      body,
      ...options,
    });
  }

  /**
   * List what an endpoint was told, or is to be told, newest first; of the last 30 days. `for await` walks
   * through all pages.
   */
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

  /** List what endpoints can be told of. */
  eventTypes(options?: RequestOptions): APIPromise<WebhookEventTypeList> {
    return this.#client.get('/webhook_event_types', { ...ADMINISTRATION, ...options });
  }
}

export type SettingsSearchParams = {
  /** What is looked for. Of several words each must be in a name. */
  query: string;
  /**
   * Only these, with commas: request, model, route, provider, api_key, admin_api_key, user, project, group,
   * budget.
   */
  types?: string | undefined;
  /** Results of each type. */
  limit?: number | undefined;
};

export class SettingsResource {
  readonly #client: Caller;
  readonly projects: SettingsProjectsResource;
  readonly invites: SettingsInvitesResource;
  readonly budgets: SettingsBudgetsResource;
  readonly spendLimits: SettingsSpendLimitsResource;
  readonly limitUse: SettingsLimitUseResource;
  readonly attention: SettingsAttentionResource;
  readonly models: SettingsModelsResource;
  readonly priceOverrides: SettingsPriceOverridesResource;
  readonly aliases: SettingsAliasesResource;
  readonly products: SettingsProductsResource;
  readonly providers: SettingsProvidersResource;
  readonly routes: SettingsRoutesResource;
  readonly webhookEndpoints: SettingsWebhookEndpointsResource;

  constructor(client: Caller) {
    this.#client = client;
    this.projects = new SettingsProjectsResource(client);
    this.invites = new SettingsInvitesResource(client);
    this.budgets = new SettingsBudgetsResource(client);
    this.spendLimits = new SettingsSpendLimitsResource(client);
    this.limitUse = new SettingsLimitUseResource(client);
    this.attention = new SettingsAttentionResource(client);
    this.models = new SettingsModelsResource(client);
    this.priceOverrides = new SettingsPriceOverridesResource(client);
    this.aliases = new SettingsAliasesResource(client);
    this.products = new SettingsProductsResource(client);
    this.providers = new SettingsProvidersResource(client);
    this.routes = new SettingsRoutesResource(client);
    this.webhookEndpoints = new SettingsWebhookEndpointsResource(client);
  }

  /** Show the organization. */
  retrieve(options?: RequestOptions): APIPromise<Organization> {
    return this.#client.get('/organization', { ...ADMINISTRATION, ...options });
  }

  /** Give the organization another name. */
  update(body: OrganizationUpdate, options?: RequestOptions): APIPromise<Organization> {
    return this.#client.post('/organization', { ...ADMINISTRATION, body, ...options });
  }

  /** Tell what runs here. */
  about(options?: RequestOptions): APIPromise<About> {
    return this.#client.get('/organization/about', { ...ADMINISTRATION, ...options });
  }

  /**
   * Find models, routes, keys, people and whatever else has a name, and a request by its id.
   * By name, address or id, in any case; what begins with the words comes before what only holds them. Of a
   * request the whole id is given. Each type is found by those alone who may read it, and what is of a project
   * by those who may there.
   */
  search(query: SettingsSearchParams, options?: RequestOptions): APIPromise<SearchResults> {
    return this.#client.get('/organization/search', { ...ADMINISTRATION, query, ...options });
  }

  /**
   * List the settings of the gateway that its configuration rules, and where each is set.
   * For the gateway’s first organization. They are changed in the file; what may be a secret is left out.
   */
  configuration(options?: RequestOptions): APIPromise<ConfigurationList> {
    return this.#client.get('/organization/configuration', { ...ADMINISTRATION, ...options });
  }
}

/** The operation is for administrators: their key goes along where the client has one, else the ordinary one. */
const ADMINISTRATION = { __security: { bearerAuth: true, adminAPIKeyAuth: true } };

/** A value as one piece of a path. */
function piece(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') throw new OpenAIError(`\`${name}\` must be an id.`);
  return encodeURIComponent(value);
}
