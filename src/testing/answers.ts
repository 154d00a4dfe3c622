import { field } from './json.ts';
import { errorReply, frame, jsonReply, type Plan, type Reply, streamReply, type VendorRequest } from './reply.ts';

/** The content of a made-up chat answer. */
export type ChatAnswer = {
  text?: string;
  /** The number of content chunks of a stream. Default: one per word. */
  chunks?: number;
  /** Calls instead of a text. `arguments` is sent unchanged, even if it is not JSON. */
  toolCalls?: readonly { name: string; arguments: string }[];
  /** The vendor's own usage object. */
  usage?: Readonly<Record<string, unknown>>;
  /** Which chunks of a stream have usage. `asked`: the last one, if `stream_options.include_usage` requests it. */
  usageIn?: 'asked' | 'nowhere' | 'every-chunk';
};

export const DEFAULT_TEXT = 'Hello from a vendor that does not exist.';
const DEFAULT_PROMPT_TOKENS = 9;
export const DONE = frame('[DONE]');

/** 2026-01-01: answers do not depend on the date. */
const CREATED = 1_767_225_600;
/** The second half of a character of two UTF-16 units. */
const LOW_SURROGATE = /[\udc00-\udfff]/;
const DEFAULT_DIMENSIONS = 8;
const DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

/** Answers as a well-behaved vendor does: chat (whole or streamed, as requested) and embeddings. */
export function answer(chat: ChatAnswer = {}): Plan {
  return (request) => {
    if (request.path.endsWith('/embeddings')) return jsonReply(200, embeddingsBody(request));
    return request.stream ? chatStream(request, chat) : jsonReply(200, chatBody(request, chat));
  };
}

/** A model in a vendor's list: its name, or its whole entry. */
export type ListedModel = string | Readonly<{ id: string; [member: string]: unknown }>;

/** `GET /v1/models` and `GET /v1/models/{id}`. */
export function modelsReply(path: string, models: readonly ListedModel[]): Reply {
  const data = models.map((model) => ({
    ...{ object: 'model', created: CREATED, owned_by: 'fake' },
    ...(typeof model === 'string' ? { id: model } : model),
  }));
  const wanted = decodeURIComponent(path.slice('/v1/models'.length + 1));
  if (wanted === '') return jsonReply(200, { object: 'list', data });
  const model = data.find(({ id }) => id === wanted);
  if (model !== undefined) return jsonReply(200, model);
  const message = `The model \`${wanted}\` does not exist`;
  return errorReply(404, { message, type: 'invalid_request_error', code: 'model_not_found' });
}

/** The chunks of a streamed answer, without framing. */
export function chatChunks(request: VendorRequest, chat: ChatAnswer): unknown[] {
  const asked = field(request.json, 'stream_options', 'include_usage') === true;
  const where = chat.usageIn ?? 'asked';
  const choices = Array.from({ length: choiceCount(request) }, (_, index) => index);
  const deltas = [openingDelta(chat), ...(chat.toolCalls === undefined ? textDeltas(chat) : toolDeltas(request, chat))];
  const finish = { delta: {}, finish_reason: finishReason(chat) };
  const usageAfter = (tokens: number) => {
    if (where === 'every-chunk') return { usage: usageOf(chat, tokens) };
    return asked ? { usage: null } : {};
  };
  const bodies = [...deltas.map((delta) => ({ delta, finish_reason: null })), finish].flatMap((body, step) =>
    choices.map((index) => ({ choices: [{ index, ...body, logprobs: null }], ...usageAfter(step) })),
  );
  const last = asked && where === 'asked' ? [{ choices: [], usage: usageOf(chat, completionTokens(chat)) }] : [];
  return [...bodies, ...last].map((body) => ({ ...stamp(request, 'chat.completion.chunk'), ...body }));
}

function chatStream(request: VendorRequest, chat: ChatAnswer): Reply {
  return streamReply([...chatChunks(request, chat).map(frame), DONE]);
}

