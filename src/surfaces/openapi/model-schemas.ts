import { z } from 'zod';
import { count, decimal, flag, named, seconds, text } from '../../api/schema.ts';
import { ERROR, NEAR_NAMES } from './errors.ts';

/* Bodies of model calls. Only the main members are described; the dialects' own readers check them. */

const PASSES = 'Members that are not named here pass to the model’s provider';
const OR_TRANSLATED = `${PASSES}, or are translated if it uses another format.`;

/** Objects that a vendor may extend, or that pass to one. */
const open = z.looseObject;
const typed = open({ type: text });
const model = text.min(1).describe('A catalog id, `provider/id`, or an alias of this gateway.');
const textOrParts = z.union([text, z.array(typed)]);
const toolChoice = z.union([text, typed]).optional();
const tools = z.array(typed).optional();
const finishReason = text
  .nullable()
  .describe('`stop`, `length`, `tool_calls`, `content_filter`, or a provider’s own word.');

const chatMessage = named(
  'ChatMessage',
  open({
    role: text.describe('`system`, `developer`, `user`, `assistant` or `tool`.'),
    content: z.union([text, z.array(typed).describe('Parts: text, images, audio, files.'), z.null()]).optional(),
    tool_calls: z
      .array(open({ function: open({ name: text, arguments: text }), id: text.optional(), type: text.optional() }))
      .optional(),
    tool_call_id: text.optional(),
  }),
);

