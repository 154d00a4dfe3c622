import { DIALECT_IDS, type Origin } from '../../core/provider.ts';
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

/** `id` is a route’s name for its target. */
const TARGET = object({ provider: MAYBE_STRING, model: MAYBE_STRING }, { id: STRING, weight: COUNT });

const RANGE = orNull(object({ min: NUMBER, max: NUMBER }));

/** What the lists of the gateway's own hold: models and the catalog; and errors. */
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
  CatalogEntry: object(
    {
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
      routing: object({ strategy: STRING, targets: list(TARGET) }, { fallbacks: list(TARGET) }),
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
      pricing: object(
        {
          ...RATES,
          tiers: described(
            list(object({ above_prompt_tokens: COUNT, ...RATES })),
            'Rates that hold in place of the others once the prompt is longer than `above_prompt_tokens`.',
          ),
          currency: { const: 'USD' },
          source: MAYBE_STRING,
          date: MAYBE_STRING,
        },
        {
          range: described(
            orNull(object({ input_per_1m: RANGE, output_per_1m: RANGE })),
            'Of a route whose calls cost what its target costs.',
          ),
        },
      ),
    },
    { description: MAYBE_STRING },
  ),
  Catalog: listObject(ref('CatalogEntry')),
  Error: object({
    error: object({ message: STRING, type: STRING, param: MAYBE_STRING, code: MAYBE_STRING }),
  }),
};