function chatBody(request: VendorRequest, chat: ChatAnswer): unknown {
  const calls = chat.toolCalls?.map((call, index) => ({
    id: toolCallId(request, index),
    type: 'function',
    function: call,
  }));
  const content = calls === undefined ? (chat.text ?? DEFAULT_TEXT) : null;
  const message = { role: 'assistant', content, refusal: null, ...(calls && { tool_calls: calls }) };
  const choices = Array.from({ length: choiceCount(request) }, (_, index) => ({
    index,
    message,
    logprobs: null,
    finish_reason: finishReason(chat),
  }));
  const usage = chat.usageIn === 'nowhere' ? {} : { usage: usageOf(chat, completionTokens(chat)) };
  return { ...stamp(request, 'chat.completion'), choices, ...usage };
}

function stamp(request: VendorRequest, object: string) {
  const id = `chatcmpl-fake-${request.serial}`;
  return { id, object, created: CREATED, model: request.model, system_fingerprint: 'fp_fake' };
}

function openingDelta(chat: ChatAnswer): unknown {
  return { role: 'assistant', content: chat.toolCalls === undefined ? '' : null, refusal: null };
}

function textDeltas(chat: ChatAnswer): unknown[] {
  return textPieces(chat).map((content) => ({ content }));
}

/** A first delta with id and name, then the arguments in two halves, as vendors send them. */
function toolDeltas(request: VendorRequest, chat: ChatAnswer): unknown[] {
  return (chat.toolCalls ?? []).flatMap((call, index) => {
    const opening = { id: toolCallId(request, index), type: 'function', function: { name: call.name, arguments: '' } };
    const rest = evenPieces(call.arguments, 2).map((piece) => ({ function: { arguments: piece } }));
    return [opening, ...rest].map((part) => ({ tool_calls: [{ index, ...part }] }));
  });
}

function textPieces(chat: ChatAnswer): string[] {
  const text = chat.text ?? DEFAULT_TEXT;
  return chat.chunks === undefined ? (text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) : evenPieces(text, chat.chunks);
}

/** Cuts between characters. */
function evenPieces(text: string, count: number): string[] {
  const edge = (index: number) => {
    const place = Math.floor((text.length * index) / count);
    return LOW_SURROGATE.test(text.charAt(place)) ? place + 1 : place;
  };
  return Array.from({ length: count }, (_, index) => text.slice(edge(index), edge(index + 1))).filter(
    (piece) => piece !== '',
  );
}

function completionTokens(chat: ChatAnswer): number {
  return chat.toolCalls === undefined ? textPieces(chat).length : chat.toolCalls.length * 3;
}

function usageOf(chat: ChatAnswer, tokens: number): unknown {
  const prompt_tokens = DEFAULT_PROMPT_TOKENS;
  return chat.usage ?? { prompt_tokens, completion_tokens: tokens, total_tokens: prompt_tokens + tokens };
}

function finishReason(chat: ChatAnswer): string {
  return chat.toolCalls === undefined ? 'stop' : 'tool_calls';
}

function toolCallId(request: VendorRequest, index: number): string {
  return `call_fake_${request.serial}_${index}`;
}

function choiceCount(request: VendorRequest): number {
  const n = field(request.json, 'n');
  return typeof n === 'number' ? n : 1;
}

function embeddingsBody(request: VendorRequest): unknown {
  const inputs = inputsOf(field(request.json, 'input'));
  const wanted = field(request.json, 'dimensions');
  const length = typeof wanted === 'number' ? wanted : (DIMENSIONS[request.model] ?? DEFAULT_DIMENSIONS);
  const base64 = field(request.json, 'encoding_format') === 'base64';
  const data = inputs.map((input, index) => {
    const vector = unitVector(input, length);
    const embedding = base64 ? Buffer.from(vector.buffer).toString('base64') : Array.from(vector);
    return { object: 'embedding', index, embedding };
  });
  const tokens = inputs.reduce((sum, input) => sum + input.split(/[\s,]+/).length, 0);
  return { object: 'list', data, model: request.model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** The inputs as texts. `input` is a string, a list of strings, a list of tokens, or a list of those. */
function inputsOf(input: unknown): string[] {
  if (!Array.isArray(input)) return [String(input)];
  return typeof input[0] === 'number' ? [input.join(',')] : input.map(String);
}

/** A unit vector that depends only on the input. Float32, so that both encodings have the same values. */
function unitVector(input: string, length: number): Float32Array {
  let state = 2_166_136_261;
  for (const byte of Buffer.from(input)) state = Math.imul(state ^ byte, 16_777_619);
  const values = Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
  const norm = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / norm);
}
