import { COUNT, described, list, object, oneOf, openObject, orNull, type Schema, STRING } from './schema.ts';

const PASSES =
  'Members that are not named here pass to the model’s provider, or are translated for it where it speaks another format.';
const TEXT_OR_PARTS: Schema = { anyOf: [STRING, list(openObject({ type: STRING }))] };
const USAGE = openObject(
  { input_tokens: COUNT, output_tokens: COUNT },
  { cache_creation_input_tokens: orNull(COUNT), cache_read_input_tokens: orNull(COUNT) },
);

const CONVERSATION = {
  model: described({ type: 'string', minLength: 1 }, 'A catalog id, `provider/id`, or an alias of this gateway.'),
  messages: list(openObject({ role: oneOf('user', 'assistant', 'system'), content: TEXT_OR_PARTS })),
};
const MORE = {
  system: TEXT_OR_PARTS,
  tools: list(openObject({ name: STRING })),
  tool_choice: openObject({ type: STRING }),
};

/** What `POST /v1/messages` and its count of tokens take and give, as Anthropic’s clients know it. */
export const MESSAGE_SCHEMAS: Readonly<Record<string, Schema>> = {
  MessageRequest: described(
    openObject(
      { ...CONVERSATION, max_tokens: { type: 'integer', minimum: 1 } },
      {
        ...MORE,
        stream: { type: 'boolean', default: false },
        temperature: { type: 'number', minimum: 0 },
        top_p: { type: 'number' },
        top_k: { type: 'integer' },
        stop_sequences: list(STRING),
        thinking: openObject({ type: STRING }),
        metadata: openObject({}, { user_id: orNull(STRING) }),
      },
    ),
    PASSES,
  ),
  Message: openObject(
    {
      id: STRING,
      type: { const: 'message' },
      role: { const: 'assistant' },
      model: STRING,
      content: list(openObject({ type: STRING })),
      stop_reason: orNull(STRING),
      usage: USAGE,
    },
    { stop_sequence: orNull(STRING) },
  ),
  MessageEvent: described(
    openObject({ type: STRING }),
    'The `data` of one event of a stream, which is named as its `type`.',
  ),
  CountTokensRequest: described(openObject(CONVERSATION, MORE), 'A message request; it needs no `max_tokens`.'),
  TokenCount: object({ input_tokens: COUNT }),
  MessageError: object({
    type: { const: 'error' },
    error: openObject({ type: STRING, message: STRING }),
    request_id: orNull(STRING),
  }),
};
