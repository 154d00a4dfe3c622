import {
  badValue,
  EchoRefusal,
  type EchoReply,
  type EchoSources,
  missing,
  objectOf,
  unknownModel,
  whole,
  wholeNumber,
} from './reply.ts';
import { sample } from './sample.ts';
import { countTokens, takeTokens } from './tokens.ts';

export const CHAT_MODEL = 'echo';

/** Tokens, as `tokens.ts` counts them. */
export const CONTEXT_WINDOW = 1_000_000;
export const MAX_OUTPUT_TOKENS = 16_384;
export const MAX_CHOICES = 8;

const NOTHING_TO_ECHO = 'There is no user message to echo.';

/** The content of every choice. For a tool call, `text` is its arguments. */
type Said = { text: string; tool: string | null };

type ChatRequest = {
  model: string;
  said: Said;
  promptTokens: number;
  maxTokens: number;
  choices: number;
  stream: boolean;
  includeUsage: boolean;
};

/** The members that all frames of an answer share. */
type ChatEnvelope = { id: string; created: number; model: string; system_fingerprint: string };

/**
 * Answers like OpenAI with a model that repeats the last user message. A required tool call gets a sample of its
 * parameters' schema as arguments; with a schema in `response_format`, the text is a sample of it. See `sample`.
 */
export function answerChat(body: Record<string, unknown>, sources: EchoSources): EchoReply {
  const request = readRequest(body);
  const envelope: ChatEnvelope = {
    id: `chatcmpl-${sources.id()}`,
    created: Math.floor(sources.clock.now() / 1000),
    model: request.model,
    system_fingerprint: 'fp_echo',
  };
  const callIds = Array.from({ length: request.choices }, () => `call_${sources.id()}`);
  if (!request.stream) return whole(wholeAnswer(request, envelope, callIds));
  return { status: 200, contentType: 'text/event-stream; charset=utf-8', pieces: frames(request, envelope, callIds) };
}

function readRequest(body: Record<string, unknown>): ChatRequest {
  if (typeof body.model !== 'string') throw missing('model');
  if (body.model !== CHAT_MODEL) throw unknownModel(body.model);
  const messages = readMessages(body.messages);
  const temperature = body.temperature ?? null;
  if (temperature !== null && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2)) {
    throw badValue('temperature', 'a number from 0 to 2');
  }
  const stream = readFlag(body, 'stream');
  const options = objectOf(body.stream_options);
  if (options !== null && !stream) {
    const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    throw new EchoRefusal(400, message, 'stream_options', null);
  }
  const maxTokens = wholeNumber(body, 'max_completion_tokens', 1) ?? wholeNumber(body, 'max_tokens', 1);
  return {
    model: body.model,
    said: readSaid(body, lastUserText(messages)),
    promptTokens: countPrompt(messages),
    maxTokens: Math.min(maxTokens ?? MAX_OUTPUT_TOKENS, MAX_OUTPUT_TOKENS),
    choices: wholeNumber(body, 'n', 1, MAX_CHOICES) ?? 1,
    stream,
    includeUsage: options?.include_usage === true,
  };
}

function readMessages(value: unknown): Record<string, unknown>[] {
  if (value === undefined || value === null) throw missing('messages');
  if (!Array.isArray(value) || value.length === 0) throw badValue('messages', 'a list of at least one message');
  return value.map((item, index) => {
    const message = objectOf(item);
    if (message === null || typeof message.role !== 'string') {
      throw badValue(`messages[${index}]`, 'an object with a role');
    }
    return message;
  });
}

function readFlag(body: Record<string, unknown>, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value !== 'boolean') throw badValue(field, 'true or false');
  return value;
}

function readSaid(body: Record<string, unknown>, text: string): Said {
  const tool = requiredTool(body);
  if (tool !== null) {
    return { text: JSON.stringify(sample(tool.parameters ?? { type: 'object' }, text)), tool: tool.name };
  }
  const format = objectOf(body.response_format);
  if (format?.type === 'json_object') return { text: JSON.stringify({ text }), tool: null };
  if (format?.type !== 'json_schema') return { text, tool: null };
  const schema = objectOf(objectOf(format.json_schema)?.schema);
  if (schema === null) throw missing('response_format.json_schema.schema');
  return { text: JSON.stringify(sample(schema, text)), tool: null };
}

