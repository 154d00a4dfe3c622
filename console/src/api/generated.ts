// Made by `node clients/openapi/console.ts` from the gateway's /openapi.json; changes here are lost.

export type Error = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
    /** Of `model_not_found`: the names nearest to it that this key may use, the nearest first. */
    near?: string[] | undefined;
  };
};

/** Members that are not named here pass to the model’s provider as they stand. */
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
  /** Below 1, none is set. */
  max_completion_tokens?: number | null | undefined;
  /** Below 1, none is set. */
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
 * Members that are not named here pass to the model’s provider, or are translated for it where it speaks
 * another format. No state is kept: `previous_response_id`, `conversation` and `background` are refused.
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

/** The `data` of one event of a stream, which is named as its `type`. */
export type ResponseEvent = {
  type: string;
  [member: string]: unknown;
};

/**
 * Members that are not named here pass to the model’s provider, or are translated for it where it speaks
 * another format.
 */
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

/** The `data` of one event of a stream, which is named as its `type`. */
export type MessageEvent = {
  type: string;
  [member: string]: unknown;
};

export type MessageError = {
  type: 'error';
  error: {
    type: string;
    message: string;
    /** Of `model_not_found`: the names nearest to it that this key may use, the nearest first. */
    near?: string[] | undefined;
    [member: string]: unknown;
  };
  request_id: string | null;
};

/** A message request; it needs no `max_tokens`. */
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

/** Members that are not named here pass to the model’s provider as they stand. */
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

/** A model with the members that OpenAI’s and Anthropic’s clients read. */
export type Model = {
  id: string;
  object: 'model';
  /** Unix time in seconds. */
  created: number;
  owned_by: string;
  type: 'model';
  display_name: string;
  /** When it was released, in RFC 3339. */
  created_at: string;
  /** The most tokens of prompt and answer; `null` where it is not known. */
  context_length: number | null;
  /** The same; `null` where it is not known. */
  context_window: number | null;
  /** The same; `null` where it is not known. */
  max_model_len: number | null;
  /** The same; `null` where it is not known. */
  max_input_tokens: number | null;
  /** The most tokens of an answer; `null` where it is not known. */
  max_output_tokens: number | null;
  /** What it takes and makes; `null` where it is not known. */
  architecture: {
    input_modalities: string[];
    output_modalities: string[];
  } | null;
  /** What it can do, by OpenRouter’s names of parameters. */
  supported_parameters: string[] | null;
  capabilities: {
    tools: boolean | null;
    reasoning: boolean | null;
    structured_output: boolean | null;
    attachment: boolean | null;
    temperature: boolean | null;
  } | null;
  /** Its base rates; `null` where no price is known. The catalog tells all of them. */
  pricing: {
    /** US dollars for one token. */
    prompt?: string | undefined;
    /** US dollars for one token. */
    completion?: string | undefined;
    /** US dollars for one token. */
    input_cache_read?: string | undefined;
    /** US dollars for one token. */
    input_cache_write?: string | undefined;
  } | null;
  /**
   * What of this is from its vendor’s own list alone, by the catalog’s names: neither configured nor in the
   * catalog.
   */
  from_vendor: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'>;
  /** `vendor`: what is told of it is from its vendor’s own list, and neither configured nor in the catalog. */
  listed_by: 'vendor' | null;
};

export type AnthropicModelList = {
  data: AnthropicModel[];
  /** Whether there are more in the direction that was asked for. */
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
};

