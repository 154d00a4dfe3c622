/** The two kinds of work that are measured. */
export const WORKS = ['small', 'stream'] as const;
export type Work = (typeof WORKS)[number];

export const MODEL = 'bench-model';
/** The same model where Headgate must speak Anthropic’s messages with it. */
export const TRANSLATED_MODEL = `translated/${MODEL}`;
/** Frames of a streamed answer, all told: the role, the words, the finish, the usage and `[DONE]`. */
export const STREAM_FRAMES = 100;
/** At a fixed rate, as most gateways live, and with as much as they can take. */
export const PACES = ['rate', 'saturation'] as const;
export type Pace = (typeof PACES)[number];

/** At the fixed rate requests begin at their times, whether or not others were answered; on connections that are free. */
export const REQUESTS_PER_SECOND = 1000;
/** A stream's frames are written one by one, this far apart. */
export const FRAME_GAP_MS: Readonly<Record<Pace, number>> = { rate: 20, saturation: 2 };
export const CONNECTIONS: Readonly<Record<Pace, Readonly<Record<Work, number>>>> = {
  rate: { small: 50, stream: 50 },
  saturation: { small: 16, stream: 32 },
};

const CREATED = 1_767_225_600;
const USAGE = { prompt_tokens: 41, completion_tokens: 17, total_tokens: 58 };
const MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant that answers every question in one short sentence.' },
  { role: 'user', content: 'What is the capital of France, and which river runs through it?' },
];

/**
 * The body of a request. A stream's caller asks for its usage, so that every proxy passes the same bytes; `user` tells
 * the upstream the pace.
 */
export function requestBody(work: Work, pace: Pace, model = MODEL): string {
  const stream = { stream: true, stream_options: { include_usage: true } };
  return JSON.stringify({
    model,
    messages: MESSAGES,
    temperature: 0.7,
    max_tokens: 64,
    user: pace,
    ...(work === 'stream' && stream),
  });
}

/** The body of a whole answer. */
export function wholeAnswer(): string {
  const content = 'The capital of France is Paris, and the Seine runs through it.';
  const message = { role: 'assistant', content, refusal: null };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  return JSON.stringify({ ...stamp('chat.completion'), choices, usage: USAGE, service_tier: 'default' });
}

/** The frames of a streamed answer. */
export function streamFrames(): string[] {
  const words = Array.from({ length: STREAM_FRAMES - 4 }, (_, index) => ({ content: ` word${index}` }));
  const deltas = [{ role: 'assistant', content: '' }, ...words].map((delta) => ({ delta, finish_reason: null }));
  const chunks = [...deltas, { delta: {}, finish_reason: 'stop' }].map((choice) => ({
    ...stamp('chat.completion.chunk'),
    choices: [{ index: 0, logprobs: null, ...choice }],
    usage: null,
  }));
  const last = { ...stamp('chat.completion.chunk'), choices: [], usage: USAGE };
  return [...chunks.map((chunk) => JSON.stringify(chunk)), JSON.stringify(last), '[DONE]'].map(
    (data) => `data: ${data}\n\n`,
  );
}

/** The same answer as a message, whole. */
export function wholeMessage(): string {
  const text = 'The capital of France is Paris, and the Seine runs through it.';
  return JSON.stringify({
    ...message(),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: USAGE.prompt_tokens, output_tokens: USAGE.completion_tokens },
  });
}

/** The frames of the same stream as a message: translated, they are as many as `streamFrames`. */
export function messageFrames(): string[] {
  const words = Array.from({ length: STREAM_FRAMES - 4 }, (_, index) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: ` word${index}` },
  }));
  const usage = { input_tokens: USAGE.prompt_tokens, output_tokens: USAGE.completion_tokens };
  const events = [
    { type: 'message_start', message: { ...message(), usage: { ...usage, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...words,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function message() {
  const empty = { content: [], stop_reason: null, stop_sequence: null };
  return { id: 'msg_bench', type: 'message', role: 'assistant', model: MODEL, ...empty };
}

function stamp(object: string) {
  return { id: 'chatcmpl-bench', object, created: CREATED, model: MODEL, system_fingerprint: 'fp_bench' };
}