const chatRequest = named(
  'ChatCompletionRequest',
  open({
    model,
    messages: z.array(chatMessage),
    stream: flag.nullable().default(false).describe('Answer with server-sent events.'),
    stream_options: open({ include_usage: flag.optional() }).nullish(),
    max_completion_tokens: z.int().nullish().describe('Values below 1 mean no limit.'),
    max_tokens: z.int().nullish().describe('Values below 1 mean no limit.'),
    n: z.int().min(1).max(128).nullable().default(1),
    temperature: decimal.min(0).max(2).nullable().default(1),
    top_p: decimal.min(0).max(1).nullish(),
    stop: z.union([text, z.array(text), z.null()]).optional(),
    tools,
    tool_choice: toolChoice,
    response_format: open({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
  }).describe(`${PASSES} unchanged.`),
);

const chatUsage = named(
  'ChatUsage',
  open({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: open({ cached_tokens: count.optional(), audio_tokens: count.optional() }).nullish(),
    completion_tokens_details: open({ reasoning_tokens: count.optional(), audio_tokens: count.optional() }).nullish(),
  }),
);

const chatChoice = open({
  index: count,
  message: chatMessage,
  finish_reason: finishReason,
  logprobs: open({}).nullish(),
});

const chatCompletion = named(
  'ChatCompletion',
  open({
    id: text,
    object: z.literal('chat.completion'),
    model: text,
    choices: z.array(chatChoice),
    created: count.optional(),
    usage: chatUsage.optional(),
    service_tier: text.nullish(),
    system_fingerprint: text.nullish(),
  }),
);

const chatDelta = open({
  role: text.optional(),
  content: z.union([text, z.array(open({})), z.null()]).optional(),
  tool_calls: z.array(open({})).optional(),
});

const chatChunk = named(
  'ChatCompletionChunk',
  open({
    choices: z.array(open({ index: count, delta: chatDelta.optional(), finish_reason: finishReason.optional() })),
    id: text.optional(),
    object: z.literal('chat.completion.chunk').optional(),
    created: decimal.optional(),
    model: text.optional(),
    usage: chatUsage.nullish(),
  }).describe('The `data` of one event of a stream.'),
);

export const CHAT = { request: chatRequest, answer: chatCompletion, event: chatChunk };

const responseRequest = named(
  'ResponseRequest',
  open({
    model,
    input: z.union([text, z.array(open({}))]),
    instructions: text.nullish(),
    stream: flag.nullable().default(false),
    max_output_tokens: z.int().min(1).nullish(),
    temperature: decimal.min(0).max(2).nullish(),
    top_p: decimal.nullish(),
    tools,
    tool_choice: toolChoice,
    text: open({}).optional(),
    reasoning: open({}).nullish(),
    metadata: open({}).nullish(),
  }).describe(
    `${OR_TRANSLATED} No state is kept: \`previous_response_id\`, \`conversation\` and \`background\` are refused.`,
  ),
);

const responseUsage = named(
  'ResponseUsage',
  open({
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_tokens_details: open({ cached_tokens: count.optional() }).optional(),
    output_tokens_details: open({ reasoning_tokens: count.optional() }).optional(),
  }),
);

const response = named(
  'Response',
  open({
    id: text,
    object: z.literal('response'),
    created_at: seconds,
    status: text.describe('`completed`, or `incomplete` with the reason in `incomplete_details`.'),
    model: text,
    output: z.array(typed),
    output_text: text.optional().describe('The text of all messages of the output.'),
    usage: responseUsage.nullish(),
    error: open({}).nullish(),
  }),
);

const NAMED_EVENT = 'The `data` of one event of a stream; the event’s name is its `type`.';
const responseEvent = named('ResponseEvent', open({ type: text }).describe(NAMED_EVENT));

export const RESPONSES = { request: responseRequest, answer: response, event: responseEvent };

const countRequest = open({
  model,
  messages: z.array(open({ role: z.enum(['user', 'assistant', 'system']), content: textOrParts })),
  system: textOrParts.optional(),
  tools: z.array(open({ name: text })).optional(),
  tool_choice: typed.optional(),
});

const messageRequest = named(
  'MessageRequest',
  countRequest
    .extend({
      max_tokens: z.int().min(1),
      stream: flag.default(false),
      temperature: decimal.min(0).optional(),
      top_p: decimal.optional(),
      top_k: z.int().optional(),
      stop_sequences: z.array(text).optional(),
      thinking: typed.optional(),
      metadata: open({ user_id: text.nullish() }).optional(),
    })
    .describe(OR_TRANSLATED),
);

const message = named(
  'Message',
  open({
    id: text,
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: text,
    content: z.array(typed),
    stop_reason: text.nullable(),
    usage: open({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count.nullish(),
      cache_read_input_tokens: count.nullish(),
    }),
    stop_sequence: text.nullish(),
  }),
);

const messageEvent = named('MessageEvent', open({ type: text }).describe(NAMED_EVENT));

export const MESSAGES = { request: messageRequest, answer: message, event: messageEvent };

export const TOKEN_COUNT = {
  request: named('CountTokensRequest', countRequest.describe('A message request; `max_tokens` is optional.')),
  answer: named('TokenCount', z.object({ input_tokens: count })),
};

/** An error in Anthropic's format. */
export const MESSAGE_ERROR = named(
  'MessageError',
  z.object({
    type: z.literal('error'),
    error: open({ type: text, message: text, near: NEAR_NAMES.exactOptional() }),
    request_id: text.nullable(),
  }),
);

/** Answers that exist in both formats. */
export const EITHER_ERROR = z.union([ERROR, MESSAGE_ERROR]);

const embeddingRequest = named(
  'EmbeddingRequest',
  open({
    model: text.min(1),
    input: z
      .union([text.min(1), z.array(text.min(1)).min(1), z.array(count).min(1), z.array(z.array(count).min(1)).min(1)])
      .describe('A text, texts, one list of tokens, or lists of tokens.'),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    dimensions: z.int().min(1).nullish(),
  }).describe(`${PASSES} unchanged.`),
);

const vector = z.union([
  z.array(decimal),
  text.describe('Base64 of little-endian 32-bit floats, if `base64` was requested.'),
]);

const embeddingList = named(
  'EmbeddingList',
  open({
    object: z.literal('list'),
    data: z.array(z.object({ object: z.literal('embedding'), index: count, embedding: vector })),
    model: text,
    usage: open({ prompt_tokens: count, total_tokens: count }),
  }),
);

export const EMBEDDINGS = { request: embeddingRequest, answer: embeddingList };
