// Made by `node clients/openapi/console.ts` from the gateway's /openapi.json; changes here are lost.

export type Error = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
    /** Of `model_not_found`: similar names that this key may use, most similar first. */
    near?: string[] | undefined;
  };
};

/** Members that are not named here pass to the model’s provider unchanged. */
export type ChatCompletionRequest = {
  /** A catalog id, `provider/id`, or an alias of this gateway. */
  model: string;
  messages: ChatMessage[];
  /** Answer with server-sent events. */
  stream?: boolean | null | undefined;
  stream_options?:
    | {
        include_usage?: boolean | undefined;
        [member: string]: unknown;
      }
    | null
    | undefined;
  /** Values below 1 mean no limit. */
  max_completion_tokens?: number | null | undefined;
  /** Values below 1 mean no limit. */
  max_tokens?: number | null | undefined;
  n?: number | null | undefined;
  temperature?: number | null | undefined;
  top_p?: number | null | undefined;
  stop?: string | string[] | null | undefined;
  tools?:
    | Array<{
        type: string;
        [member: string]: unknown;
      }>
    | undefined;
  tool_choice?:
    | string
    | {
        type: string;
        [member: string]: unknown;
      }
    | undefined;
  response_format?:
    | {
        type: 'text' | 'json_object' | 'json_schema';
        [member: string]: unknown;
      }
    | undefined;
  [member: string]: unknown;
};

export type ChatMessage = {
  /** `system`, `developer`, `user`, `assistant` or `tool`. */
  role: string;
  content?:
    | string
    | Array<{
        type: string;
        [member: string]: unknown;
      }>
    | null
    | undefined;
  tool_calls?:
    | Array<{
        function: {
          name: string;
          arguments: string;
          [member: string]: unknown;
        };
        id?: string | undefined;
        type?: string | undefined;
        [member: string]: unknown;
      }>
    | undefined;
  tool_call_id?: string | undefined;
  [member: string]: unknown;
};

export type ChatCompletion = {
  id: string;
  object: 'chat.completion';
  model: string;
  choices: Array<{
    index: number;
    message: ChatMessage;
    /** `stop`, `length`, `tool_calls`, `content_filter`, or a provider’s own word. */
    finish_reason: string | null;
    logprobs?: Record<string, unknown> | null | undefined;
    [member: string]: unknown;
  }>;
  created?: number | undefined;
  usage?: ChatUsage | undefined;
  service_tier?: string | null | undefined;
  system_fingerprint?: string | null | undefined;
  [member: string]: unknown;
};

export type ChatUsage = {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?:
    | {
        cached_tokens?: number | undefined;
        audio_tokens?: number | undefined;
        [member: string]: unknown;
      }
    | null
    | undefined;
  completion_tokens_details?:
    | {
        reasoning_tokens?: number | undefined;
        audio_tokens?: number | undefined;
        [member: string]: unknown;
      }
    | null
    | undefined;
  [member: string]: unknown;
};

/** The `data` of one event of a stream. */
export type ChatCompletionChunk = {
  choices: Array<{
    index: number;
    delta?:
      | {
          role?: string | undefined;
          content?: string | Array<Record<string, unknown>> | null | undefined;
          tool_calls?: Array<Record<string, unknown>> | undefined;
          [member: string]: unknown;
        }
      | undefined;
    /** `stop`, `length`, `tool_calls`, `content_filter`, or a provider’s own word. */
    finish_reason?: string | null | undefined;
    [member: string]: unknown;
  }>;
  id?: string | undefined;
  object?: 'chat.completion.chunk' | undefined;
  created?: number | undefined;
  model?: string | undefined;
  usage?: ChatUsage | null | undefined;
  [member: string]: unknown;
};

/**
 * Members that are not named here pass to the model’s provider, or are translated if it uses another format.
 * No state is kept: `previous_response_id`, `conversation` and `background` are refused.
 */
export type ResponseRequest = {
  /** A catalog id, `provider/id`, or an alias of this gateway. */
  model: string;
  input: string | Array<Record<string, unknown>>;
  instructions?: string | null | undefined;
  stream?: boolean | null | undefined;
  max_output_tokens?: number | null | undefined;
  temperature?: number | null | undefined;
  top_p?: number | null | undefined;
  tools?:
    | Array<{
        type: string;
        [member: string]: unknown;
      }>
    | undefined;
  tool_choice?:
    | string
    | {
        type: string;
        [member: string]: unknown;
      }
    | undefined;
  text?: Record<string, unknown> | undefined;
  reasoning?: Record<string, unknown> | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  [member: string]: unknown;
};

export type Response = {
  id: string;
  object: 'response';
  /** Unix time in seconds. */
  created_at: number;
  /** `completed`, or `incomplete` with the reason in `incomplete_details`. */
  status: string;
  model: string;
  output: Array<{
    type: string;
    [member: string]: unknown;
  }>;
  /** The text of all messages of the output. */
  output_text?: string | undefined;
  usage?: ResponseUsage | null | undefined;
  error?: Record<string, unknown> | null | undefined;
  [member: string]: unknown;
};

export type ResponseUsage = {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_details?:
    | {
        cached_tokens?: number | undefined;
        [member: string]: unknown;
      }
    | undefined;
  output_tokens_details?:
    | {
        reasoning_tokens?: number | undefined;
        [member: string]: unknown;
      }
    | undefined;
  [member: string]: unknown;
};

/** The `data` of one event of a stream; the event’s name is its `type`. */
export type ResponseEvent = {
  type: string;
  [member: string]: unknown;
};

/** Members that are not named here pass to the model’s provider, or are translated if it uses another format. */
export type MessageRequest = {
  /** A catalog id, `provider/id`, or an alias of this gateway. */
  model: string;
  messages: Array<{
    role: 'user' | 'assistant' | 'system';
    content:
      | string
      | Array<{
          type: string;
          [member: string]: unknown;
        }>;
    [member: string]: unknown;
  }>;
  system?:
    | string
    | Array<{
        type: string;
        [member: string]: unknown;
      }>
    | undefined;
  tools?:
    | Array<{
        name: string;
        [member: string]: unknown;
      }>
    | undefined;
  tool_choice?:
    | {
        type: string;
        [member: string]: unknown;
      }
    | undefined;
  max_tokens: number;
  stream?: boolean | undefined;
  temperature?: number | undefined;
  top_p?: number | undefined;
  top_k?: number | undefined;
  stop_sequences?: string[] | undefined;
  thinking?:
    | {
        type: string;
        [member: string]: unknown;
      }
    | undefined;
  metadata?:
    | {
        user_id?: string | null | undefined;
        [member: string]: unknown;
      }
    | undefined;
  [member: string]: unknown;
};

export type Message = {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: Array<{
    type: string;
    [member: string]: unknown;
  }>;
  stop_reason: string | null;
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens?: number | null | undefined;
    cache_read_input_tokens?: number | null | undefined;
    [member: string]: unknown;
  };
  stop_sequence?: string | null | undefined;
  [member: string]: unknown;
};

/** The `data` of one event of a stream; the event’s name is its `type`. */
export type MessageEvent = {
  type: string;
  [member: string]: unknown;
};

export type MessageError = {
  type: 'error';
  error: {
    type: string;
    message: string;
    /** Of `model_not_found`: similar names that this key may use, most similar first. */
    near?: string[] | undefined;
    [member: string]: unknown;
  };
  request_id: string | null;
};

/** A message request; `max_tokens` is optional. */
export type CountTokensRequest = {
  /** A catalog id, `provider/id`, or an alias of this gateway. */
  model: string;
  messages: Array<{
    role: 'user' | 'assistant' | 'system';
    content:
      | string
      | Array<{
          type: string;
          [member: string]: unknown;
        }>;
    [member: string]: unknown;
  }>;
  system?:
    | string
    | Array<{
        type: string;
        [member: string]: unknown;
      }>
    | undefined;
  tools?:
    | Array<{
        name: string;
        [member: string]: unknown;
      }>
    | undefined;
  tool_choice?:
    | {
        type: string;
        [member: string]: unknown;
      }
    | undefined;
  [member: string]: unknown;
};

export type TokenCount = {
  input_tokens: number;
};

/** Members that are not named here pass to the model’s provider unchanged. */
export type EmbeddingRequest = {
  model: string;
  /** A text, texts, one list of tokens, or lists of tokens. */
  input: string | string[] | number[] | Array<number[]>;
  encoding_format?: 'float' | 'base64' | null | undefined;
  dimensions?: number | null | undefined;
  [member: string]: unknown;
};

export type EmbeddingList = {
  object: 'list';
  data: Array<{
    object: 'embedding';
    index: number;
    embedding: number[] | string;
  }>;
  model: string;
  usage: {
    prompt_tokens: number;
    total_tokens: number;
    [member: string]: unknown;
  };
  [member: string]: unknown;
};

export type ModelList = {
  object: 'list';
  data: Model[];
  has_more: false;
  first_id: string | null;
  last_id: string | null;
  /** With `client_version` in the query: the list as Codex reads it. */
  models?: Array<Record<string, unknown>> | undefined;
};

/** A model in the format of OpenAI’s and Anthropic’s clients. */
export type Model = {
  id: string;
  object: 'model';
  /** Unix time in seconds. */
  created: number;
  owned_by: string;
  type: 'model';
  display_name: string;
  /** Release date in RFC 3339. */
  created_at: string;
  /** Most tokens of prompt and answer; `null` if unknown. */
  context_length: number | null;
  /** The same; `null` if unknown. */
  context_window: number | null;
  /** The same; `null` if unknown. */
  max_model_len: number | null;
  /** The same; `null` if unknown. */
  max_input_tokens: number | null;
  /** Most tokens of an answer; `null` if unknown. */
  max_output_tokens: number | null;
  /** Input and output modalities; `null` if unknown. */
  architecture: {
    input_modalities: string[];
    output_modalities: string[];
  } | null;
  /** Its abilities, by OpenRouter’s names of parameters. */
  supported_parameters: string[] | null;
  capabilities: {
    tools: boolean | null;
    reasoning: boolean | null;
    structured_output: boolean | null;
    attachment: boolean | null;
    temperature: boolean | null;
  } | null;
  /** Base rates; `null` if no price is known. The catalog has all rates. */
  pricing: {
    /** US dollars per token. */
    prompt?: string | undefined;
    /** US dollars per token. */
    completion?: string | undefined;
    /** US dollars per token. */
    input_cache_read?: string | undefined;
    /** US dollars per token. */
    input_cache_write?: string | undefined;
  } | null;
  /** The facts that are only from its vendor’s list, by their names in the catalog. */
  from_vendor: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'>;
  /** `vendor`: known only from its vendor’s list, not from the configuration or catalog. */
  listed_by: 'vendor' | null;
};

export type AnthropicModelList = {
  data: AnthropicModel[];
  /** Whether there are more in this direction. */
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
};

