import { agentRequest } from './agent-request.ts';

/**
 * The workloads of every contestant. `translated` is a chat call to a model that speaks Anthropic's messages, `routed`
 * a call to a route with two models; contestants without such a route get the model itself.
 */
export const WORKLOADS = ['chat', 'agent', 'routed', 'stream', 'translated', 'embeddings'] as const;
export type Workload = (typeof WORKLOADS)[number];

/** Typical load, with requests at fixed times, and as much as one core can do. */
export const PACES = ['rate', 'saturation'] as const;
export type Pace = (typeof PACES)[number];

/**
 * `connections` is for saturation. At the fixed rate, `perSecond` requests begin, or that many streams are open at
 * once.
 */
export type WorkloadFacts = {
  title: string;
  path: string;
  streamed: boolean;
  /** The unit of the cost, and its number per answer. */
  unit: 'request' | 'frame';
  units: number;
  connections: number;
  rate: { perSecond: number } | { streams: number };
};

/** The frames of a streamed answer: the role, the words, the finish, the usage and `[DONE]`. */
export const STREAM_FRAMES = 100;
export const WORDS = STREAM_FRAMES - 4;
/** The interval at which a stream's frames are written one by one. */
export const FRAME_GAP_MS: Readonly<Record<Pace, number>> = { rate: 20, saturation: 2 };
/** The most connections at a fixed rate. */
export const RATE_CONNECTIONS = 50;
export const EMBEDDING_INPUTS = 100;

/** The upstream answers requests of this `user` with an error. */
export const FAILING_USER = 'whose-calls-fail';
export const MODEL = 'bench-model';
/** The provider that serves the same model in Anthropic's messages. */
export const TRANSLATED_PROVIDER = 'translated';
/** A smart route to this model and another, which examines each call. */
export const ROUTE = 'bench/route';

const CHAT_PATH = '/v1/chat/completions';
const STREAM = {
  path: CHAT_PATH,
  streamed: true,
  unit: 'frame',
  units: STREAM_FRAMES,
  // With 32 connections a gateway is idle for two thirds of the time, and the cost of a frame depends mostly on how
  // many arrive while it wakes up.
  connections: 160,
  rate: { streams: 50 },
} as const;
const WHOLE = { streamed: false, unit: 'request', units: 1, connections: 16 } as const;

export const FACTS: Readonly<Record<Workload, WorkloadFacts>> = {
  chat: { ...WHOLE, title: 'chat of 300 bytes', path: CHAT_PATH, rate: { perSecond: 1000 } },
  agent: { ...WHOLE, title: 'agent request of 100 KB with tools', path: CHAT_PATH, rate: { perSecond: 250 } },
  routed: { ...WHOLE, title: 'the same request through a smart route', path: CHAT_PATH, rate: { perSecond: 250 } },
  stream: { ...STREAM, title: `stream of ${STREAM_FRAMES} frames` },
  translated: { ...STREAM, title: `the same stream, translated from messages to chat` },
  embeddings: {
    ...WHOLE,
    title: `embeddings of ${EMBEDDING_INPUTS} inputs`,
    path: '/v1/embeddings',
    rate: { perSecond: 100 },
  },
};

const MESSAGES = [
  { role: 'system', content: 'Answer every question in one short sentence.' },
  { role: 'user', content: 'What is the capital of France, and which river runs through it?' },
];

/** Makes an item for each workload. */
export function forEachWorkload<Each>(make: (workload: Workload) => Each): Record<Workload, Each> {
  return {
    chat: make('chat'),
    agent: make('agent'),
    routed: make('routed'),
    stream: make('stream'),
    translated: make('translated'),
    embeddings: make('embeddings'),
  };
}

/**
 * The body of a request to a model of this name. Streams request usage, so that all contestants pass the same bytes.
 */
export function requestBody(workload: Workload, model: string): string {
  switch (workload) {
    case 'chat':
      return JSON.stringify({ model, messages: MESSAGES, temperature: 0.7, max_tokens: 64, user: 'caller-0001' });
    case 'agent':
    case 'routed':
      return JSON.stringify(agentRequest(model));
    case 'stream':
    case 'translated':
      return JSON.stringify({
        model,
        messages: MESSAGES,
        max_tokens: 128,
        stream: true,
        stream_options: { include_usage: true },
      });
    case 'embeddings':
      return JSON.stringify({ model, input: embeddingInputs(), encoding_format: 'base64' });
    default:
      return workload satisfies never;
  }
}

function embeddingInputs(): string[] {
  return Array.from(
    { length: EMBEDDING_INPUTS },
    (_, index) =>
      `Passage ${index}: the river rises in the hills, passes the old town, and reaches the sea by a wide delta.`,
  );
}
