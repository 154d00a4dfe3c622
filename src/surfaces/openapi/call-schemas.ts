import {
  BOOLEAN,
  COUNT,
  described,
  list,
  NUMBER,
  object,
  oneOf,
  openObject,
  orNull,
  ref,
  type Schema,
  STRING,
} from './schema.ts';

const PASSES = 'Members that are not named here pass to the model’s provider as they stand.';

const TOOL_CALL = openObject(
  { function: openObject({ name: STRING, arguments: STRING }) },
  { id: STRING, type: STRING },
);

const FINISH_REASON = orNull(
  described(STRING, '`stop`, `length`, `tool_calls`, `content_filter`, or a provider’s own word.'),
);

/** What `POST /v1/chat/completions` takes and gives. Only the main members are named: the rest is between caller and vendor. */
export const CHAT_SCHEMAS: Readonly<Record<string, Schema>> = {
  ChatMessage: openObject(
    { role: described(STRING, '`system`, `developer`, `user`, `assistant` or `tool`.') },
    {
      content: orNull({
        anyOf: [STRING, described(list(openObject({ type: STRING })), 'Parts: text, images, audio, files.')],
      }),
      tool_calls: list(TOOL_CALL),
      tool_call_id: STRING,
    },
  ),
  ChatCompletionRequest: described(
    openObject(
      {
        model: described({ type: 'string', minLength: 1 }, 'A catalog id, `provider/id`, or an alias of this gateway.'),
        messages: list(ref('ChatMessage')),
      },
      {
        stream: described({ type: ['boolean', 'null'], default: false }, 'Answer with server-sent events.'),
        stream_options: orNull(openObject({}, { include_usage: BOOLEAN })),
        max_completion_tokens: described({ type: ['integer', 'null'] }, 'Below 1, none is set.'),
        max_tokens: described({ type: ['integer', 'null'] }, 'Below 1, none is set.'),
        n: { type: ['integer', 'null'], minimum: 1, maximum: 128, default: 1 },
        temperature: { type: ['number', 'null'], minimum: 0, maximum: 2, default: 1 },
        top_p: { type: ['number', 'null'], minimum: 0, maximum: 1 },
        stop: orNull({ anyOf: [STRING, list(STRING)] }),
        tools: list(openObject({ type: STRING })),
        tool_choice: { anyOf: [STRING, openObject({ type: STRING })] },
        response_format: openObject({ type: oneOf('text', 'json_object', 'json_schema') }),
      },
    ),
    PASSES,
  ),
  ChatUsage: openObject(
    { prompt_tokens: COUNT, completion_tokens: COUNT, total_tokens: COUNT },
    {
      prompt_tokens_details: orNull(openObject({}, { cached_tokens: COUNT, audio_tokens: COUNT })),
      completion_tokens_details: orNull(openObject({}, { reasoning_tokens: COUNT, audio_tokens: COUNT })),
    },
  ),
  ChatCompletion: openObject(
    {
      id: STRING,
      object: { const: 'chat.completion' },
      model: STRING,
      choices: list(
        openObject(
          { index: COUNT, message: ref('ChatMessage'), finish_reason: FINISH_REASON },
          { logprobs: orNull({ type: 'object' }) },
        ),
      ),
    },
    { created: COUNT, usage: ref('ChatUsage'), service_tier: orNull(STRING), system_fingerprint: orNull(STRING) },
  ),
  ChatCompletionChunk: described(
    openObject(
      {
        choices: list(
          openObject(
            { index: COUNT },
            {
              delta: openObject(
                {},
                {
                  role: STRING,
                  content: orNull({ anyOf: [STRING, list({ type: 'object' })] }),
                  tool_calls: list({ type: 'object' }),
                },
              ),
              finish_reason: FINISH_REASON,
            },
          ),
        ),
      },
      {
        id: STRING,
        object: { const: 'chat.completion.chunk' },
        created: NUMBER,
        model: STRING,
        usage: orNull(ref('ChatUsage')),
      },
    ),
    'The `data` of one event of a stream.',
  ),
};

export const EMBEDDING_SCHEMAS: Readonly<Record<string, Schema>> = {
  EmbeddingRequest: described(
    openObject(
      {
        model: { type: 'string', minLength: 1 },
        input: described(
          {
            anyOf: [
              { type: 'string', minLength: 1 },
              { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
              { type: 'array', minItems: 1, items: COUNT },
              { type: 'array', minItems: 1, items: { type: 'array', minItems: 1, items: COUNT } },
            ],
          },
          'A text, texts, one list of tokens, or lists of tokens.',
        ),
      },
      {
        encoding_format: orNull(oneOf('float', 'base64')),
        dimensions: { type: ['integer', 'null'], minimum: 1 },
      },
    ),
    PASSES,
  ),
  EmbeddingList: openObject({
    object: { const: 'list' },
    data: list(
      object({
        object: { const: 'embedding' },
        index: COUNT,
        embedding: {
          anyOf: [
            list(NUMBER),
            described(STRING, 'Base64 of little-endian 32-bit floats, where `base64` was asked for.'),
          ],
        },
      }),
    ),
    model: STRING,
    usage: openObject({ prompt_tokens: COUNT, total_tokens: COUNT }),
  }),
};