/** A model as Anthropic’s clients read it, where the header `anthropic-version` comes with the request. */
export type AnthropicModel = {
  type: 'model';
  id: string;
  display_name: string;
  /** When it was released, in RFC 3339; 1970-01-01 where that is not known. */
  created_at: string;
  /** `deprecated`: the day of its end is known. `retired`: it has ended, or is listed no more. */
  lifecycle: 'active' | 'deprecated' | 'retired';
  /** It is not known. */
  deprecated_at: null;
  /** The day of its end, in RFC 3339. */
  retires_at: string | null;
  max_input_tokens: number | null;
  /** The most that an answer may have. */
  max_tokens: number | null;
  /** It is not known. */
  line: null;
  /** What the catalog knows; `false` also where it does not know. `null` where it knows nothing. */
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
  /**
   * What of this is from its vendor’s own list alone, by the catalog’s names: neither configured nor in the
   * catalog.
   */
  from_vendor?: Array<'context_window' | 'max_output_tokens' | 'modalities' | 'capabilities' | 'pricing'> | undefined;
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

export type ProjectList = {
  object: 'list';
  data: Project[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type Project = {
  id: string;
  object: 'organization.project';
  name: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  archived_at: number | null;
  status: 'active' | 'archived';
  external_key_id: string | null;
  geography: string | null;
  /** Where keys are that name no project. It cannot be archived. */
  is_default: boolean;
  /** People who were put into it; owners are in all, and groups bring theirs. */
  member_count: number;
  group_count: number;
  /** API keys that were not revoked. */
  key_count: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type ProjectRequest = {
  name: string;
  /** Kept and given back; it changes nothing here. */
  external_key_id?: string | null | undefined;
  /** Kept and given back; it changes nothing here. */
  geography?: string | null | undefined;
  /** Kept and given back; it changes nothing here. */
  residency?: string | null | undefined;
};

export type ProjectUpdate = {
  name?: string | null | undefined;
  /** Kept and given back; it changes nothing here. */
  external_key_id?: string | null | undefined;
  /** Kept and given back; it changes nothing here. */
  geography?: string | null | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
  if_version?: number | undefined;
};

export type ServiceAccountList = {
  object: 'list';
  data: ServiceAccount[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type ServiceAccount = {
  id: string;
  object: 'organization.project.service_account';
  name: string;
  role: 'owner' | 'member' | 'none';
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
};

export type ServiceAccountRequest = {
  name: string;
  /** Makes no key. */
  create_service_account_only?: boolean | null | undefined;
  expires_in_seconds?: number | null | undefined;
  /**
   * Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more
   * than they may read themselves, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
};

export type NewServiceAccount = {
  id: string;
  object: 'organization.project.service_account';
  name: string;
  role: 'owner' | 'member' | 'none';
  /** When it was made, in Unix seconds. */
  created_at: number;
  /** Grows with each change; see `if_version`. */
  version: number;
  api_key: ServiceAccountKey | null;
};

export type ServiceAccountKey = {
  id: string;
  object: 'organization.project.service_account.api_key';
  name: string;
  /** The secret, told this once. */
  value: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /**
   * Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more
   * than they may read themselves, and a person’s key never reads more than the person may.
   */
  usage: 'organization' | 'project' | 'own';
};

export type ServiceAccountUpdate = {
  name?: string | undefined;
  role?: 'owner' | 'member' | 'none' | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
   * Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more
   * than they may read themselves, and a person’s key never reads more than the person may.
   */
  usage?: 'organization' | 'project' | 'own' | undefined;
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

export type AdminApiKeyList = {
  object: 'list';
  data: AdminApiKey[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type AdminApiKey = {
  id: string;
  object: 'organization.admin_api_key';
  name: string;
  /** The first and last characters of the secret. */
  redacted_value: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /** To the minute; `null`: never. */
  last_used_at: number | null;
  /**
   * Who has made it: a person, the holder of a key that is nobody’s, or a command (`operator`). `null`: unknown,
   * since it was made before this was kept.
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
  /** When it was made, in Unix seconds. */
  created_at: number;
  expires_at: number | null;
  /** To the minute; `null`: never. */
  last_used_at: number | null;
  /**
   * Who has made it: a person, the holder of a key that is nobody’s, or a command (`operator`). `null`: unknown,
   * since it was made before this was kept.
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
  /** The secret, told this once. */
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
  /** Of the project: it grows with each change of that, too; see `if_version`. */
  version: number;
};

export type ModelPermissionsRequest = {
  mode: 'allow_list' | 'deny_list';
  model_ids: string[];
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type ProjectRateLimit = {
  id: string;
  object: 'project.rate_limit';
  model: string;
  max_requests_per_1_minute: number;
  max_tokens_per_1_minute: number;
  /** Grows with each change, 0 where nothing was set; see `if_version`. */
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
   * The `version` that was read, 0 where nothing was set: where it is another, nothing is changed, and the
   * answer is a 409.
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
   * The `version` that was read, 0 where nothing was set: where it is another, nothing is changed, and the
   * answer is a 409.
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
  /** What `after` is to be for the next page; `null` where there is none. */
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
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
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

export type OrganizationDataRetention = {
  object: 'organization.data_retention';
  type:
    | 'zero_data_retention'
    | 'modified_abuse_monitoring'
    | 'enhanced_zero_data_retention'
    | 'enhanced_modified_abuse_monitoring';
  /** Grows with each change, 0 where nothing was set; see `if_version`. */
  version: number;
};

export type DataRetentionRequest = {
  retention_type:
    | 'zero_data_retention'
    | 'modified_abuse_monitoring'
    | 'enhanced_zero_data_retention'
    | 'enhanced_modified_abuse_monitoring';
  /**
   * The `version` that was read, 0 where nothing was set: where it is another, nothing is changed, and the
   * answer is a 409.
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
  /** Grows with each change, 0 where nothing was set; see `if_version`. */
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
   * The `version` that was read, 0 where nothing was set: where it is another, nothing is changed, and the
   * answer is a 409.
   */
  if_version?: number | undefined;
};

export type AuditLogList = {
  object: 'list';
  data: AuditLog[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

/** What is told of it stands in a member whose name is its `type`. */
export type AuditLog = {
  id: string;
  object: 'organization.audit_log';
  /** What happened, such as `project.created`. */
  type: string;
  /** Unix time in seconds. */
  effective_at: number;
  actor: {
    /** `operator`: who runs the gateway, by a command. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type ProjectUser = {
  id: string;
  object: 'organization.project.user';
  email: string;
  name: string | null;
  role: 'owner' | 'member';
  /** When it was made, in Unix seconds. */
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
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type ProjectGroup = {
  object: 'project.group';
  project_id: string;
  group_id: string;
  group_name: string;
  group_type: 'group';
  /** When it was made, in Unix seconds. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type OrganizationUser = {
  id: string;
  object: 'organization.user';
  email: string;
  name: string | null;
  /** An owner may do all; what a reader may is said by their roles. */
  role: 'owner' | 'reader';
  /** When it was made, in Unix seconds. */
  added_at: number;
  /** When it was made, in Unix seconds. */
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
  /** A role to be given. */
  role_id?: string | null | undefined;
  /** Kept and given back; it changes nothing here. */
  developer_persona?: string | null | undefined;
  /** Kept and given back; it changes nothing here. */
  technical_level?: string | null | undefined;
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
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
  /** Ids of the groups that they come into. */
  groups: string[];
  /** `expired` is also an invite whose sender, a person or a key, could not send it any more. */
  status: 'accepted' | 'expired' | 'pending';
  /** When it was made, in Unix seconds. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type Group = {
  id: string;
  object: 'group';
  name: string;
  /** When it was made, in Unix seconds. */
  created_at: number;
  group_type: 'group';
  is_scim_managed: boolean;
  member_count: number;
  /** Roles that were given to it in the organization. */
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
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type Role = {
  id: string;
  name: string;
  description: string | null;
  permissions: string[];
  /** Every organization has it, and it cannot be changed. */
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
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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
  /** What `after` is to be for the next page; `null` where there is none. */
  next: string | null;
};

export type AssignedRole = {
  id: string;
  name: string;
  description: string | null;
  permissions: string[];
  /** Every organization has it, and it cannot be changed. */
  predefined_role: boolean;
  resource_type: 'api.organization' | 'api.project';
  /** Whom the role was given to: the user, or groups that they are in. */
  assignment_sources: Array<{
    principal_id: string;
    principal_type: 'user' | 'group';
  }>;
  /** When it was given to them; `null` where only groups of theirs have it. */
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
    /** When it was made, in Unix seconds. */
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
    /** Unix seconds, at a multiple of the width. */
    start_time: number;
    /** Up to it, exclusive. */
    end_time: number;
    results: Array<{
      object: 'organization.costs.result';
      amount: {
        value: number;
        currency: 'usd';
        /** The same with every digit: exact to the nano-dollar. */
        value_decimal: string;
      };
      /** A model and what of it is billed: `gpt-6-sol, input_tokens`. */
      line_item: string | null;
      quantity: number | null;
      quantity_unit: 'tokens' | 'calls' | null;
      /** Calls whose cost is not known: they are in no amount. */
      calls_without_cost: number;
      /** `null` where `group_by` does not name it, or calls have none. */
      project_id: string | null;
      /** Whose key it is: a person or a service account. */
      user_id: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      api_key_id: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      api_source: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      model: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      product: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      source: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      route: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      provider: string | null;
    }>;
  }>;
  has_more: boolean;
  /** What `page` is to be for the buckets that follow. */
  next_page: string | null;
};

export type CompletionsUsage = {
  object: 'page';
  data: Array<{
    object: 'bucket';
    /** Unix seconds, at a multiple of the width. */
    start_time: number;
    /** Up to it, exclusive. */
    end_time: number;
    results: Array<{
      object: 'organization.usage.completions.result';
      /** Whole prompts, cached tokens too. */
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
      /** `null` where `group_by` does not name it, or calls have none. */
      project_id: string | null;
      /** Whose key it is: a person or a service account. */
      user_id: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      api_key_id: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      model: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      product: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      source: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      route: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      provider: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      service_tier: string | null;
      batch: boolean | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      api_source: string | null;
    }>;
  }>;
  has_more: boolean;
  /** What `page` is to be for the buckets that follow. */
  next_page: string | null;
};

export type EmbeddingsUsage = {
  object: 'page';
  data: Array<{
    object: 'bucket';
    /** Unix seconds, at a multiple of the width. */
    start_time: number;
    /** Up to it, exclusive. */
    end_time: number;
    results: Array<{
      object: 'organization.usage.embeddings.result';
      input_tokens: number;
      num_model_requests: number;
      /** `null` where `group_by` does not name it, or calls have none. */
      project_id: string | null;
      /** Whose key it is: a person or a service account. */
      user_id: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      api_key_id: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      model: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      product: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      source: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      route: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      provider: string | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      service_tier: string | null;
      batch: boolean | null;
      /** `null` where `group_by` does not name it, or calls have none. */
      api_source: string | null;
    }>;
  }>;
  has_more: boolean;
  /** What `page` is to be for the buckets that follow. */
  next_page: string | null;
};

export type EmptyUsage = {
  object: 'page';
  data: Array<{
    object: 'bucket';
    /** Unix seconds, at a multiple of the width. */
    start_time: number;
    /** Up to it, exclusive. */
    end_time: number;
    results: unknown[];
  }>;
  has_more: boolean;
  /** What `page` is to be for the buckets that follow. */
  next_page: string | null;
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

export type OrganizationRouteRollback = {
  /** The `version` that was read: where another is in force, nothing is changed, and the answer is a 409. */
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

export type PasswordSignIn = {
  email: string;
  password: string;
};

export type SignedIn = {
  object: 'auth.sign_in';
  person: Person;
  /** When the session ends at the latest. Its secret is in the cookie alone. */
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

/** A `PublicKeyCredential` of `navigator.credentials.get()`, as its `toJSON()` says it. */
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
  /** What follows `#` in the address of the link. */
  link: string;
};

export type Link = {
  object: 'auth.link';
  type: 'owner' | 'invite';
  organization_id: string;
  /** Whom it is for; `null`: whoever has it. */
  email: string | null;
  /** Unix time in seconds. */
  expires_at: number;
};

export type LinkOpening = {
  /** What follows `#` in the address of the link. */
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
  /** Whose settings are looked at. */
  organization_id: string | null;
  /** Those that the person is a member of. */
  organizations: Array<{
    id: string;
    name: string;
    role: 'owner' | 'reader';
  }>;
  /** What they may in the organization that is looked at. */
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
  /** Until when what is grave needs no further sign-in. */
  recent_until: number;
  /** When the session ends at the latest. */
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

/** A `PublicKeyCredential` of `navigator.credentials.create()`, as its `toJSON()` says it. */
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
  /** Whether it is the one that asks. */
  is_current: boolean;
  /** How they signed in. */
  way: 'password' | 'passkey' | 'link';
  organization_id: string | null;
  /** Unix time in seconds. */
  signed_in_at: number;
  /** When it was last used, to the minute. */
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
  /** Continue a conversation, as Anthropic’s clients ask. */
  createMessage: { path: Record<never, never>; query: Record<never, never>; body: MessageRequest; answer: Message };
  /** Tell how many tokens a prompt has. Nothing is generated, and nothing is billed. */
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
      /** Adds the list in the form that Codex reads. */
      client_version?: string | undefined;
      /** With `anthropic-version`: how many models to answer with. */
      limit?: number | undefined;
      /** With `anthropic-version`: only those behind the model of this id. */
      after_id?: string | undefined;
      /** With `anthropic-version`: only those before the model of this id, and of these the last. */
      before_id?: string | undefined;
      /** With `anthropic-version`: only those of these stages. */
      lifecycle?: Array<'active' | 'deprecated' | 'retired'> | undefined;
    };
    body: undefined;
    answer: ModelList | AnthropicModelList;
  };
  /** List the models that the key may use, as LiteLLM’s clients ask for them. */
  listModelInfo: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: ModelInfoList };
  /** Tell of one model. */
  retrieveModel: {
    path: {
      /** Slashes in it may be encoded or not. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Model | AnthropicModel;
  };
  /** List the models with who serves them, where they go and what they cost. */
  listCatalog: {
    path: Record<never, never>;
    query: {
      /** Only this provider’s, by its id or label. */
      provider?: string | undefined;
      /** Only those with this in an id, a name, an alias or the provider’s label; in any case. */
      search?: string | undefined;
    };
    body: undefined;
    answer: Catalog;
  };
  /** Tell who serves one model, where it goes and what it costs. */
  retrieveCatalogEntry: {
    path: {
      /** What would be sent as `model`, an alias too. Slashes in it may be encoded or not. */
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
    body: undefined;
    answer: UsageList;
  };
  /** Add up what the key’s organization used and what it cost, beside the period before. */
  summarizeUsage: {
    path: Record<never, never>;
    query: {
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
    body: undefined;
    answer: UsageSummary;
  };
  /** Tell how long the organization’s callers waited for the first token of a stream, beside the period before. */
  retrieveFirstTokenTimes: {
    path: Record<never, never>;
    query: {
      /** From the UTC day of this time on (Unix seconds); left out, 30 days ago. */
      start_time?: number | undefined;
      /** Up to this time, whose UTC day is whole; left out, now. */
      end_time?: number | undefined;
    };
    body: undefined;
    answer: FirstTokenTimes;
  };
  /** Tell all of one call: its record, each attempt, and how its route decided. */
  retrieveUsage: {
    path: {
      /** The record’s id, or that of the request (`x-request-id` of the answer). */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: UsageDetail;
  };
  /** Say how good the answer to a call was; a smart route learns from it. */
  createFeedback: { path: Record<never, never>; query: Record<never, never>; body: FeedbackRequest; answer: Feedback };
  /** List the routes that the key may use, as the catalog has them. */
  listRoutes: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: RouteList };
  /** Tell who would serve a call, and why. No provider is called, and nothing is recorded. */
  explainRoute: {
    path: {
      /** A route or a vendor’s model. Slashes in it may be encoded or not. */
      id: string;
    };
    query: {
      /** What the body is of; left out, it is told by its members. */
      surface?: 'chat' | 'responses' | 'messages' | 'embeddings' | undefined;
    };
    body: Record<string, unknown>;
    answer: RouteDecision;
  };
  /** List the projects of the organization; for whoever may see some projects alone, these. */
  listProjects: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
      include_archived?: boolean | undefined;
    };
    body: undefined;
    answer: ProjectList;
  };
  /** Make a project. */
  createProject: { path: Record<never, never>; query: Record<never, never>; body: ProjectRequest; answer: Project };
  /** Show a project. */
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
  /** Archive a project, for good. Its keys are refused from then on. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ServiceAccountList;
  };
  /** Make a service account, and a key for it. */
  createServiceAccount: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ServiceAccountRequest;
    answer: NewServiceAccount;
  };
  /** Show a service account. */
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
  /** Make a further key for a service account. */
  createServiceAccountKey: {
    path: {
      project_id: string;
      service_account_id: string;
    };
    query: Record<never, never>;
    body: ServiceAccountKeyRequest;
    answer: ServiceAccountKey;
  };
  /** List the keys of a project, with what they have used. */
  listProjectApiKeys: {
    path: {
      project_id: string;
    };
    query: {
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
    body: undefined;
    answer: ProjectApiKeyList;
  };
  /** Make a key in a project: for yourself, another person, a service account, or nobody in particular. */
  createProjectApiKey: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectApiKeyRequest;
    answer: NewProjectApiKey;
  };
  /**
   * List the keys of all projects, each with its project; for whoever may see some projects alone, of these.
   * Those of archived ones are left out.
   */
  listApiKeys: {
    path: Record<never, never>;
    query: {
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
    body: undefined;
    answer: ApiKeyList;
  };
  /** Show a key. */
  retrieveProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectApiKey;
  };
  /** Change a key. What is not named stays; every process goes by it within a second. */
  updateProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: ProjectApiKeyUpdate;
    answer: ProjectApiKey;
  };
  /** Revoke a key, for good. */
  deleteProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectApiKeyDeleted;
  };
  /** Give a key another secret. The one that it has goes on for a while. */
  rotateProjectApiKey: {
    path: {
      project_id: string;
      api_key_id: string;
    };
    query: Record<never, never>;
    body: RotateRequest;
    answer: RotatedApiKey;
  };
  /** List the keys of administration. */
  listAdminApiKeys: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AdminApiKeyList;
  };
  /** Make a key of administration. It changes settings, and calls no models. */
  createAdminApiKey: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: AdminApiKeyRequest;
    answer: NewAdminApiKey;
  };
  /** Show a key of administration. */
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
  /** Show which models a project may use. */
  retrieveModelPermissions: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ModelPermissions;
  };
  /** Set which models a project may use, or may not. */
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
  /** List what calls of each model may use in a project. */
  listProjectRateLimits: {
    path: {
      project_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectRateLimitList;
  };
  /** Set what calls of a model may use in a project, all its keys together. */
  updateProjectRateLimit: {
    path: {
      project_id: string;
      rate_limit_id: string;
    };
    query: Record<never, never>;
    body: ProjectRateLimitRequest;
    answer: ProjectRateLimit;
  };
  /** List the projects with whether they may use a model, and how many of their keys may. */
  listModelAccess: {
    path: {
      model_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ModelAccessList;
  };
  /** List the limits that were set for the organization and its projects, with how much of them was used. */
  listLimitUse: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
      /** Only those of which this much was used, in hundredths: 80 finds what is near its end. */
      least_percent?: number | undefined;
    };
    body: undefined;
    answer: LimitUseList;
  };
  /** List the limits of a month that are set, of the organization and of its projects. */
  listSpendLimits: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: SpendLimitList;
  };
  /** Show what the organization may spend in a month. */
  retrieveOrganizationSpendLimit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationSpendLimit;
  };
  /** Set what the organization may spend in a month: calls beyond it are refused. */
  updateOrganizationSpendLimit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: SpendLimitRequest;
    answer: OrganizationSpendLimit;
  };
  /** Take away the limit of what the organization may spend. */
  deleteOrganizationSpendLimit: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationSpendLimitDeleted;
  };
  /** Show what a project may spend in a month. */
  retrieveProjectSpendLimit: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectSpendLimit;
  };
  /** Set what a project may spend in a month: calls beyond it are refused. */
  updateProjectSpendLimit: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: SpendLimitRequest;
    answer: ProjectSpendLimit;
  };
  /** Take away the limit of what a project may spend. */
  deleteProjectSpendLimit: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectSpendLimitDeleted;
  };
  /** List the alerts on what the organization spends. */
  listOrganizationSpendAlerts: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: OrganizationSpendAlertList;
  };
  /** Have people told when the organization has spent so much in a month. */
  createOrganizationSpendAlert: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: SpendAlertRequest;
    answer: OrganizationSpendAlert;
  };
  /** Show an alert on what the organization spends. */
  retrieveOrganizationSpendAlert: {
    path: {
      alert_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationSpendAlert;
  };
  /** Change an alert on what the organization spends. */
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
  /** List the alerts on what a project spends. */
  listProjectSpendAlerts: {
    path: {
      project_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectSpendAlertList;
  };
  /** Have people told when a project has spent so much in a month. */
  createProjectSpendAlert: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: SpendAlertRequest;
    answer: ProjectSpendAlert;
  };
  /** Show an alert on what a project spends. */
  retrieveProjectSpendAlert: {
    path: {
      project_id: string;
      alert_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectSpendAlert;
  };
  /** Change an alert on what a project spends. */
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
  /** List budgets, with what was spent of each. */
  listBudgets: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: BudgetList;
  };
  /** Set what a project, group, person, key, product or all may spend, or several of them together. */
  createBudget: { path: Record<never, never>; query: Record<never, never>; body: BudgetRequest; answer: Budget };
  /** Show a budget, with what was spent of it. */
  retrieveBudget: {
    path: {
      budget_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Budget;
  };
  /** Change a budget; what is left out stays, and so does what was spent. */
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
  /** Show how long calls are said to be kept. */
  retrieveDataRetention: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationDataRetention;
  };
  /** Say how long calls are kept. */
  updateDataRetention: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: DataRetentionRequest;
    answer: OrganizationDataRetention;
  };
  /** Show how long calls of a project are said to be kept. */
  retrieveProjectDataRetention: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectDataRetention;
  };
  /** Say how long calls of a project are kept. */
  updateProjectDataRetention: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectDataRetentionRequest;
    answer: ProjectDataRetention;
  };
  /** List who changed what, newest first. */
  listAuditLogs: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
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
      /** Of people, also for what they did by their keys, or of keys. */
      actor_ids?: string[] | undefined;
      /**
       * Members, also for what they did by their keys; of those who have left, what they did while they were signed
       * in.
       */
      actor_emails?: string[] | undefined;
      project_ids?: string[] | undefined;
      resource_ids?: string[] | undefined;
      /** There are no tenants here: `true` finds nothing. */
      tenant_only?: boolean | undefined;
    };
    body: undefined;
    answer: AuditLogList;
  };
  /** List who is in a project. */
  listProjectUsers: {
    path: {
      project_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectUserList;
  };
  /** Put a member into a project, by their id or email. */
  addProjectUser: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectUserRequest;
    answer: ProjectUser;
  };
  /** Show who is in a project. */
  retrieveProjectUser: {
    path: {
      project_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectUser;
  };
  /** Change what a user is in a project. */
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
   * Take a user out of a project. Their keys in it end at once, but where a group, or being an owner, has them
   * in it still.
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
  /** List the groups in a project. */
  listProjectGroups: {
    path: {
      project_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProjectGroupList;
  };
  /** Put a group into a project, with a role there. */
  addProjectGroup: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: ProjectGroupRequest;
    answer: ProjectGroup;
  };
  /** Show a group in a project. */
  retrieveProjectGroup: {
    path: {
      project_id: string;
      group_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: ProjectGroup;
  };
  /** Take a group out of a project, with its roles there. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
      /** Members with these emails alone. */
      emails?: string[] | undefined;
    };
    body: undefined;
    answer: OrganizationUserList;
  };
  /** Show a member. */
  retrieveUser: {
    path: {
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationUser;
  };
  /** Change what a member is. */
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
  /** List invites, also those that were accepted or have expired. */
  listInvites: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: InviteList;
  };
  /** Invite somebody for 7 days. */
  createInvite: { path: Record<never, never>; query: Record<never, never>; body: InviteRequest; answer: InviteCreated };
  /** Show an invite. */
  retrieveInvite: {
    path: {
      invite_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Invite;
  };
  /** Withdraw an invite that was not accepted. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: GroupList;
  };
  /** Make a group. */
  createGroup: { path: Record<never, never>; query: Record<never, never>; body: GroupRequest; answer: Group };
  /** Show a group. */
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
  /** List who is in a group. */
  listGroupUsers: {
    path: {
      group_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: GroupUserList;
  };
  /** Put a member into a group. */
  addGroupUser: {
    path: {
      group_id: string;
    };
    query: Record<never, never>;
    body: GroupUserRequest;
    answer: GroupUserAdded;
  };
  /** Show who is in a group. */
  retrieveGroupUser: {
    path: {
      group_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: GroupUser;
  };
  /** Take a member out of a group. */
  removeGroupUser: {
    path: {
      group_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: GroupUserRemoved;
  };
  /** List the roles of the organization: those that there are everywhere, then its own. */
  listRoles: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: RoleList;
  };
  /** Make a role of the organization. */
  createRole: { path: Record<never, never>; query: Record<never, never>; body: RoleRequest; answer: Role };
  /** Show a role of the organization. */
  retrieveRole: {
    path: {
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Role;
  };
  /** Change a role of the organization. Whoever has it has it as it is then. */
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
  /** List the roles of a project: those that there are everywhere, then its own. */
  listProjectRoles: {
    path: {
      project_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: RoleList;
  };
  /** Make a role of a project. */
  createProjectRole: {
    path: {
      project_id: string;
    };
    query: Record<never, never>;
    body: RoleRequest;
    answer: Role;
  };
  /** Show a role of a project. */
  retrieveProjectRole: {
    path: {
      project_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Role;
  };
  /** Change a role of a project. Whoever has it has it as it is then. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Give a role to a user. */
  assignUserRole: {
    path: {
      user_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: UserRoleAssignment;
  };
  /** Show a role of a user. */
  retrieveUserRole: {
    path: {
      user_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AssignedRole;
  };
  /** Take a role from a user. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Give a role to a group. */
  assignGroupRole: {
    path: {
      group_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: GroupRoleAssignment;
  };
  /** Show a role of a group. */
  retrieveGroupRole: {
    path: {
      group_id: string;
      role_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: AssignedRole;
  };
  /** Take a role from a group. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Give a role to a user in a project. */
  assignProjectUserRole: {
    path: {
      project_id: string;
      user_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: UserRoleAssignment;
  };
  /** Show a role of a user in a project. */
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
  /** Take a role from a user in a project. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AssignedRoleList;
  };
  /** Give a role to a group in a project. */
  assignProjectGroupRole: {
    path: {
      project_id: string;
      group_id: string;
    };
    query: Record<never, never>;
    body: RoleAssignmentRequest;
    answer: GroupRoleAssignment;
  };
  /** Show a role of a group in a project. */
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
  /** Take a role from a group in a project. */
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
  /** Add up by day what the organization’s calls cost. */
  listCosts: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
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
  /** Add up by time what calls of language models used. */
  listCompletionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
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
  /** Add up by time what embeddings used. */
  listEmbeddingsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
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
  /** Buckets of audio speeches: there are none of those here, so that all are empty. */
  listAudioSpeechesUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of audio transcriptions: there are none of those here, so that all are empty. */
  listAudioTranscriptionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of code interpreter sessions: there are none of those here, so that all are empty. */
  listCodeInterpreterSessionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of decisions: there are none of those here, so that all are empty. */
  listDecisionsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of file search calls: there are none of those here, so that all are empty. */
  listFileSearchCallsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of images: there are none of those here, so that all are empty. */
  listImagesUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of moderations: there are none of those here, so that all are empty. */
  listModerationsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of vector stores: there are none of those here, so that all are empty. */
  listVectorStoresUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** Buckets of web search calls: there are none of those here, so that all are empty. */
  listWebSearchCallsUsage: {
    path: Record<never, never>;
    query: {
      /** Unix seconds; the bucket that it lies in is whole. */
      start_time: number;
      /** Up to it, exclusive; its bucket is whole. Left out, now. */
      end_time?: number | undefined;
      page?: string | undefined;
      project_ids?: string[] | undefined;
      user_ids?: string[] | undefined;
      api_key_ids?: string[] | undefined;
      models?: string[] | undefined;
      bucket_width?: '1m' | '1h' | '1d' | undefined;
      /** Buckets: at most 1440, 168 or 31 by their width. */
      limit?: number | undefined;
      /** There are no batches here: `true` finds nothing. */
      batch?: boolean | undefined;
    };
    body: undefined;
    answer: EmptyUsage;
  };
  /** List where the organization is told of events, newest first. */
  listWebhookEndpoints: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: WebhookEndpointList;
  };
  /** Name an address that is told of events. */
  createWebhookEndpoint: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: WebhookEndpointRequest;
    answer: WebhookEndpointWithSecret;
  };
  /** Show an endpoint. */
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
  /** Give an endpoint another secret. */
  rotateWebhookSecret: {
    path: {
      webhook_id: string;
    };
    query: Record<never, never>;
    body: WebhookSecretRotation;
    answer: WebhookEndpointWithSecret;
  };
  /** Send an endpoint an event that says it is a test, once. */
  testWebhookEndpoint: {
    path: {
      webhook_id: string;
    };
    query: Record<never, never>;
    body: WebhookTest;
    answer: WebhookTestResult;
  };
  /** List what an endpoint was told, or is to be told, newest first; of the last 30 days. */
  listWebhookDeliveries: {
    path: {
      webhook_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: WebhookDeliveryList;
  };
  /** List what endpoints can be told of. */
  listWebhookEventTypes: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: WebhookEventTypeList;
  };
  /**
   * List the providers of the gateway, by id: those of its configuration file, which is where they are changed,
   * and others.
   */
  listProviders: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProviderList;
  };
  /** Add a provider. It can be called within a second. */
  createProvider: { path: Record<never, never>; query: Record<never, never>; body: ProviderRequest; answer: Provider };
  /** List the vendors that are known: of these a provider needs a key, and no more. */
  listProviderPresets: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ProviderPresetList;
  };
  /** Ask a vendor for its models: one that there is, or one that is about to be added or changed. */
  testProvider: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ProviderTestRequest;
    answer: ProviderTest;
  };
  /** Show a provider, and how it does. */
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
  /** List the routes of the configuration and of the store, by their ids. */
  listOrganizationRoutes: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: OrganizationRouteList;
  };
  /** Store a route; calls may name it within a second. */
  createRoute: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationRouteRequest;
    answer: OrganizationRouteWhole;
  };
  /** Show a route with its definition. */
  retrieveOrganizationRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationRouteWhole;
  };
  /** Put a version of a stored route in force, or have a share of its conversations go by another. */
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
  /** Put the version in force again that was before the present one. */
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
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** The id of the first item of the page behind. */
      before?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: OrganizationRouteVersionList;
  };
  /** Give a stored route another definition. One that it had before is that version again. */
  createRouteVersion: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: OrganizationRouteVersionRequest;
    answer: OrganizationRouteVersionWhole;
  };
  /** Show a version with its definition. */
  retrieveRouteVersion: {
    path: {
      route_id: string;
      version_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: OrganizationRouteVersionWhole;
  };
  /** Tell what differs between two versions of a route. */
  diffRouteVersion: {
    path: {
      route_id: string;
      version_id: string;
    };
    query: {
      /** The version that this one is held against; left out, the one in force. */
      from?: string | undefined;
    };
    body: undefined;
    answer: OrganizationRouteDiff;
  };
  /** Tell what is wrong with the draft of a route. Nothing is kept. */
  checkRoute: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationRouteDraft;
    answer: OrganizationRouteCheck;
  };
  /**
   * Tell who would serve a call, and why, by a route or a draft of it. No provider is called, and nothing is
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
  /** Decide past calls of a route anew by a draft of it, and tell what would change. */
  replayRoute: {
    path: {
      route_id: string;
    };
    query: Record<never, never>;
    body: OrganizationRouteReplay;
    answer: OrganizationRouteReplayed;
  };
  /** List the products of the configuration file, which is where they are changed, and of the settings, by id. */
  listProducts: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ProductList;
  };
  /** Make a product with its first key, whose secret is told this once. It is taken within a second. */
  createProduct: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: ProductRequest;
    answer: ProductWithKey;
  };
  /** Show a product, what it has spent, and its keys. */
  retrieveProduct: {
    path: {
      product_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Product;
  };
  /** Change a product; what is left out stays, and so does what was spent. */
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
  /**
   * Give a key of a product another secret, and a product without a key its first. One of the file may be named,
   * too.
   */
  rotateProductKey: {
    path: {
      product_id: string;
    };
    query: Record<never, never>;
    body: ProductRotateRequest;
    answer: RotatedProductKey;
  };
  /** List the prices that were set for models, with all that are over, and those of the configuration file. */
  listPriceOverrides: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
      /** Only those of this model. */
      model?: string | undefined;
    };
    body: undefined;
    answer: PriceOverrideList;
  };
  /**
   * Set what a model costs from a time on. Calls that begin then are billed by it; those before stay as they
   * are.
   */
  createPriceOverride: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PriceOverrideRequest;
    answer: PriceOverride;
  };
  /** Show a price that was set. */
  retrievePriceOverride: {
    path: {
      price_override_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PriceOverride;
  };
  /** Change a price that has not begun. One that has is followed by another: what was billed stays. */
  updatePriceOverride: {
    path: {
      price_override_id: string;
    };
    query: Record<never, never>;
    body: PriceOverrideUpdate;
    answer: PriceOverride;
  };
  /** End a price now: the model costs what it would without. It stays in the history. */
  deletePriceOverride: {
    path: {
      price_override_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PriceOverrideDeleted;
  };
  /** List the prices that a model has, had and will have, as far as they are kept. */
  listModelPrices: {
    path: {
      model_id: string;
    };
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: ModelPriceList;
  };
  /** List the aliases of the configuration file, which is where they are changed, and of the settings, by name. */
  listAliases: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
      /** By time of creation. */
      order?: 'asc' | 'desc' | undefined;
    };
    body: undefined;
    answer: AliasList;
  };
  /** Give a model or a route another name. Calls may name it within a second. */
  createAlias: { path: Record<never, never>; query: Record<never, never>; body: AliasRequest; answer: Alias };
  /** Show an alias, and what it leads to. */
  retrieveAlias: {
    path: {
      alias_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Alias;
  };
  /** Have an alias lead elsewhere. */
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
  /** Show the organization. */
  retrieveOrganization: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Organization;
  };
  /** Give the organization another name. */
  updateOrganization: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationUpdate;
    answer: Organization;
  };
  /** List the settings of the gateway that its configuration rules, and where each is set. */
  listConfiguration: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: ConfigurationList;
  };
  /** Tell what runs here. */
  retrieveAbout: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: About };
  /** List what somebody should look at, the worst first. */
  listAttention: {
    path: Record<never, never>;
    query: {
      /** Items to return. */
      limit?: number | undefined;
      /** The id of the last item of the page before. */
      after?: string | undefined;
    };
    body: undefined;
    answer: AttentionList;
  };
  /** Find models, routes, keys, people and whatever else has a name, and a request by its id. */
  searchOrganization: {
    path: Record<never, never>;
    query: {
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
  /** Ask what a device is to sign, to sign in with a passkey. */
  passkeySignInOptions: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PasskeyOptions;
  };
  /** Sign in with a passkey. */
  signInWithPasskey: { path: Record<never, never>; query: Record<never, never>; body: PasskeySignIn; answer: SignedIn };
  /** Sign out: the session ends, and the browser forgets it. */
  signOut: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: SignedOut };
  /** Tell what a link is for, without using it up. */
  lookAtLink: { path: Record<never, never>; query: Record<never, never>; body: LinkRequest; answer: Link };
  /** Open a link, once: to become an owner, or the member that an invitation says. */
  openLink: { path: Record<never, never>; query: Record<never, never>; body: LinkOpening; answer: SignedIn };
  /** Tell who is signed in, and what they may. */
  getSession: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Account };
  /** Choose which of their organizations a session looks at. */
  chooseOrganization: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: OrganizationChoice;
    answer: Account;
  };
  /** Set one’s password. All other sessions end. */
  setPassword: { path: Record<never, never>; query: Record<never, never>; body: NewPassword; answer: Account };
  /** List one’s passkeys. */
  listPasskeys: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: PasskeyList };
  /** Keep a passkey that a device has made. */
  addPasskey: { path: Record<never, never>; query: Record<never, never>; body: NewPasskey; answer: Passkey };
  /** Ask what a device needs to make a passkey. */
  passkeyOptions: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: PasskeyOptions };
  /** Forget a passkey. All other sessions end. */
  removePasskey: {
    path: {
      passkey_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PasskeyDeleted;
  };
  /** List one’s sessions. */
  listSessions: { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: SessionList };
  /** End one of one’s sessions. */
  endSession: {
    path: {
      session_id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: SessionDeleted;
  };
  /** Tell how every target does. For administrators’ keys. */
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
