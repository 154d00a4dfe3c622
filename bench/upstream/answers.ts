import { EMBEDDING_INPUTS, MODEL, WORDS } from '../workloads.ts';

/** The prepared answers of the benchmark's upstream. */
const CREATED = 1_767_225_600;
const DIMENSIONS = 1536;
const WORD = ' word';
/** The first word in the bytes of a stream of any format. */
export const FIRST_WORD = `${WORD}0`;
const TEXT = 'The capital of France is Paris, and the Seine runs through it.';
/** A million calls with these tokens cost 16.35 dollars at the benchmark's prices. */
export const USAGE = { prompt_tokens: 41, completion_tokens: 17, total_tokens: 58 };
const MESSAGES_USAGE = { input_tokens: USAGE.prompt_tokens, output_tokens: USAGE.completion_tokens };

/** A stream: its opening and first word are sent at once, the rest one by one. */
export type StreamText = { first: string; rest: readonly string[] };

export function chatAnswer(): string {
  const message = { role: 'assistant', content: TEXT, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  return JSON.stringify({ ...stamp('chat.completion'), choices, usage: USAGE, service_tier: 'default' });
}

export function chatStream(): StreamText {
  const deltas = [{ role: 'assistant', content: '' }, ...words().map((content) => ({ content }))];
  const choices = [...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason: 'stop' }];
  const chunks = choices.map((choice) => ({
    ...stamp('chat.completion.chunk'),
    choices: [{ index: 0, logprobs: null, ...choice }],
    usage: null,
  }));
  const last = { ...stamp('chat.completion.chunk'), choices: [], usage: USAGE };
  const data = [...chunks.map((chunk) => JSON.stringify(chunk)), JSON.stringify(last), '[DONE]'];
  return cut(
    data.map((each) => `data: ${each}\n\n`),
    2,
  );
}

export function messageAnswer(): string {
  return JSON.stringify({
    ...message(),
    content: [{ type: 'text', text: TEXT }],
    stop_reason: 'end_turn',
    usage: MESSAGES_USAGE,
  });
}

/** The same number of frames and the same words as in the chat stream. */
export function messageStream(): StreamText {
  const deltas = words().map((text) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  }));
  const events = [
    { type: 'message_start', message: { ...message(), usage: { ...MESSAGES_USAGE, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...deltas,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: MESSAGES_USAGE },
    { type: 'message_stop' },
  ];
  return cut(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    3,
  );
}

export function embeddingsAnswer(): string {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(index) / Math.sqrt(DIMENSIONS));
  const embedding = Buffer.from(vector.buffer).toString('base64');
  const data = Array.from({ length: EMBEDDING_INPUTS }, (_, index) => ({ object: 'embedding', index, embedding }));
  const usage = { prompt_tokens: USAGE.total_tokens, total_tokens: USAGE.total_tokens };
  return JSON.stringify({ object: 'list', data, model: MODEL, usage });
}

export function failure(): string {
  const error = { message: 'The model is out of order.', type: 'server_error', param: null, code: null };
  return JSON.stringify({ error });
}

function words(): string[] {
  return Array.from({ length: WORDS }, (_, index) => `${WORD}${index}`);
}

function cut(frames: readonly string[], opening: number): StreamText {
  return { first: frames.slice(0, opening).join(''), rest: frames.slice(opening) };
}

function message() {
  const empty = { content: [], stop_reason: null, stop_sequence: null };
  return { id: 'msg_bench', type: 'message', role: 'assistant', model: MODEL, ...empty };
}

function stamp(object: string) {
  return { id: 'chatcmpl-bench', object, created: CREATED, model: MODEL, system_fingerprint: 'fp_bench' };
}