/** A model in Anthropic’s format, for requests with the header `anthropic-version`. */
export type AnthropicModel = {
  type: 'model';
  id: string;
  display_name: string;
  /** Release date in RFC 3339; 1970-01-01 if unknown. */
  created_at: string;
  /** `deprecated`: its shutdown date is known. `retired`: it was shut down or is no longer listed. */
  lifecycle: 'active' | 'deprecated' | 'retired';
  /** Unknown. */
  deprecated_at: null;
  /** Shutdown date in RFC 3339. */
  retires_at: string | null;
  max_input_tokens: number | null;
  /** Most output tokens. */
  max_tokens: number | null;
  /** Unknown. */
  line: null;
  /** What the catalog knows; `false` also if unknown. `null` if it knows nothing. */
  capabilities: {
    batch: {
      supported: boolean;
    };
    citations: {
      supported: boolean;
    };
    code_execution: {
      supported: boolean;
    };
    context_management: {
      clear_thinking_20251015: {
        supported: boolean;
      } | null;
      clear_tool_uses_20250919: {
        supported: boolean;
      } | null;
      compact_20260112: {
        supported: boolean;
      } | null;
      supported: boolean;
    };
    effort: {
      low: {
        supported: boolean;
      };
      medium: {
        supported: boolean;
      };
      high: {
        supported: boolean;
      };
      xhigh: {
        supported: boolean;
      };
      max: {
        supported: boolean;
      };
      supported: boolean;
    };
    image_input: {
      supported: boolean;
    };
    pdf_input: {
      supported: boolean;
    };
    server_tools: {
      code_execution: {
        supported: boolean;
      };
      web_search: {
        supported: boolean;
      };
      supported: boolean;
    };
    structured_outputs: {
      supported: boolean;
    };
    thinking: {
      supported: boolean;
      types: {
        adaptive: {
          supported: boolean;
        };
        between_tools: {
          supported: boolean;
        };
        disabled: {
          supported: boolean;
        };
        enabled: {
          supported: boolean;
        };
      };
    };
  } | null;
  /** The facts that are only from its vendor’s list, by their names in the catalog. */
  from_vendor?: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'> | undefined;
};

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
  /** `false` while records of an earlier version are still being processed. */
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