/** The function that `tool_choice` requires: the named one, or for `required` the first one. */
function requiredTool(body: Record<string, unknown>): { name: string; parameters: unknown } | null {
  const choice = objectOf(body.tool_choice);
  if (body.tool_choice !== 'required' && choice?.type !== 'function') return null;
  const wanted = objectOf(choice?.function)?.name;
  for (const tool of Array.isArray(body.tools) ? body.tools : []) {
    const { name, parameters } = objectOf(objectOf(tool)?.function) ?? {};
    if (typeof name === 'string' && (choice === null || name === wanted)) return { name, parameters };
  }
  throw badValue('tool_choice', "one of the functions in 'tools'");
}

function lastUserText(messages: readonly Record<string, unknown>[]): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return (message === undefined ? '' : textOf(message.content)) || NOTHING_TO_ECHO;
}

/** The text of a message, from a string or parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) => objectOf(part)?.text);
  return texts.filter((text) => typeof text === 'string').join('');
}

function countPrompt(messages: readonly Record<string, unknown>[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    tokens += countTokens(textOf(content), CONTEXT_WINDOW - tokens + 1);
    if (tokens > CONTEXT_WINDOW) {
      const message = `This model's maximum context length is ${CONTEXT_WINDOW} tokens, and your messages have more.`;
      throw new EchoRefusal(400, message, 'messages', 'context_length_exceeded');
    }
  }
  return tokens;
}

function wholeAnswer(request: ChatRequest, envelope: ChatEnvelope, callIds: readonly string[]): object {
  const { tokens, finish } = produce(request);
  const text = tokens.join('');
  const choices = callIds.map((callId, index) => ({
    index,
    message: { role: 'assistant', ...spoken(request.said, text, callId), refusal: null, annotations: [] },
    logprobs: null,
    finish_reason: finish,
  }));
  return { ...envelope, object: 'chat.completion', choices, usage: usageOf(request, tokens.length) };
}

function spoken({ tool }: Said, text: string, callId: string): object {
  if (tool === null) return { content: text };
  return { content: null, tool_calls: [{ id: callId, type: 'function', function: { name: tool, arguments: text } }] };
}

/** The frames of a stream, choice by choice: role, one token each, finish; then the usage if requested, and the end. */
function* frames(request: ChatRequest, envelope: ChatEnvelope, callIds: readonly string[]): Generator<string> {
  const { tokens, finish } = produce(request);
  const { tool } = request.said;
  const head = { ...envelope, object: 'chat.completion.chunk' };
  const unasked = request.includeUsage ? { usage: null } : {};
  const frame = (index: number, delta: object, finish_reason: string | null) =>
    sse({ ...head, choices: [{ index, delta, logprobs: null, finish_reason }], ...unasked });
  for (const [index, callId] of callIds.entries()) {
    const call = { index: 0, id: callId, type: 'function', function: { name: tool, arguments: '' } };
    const opening = tool === null ? { content: '' } : { content: null, tool_calls: [call] };
    yield frame(index, { role: 'assistant', ...opening, refusal: null }, null);
    for (const token of tokens) {
      const delta = tool === null ? { content: token } : { tool_calls: [{ index: 0, function: { arguments: token } }] };
      yield frame(index, delta, null);
    }
    yield frame(index, {}, finish);
  }
  if (request.includeUsage) yield sse({ ...head, choices: [], usage: usageOf(request, tokens.length) });
  yield 'data: [DONE]\n\n';
}

function produce({ said, maxTokens }: ChatRequest): { tokens: string[]; finish: 'length' | 'tool_calls' | 'stop' } {
  const { tokens, more } = takeTokens(said.text, maxTokens);
  return { tokens, finish: more ? 'length' : said.tool === null ? 'stop' : 'tool_calls' };
}

function usageOf({ promptTokens, choices }: ChatRequest, tokens: number): object {
  const completionTokens = tokens * choices;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function sse(payload: object): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}
