import { COUNT, described, list, openObject, orNull, ref, type Schema, SECONDS, STRING } from './schema.ts';

const PASSES =
  'Members that are not named here pass to the model’s provider, or are translated for it where it speaks another format. ' +
  'No state is kept: `previous_response_id`, `conversation` and `background` are refused.';

/** What `POST /v1/responses` takes and gives. */
export const RESPONSE_SCHEMAS: Readonly<Record<string, Schema>> = {
  ResponseRequest: described(
    openObject(
      {
        model: described({ type: 'string', minLength: 1 }, 'A catalog id, `provider/id`, or an alias of this gateway.'),
        input: { anyOf: [STRING, list(openObject({}))] },
      },
      {
        instructions: orNull(STRING),
        stream: { type: ['boolean', 'null'], default: false },
        max_output_tokens: { type: ['integer', 'null'], minimum: 1 },
        temperature: { type: ['number', 'null'], minimum: 0, maximum: 2 },
        top_p: { type: ['number', 'null'] },
        tools: list(openObject({ type: STRING })),
        tool_choice: { anyOf: [STRING, openObject({ type: STRING })] },
        text: openObject({}),
        reasoning: orNull(openObject({})),
        metadata: orNull(openObject({})),
      },
    ),
    PASSES,
  ),
  ResponseUsage: openObject(
    { input_tokens: COUNT, output_tokens: COUNT, total_tokens: COUNT },
    {
      input_tokens_details: openObject({}, { cached_tokens: COUNT }),
      output_tokens_details: openObject({}, { reasoning_tokens: COUNT }),
    },
  ),
  Response: openObject(
    {
      id: STRING,
      object: { const: 'response' },
      created_at: SECONDS,
      status: described(STRING, '`completed`, or `incomplete` with the reason in `incomplete_details`.'),
      model: STRING,
      output: list(openObject({ type: STRING })),
    },
    {
      output_text: described(STRING, 'The text of all messages of the output.'),
      usage: orNull(ref('ResponseUsage')),
      error: orNull(openObject({})),
    },
  ),
  ResponseEvent: described(
    openObject({ type: STRING }),
    'The `data` of one event of a stream, which is named as its `type`.',
  ),
};