export type ProjectList = {
  object: 'list';
  data: Project[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Project = {
  id: string;
  object: 'organization.project';
  name: string;
  /** Creation time in Unix seconds. */
  created_at: number;
  archived_at: number | null;
  status: 'active' | 'archived';
  external_key_id: string | null;
  geography: string | null;
  /** Where keys are that name no project. It cannot be archived. */
  is_default: boolean;
  /** Directly added people; owners are in all projects, and groups add their members. */
  member_count: number;
  group_count: number;
  /** API keys that are not revoked. */
  key_count: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type ProjectRequest = {
  name: string;
  /** Stored and returned, without effect. */
  external_key_id?: string | null | undefined;
  /** Stored and returned, without effect. */
  geography?: string | null | undefined;
  /** Stored and returned, without effect. */
  residency?: string | null | undefined;
};

export type ProjectUpdate = {
  name?: string | null | undefined;
  /** Stored and returned, without effect. */
  external_key_id?: string | null | undefined;
  /** Stored and returned, without effect. */
  geography?: string | null | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ServiceAccountList = {
  object: 'list';
  data: ServiceAccount[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ServiceAccount = {
  id: string;
  object: 'organization.project.service_account';
  name: string;
  role: 'owner' | 'member' | 'none';
  /** Creation time in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type ServiceAccountRequest = {
  name: string;
  /** Creates no key. */
  create_service_account_only?: boolean | null | undefined;
  expires_in_seconds?: number | null | undefined;
  /**
   * Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope
   * than their own, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
};

export type NewServiceAccount = {
  id: string;
  object: 'organization.project.service_account';
  name: string;
  role: 'owner' | 'member' | 'none';
  /** Creation time in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
  api_key: ServiceAccountKey | null;
};

export type ServiceAccountKey = {
  id: string;
  object: 'organization.project.service_account.api_key';
  name: string;
  /** The secret, shown only here. */
  value: string;
  /** Creation time in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /**
   * Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope
   * than their own, and a person’s key never reads more than the person may.
   */
  usage: 'organization' | 'project' | 'own';
};

export type ServiceAccountUpdate = {
  name?: string | undefined;
  role?: 'owner' | 'member' | 'none' | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ServiceAccountDeleted = {
  id: string;
  object: 'organization.project.service_account.deleted';
  deleted: true;
};

export type ServiceAccountKeyRequest = {
  name?: string | undefined;
  expires_in_seconds?: number | null | undefined;
  scopes?: string[] | undefined;
  /**
   * Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope
   * than their own, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
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
  name: string;
  /**
   * Owner of the key (default: the caller, signed in or by key). `null`: no owner, as for keys created by such a
   * key. Anything but yourself needs `api.members.write`.
   */
  user_id?: string | null | undefined;
  /** The service account that owns the key, instead of a person. Needs `api.members.write`. */
  service_account_id?: string | undefined;
  expires_in_seconds?: number | null | undefined;
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
  /** `null` for no expiry. */
  expires_in_seconds?: number | null | undefined;
  /** Empty for everything. Stored and returned. */
  scopes?: string[] | undefined;
  /**
   * Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope
   * than their own, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
  /** Whether it is enabled. */
  enabled?: boolean | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
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

export type AdminApiKeyList = {
  object: 'list';
  data: AdminApiKey[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type AdminApiKey = {
  id: string;
  object: 'organization.admin_api_key';
  name: string;
  /** The first and last characters of the secret. */
  redacted_value: string;
  /** Creation time in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /** To the minute; `null` for never. */
  last_used_at: number | null;
  /**
   * The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for
   * older keys.
   */
  created_by: {
    type: 'user' | 'api_key' | 'operator';
    id: string | null;
    name: string | null;
  } | null;
  owner: {
    type: string;
    object?: string | undefined;
    id?: string | undefined;
    name?: string | undefined;
    role?: string | undefined;
    /** Unix time in seconds. */
    created_at?: number | undefined;
  };
};

export type AdminApiKeyRequest = {
  name: string;
  expires_in_seconds?: number | null | undefined;
};

export type NewAdminApiKey = {
  id: string;
  object: 'organization.admin_api_key';
  name: string;
  /** The first and last characters of the secret. */
  redacted_value: string;
  /** Creation time in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /** To the minute; `null` for never. */
  last_used_at: number | null;
  /**
   * The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for
   * older keys.
   */
  created_by: {
    type: 'user' | 'api_key' | 'operator';
    id: string | null;
    name: string | null;
  } | null;
  owner: {
    type: string;
    object?: string | undefined;
    id?: string | undefined;
    name?: string | undefined;
    role?: string | undefined;
    /** Unix time in seconds. */
    created_at?: number | undefined;
  };
  /** The secret, shown only here. */
  value: string;
};

export type AdminApiKeyDeleted = {
  id: string;
  object: 'organization.admin_api_key.deleted';
  deleted: true;
};

export type ModelPermissions = {
  object: 'project.model_permissions';
  mode: 'allow_list' | 'deny_list';
  model_ids: string[];
  /** The version of the project, which also grows with its other changes; see `if_version`. */
  version: number;
};

export type ModelPermissionsRequest = {
  mode: 'allow_list' | 'deny_list';
  model_ids: string[];
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ModelPermissionsDeleted = {
  object: 'project.model_permissions.deleted';
  deleted: true;
};

export type ProjectRateLimitList = {
  object: 'list';
  data: ProjectRateLimit[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ProjectRateLimit = {
  id: string;
  object: 'project.rate_limit';
  model: string;
  max_requests_per_1_minute: number;
  max_tokens_per_1_minute: number;
  /** Grows with each change, 0 if nothing was set; see `if_version`. */
  version: number;
  max_requests_per_1_day?: number | undefined;
  max_images_per_1_minute?: number | undefined;
  max_audio_megabytes_per_1_minute?: number | undefined;
  batch_1_day_max_input_tokens?: number | undefined;
};

export type ProjectRateLimitRequest = {
  max_requests_per_1_minute?: number | undefined;
  max_tokens_per_1_minute?: number | undefined;
  /**
   * The `version` that was read, 0 if nothing was set. If another is in force, nothing changes, and the answer
   * is a 409.
   */
  if_version?: number | undefined;
  max_requests_per_1_day?: number | undefined;
  max_images_per_1_minute?: number | undefined;
  max_audio_megabytes_per_1_minute?: number | undefined;
  batch_1_day_max_input_tokens?: number | undefined;
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

export type OrganizationSpendLimit = {
  object: 'organization.spend_limit';
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

export type SpendLimitRequest = {
  currency: 'USD';
  /** A UTC month. */
  interval: 'month';
  /** Whole cents. */
  threshold_amount: number;
  /**
   * The `version` that was read, 0 if nothing was set. If another is in force, nothing changes, and the answer
   * is a 409.
   */
  if_version?: number | undefined;
};

export type OrganizationSpendLimitDeleted = {
  object: 'organization.spend_limit.deleted';
  deleted: true;
};

export type ProjectSpendLimit = {
  object: 'project.spend_limit';
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

export type ProjectSpendLimitDeleted = {
  object: 'project.spend_limit.deleted';
  deleted: true;
};

export type OrganizationSpendAlertList = {
  object: 'list';
  data: OrganizationSpendAlert[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type OrganizationSpendAlert = {
  id: string;
  object: 'organization.spend_alert';
  currency: 'USD';
  /** A UTC month. */
  interval: 'month';
  /** Whole cents. */
  threshold_amount: number;
  notification_channel: {
    type: 'email';
    recipients: string[];
    subject_prefix: string | null;
  };
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type SpendAlertRequest = {
  currency: 'USD';
  /** A UTC month. */
  interval: 'month';
  /** Whole cents. */
  threshold_amount: number;
  notification_channel: {
    type: 'email';
    recipients: string[];
    subject_prefix?: string | null | undefined;
  };
};

export type SpendAlertUpdate = {
  currency: 'USD';
  /** A UTC month. */
  interval: 'month';
  /** Whole cents. */
  threshold_amount: number;
  notification_channel: {
    type: 'email';
    recipients: string[];
    subject_prefix?: string | null | undefined;
  };
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type OrganizationSpendAlertDeleted = {
  id: string;
  object: 'organization.spend_alert.deleted';
  deleted: true;
};

export type ProjectSpendAlertList = {
  object: 'list';
  data: ProjectSpendAlert[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ProjectSpendAlert = {
  id: string;
  object: 'project.spend_alert';
  currency: 'USD';
  /** A UTC month. */
  interval: 'month';
  /** Whole cents. */
  threshold_amount: number;
  notification_channel: {
    type: 'email';
    recipients: string[];
    subject_prefix: string | null;
  };
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type ProjectSpendAlertDeleted = {
  id: string;
  object: 'project.spend_alert.deleted';
  deleted: true;
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

export type OrganizationDataRetention = {
  object: 'organization.data_retention';
  type:
    | 'zero_data_retention'
    | 'modified_abuse_monitoring'
    | 'enhanced_zero_data_retention'
    | 'enhanced_modified_abuse_monitoring';
  /** Grows with each change, 0 if nothing was set; see `if_version`. */
  version: number;
};

export type DataRetentionRequest = {
  retention_type:
    | 'zero_data_retention'
    | 'modified_abuse_monitoring'
    | 'enhanced_zero_data_retention'
    | 'enhanced_modified_abuse_monitoring';
  /**
   * The `version` that was read, 0 if nothing was set. If another is in force, nothing changes, and the answer
   * is a 409.
   */
  if_version?: number | undefined;
};

export type ProjectDataRetention = {
  object: 'project.data_retention';
  type:
    | 'organization_default'
    | 'none'
    | 'zero_data_retention'
    | 'modified_abuse_monitoring'
    | 'enhanced_zero_data_retention'
    | 'enhanced_modified_abuse_monitoring';
  /** Grows with each change, 0 if nothing was set; see `if_version`. */
  version: number;
};

export type ProjectDataRetentionRequest = {
  retention_type:
    | 'organization_default'
    | 'none'
    | 'zero_data_retention'
    | 'modified_abuse_monitoring'
    | 'enhanced_zero_data_retention'
    | 'enhanced_modified_abuse_monitoring';
  /**
   * The `version` that was read, 0 if nothing was set. If another is in force, nothing changes, and the answer
   * is a 409.
   */
  if_version?: number | undefined;
};

export type AuditLogList = {
  object: 'list';
  data: AuditLog[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

/** The details are in a member named like its `type`. */
export type AuditLog = {
  id: string;
  object: 'organization.audit_log';
  /** The event, such as `project.created`. */
  type: string;
  /** Unix time in seconds. */
  effective_at: number;
  actor: {
    /** `operator`: the operator, by a command. */
    type: 'session' | 'api_key' | 'operator';
    session?:
      | {
          ip_address?: string | undefined;
          user: {
            id: string;
            email: string;
          };
        }
      | undefined;
    api_key?:
      | {
          id: string;
          type: 'user' | 'service_account';
          user?:
            | {
                id: string;
              }
            | undefined;
        }
      | undefined;
  };
  project?:
    | {
        id: string;
        name: string;
      }
    | undefined;
  request: {
    id: string;
    ip_address: string | null;
  } | null;
  [member: string]: unknown;
};

export type ProjectUserList = {
  object: 'list';
  data: ProjectUser[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ProjectUser = {
  id: string;
  object: 'organization.project.user';
  email: string;
  name: string | null;
  role: 'owner' | 'member';
  /** Creation time in Unix seconds. */
  added_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type ProjectUserRequest = {
  role: 'owner' | 'member';
  user_id?: string | null | undefined;
  email?: string | null | undefined;
};

export type ProjectUserUpdate = {
  role?: 'owner' | 'member' | null | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProjectUserDeleted = {
  id: string;
  object: 'organization.project.user.deleted';
  deleted: true;
};

export type ProjectGroupList = {
  object: 'list';
  data: ProjectGroup[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type ProjectGroup = {
  object: 'project.group';
  project_id: string;
  group_id: string;
  group_name: string;
  group_type: 'group';
  /** Creation time in Unix seconds. */
  created_at: number;
};

export type ProjectGroupRequest = {
  group_id: string;
  /** The id of a role; or `owner`, or `member`. */
  role: string;
};

export type ProjectGroupDeleted = {
  id: string;
  object: 'project.group.deleted';
  deleted: true;
};

export type OrganizationUserList = {
  object: 'list';
  data: OrganizationUser[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type OrganizationUser = {
  id: string;
  object: 'organization.user';
  email: string;
  name: string | null;
  /** An owner may do everything; a reader only what roles allow. */
  role: 'owner' | 'reader';
  /** Creation time in Unix seconds. */
  added_at: number;
  /** Creation time in Unix seconds. */
  created: number;
  developer_persona: string | null;
  technical_level: string | null;
  is_service_account: boolean;
  is_scim_managed: boolean;
  projects: {
    object: 'list';
    data: Array<{
      id: string;
      name: string;
      role: string;
    }>;
  };
  user: {
    object: 'user';
    id: string;
    email: string;
    name: string | null;
    enabled: boolean;
    banned: boolean;
  };
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type OrganizationUserUpdate = {
  role?: 'owner' | 'reader' | null | undefined;
  /** A role to assign. */
  role_id?: string | null | undefined;
  /** Stored and returned, without effect. */
  developer_persona?: string | null | undefined;
  /** Stored and returned, without effect. */
  technical_level?: string | null | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type OrganizationUserDeleted = {
  id: string;
  object: 'organization.user.deleted';
  deleted: true;
};

export type InviteList = {
  object: 'list';
  data: Invite[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Invite = {
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

export type InviteDeleted = {
  id: string;
  object: 'organization.invite.deleted';
  deleted: true;
};

export type GroupList = {
  object: 'list';
  data: Group[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Group = {
  id: string;
  object: 'group';
  name: string;
  /** Creation time in Unix seconds. */
  created_at: number;
  group_type: 'group';
  is_scim_managed: boolean;
  member_count: number;
  /** Roles assigned to it in the organization. */
  role_count: number;
  projects: {
    object: 'list';
    data: Array<{
      id: string;
      name: string;
    }>;
  };
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type GroupRequest = {
  name: string;
};

export type GroupUpdate = {
  name: string;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type GroupDeleted = {
  id: string;
  object: 'group.deleted';
  deleted: true;
};

export type GroupUserList = {
  object: 'list';
  data: GroupUser[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type GroupUser = {
  id: string;
  email: string;
  name: string;
  user_type: 'user';
  is_service_account: boolean;
  picture: null;
};

export type GroupUserRequest = {
  user_id: string;
};

export type GroupUserAdded = {
  object: 'group.user';
  group_id: string;
  user_id: string;
};

export type GroupUserRemoved = {
  id: string;
  object: 'group.user.deleted';
  deleted: true;
};

export type RoleList = {
  object: 'list';
  data: Role[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type Role = {
  id: string;
  name: string;
  description: string | null;
  permissions: string[];
  /** A predefined role, which cannot be changed. */
  predefined_role: boolean;
  resource_type: 'api.organization' | 'api.project';
  object: 'role';
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type RoleRequest = {
  role_name: string;
  description?: string | null | undefined;
  permissions: Array<
    | 'api.projects.read'
    | 'api.projects.write'
    | 'api.members.read'
    | 'api.members.write'
    | 'api.groups.read'
    | 'api.groups.write'
    | 'api.roles.read'
    | 'api.roles.write'
    | 'api.keys.read'
    | 'api.keys.write'
    | 'api.admin_keys.read'
    | 'api.admin_keys.write'
    | 'api.service_accounts.read'
    | 'api.service_accounts.write'
    | 'api.budgets.read'
    | 'api.budgets.write'
    | 'api.limits.read'
    | 'api.limits.write'
    | 'api.usage.read'
    | 'api.usage.write'
    | 'api.audit_logs.read'
    | 'api.audit_logs.write'
    | 'api.settings.read'
    | 'api.settings.write'
    | 'api.webhooks.read'
    | 'api.webhooks.write'
    | 'api.providers.read'
    | 'api.providers.write'
    | 'api.routes.read'
    | 'api.routes.write'
    | 'api.products.read'
    | 'api.products.write'
    | 'api.prices.read'
    | 'api.prices.write'
    | 'api.aliases.read'
    | 'api.aliases.write'
  >;
};

export type RoleUpdate = {
  role_name?: string | null | undefined;
  description?: string | null | undefined;
  permissions?:
    | Array<
        | 'api.projects.read'
        | 'api.projects.write'
        | 'api.members.read'
        | 'api.members.write'
        | 'api.groups.read'
        | 'api.groups.write'
        | 'api.roles.read'
        | 'api.roles.write'
        | 'api.keys.read'
        | 'api.keys.write'
        | 'api.admin_keys.read'
        | 'api.admin_keys.write'
        | 'api.service_accounts.read'
        | 'api.service_accounts.write'
        | 'api.budgets.read'
        | 'api.budgets.write'
        | 'api.limits.read'
        | 'api.limits.write'
        | 'api.usage.read'
        | 'api.usage.write'
        | 'api.audit_logs.read'
        | 'api.audit_logs.write'
        | 'api.settings.read'
        | 'api.settings.write'
        | 'api.webhooks.read'
        | 'api.webhooks.write'
        | 'api.providers.read'
        | 'api.providers.write'
        | 'api.routes.read'
        | 'api.routes.write'
        | 'api.products.read'
        | 'api.products.write'
        | 'api.prices.read'
        | 'api.prices.write'
        | 'api.aliases.read'
        | 'api.aliases.write'
      >
    | null
    | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type RoleDeleted = {
  id: string;
  object: 'role.deleted';
  deleted: true;
};

export type AssignedRoleList = {
  object: 'list';
  data: AssignedRole[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** The `after` of the next page; `null` if there is none. */
  next: string | null;
};

export type AssignedRole = {
  id: string;
  name: string;
  description: string | null;
  permissions: string[];
  /** A predefined role, which cannot be changed. */
  predefined_role: boolean;
  resource_type: 'api.organization' | 'api.project';
  /** The user, or groups of the user, with the role. */
  assignment_sources: Array<{
    principal_id: string;
    principal_type: 'user' | 'group';
  }>;
  /** When it was assigned directly; `null` if only through groups. */
  created_at: number | null;
  created_by: null;
  created_by_user_obj: null;
  metadata: null;
  updated_at: null;
};

export type RoleAssignmentRequest = {
  role_id: string;
};

export type UserRoleAssignment = {
  object: 'user.role';
  role: Role;
  user: OrganizationUser;
};

export type UserRoleDeleted = {
  id: string;
  object: 'user.role.deleted';
  deleted: true;
};

export type GroupRoleAssignment = {
  object: 'group.role';
  role: Role;
  group: {
    object: 'group';
    id: string;
    name: string;
    /** Creation time in Unix seconds. */
    created_at: number;
    scim_managed: boolean;
  };
};

export type GroupRoleDeleted = {
  id: string;
  object: 'group.role.deleted';
  deleted: true;
};

export type Costs = {
  object: 'page';
  data: Array<{
    object: 'bucket';
    /** Unix seconds, a multiple of the width. */
    start_time: number;
    /** End, exclusive. */
    end_time: number;
    results: Array<{
      object: 'organization.costs.result';
      amount: {
        value: number;
        currency: 'usd';
        /** The same, exact to the nano-dollar. */
        value_decimal: string;
      };
      /** A model and the billed unit: `gpt-6-sol, input_tokens`. */
      line_item: string | null;
      quantity: number | null;
      quantity_unit: 'tokens' | 'calls' | null;
      /** Calls with unknown cost, which are in no amount. */
      calls_without_cost: number;
      /** `null` if `group_by` does not name it, or calls have none. */
      project_id: string | null;
      /** The key’s owner: a person or a service account. */
      user_id: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      api_key_id: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      api_source: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      model: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      product: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      source: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      route: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      provider: string | null;
    }>;
  }>;
  has_more: boolean;
  /** The `page` of the next buckets. */
  next_page: string | null;
};

export type CompletionsUsage = {
  object: 'page';
  data: Array<{
    object: 'bucket';
    /** Unix seconds, a multiple of the width. */
    start_time: number;
    /** End, exclusive. */
    end_time: number;
    results: Array<{
      object: 'organization.usage.completions.result';
      /** All prompt tokens, including cached ones. */
      input_tokens: number;
      output_tokens: number;
      num_model_requests: number;
      input_cached_tokens: number;
      input_cache_write_tokens: number;
      /** Neither read from a cache nor written to one. */
      input_uncached_tokens: number;
      input_audio_tokens: number;
      output_audio_tokens: number;
      output_text_tokens: number;
      /** `null` if `group_by` does not name it, or calls have none. */
      project_id: string | null;
      /** The key’s owner: a person or a service account. */
      user_id: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      api_key_id: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      model: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      product: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      source: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      route: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      provider: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      service_tier: string | null;
      batch: boolean | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      api_source: string | null;
    }>;
  }>;
  has_more: boolean;
  /** The `page` of the next buckets. */
  next_page: string | null;
};

export type EmbeddingsUsage = {
  object: 'page';
  data: Array<{
    object: 'bucket';
    /** Unix seconds, a multiple of the width. */
    start_time: number;
    /** End, exclusive. */
    end_time: number;
    results: Array<{
      object: 'organization.usage.embeddings.result';
      input_tokens: number;
      num_model_requests: number;
      /** `null` if `group_by` does not name it, or calls have none. */
      project_id: string | null;
      /** The key’s owner: a person or a service account. */
      user_id: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      api_key_id: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      model: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      product: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      source: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      route: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      provider: string | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      service_tier: string | null;
      batch: boolean | null;
      /** `null` if `group_by` does not name it, or calls have none. */
      api_source: string | null;
    }>;
  }>;
  has_more: boolean;
  /** The `page` of the next buckets. */
  next_page: string | null;
};

export type EmptyUsage = {
  object: 'page';
  data: Array<{
    object: 'bucket';
    /** Unix seconds, a multiple of the width. */
    start_time: number;
    /** End, exclusive. */
    end_time: number;
    results: unknown[];
  }>;
  has_more: boolean;
  /** The `page` of the next buckets. */
  next_page: string | null;
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
  /** Where it serves, such as eu: routes may ask for it. */
  region?: string | undefined;
  /** Whether calls may refer to files and other objects in its account. */
  shared_ids?: 'refuse' | 'allow' | undefined;
  credentials?:
    | Array<{
        /** Name for targets of routes. */
        name?: string | undefined;
        /** The vendor’s key. It is encrypted and never shown again. */
        key: string;
        /** Its share of the calls; 0 if only targets that name it use it. */
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
  /** Where it serves, such as eu: routes may ask for it. */
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
        /** Its share of the calls; 0 if only targets that name it use it. */
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
  /** Its share of the calls; 0 if only targets that name it use it. */
  weight?: number | undefined;
  /** The `version` that was read. If another is in force, nothing changes, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ProviderCredentialUpdate = {
  name?: string | undefined;
  /** The vendor’s key. It is encrypted and never shown again. */
  key?: string | undefined;
  /** Its share of the calls; 0 if only targets that name it use it. */
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
  /** Project of its key (default: the default project). */
  project_id?: string | undefined;
  /** Expiry of its key (default: never). */
  expires_in_seconds?: number | null | undefined;
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

export type PasswordSignIn = {
  email: string;
  password: string;
};

export type SignedIn = {
  object: 'auth.sign_in';
  person: Person;
  /** The latest end of the session. Its secret is only in the cookie. */
  expires_at: number;
};

export type Person = {
  id: string;
  object: 'person';
  email: string;
  name: string | null;
  /** Unix time in seconds. */
  created_at: number;
};

/** `publicKey` for `navigator.credentials`, in JSON. */
export type PasskeyOptions = {
  challenge: string;
  [member: string]: unknown;
};

export type PasskeySignIn = {
  response: PasskeyAssertion;
};

/** A `PublicKeyCredential` of `navigator.credentials.get()`, from its `toJSON()`. */
export type PasskeyAssertion = {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults?: Record<string, never> | undefined;
  authenticatorAttachment?: 'platform' | 'cross-platform' | null | undefined;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null | undefined;
  };
};

export type SignedOut = {
  object: 'auth.sign_out';
};

export type LinkRequest = {
  /** The part of the link after `#`. */
  link: string;
};

export type Link = {
  object: 'auth.link';
  type: 'owner' | 'invite';
  organization_id: string;
  /** The person it is for; `null`: anybody who has it. */
  email: string | null;
  /** Unix time in seconds. */
  expires_at: number;
};

export type LinkOpening = {
  /** The part of the link after `#`. */
  link: string;
  email?: string | undefined;
  name?: string | undefined;
  /** At least 12 characters. */
  password?: string | undefined;
};

export type Account = {
  object: 'auth.session';
  person: Person;
  session_id: string;
  /** The organization whose settings are shown. */
  organization_id: string | null;
  /** The organizations of the person. */
  organizations: Array<{
    id: string;
    name: string;
    role: 'owner' | 'reader';
  }>;
  /** Their permissions in the selected organization. */
  permissions: string[];
  /** Where they may more than that: what they may beside it there. */
  projects: Array<{
    id: string;
    permissions: string[];
  }>;
  has_password: boolean;
  /** How many they have. */
  passkeys: number;
  /** Unix time in seconds. */
  signed_in_at: number;
  /** Until then, sensitive operations need no new sign-in. */
  recent_until: number;
  /** The latest end of the session. */
  expires_at: number;
};

export type OrganizationChoice = {
  organization_id: string;
};

export type NewPassword = {
  /** At least 12 characters. */
  password: string;
};

export type PasskeyList = {
  object: 'list';
  data: Passkey[];
};

export type Passkey = {
  id: string;
  object: 'auth.passkey';
  name: string;
  /** Unix time in seconds. */
  created_at: number;
  last_used_at: number | null;
};

export type NewPasskey = {
  name: string;
  response: PasskeyAttestation;
};

/** A `PublicKeyCredential` of `navigator.credentials.create()`, from its `toJSON()`. */
export type PasskeyAttestation = {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults?: Record<string, never> | undefined;
  authenticatorAttachment?: 'platform' | 'cross-platform' | null | undefined;
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: string[] | undefined;
  };
};

export type PasskeyDeleted = {
  id: string;
  object: 'auth.passkey.deleted';
  deleted: true;
};

export type SessionList = {
  object: 'list';
  data: Session[];
};

export type Session = {
  id: string;
  object: 'organization.session';
  /** Whether it is the current one. */
  is_current: boolean;
  /** How they signed in. */
  way: 'password' | 'passkey' | 'link';
  organization_id: string | null;
  /** Unix time in seconds. */
  signed_in_at: number;
  /** Last use, to the minute. */
  last_seen_at: number;
  /** Unix time in seconds. */
  expires_at: number;
  ip_address: string | null;
  user_agent: string | null;
};

export type SessionDeleted = {
  id: string;
  object: 'organization.session.deleted';
  deleted: true;
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

export type Hello = {
  object: 'gateway';
  name: string;
  version: string;
  openapi: string;
};

/** What each operation takes and answers. */
export type Operations = {
  /** Continue a conversation. */
  createChatCompletion: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ChatCompletionRequest;
    answer: ChatCompletion;
  };
  /** Continue a conversation, in items. */
  createResponse: { path: Record<never, never>; query: Record<never, never>; body: ResponseRequest; answer: Response };
  /** Continue a conversation, in Anthropic’s format. */
  createMessage: { path: Record<never, never>; query: Record<never, never>; body: MessageRequest; answer: Message };
  /** Count the tokens of a prompt. Nothing is generated or billed. */
  countMessageTokens: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: CountTokensRequest;
    answer: TokenCount;
  };
  /** Turn texts into vectors. */
  createEmbeddings: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: EmbeddingRequest;
    answer: EmbeddingList;
  };
  /** List the models that the key may use. */
  listModels: {
    path: Record<never, never>;
    query: {
      /** Adds the list in Codex’s format. */
      client_version?: string | undefined;
      /** With `anthropic-version`: number of models. */
      limit?: number | undefined;
      /** With `anthropic-version`: models after this id. */
      after_id?: string | undefined;
      /** With `anthropic-version`: the last models before this id. */
      before_id?: string | undefined;
      /** With `anthropic-version`: only models in these stages. */
      lifecycle?: Array<'active' | 'deprecated' | 'retired'> | undefined;
    };
    body: undefined;
    answer: ModelList | AnthropicModelList;
  };
  /** List the models that the key may use, in LiteLLM’s format. */
  listModelInfo: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: ModelInfoList };
  /** Get one model. */
  retrieveModel: {
    path: {
      /** Slashes may be encoded or not. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Model | AnthropicModel;
  };
  /** List the models with their providers, targets and prices. */
  listCatalog: {
    path: Record<never, never>;
    query: {
      /** Only this provider’s, by id or label. */
      provider?: string | undefined;
      /** Only models with this in the id, a name, an alias or the provider’s label; case is ignored. */
      search?: string | undefined;
    };
    body: undefined;
    answer: Catalog;
  };
  /** Get one model with its providers, targets and prices. */
  retrieveCatalogEntry: {
    path: {
      /** The value for `model`, or an alias. Slashes may be encoded or not. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: CatalogEntry;
  };
  /** List the usage records of the key’s organization, newest first. */
  listUsage: {
    path: Record<never, never>;
    query: {
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
      /** Number of records. */
      limit?: number | undefined;
      /** Id of the last record of the previous page. */
      after?: string | undefined;
    };
    body: undefined;
    answer: UsageList;
  };
  /** Sum up usage and costs of the key’s organization, beside the previous period. */
  summarizeUsage: {
    path: Record<never, never>;
    query: {
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
    body: undefined;
    answer: UsageSummary;
  };
  /** Get the time to the first token of the organization’s streams, beside the previous period. */
  retrieveFirstTokenTimes: {
    path: Record<never, never>;
    query: {
      /** From the UTC day of this time on (Unix seconds); left out, 30 days ago. */
      start_time?: number | undefined;
      /** End of the period; its UTC day is included (default: now). */
      end_time?: number | undefined;
    };
    body: undefined;
    answer: FirstTokenTimes;
  };
  /** Get one complete call: its record, each attempt, and its route’s decision. */
  retrieveUsage: {
    path: {
      /** The record’s id, or the request’s (`x-request-id` of the answer). */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: UsageDetail;
  };
  /** Rate the answer to a call; a smart route learns from it. */
  createFeedback: { path: Record<never, never>; query: Record<never, never>; body: FeedbackRequest; answer: Feedback };
  /** List the routes that the key may use, in the catalog’s format. */
  listRoutes: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: RouteList };
  /** Show who would serve a call, and why. No provider is called, and nothing is recorded. */
  explainRoute: {
    path: {
      /** A route or a vendor’s model. Slashes may be encoded or not. */
      id: string;
    };
    query: {
      /** Type of the body (default: determined by its members). */
      surface?: 'chat' | 'responses' | 'messages' | 'embeddings' | undefined;
    };
    body: Record<string, unknown>;
    answer: RouteDecision;
  };
  /** List the projects of the organization, or those that the caller may read. */
  listProjects: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
      include_archived?: boolean | undefined;
    };
    body: undefined;
    answer: ProjectList;
  };
  /** Create a project. */
  createProject: { path: Record<never, never>; query: Record<never, never>; body: ProjectRequest; answer: Project };
  /** Get a project. */
  retrieveProject: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Project;
  };
  /** Change a project. */
  updateProject: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectUpdate;
    answer: Project;
  };
  /** Archive a project permanently. Its keys are revoked. */
  archiveProject: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Project;
  };
  /** List the service accounts of a project. */
  listServiceAccounts: {
    path: {
      project_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ServiceAccountList;
  };
  /** Create a service account and a key for it. */
  createServiceAccount: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ServiceAccountRequest;
    answer: NewServiceAccount;
  };
  /** Get a service account. */
  retrieveServiceAccount: {
    path: {
      project_id: string;
      service_account_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ServiceAccount;
  };
  /** Change a service account. */
  updateServiceAccount: {
    path: {
      project_id: string;
      service_account_id: string;
    };
    query: Record<never, never>;
    body: ServiceAccountUpdate;
    answer: ServiceAccount;
  };
  /** Delete a service account. Its keys are refused from then on. */
  deleteServiceAccount: {
    path: {
      project_id: string;
      service_account_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ServiceAccountDeleted;
  };
  /** Create another key for a service account. */
  createServiceAccountKey: {
    path: {
      project_id: string;
      service_account_id: string;
    };
    query: Record<never, never>;
    body: ServiceAccountKeyRequest;
    answer: ServiceAccountKey;
  };
  /** List the keys of a project with their use. */
  listProjectApiKeys: {
    path: {
      project_id: string;
    };
    query: {
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
    body: undefined;
    answer: ProjectApiKeyList;
  };
  /** Create a key in a project: for yourself, another person, a service account, or nobody. */
  createProjectApiKey: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectApiKeyRequest;
    answer: NewProjectApiKey;
  };
  /** List the keys of all projects, or of the projects that the caller may read. Archived projects are left out. */
  listApiKeys: {
    path: Record<never, never>;
    query: {
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
    body: undefined;
    answer: ApiKeyList;
  };
  /** Get a key. */
  retrieveProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectApiKey;
  };
  /** Change a key. Members that are left out stay. The change is in force everywhere within a second. */
  updateProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: ProjectApiKeyUpdate;
    answer: ProjectApiKey;
  };
  /** Revoke a key permanently. */
  deleteProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectApiKeyDeleted;
  };
  /** Replace the secret of a key. The old secret stays valid for a while. */
  rotateProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: RotateRequest;
    answer: RotatedApiKey;
  };
  /** List the admin keys. */
  listAdminApiKeys: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AdminApiKeyList;
  };
  /** Create an admin key. It changes settings and cannot call models. */
  createAdminApiKey: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminApiKeyRequest;
    answer: NewAdminApiKey;
  };
  /** Get an admin key. */
  retrieveAdminApiKey: {
    path: {
      key_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminApiKey;
  };
  /** Revoke an admin key permanently. */
  deleteAdminApiKey: {
    path: {
      key_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AdminApiKeyDeleted;
  };
  /** Get the models that a project may use. */
  retrieveModelPermissions: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ModelPermissions;
  };
  /** Set the models that a project may or may not use. */
  updateModelPermissions: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ModelPermissionsRequest;
    answer: ModelPermissions;
  };
  /** Let a project use every model again. */
  deleteModelPermissions: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ModelPermissionsDeleted;
  };
  /** List the rate limits of each model in a project. */
  listProjectRateLimits: {
    path: {
      project_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectRateLimitList;
  };
  /** Set the rate limits of a model in a project, for all its keys together. */
  updateProjectRateLimit: {
    path: {
      project_id: string;
      rate_limit_id: string;
    };
    query: Record<never, never>;
    body: ProjectRateLimitRequest;
    answer: ProjectRateLimit;
  };
  /** List the projects with whether they, and how many of their keys, may use a model. */
  listModelAccess: {
    path: {
      model_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ModelAccessList;
  };
  /** List the limits of the organization and its projects with their use. */
  listLimitUse: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
      /** Only limits used at least this much, in percent: 80 finds those nearly used up. */
      least_percent?: number | undefined;
    };
    body: undefined;
    answer: LimitUseList;
  };
  /** List the monthly spend limits of the organization and its projects. */
  listSpendLimits: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: SpendLimitList;
  };
  /** Get the monthly spend limit of the organization. */
  retrieveOrganizationSpendLimit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationSpendLimit;
  };
  /** Set the monthly spend limit of the organization. Calls beyond it are refused. */
  updateOrganizationSpendLimit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: SpendLimitRequest;
    answer: OrganizationSpendLimit;
  };
  /** Remove the spend limit of the organization. */
  deleteOrganizationSpendLimit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationSpendLimitDeleted;
  };
  /** Get the monthly spend limit of a project. */
  retrieveProjectSpendLimit: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectSpendLimit;
  };
  /** Set the monthly spend limit of a project. Calls beyond it are refused. */
  updateProjectSpendLimit: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: SpendLimitRequest;
    answer: ProjectSpendLimit;
  };
  /** Remove the spend limit of a project. */
  deleteProjectSpendLimit: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectSpendLimitDeleted;
  };
  /** List the spend alerts of the organization. */
  listOrganizationSpendAlerts: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: OrganizationSpendAlertList;
  };
  /** Create an alert for an amount that the organization spends in a month. */
  createOrganizationSpendAlert: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: SpendAlertRequest;
    answer: OrganizationSpendAlert;
  };
  /** Get a spend alert of the organization. */
  retrieveOrganizationSpendAlert: {
    path: {
      alert_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationSpendAlert;
  };
  /** Change a spend alert of the organization. */
  updateOrganizationSpendAlert: {
    path: {
      alert_id: string;
    };
    query: Record<never, never>;
    body: SpendAlertUpdate;
    answer: OrganizationSpendAlert;
  };
  /** Delete an alert on what the organization spends. */
  deleteOrganizationSpendAlert: {
    path: {
      alert_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationSpendAlertDeleted;
  };
  /** List the spend alerts of a project. */
  listProjectSpendAlerts: {
    path: {
      project_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectSpendAlertList;
  };
  /** Create an alert for an amount that a project spends in a month. */
  createProjectSpendAlert: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: SpendAlertRequest;
    answer: ProjectSpendAlert;
  };
  /** Get a spend alert of a project. */
  retrieveProjectSpendAlert: {
    path: {
      project_id: string;
      alert_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectSpendAlert;
  };
  /** Change a spend alert of a project. */
  updateProjectSpendAlert: {
    path: {
      project_id: string;
      alert_id: string;
    };
    query: Record<never, never>;
    body: SpendAlertUpdate;
    answer: ProjectSpendAlert;
  };
  /** Delete an alert on what a project spends. */
  deleteProjectSpendAlert: {
    path: {
      project_id: string;
      alert_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectSpendAlertDeleted;
  };
  /** List budgets with their spending. */
  listBudgets: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: BudgetList;
  };
  /** Create a budget for a project, group, person, key, product or all, or several of them together. */
  createBudget: { path: Record<never, never>; query: Record<never, never>; body: BudgetRequest; answer: Budget };
  /** Get a budget with its spending. */
  retrieveBudget: {
    path: {
      budget_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Budget;
  };
  /** Change a budget. Members that are left out stay, and so does its spending. */
  updateBudget: {
    path: {
      budget_id: string;
    };
    query: Record<never, never>;
    body: BudgetUpdate;
    answer: Budget;
  };
  /** Delete a budget. What it has spent is forgotten. */
  deleteBudget: {
    path: {
      budget_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: BudgetDeleted;
  };
  /** Get the data retention setting. */
  retrieveDataRetention: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationDataRetention;
  };
  /** Set the data retention. */
  updateDataRetention: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DataRetentionRequest;
    answer: OrganizationDataRetention;
  };
  /** Get the data retention setting of a project. */
  retrieveProjectDataRetention: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectDataRetention;
  };
  /** Set the data retention of a project. */
  updateProjectDataRetention: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectDataRetentionRequest;
    answer: ProjectDataRetention;
  };
  /** List changes with their actors, newest first. */
  listAuditLogs: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
      /** Unix seconds: `effective_at[gte]=1795000000`. */
      effective_at?:
        | {
            gt?: number | undefined;
            gte?: number | undefined;
            lt?: number | undefined;
            lte?: number | undefined;
          }
        | undefined;
      event_types?: string[] | undefined;
      /** Ids of people, including what they did by key, or of keys. */
      actor_ids?: string[] | undefined;
      /** Members by email, including what they did by key; for former members, what they did signed in. */
      actor_emails?: string[] | undefined;
      project_ids?: string[] | undefined;
      resource_ids?: string[] | undefined;
      /** There are no tenants: `true` finds nothing. */
      tenant_only?: boolean | undefined;
    };
    body: undefined;
    answer: AuditLogList;
  };
  /** List the users of a project. */
  listProjectUsers: {
    path: {
      project_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectUserList;
  };
  /** Add a member to a project, by id or email. */
  addProjectUser: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectUserRequest;
    answer: ProjectUser;
  };
  /** Get a user of a project. */
  retrieveProjectUser: {
    path: {
      project_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectUser;
  };
  /** Change a user’s role in a project. */
  updateProjectUser: {
    path: {
      project_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: ProjectUserUpdate;
    answer: ProjectUser;
  };
  /**
   * Remove a user from a project. Their keys in it end at once, unless a group or their being an owner keeps
   * them in it.
   */
  removeProjectUser: {
    path: {
      project_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectUserDeleted;
  };
  /** List the groups of a project. */
  listProjectGroups: {
    path: {
      project_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectGroupList;
  };
  /** Add a group to a project, with a role there. */
  addProjectGroup: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectGroupRequest;
    answer: ProjectGroup;
  };
  /** Get a group of a project. */
  retrieveProjectGroup: {
    path: {
      project_id: string;
      group_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectGroup;
  };
  /** Remove a group from a project, with its roles there. */
  removeProjectGroup: {
    path: {
      project_id: string;
      group_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectGroupDeleted;
  };
  /** List the members of the organization. */
  listUsers: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
      /** Only members with these emails. */
      emails?: string[] | undefined;
    };
    body: undefined;
    answer: OrganizationUserList;
  };
  /** Get a member. */
  retrieveUser: {
    path: {
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationUser;
  };
  /** Change a member’s role. */
  updateUser: {
    path: {
      user_id: string;
    };
    query: Record<never, never>;
    body: OrganizationUserUpdate;
    answer: OrganizationUser;
  };
  /** Remove a member from the organization. Their keys and sessions end at once. */
  deleteUser: {
    path: {
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationUserDeleted;
  };
  /** List invites, including accepted and expired ones. */
  listInvites: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: InviteList;
  };
  /** Invite somebody for 7 days. */
  createInvite: { path: Record<never, never>; query: Record<never, never>; body: InviteRequest; answer: InviteCreated };
  /** Get an invite. */
  retrieveInvite: {
    path: {
      invite_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Invite;
  };
  /** Withdraw an open invite. */
  deleteInvite: {
    path: {
      invite_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: InviteDeleted;
  };
  /** List the groups of the organization. */
  listGroups: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: GroupList;
  };
  /** Create a group. */
  createGroup: { path: Record<never, never>; query: Record<never, never>; body: GroupRequest; answer: Group };
  /** Get a group. */
  retrieveGroup: {
    path: {
      group_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Group;
  };
  /** Rename a group. */
  updateGroup: {
    path: {
      group_id: string;
    };
    query: Record<never, never>;
    body: GroupUpdate;
    answer: Group;
  };
  /** Delete a group. Those who are in it lose what they had by it. */
  deleteGroup: {
    path: {
      group_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: GroupDeleted;
  };
  /** List the members of a group. */
  listGroupUsers: {
    path: {
      group_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: GroupUserList;
  };
  /** Add a member to a group. */
  addGroupUser: {
    path: {
      group_id: string;
    };
    query: Record<never, never>;
    body: GroupUserRequest;
    answer: GroupUserAdded;
  };
  /** Get a member of a group. */
  retrieveGroupUser: {
    path: {
      group_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: GroupUser;
  };
  /** Remove a member from a group. */
  removeGroupUser: {
    path: {
      group_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: GroupUserRemoved;
  };
  /** List the roles of the organization: predefined ones first, then its own. */
  listRoles: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: RoleList;
  };
  /** Create a role of the organization. */
  createRole: { path: Record<never, never>; query: Record<never, never>; body: RoleRequest; answer: Role };
  /** Get a role of the organization. */
  retrieveRole: {
    path: {
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Role;
  };
  /** Change a role of the organization, for everybody who has it. */
  updateRole: {
    path: {
      role_id: string;
    };
    query: Record<never, never>;
    body: RoleUpdate;
    answer: Role;
  };
  /** Delete a role of the organization. Whoever had it has it no more. */
  deleteRole: {
    path: {
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: RoleDeleted;
  };
  /** List the roles of a project: predefined ones first, then its own. */
  listProjectRoles: {
    path: {
      project_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: RoleList;
  };
  /** Create a role of a project. */
  createProjectRole: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: RoleRequest;
    answer: Role;
  };
  /** Get a role of a project. */
  retrieveProjectRole: {
    path: {
      project_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Role;
  };
  /** Change a role of a project, for everybody who has it. */
  updateProjectRole: {
    path: {
      project_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: RoleUpdate;
    answer: Role;
  };
  /** Delete a role of a project. Whoever had it has it no more. */
  deleteProjectRole: {
    path: {
      project_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: RoleDeleted;
  };
  /** List the roles of a user. */
  listUserRoles: {
    path: {
      user_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Assign a role to a user. */
  assignUserRole: {
    path: {
      user_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: UserRoleAssignment;
  };
  /** Get a role of a user. */
  retrieveUserRole: {
    path: {
      user_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AssignedRole;
  };
  /** Remove a role from a user. */
  unassignUserRole: {
    path: {
      user_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: UserRoleDeleted;
  };
  /** List the roles of a group. */
  listGroupRoles: {
    path: {
      group_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Assign a role to a group. */
  assignGroupRole: {
    path: {
      group_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: GroupRoleAssignment;
  };
  /** Get a role of a group. */
  retrieveGroupRole: {
    path: {
      group_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AssignedRole;
  };
  /** Remove a role from a group. */
  unassignGroupRole: {
    path: {
      group_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: GroupRoleDeleted;
  };
  /** List the roles of a user in a project. */
  listProjectUserRoles: {
    path: {
      project_id: string;
      user_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Assign a role to a user in a project. */
  assignProjectUserRole: {
    path: {
      project_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: UserRoleAssignment;
  };
  /** Get a role of a user in a project. */
  retrieveProjectUserRole: {
    path: {
      project_id: string;
      user_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AssignedRole;
  };
  /** Remove a role from a user in a project. */
  unassignProjectUserRole: {
    path: {
      project_id: string;
      user_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: UserRoleDeleted;
  };
  /** List the roles of a group in a project. */
  listProjectGroupRoles: {
    path: {
      project_id: string;
      group_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Assign a role to a group in a project. */
  assignProjectGroupRole: {
    path: {
      project_id: string;
      group_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: GroupRoleAssignment;
  };
  /** Get a role of a group in a project. */
  retrieveProjectGroupRole: {
    path: {
      project_id: string;
      group_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AssignedRole;
  };
  /** Remove a role from a group in a project. */
  unassignProjectGroupRole: {
    path: {
      project_id: string;
      group_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: GroupRoleDeleted;
  };
  /** Sum up the organization’s costs by day. */
  listCosts: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1d' | undefined;
      limit?: number | undefined;
      line_items?: string[] | undefined;
      group_by?:
        | Array<
            | 'project_id'
            | 'user_id'
            | 'api_key_id'
            | 'line_item'
            | 'api_source'
            | 'model'
            | 'product'
            | 'source'
            | 'route'
            | 'provider'
          >
        | undefined;
    };
    body: undefined;
    answer: Costs;
  };
  /** Sum up the usage of language models over time. */
  listCompletionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
      group_by?:
        | Array<
            | 'project_id'
            | 'user_id'
            | 'api_key_id'
            | 'model'
            | 'service_tier'
            | 'batch'
            | 'api_source'
            | 'product'
            | 'source'
            | 'route'
            | 'provider'
          >
        | undefined;
    };
    body: undefined;
    answer: CompletionsUsage;
  };
  /** Sum up the usage of embeddings over time. */
  listEmbeddingsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
      group_by?:
        | Array<
            | 'project_id'
            | 'user_id'
            | 'api_key_id'
            | 'model'
            | 'service_tier'
            | 'batch'
            | 'api_source'
            | 'product'
            | 'source'
            | 'route'
            | 'provider'
          >
        | undefined;
    };
    body: undefined;
    answer: EmbeddingsUsage;
  };
  /** Buckets of audio speeches, which do not exist here, so all are empty. */
  listAudioSpeechesUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of audio transcriptions, which do not exist here, so all are empty. */
  listAudioTranscriptionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of code interpreter sessions, which do not exist here, so all are empty. */
  listCodeInterpreterSessionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of decisions, which do not exist here, so all are empty. */
  listDecisionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of file search calls, which do not exist here, so all are empty. */
  listFileSearchCallsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of images, which do not exist here, so all are empty. */
  listImagesUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of moderations, which do not exist here, so all are empty. */
  listModerationsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of vector stores, which do not exist here, so all are empty. */
  listVectorStoresUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of web search calls, which do not exist here, so all are empty. */
  listWebSearchCallsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; rounded down to a bucket. */
      start_time: number;
      /** End, exclusive, rounded up to a bucket (default: now). */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Number of buckets: at most 1440, 168 or 31, depending on their width. */
      limit?: number | undefined;
      /** There are no batches: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** List the organization’s webhook endpoints, newest first. */
  listWebhookEndpoints: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: WebhookEndpointList;
  };
  /** Create a webhook endpoint. */
  createWebhookEndpoint: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: WebhookEndpointRequest;
    answer: WebhookEndpointWithSecret;
  };
  /** Get an endpoint. */
  retrieveWebhookEndpoint: {
    path: {
      webhook_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: WebhookEndpoint;
  };
  /** Change an endpoint. */
  updateWebhookEndpoint: {
    path: {
      webhook_id: string;
    };
    query: Record<never, never>;
    body: WebhookEndpointUpdate;
    answer: WebhookEndpoint;
  };
  /** Delete an endpoint, and what it was still to be told. */
  deleteWebhookEndpoint: {
    path: {
      webhook_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: WebhookEndpointDeleted;
  };
  /** Replace the secret of an endpoint. */
  rotateWebhookSecret: {
    path: {
      webhook_id: string;
    };
    query: Record<never, never>;
    body: WebhookSecretRotation;
    answer: WebhookEndpointWithSecret;
  };
  /** Send one test event to an endpoint. */
  testWebhookEndpoint: {
    path: {
      webhook_id: string;
    };
    query: Record<never, never>;
    body: WebhookTest;
    answer: WebhookTestResult;
  };
  /** List the deliveries to an endpoint of the last 30 days, newest first. */
  listWebhookDeliveries: {
    path: {
      webhook_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: WebhookDeliveryList;
  };
  /** List the types of webhook events. */
  listWebhookEventTypes: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: WebhookEventTypeList;
  };
  /** List the providers by id: those of the configuration file, where they are changed, and others. */
  listProviders: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProviderList;
  };
  /** Add a provider. It can be called within a second. */
  createProvider: { path: Record<never, never>; query: Record<never, never>; body: ProviderRequest; answer: Provider };
  /** List the known vendors. These need only a key. */
  listProviderPresets: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ProviderPresetList;
  };
  /** Test an existing, changed or new provider by asking for its models. */
  testProvider: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ProviderTestRequest;
    answer: ProviderTest;
  };
  /** Get a provider with its status. */
  retrieveProvider: {
    path: {
      provider_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Provider;
  };
  /** Change a provider. */
  updateProvider: {
    path: {
      provider_id: string;
    };
    query: Record<never, never>;
    body: ProviderUpdate;
    answer: Provider;
  };
  /** Delete a provider with its keys: it cannot be called any more within a second. */
  deleteProvider: {
    path: {
      provider_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProviderDeleted;
  };
  /** Add a key to a provider. */
  createProviderCredential: {
    path: {
      provider_id: string;
    };
    query: Record<never, never>;
    body: ProviderCredentialRequest;
    answer: ProviderCredential;
  };
  /** Change a credential: its name, its share of the calls, or the key itself. */
  updateProviderCredential: {
    path: {
      provider_id: string;
      credential_id: string;
    };
    query: Record<never, never>;
    body: ProviderCredentialUpdate;
    answer: ProviderCredential;
  };
  /** Delete a key of a provider. */
  deleteProviderCredential: {
    path: {
      provider_id: string;
      credential_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProviderCredentialDeleted;
  };
  /** List the routes of the configuration and of the store, by id. */
  listOrganizationRoutes: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: OrganizationRouteList;
  };
  /** Store a route, which calls may use within a second. */
  createRoute: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationRouteRequest;
    answer: OrganizationRouteWhole;
  };
  /** Get a route with its definition. */
  retrieveOrganizationRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationRouteWhole;
  };
  /** Put a version of a stored route in force, or give another version a share of its conversations. */
  updateRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: OrganizationRouteUpdate;
    answer: OrganizationRouteWhole;
  };
  /** Remove a route from the store, with its versions. Usage records stay. */
  deleteRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationRouteDeleted;
  };
  /** Restore the previous version. */
  rollBackRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: OrganizationRouteRollback;
    answer: OrganizationRouteWhole;
  };
  /** List the versions of a stored route, oldest first. */
  listRouteVersions: {
    path: {
      route_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** Id of the first item of the next page. */
      before?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: OrganizationRouteVersionList;
  };
  /** Give a stored route a new definition. An earlier definition becomes the earlier version again. */
  createRouteVersion: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: OrganizationRouteVersionRequest;
    answer: OrganizationRouteVersionWhole;
  };
  /** Get a version with its definition. */
  retrieveRouteVersion: {
    path: {
      route_id: string;
      version_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationRouteVersionWhole;
  };
  /** Get the differences between two versions of a route. */
  diffRouteVersion: {
    path: {
      route_id: string;
      version_id: string;
    };
    query: {
      /** The version to compare with (default: the one in force). */
      from?: string | undefined;
    };
    body: undefined;
    answer: OrganizationRouteDiff;
  };
  /** Check the draft of a route. Nothing is stored. */
  checkRoute: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationRouteDraft;
    answer: OrganizationRouteCheck;
  };
  /**
   * Show who would serve a call, and why, by a route or its draft. No provider is called, and nothing is
   * recorded.
   */
  tryRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: OrganizationRouteTry;
    answer: RouteDecision;
  };
  /** Decide past calls of a route again by a draft, and show what would change. */
  replayRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: OrganizationRouteReplay;
    answer: OrganizationRouteReplayed;
  };
  /** List the products of the configuration file, where they are changed, and of the settings, by id. */
  listProducts: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProductList;
  };
  /** Create a product with its first key, whose secret is shown only here. The key works within a second. */
  createProduct: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ProductRequest;
    answer: ProductWithKey;
  };
  /** Get a product with its spending and keys. */
  retrieveProduct: {
    path: {
      product_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Product;
  };
  /** Change a product. Members that are left out stay, and so does its spending. */
  updateProduct: {
    path: {
      product_id: string;
    };
    query: Record<never, never>;
    body: ProductUpdate;
    answer: Product;
  };
  /** Delete a product, and revoke its keys. Usage records stay; another of its id goes on with what was spent. */
  deleteProduct: {
    path: {
      product_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProductDeleted;
  };
  /** Replace the secret of a product’s key, or create the first key. Products of the file are accepted too. */
  rotateProductKey: {
    path: {
      product_id: string;
    };
    query: Record<never, never>;
    body: ProductRotateRequest;
    answer: RotatedProductKey;
  };
  /** List the prices that were set for models, including ended ones, and those of the configuration file. */
  listPriceOverrides: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
      /** Only those of this model. */
      model?: string | undefined;
    };
    body: undefined;
    answer: PriceOverrideList;
  };
  /** Set a model’s price from a time on. It applies to calls that begin then; earlier ones do not change. */
  createPriceOverride: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PriceOverrideRequest;
    answer: PriceOverride;
  };
  /** Get a price. */
  retrievePriceOverride: {
    path: {
      price_override_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PriceOverride;
  };
  /** Change a price that has not begun. A later one must follow a price in force, so that bills stay. */
  updatePriceOverride: {
    path: {
      price_override_id: string;
    };
    query: Record<never, never>;
    body: PriceOverrideUpdate;
    answer: PriceOverride;
  };
  /** End a price now, so that the model costs what it would without it. It stays in the history. */
  deletePriceOverride: {
    path: {
      price_override_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PriceOverrideDeleted;
  };
  /** List a model’s past, present and future prices. */
  listModelPrices: {
    path: {
      model_id: string;
    };
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ModelPriceList;
  };
  /** List the aliases of the configuration file, where they are changed, and of the settings, by name. */
  listAliases: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
      /** By creation time. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AliasList;
  };
  /** Give a model or a route another name, which calls may use within a second. */
  createAlias: { path: Record<never, never>; query: Record<never, never>; body: AliasRequest; answer: Alias };
  /** Get an alias with its target. */
  retrieveAlias: {
    path: {
      alias_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Alias;
  };
  /** Change the target of an alias. */
  updateAlias: {
    path: {
      alias_id: string;
    };
    query: Record<never, never>;
    body: AliasUpdate;
    answer: Alias;
  };
  /** Delete an alias: calls cannot name it any more within a second. */
  deleteAlias: {
    path: {
      alias_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AliasDeleted;
  };
  /** Get the organization. */
  retrieveOrganization: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Organization;
  };
  /** Rename the organization. */
  updateOrganization: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationUpdate;
    answer: Organization;
  };
  /** List the gateway’s settings and where each is set. */
  listConfiguration: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ConfigurationList;
  };
  /** Get versions and facts of the running gateway. */
  retrieveAbout: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: About };
  /** List problems that need attention, worst first. */
  listAttention: {
    path: Record<never, never>;
    query: {
      /** Number of items. */
      limit?: number | undefined;
      /** Id of the last item of the previous page. */
      after?: string | undefined;
    };
    body: undefined;
    answer: AttentionList;
  };
  /** Find models, routes, keys, people and other named objects, and a request by its id. */
  searchOrganization: {
    path: Record<never, never>;
    query: {
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
    body: undefined;
    answer: SearchResults;
  };
  /** Sign in with a password. */
  signInWithPassword: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PasswordSignIn;
    answer: SignedIn;
  };
  /** Get the options for signing in with a passkey. */
  passkeySignInOptions: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PasskeyOptions;
  };
  /** Sign in with a passkey. */
  signInWithPasskey: { path: Record<never, never>; query: Record<never, never>; body: PasskeySignIn; answer: SignedIn };
  /** Sign out: the session ends, and the cookie is deleted. */
  signOut: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: SignedOut };
  /** Get the purpose of a link, without using it. */
  lookAtLink: { path: Record<never, never>; query: Record<never, never>; body: LinkRequest; answer: Link };
  /** Use a link, once: to become an owner, or to accept an invitation. */
  openLink: { path: Record<never, never>; query: Record<never, never>; body: LinkOpening; answer: SignedIn };
  /** Get the signed-in person and their permissions. */
  getSession: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Account };
  /** Select the organization of a session. */
  chooseOrganization: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationChoice;
    answer: Account;
  };
  /** Set your password. All other sessions end. */
  setPassword: { path: Record<never, never>; query: Record<never, never>; body: NewPassword; answer: Account };
  /** List your passkeys. */
  listPasskeys: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: PasskeyList };
  /** Add a passkey that a device has created. */
  addPasskey: { path: Record<never, never>; query: Record<never, never>; body: NewPasskey; answer: Passkey };
  /** Get the options for creating a passkey. */
  passkeyOptions: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: PasskeyOptions };
  /** Delete a passkey. All other sessions end. */
  removePasskey: {
    path: {
      passkey_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PasskeyDeleted;
  };
  /** List your sessions. */
  listSessions: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: SessionList };
  /** End one of your sessions. */
  endSession: {
    path: {
      session_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: SessionDeleted;
  };
  /** Get the health of all targets. For administrators’ keys. */
  getStatus: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Status };
};

/** Method and path of each operation. */
export const PLACES: Record<keyof Operations, string> = {
  createChatCompletion: 'POST /chat/completions',
  createResponse: 'POST /responses',
  createMessage: 'POST /messages',
  countMessageTokens: 'POST /messages/count_tokens',
  createEmbeddings: 'POST /embeddings',
  listModels: 'GET /models',
  listModelInfo: 'GET /model/info',
  retrieveModel: 'GET /models/{id}',
  listCatalog: 'GET /models/catalog',
  retrieveCatalogEntry: 'GET /models/catalog/{id}',
  listUsage: 'GET /usage',
  summarizeUsage: 'GET /usage/summary',
  retrieveFirstTokenTimes: 'GET /usage/first_tokens',
  retrieveUsage: 'GET /usage/{id}',
  createFeedback: 'POST /feedback',
  listRoutes: 'GET /routes',
  explainRoute: 'POST /routes/{id}/explain',
  listProjects: 'GET /organization/projects',
  createProject: 'POST /organization/projects',
  retrieveProject: 'GET /organization/projects/{project_id}',
  updateProject: 'POST /organization/projects/{project_id}',
  archiveProject: 'POST /organization/projects/{project_id}/archive',
  listServiceAccounts: 'GET /organization/projects/{project_id}/service_accounts',
  createServiceAccount: 'POST /organization/projects/{project_id}/service_accounts',
  retrieveServiceAccount: 'GET /organization/projects/{project_id}/service_accounts/{service_account_id}',
  updateServiceAccount: 'POST /organization/projects/{project_id}/service_accounts/{service_account_id}',
  deleteServiceAccount: 'DELETE /organization/projects/{project_id}/service_accounts/{service_account_id}',
  createServiceAccountKey: 'POST /organization/projects/{project_id}/service_accounts/{service_account_id}/api_keys',
  listProjectApiKeys: 'GET /organization/projects/{project_id}/api_keys',
  createProjectApiKey: 'POST /organization/projects/{project_id}/api_keys',
  listApiKeys: 'GET /organization/api_keys',
  retrieveProjectApiKey: 'GET /organization/projects/{project_id}/api_keys/{api_key_id}',
  updateProjectApiKey: 'POST /organization/projects/{project_id}/api_keys/{api_key_id}',
  deleteProjectApiKey: 'DELETE /organization/projects/{project_id}/api_keys/{api_key_id}',
  rotateProjectApiKey: 'POST /organization/projects/{project_id}/api_keys/{api_key_id}/rotate',
  listAdminApiKeys: 'GET /organization/admin_api_keys',
  createAdminApiKey: 'POST /organization/admin_api_keys',
  retrieveAdminApiKey: 'GET /organization/admin_api_keys/{key_id}',
  deleteAdminApiKey: 'DELETE /organization/admin_api_keys/{key_id}',
  retrieveModelPermissions: 'GET /organization/projects/{project_id}/model_permissions',
  updateModelPermissions: 'POST /organization/projects/{project_id}/model_permissions',
  deleteModelPermissions: 'DELETE /organization/projects/{project_id}/model_permissions',
  listProjectRateLimits: 'GET /organization/projects/{project_id}/rate_limits',
  updateProjectRateLimit: 'POST /organization/projects/{project_id}/rate_limits/{rate_limit_id}',
  listModelAccess: 'GET /organization/models/{model_id}/access',
  listLimitUse: 'GET /organization/limit_use',
  listSpendLimits: 'GET /organization/spend_limits',
  retrieveOrganizationSpendLimit: 'GET /organization/spend_limit',
  updateOrganizationSpendLimit: 'POST /organization/spend_limit',
  deleteOrganizationSpendLimit: 'DELETE /organization/spend_limit',
  retrieveProjectSpendLimit: 'GET /organization/projects/{project_id}/spend_limit',
  updateProjectSpendLimit: 'POST /organization/projects/{project_id}/spend_limit',
  deleteProjectSpendLimit: 'DELETE /organization/projects/{project_id}/spend_limit',
  listOrganizationSpendAlerts: 'GET /organization/spend_alerts',
  createOrganizationSpendAlert: 'POST /organization/spend_alerts',
  retrieveOrganizationSpendAlert: 'GET /organization/spend_alerts/{alert_id}',
  updateOrganizationSpendAlert: 'POST /organization/spend_alerts/{alert_id}',
  deleteOrganizationSpendAlert: 'DELETE /organization/spend_alerts/{alert_id}',
  listProjectSpendAlerts: 'GET /organization/projects/{project_id}/spend_alerts',
  createProjectSpendAlert: 'POST /organization/projects/{project_id}/spend_alerts',
  retrieveProjectSpendAlert: 'GET /organization/projects/{project_id}/spend_alerts/{alert_id}',
  updateProjectSpendAlert: 'POST /organization/projects/{project_id}/spend_alerts/{alert_id}',
  deleteProjectSpendAlert: 'DELETE /organization/projects/{project_id}/spend_alerts/{alert_id}',
  listBudgets: 'GET /organization/budgets',
  createBudget: 'POST /organization/budgets',
  retrieveBudget: 'GET /organization/budgets/{budget_id}',
  updateBudget: 'POST /organization/budgets/{budget_id}',
  deleteBudget: 'DELETE /organization/budgets/{budget_id}',
  retrieveDataRetention: 'GET /organization/data_retention',
  updateDataRetention: 'POST /organization/data_retention',
  retrieveProjectDataRetention: 'GET /organization/projects/{project_id}/data_retention',
  updateProjectDataRetention: 'POST /organization/projects/{project_id}/data_retention',
  listAuditLogs: 'GET /organization/audit_logs',
  listProjectUsers: 'GET /organization/projects/{project_id}/users',
  addProjectUser: 'POST /organization/projects/{project_id}/users',
  retrieveProjectUser: 'GET /organization/projects/{project_id}/users/{user_id}',
  updateProjectUser: 'POST /organization/projects/{project_id}/users/{user_id}',
  removeProjectUser: 'DELETE /organization/projects/{project_id}/users/{user_id}',
  listProjectGroups: 'GET /organization/projects/{project_id}/groups',
  addProjectGroup: 'POST /organization/projects/{project_id}/groups',
  retrieveProjectGroup: 'GET /organization/projects/{project_id}/groups/{group_id}',
  removeProjectGroup: 'DELETE /organization/projects/{project_id}/groups/{group_id}',
  listUsers: 'GET /organization/users',
  retrieveUser: 'GET /organization/users/{user_id}',
  updateUser: 'POST /organization/users/{user_id}',
  deleteUser: 'DELETE /organization/users/{user_id}',
  listInvites: 'GET /organization/invites',
  createInvite: 'POST /organization/invites',
  retrieveInvite: 'GET /organization/invites/{invite_id}',
  deleteInvite: 'DELETE /organization/invites/{invite_id}',
  listGroups: 'GET /organization/groups',
  createGroup: 'POST /organization/groups',
  retrieveGroup: 'GET /organization/groups/{group_id}',
  updateGroup: 'POST /organization/groups/{group_id}',
  deleteGroup: 'DELETE /organization/groups/{group_id}',
  listGroupUsers: 'GET /organization/groups/{group_id}/users',
  addGroupUser: 'POST /organization/groups/{group_id}/users',
  retrieveGroupUser: 'GET /organization/groups/{group_id}/users/{user_id}',
  removeGroupUser: 'DELETE /organization/groups/{group_id}/users/{user_id}',
  listRoles: 'GET /organization/roles',
  createRole: 'POST /organization/roles',
  retrieveRole: 'GET /organization/roles/{role_id}',
  updateRole: 'POST /organization/roles/{role_id}',
  deleteRole: 'DELETE /organization/roles/{role_id}',
  listProjectRoles: 'GET /projects/{project_id}/roles',
  createProjectRole: 'POST /projects/{project_id}/roles',
  retrieveProjectRole: 'GET /projects/{project_id}/roles/{role_id}',
  updateProjectRole: 'POST /projects/{project_id}/roles/{role_id}',
  deleteProjectRole: 'DELETE /projects/{project_id}/roles/{role_id}',
  listUserRoles: 'GET /organization/users/{user_id}/roles',
  assignUserRole: 'POST /organization/users/{user_id}/roles',
  retrieveUserRole: 'GET /organization/users/{user_id}/roles/{role_id}',
  unassignUserRole: 'DELETE /organization/users/{user_id}/roles/{role_id}',
  listGroupRoles: 'GET /organization/groups/{group_id}/roles',
  assignGroupRole: 'POST /organization/groups/{group_id}/roles',
  retrieveGroupRole: 'GET /organization/groups/{group_id}/roles/{role_id}',
  unassignGroupRole: 'DELETE /organization/groups/{group_id}/roles/{role_id}',
  listProjectUserRoles: 'GET /projects/{project_id}/users/{user_id}/roles',
  assignProjectUserRole: 'POST /projects/{project_id}/users/{user_id}/roles',
  retrieveProjectUserRole: 'GET /projects/{project_id}/users/{user_id}/roles/{role_id}',
  unassignProjectUserRole: 'DELETE /projects/{project_id}/users/{user_id}/roles/{role_id}',
  listProjectGroupRoles: 'GET /projects/{project_id}/groups/{group_id}/roles',
  assignProjectGroupRole: 'POST /projects/{project_id}/groups/{group_id}/roles',
  retrieveProjectGroupRole: 'GET /projects/{project_id}/groups/{group_id}/roles/{role_id}',
  unassignProjectGroupRole: 'DELETE /projects/{project_id}/groups/{group_id}/roles/{role_id}',
  listCosts: 'GET /organization/costs',
  listCompletionsUsage: 'GET /organization/usage/completions',
  listEmbeddingsUsage: 'GET /organization/usage/embeddings',
  listAudioSpeechesUsage: 'GET /organization/usage/audio_speeches',
  listAudioTranscriptionsUsage: 'GET /organization/usage/audio_transcriptions',
  listCodeInterpreterSessionsUsage: 'GET /organization/usage/code_interpreter_sessions',
  listDecisionsUsage: 'GET /organization/usage/decisions',
  listFileSearchCallsUsage: 'GET /organization/usage/file_search_calls',
  listImagesUsage: 'GET /organization/usage/images',
  listModerationsUsage: 'GET /organization/usage/moderations',
  listVectorStoresUsage: 'GET /organization/usage/vector_stores',
  listWebSearchCallsUsage: 'GET /organization/usage/web_search_calls',
  listWebhookEndpoints: 'GET /webhook_endpoints',
  createWebhookEndpoint: 'POST /webhook_endpoints',
  retrieveWebhookEndpoint: 'GET /webhook_endpoints/{webhook_id}',
  updateWebhookEndpoint: 'POST /webhook_endpoints/{webhook_id}',
  deleteWebhookEndpoint: 'DELETE /webhook_endpoints/{webhook_id}',
  rotateWebhookSecret: 'POST /webhook_endpoints/{webhook_id}/rotate_secret',
  testWebhookEndpoint: 'POST /webhook_endpoints/{webhook_id}/test',
  listWebhookDeliveries: 'GET /webhook_endpoints/{webhook_id}/deliveries',
  listWebhookEventTypes: 'GET /webhook_event_types',
  listProviders: 'GET /organization/providers',
  createProvider: 'POST /organization/providers',
  listProviderPresets: 'GET /organization/provider_presets',
  testProvider: 'POST /organization/providers/test',
  retrieveProvider: 'GET /organization/providers/{provider_id}',
  updateProvider: 'POST /organization/providers/{provider_id}',
  deleteProvider: 'DELETE /organization/providers/{provider_id}',
  createProviderCredential: 'POST /organization/providers/{provider_id}/credentials',
  updateProviderCredential: 'POST /organization/providers/{provider_id}/credentials/{credential_id}',
  deleteProviderCredential: 'DELETE /organization/providers/{provider_id}/credentials/{credential_id}',
  listOrganizationRoutes: 'GET /organization/routes',
  createRoute: 'POST /organization/routes',
  retrieveOrganizationRoute: 'GET /organization/routes/{route_id}',
  updateRoute: 'POST /organization/routes/{route_id}',
  deleteRoute: 'DELETE /organization/routes/{route_id}',
  rollBackRoute: 'POST /organization/routes/{route_id}/rollback',
  listRouteVersions: 'GET /organization/routes/{route_id}/versions',
  createRouteVersion: 'POST /organization/routes/{route_id}/versions',
  retrieveRouteVersion: 'GET /organization/routes/{route_id}/versions/{version_id}',
  diffRouteVersion: 'GET /organization/routes/{route_id}/versions/{version_id}/diff',
  checkRoute: 'POST /organization/routes/validate',
  tryRoute: 'POST /organization/routes/{route_id}/explain',
  replayRoute: 'POST /organization/routes/{route_id}/replay',
  listProducts: 'GET /organization/products',
  createProduct: 'POST /organization/products',
  retrieveProduct: 'GET /organization/products/{product_id}',
  updateProduct: 'POST /organization/products/{product_id}',
  deleteProduct: 'DELETE /organization/products/{product_id}',
  rotateProductKey: 'POST /organization/products/{product_id}/rotate',
  listPriceOverrides: 'GET /organization/price_overrides',
  createPriceOverride: 'POST /organization/price_overrides',
  retrievePriceOverride: 'GET /organization/price_overrides/{price_override_id}',
  updatePriceOverride: 'POST /organization/price_overrides/{price_override_id}',
  deletePriceOverride: 'DELETE /organization/price_overrides/{price_override_id}',
  listModelPrices: 'GET /organization/models/{model_id}/prices',
  listAliases: 'GET /organization/aliases',
  createAlias: 'POST /organization/aliases',
  retrieveAlias: 'GET /organization/aliases/{alias_id}',
  updateAlias: 'POST /organization/aliases/{alias_id}',
  deleteAlias: 'DELETE /organization/aliases/{alias_id}',
  retrieveOrganization: 'GET /organization',
  updateOrganization: 'POST /organization',
  listConfiguration: 'GET /organization/configuration',
  retrieveAbout: 'GET /organization/about',
  listAttention: 'GET /organization/attention',
  searchOrganization: 'GET /organization/search',
  signInWithPassword: 'POST /auth/sign_in/password',
  passkeySignInOptions: 'POST /auth/sign_in/passkey/options',
  signInWithPasskey: 'POST /auth/sign_in/passkey',
  signOut: 'POST /auth/sign_out',
  lookAtLink: 'POST /auth/link',
  openLink: 'POST /auth/link/open',
  getSession: 'GET /auth/session',
  chooseOrganization: 'POST /auth/organization',
  setPassword: 'POST /auth/password',
  listPasskeys: 'GET /auth/passkeys',
  addPasskey: 'POST /auth/passkeys',
  passkeyOptions: 'POST /auth/passkeys/options',
  removePasskey: 'DELETE /auth/passkeys/{passkey_id}',
  listSessions: 'GET /organization/sessions',
  endSession: 'DELETE /organization/sessions/{session_id}',
  getStatus: 'GET /status',
};
