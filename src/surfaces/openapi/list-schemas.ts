import { DIALECT_IDS, type Origin } from '../../core/provider.ts';
import { type CallStatus, SOURCES } from '../../core/records.ts';
import type { UsageSource } from '../../core/usage.ts';
import {
  BOOLEAN,
  COUNT,
  described,
  list,
  listObject,
  NUMBER,
  object,
  oneOf,
  orNull,
  ref,
  type Schema,
  SECONDS,
  STRING,
} from './schema.ts';

const ORIGINS: Record<Origin, true> = { vendor: true, smart_route: true, system_route: true };
const STATUSES: Record<CallStatus, true> = { succeeded: true, failed: true, cancelled: true, interrupted: true };
const USAGE_SOURCES: Record<UsageSource, true> = { provider: true, estimated: true, none: true };

const MAYBE_COUNT = orNull(COUNT);
const MAYBE_STRING = orNull(STRING);
const PER_MILLION = described({ type: ['number', 'null'] }, 'US dollars per million tokens; `null` where nobody says.');

const RATES = {
  input_per_1m: PER_MILLION,
  output_per_1m: PER_MILLION,
  cache_read_per_1m: PER_MILLION,
  cache_write_per_1m: PER_MILLION,
  cache_write_1h_per_1m: PER_MILLION,
  reasoning_per_1m: PER_MILLION,
  audio_input_per_1m: PER_MILLION,
  audio_output_per_1m: PER_MILLION,
};

/** What the lists of the gateway's own hold: models, the catalog, usage records; and errors. */
export const LIST_SCHEMAS: Readonly<Record<string, Schema>> = {
  Hello: object({ object: { const: 'gateway' }, name: STRING, version: STRING, openapi: STRING }),
  Model: described(
    object({
      id: STRING,
      object: { const: 'model' },
      created: SECONDS,
      owned_by: STRING,
      type: { const: 'model' },
      display_name: STRING,
      created_at: described(STRING, 'When it was released, in RFC 3339.'),
    }),
    'A model with the members that OpenAI’s and Anthropic’s clients read.',
  ),
  ModelList: object(
    {
      object: { const: 'list' },
      data: list(ref('Model')),
      has_more: { const: false },
      first_id: MAYBE_STRING,
      last_id: MAYBE_STRING,
    },
    { models: described(list({ type: 'object' }), 'With `client_version` in the query: the list as Codex reads it.') },
  ),
  CatalogEntry: object({
    id: described(STRING, 'What to send as `model`.'),
    object: { const: 'model' },
    name: STRING,
    provider: described(STRING, 'Who serves it; what the filter `provider` takes.'),
    provider_label: STRING,
    brand: described(MAYBE_STRING, 'Who made it.'),
    origin: oneOf(...Object.keys(ORIGINS)),
    aliases: list(STRING),
    context_window: MAYBE_COUNT,
    max_output_tokens: MAYBE_COUNT,
    dimensions: described(MAYBE_COUNT, 'Length of the vectors of an embedding model.'),
    dialects: list(oneOf(...DIALECT_IDS)),
    routing: object({ strategy: STRING, targets: list(object({ provider: STRING, model: STRING })) }),
    capabilities: orNull(
      object({
        tools: BOOLEAN,
        reasoning: BOOLEAN,
        structured_output: BOOLEAN,
        attachment: BOOLEAN,
        temperature: BOOLEAN,
      }),
    ),
    modalities: orNull(object({ input: list(STRING), output: list(STRING) })),
    released_at: MAYBE_STRING,
    pricing: object({
      ...RATES,
      tiers: described(
        list(object({ above_prompt_tokens: COUNT, ...RATES })),
        'Rates that hold in place of the others once the prompt is longer than `above_prompt_tokens`.',
      ),
      currency: { const: 'USD' },
      source: MAYBE_STRING,
      date: MAYBE_STRING,
    }),
  }),
  Catalog: listObject(ref('CatalogEntry')),
  UsageRecord: object({
    id: described(STRING, 'Sorts by time; the cursor for `after`.'),
    object: { const: 'usage_record' },
    model: STRING,
    source: oneOf(...SOURCES),
    input_tokens: described(COUNT, 'The whole prompt, cached tokens too.'),
    output_tokens: COUNT,
    total_tokens: COUNT,
    created_at: SECONDS,
    cost_usd: described(orNull(NUMBER), '`null` where a token that was used has no known price.'),
    requested_model: described(STRING, 'The name that the caller sent.'),
    provider: STRING,
    upstream_model: STRING,
    status: oneOf(...Object.keys(STATUSES)),
    http_status: COUNT,
    error: described(MAYBE_STRING, 'The kind of the error, as in docs/errors.md.'),
    streamed: BOOLEAN,
    cached_tokens: COUNT,
    cache_write_tokens: COUNT,
    reasoning_tokens: COUNT,
    usage_source: described(
      oneOf(...Object.keys(USAGE_SOURCES)),
      'Who says so: the provider, the gateway’s own count, or nobody.',
    ),
    latency_ms: COUNT,
    time_to_first_token_ms: MAYBE_COUNT,
    request_id: STRING,
    client_request_id: MAYBE_STRING,
    api_key_id: STRING,
    attempts: COUNT,
    dropped: described(list(STRING), 'What translation could not carry of the call and its answer.'),
  }),
  UsageList: listObject(ref('UsageRecord'), { has_more: BOOLEAN }),
  Error: object({
    error: object({ message: STRING, type: STRING, param: MAYBE_STRING, code: MAYBE_STRING }),
  }),
};
