/** Slightly less than the most values that a gateway accepts by default, which leaves room for the rest of the body. */
const MOST_VALUES = 490_000;
const MOST_MEMBERS = 39_000;

export const MB = 1024 * 1024;

/** Makes a value of about this many bytes of JSON. */
export type Make = (bytes: number) => object;

/** Makes `count` items, one of which fills up to this many bytes. */
function filled<T>(bytes: number, most: number, make: (at: number, text: string) => T): T[] {
  const each = JSON.stringify(make(0, '')).length + 1;
  const count = Math.max(1, Math.min(most, Math.floor(bytes / (each + 20))));
  const share = Math.floor(bytes / count) - each;
  return Array.from({ length: count }, (_, at) => make(at, words(share)));
}

function words(length: number): string {
  return 'word '.repeat(Math.ceil(Math.max(0, length) / 5)).slice(0, Math.max(0, length));
}

const numbers = (bytes: number) => Array.from({ length: Math.min(MOST_VALUES, Math.floor(bytes / 6)) }, (_, at) => at);
const named = (bytes: number, count = MOST_MEMBERS) =>
  Object.fromEntries(filled(bytes, count, (at, text) => [`member_${at}`, text]));
const deep = (bytes: number) =>
  filled(bytes, 900, () => 0).map((_, at) => JSON.parse(`${'['.repeat(480)}${at}${']'.repeat(480)}`));

/** A user's turn in each dialect, with this text or these parts as content. */
const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  text: (bytes) => words(bytes),
  'non-ASCII text': (bytes) => 'Grüße, 世界 — '.repeat(bytes / 20),
  escapes: (bytes) => 'a "b"\n\t'.repeat(bytes / 12),
  'text of few breaks': (bytes) => 'x'.repeat(bytes),
};

const user = (content: unknown) => ({ role: 'user', content });
const ask = { role: 'user', content: 'a' };
const developerToolOf = (schema: object) => ({
  type: 'function',
  function: { name: 'f', description: 'd', parameters: schema },
});
const flatTool = (schema: object) => ({ type: 'function', name: 'f', description: 'd', parameters: schema });
const ownTool = (schema: object) => ({ name: 'f', description: 'd', input_schema: schema });
const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } });

const schemas = (put: (schema: object) => object): Record<string, Make> => ({
  numbers: (bytes) => put({ type: 'object', enum: numbers(bytes) }),
  members: (bytes) => put({ type: 'object', properties: named(bytes) }),
  nesting: (bytes) => put({ type: 'object', enum: deep(bytes) }),
});

const outermost: Make = (bytes) => named(bytes, 900);

const chat = (...messages: object[]) => ({ messages });
const CHAT: Record<string, Make> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([name, make]) => [name, (bytes: number) => chat(user(make(bytes)))]),
  ),
  messages: (bytes) => ({ messages: filled(bytes, MOST_MEMBERS / 2, (_, text) => user(text)) }),
  parts: (bytes) => chat(user(filled(bytes, MOST_MEMBERS / 2, (_, text) => ({ type: 'text', text })))),
  'tool calls': (bytes) =>
    chat(ask, {
      role: 'assistant',
      content: null,
      tool_calls: filled(bytes, MOST_MEMBERS / 5, (at, text) => chatCall(`call_${at}${text}`)),
    }),
  'tool results': (bytes) =>
    chat(
      ask,
      { role: 'assistant', content: null, tool_calls: [chatCall('c')] },
      ...filled(bytes, MOST_MEMBERS / 3, (_, content) => ({ role: 'tool', tool_call_id: 'c', content })),
    ),
  tools: (bytes) => ({
    messages: [ask],
    tools: filled(bytes, MOST_MEMBERS / 6, (_, type) => developerToolOf({ type })),
  }),
  'inline images': (bytes) =>
    chat(
      user(
        filled(bytes, MOST_MEMBERS / 4, (_, text) => ({
          type: 'image_url',
          image_url: { url: `data:image/png;base64,${text.replaceAll(' ', 'A')}` },
        })),
      ),
    ),
  ...schemas((schema) => ({ messages: [ask], tools: [developerToolOf(schema)] })),
  'outermost members': (bytes) => ({ ...chat(ask), ...outermost(bytes) }),
};

const MESSAGES: Record<string, Make> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([name, make]) => [
      name,
      (bytes: number) => ({ max_tokens: 9, ...chat(user(make(bytes))) }),
    ]),
  ),
  messages: (bytes) => ({ max_tokens: 9, ...CHAT.messages!(bytes) }),
  parts: (bytes) => ({ max_tokens: 9, ...CHAT.parts!(bytes) }),
  'tool results': (bytes) => ({
    max_tokens: 9,
    ...chat(
      ask,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
      user(filled(bytes, MOST_MEMBERS / 3, (_, content) => ({ type: 'tool_result', tool_use_id: 'c', content }))),
    ),
  }),
  ...schemas((schema) => ({ max_tokens: 9, messages: [ask], tools: [ownTool(schema)] })),
};

const RESPONSES: Record<string, Make> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([name, make]) => [name, (bytes: number) => ({ input: make(bytes) })]),
  ),
  items: (bytes) => ({ input: filled(bytes, MOST_MEMBERS / 2, (_, text) => user(text)) }),
  parts: (bytes) => ({ input: [user(filled(bytes, MOST_MEMBERS / 2, (_, text) => ({ type: 'input_text', text })))] }),
  'tool results': (bytes) => ({
    input: [
      ask,
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      ...filled(bytes, MOST_MEMBERS / 3, (_, output) => ({ type: 'function_call_output', call_id: 'c', output })),
    ],
  }),
  ...schemas((schema) => ({ input: 'a', tools: [flatTool(schema)] })),
};

const EMBEDDINGS: Record<string, Make> = {
  text: (bytes) => ({ input: words(bytes) }),
  tokens: (bytes) => ({ input: numbers(bytes) }),
  texts: (bytes) => ({ input: filled(bytes, 2000, (_, text) => `a${text}`) }),
};

/** Calls by dialect in which one thing is large. */
export const CALLS = { chat: CHAT, messages: MESSAGES, responses: RESPONSES, embeddings: EMBEDDINGS };

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const completion = (message: object, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }],
});
const message = (...content: object[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'end_turn',
});
const LOGPROB = { token: 'a', logprob: -1, bytes: [97], top_logprobs: [] };

const CHAT_ANSWERS: Record<string, Make> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([name, make]) => [name, (bytes: number) => completion({ content: make(bytes) })]),
  ),
  'text, counted': (bytes) => ({ ...completion({ content: words(bytes) }), usage: USAGE }),
  parts: (bytes) => completion({ content: filled(bytes, MOST_MEMBERS / 2, (_, text) => ({ type: 'text', text })) }),
  'tool calls': (bytes) =>
    completion({ content: null, tool_calls: filled(bytes, 9_000, (at, text) => chatCall(`call_${at}${text}`)) }),
  logprobs: (bytes) =>
    completion(
      { content: 'a' },
      { logprobs: { content: filled(bytes, MOST_MEMBERS / 4, (_, token) => ({ ...LOGPROB, token })) } },
    ),
  members: (bytes) => ({ ...completion({ content: 'a', more: named(bytes) }), usage: USAGE }),
};

const MESSAGE_ANSWERS: Record<string, Make> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([name, make]) => [
      name,
      (bytes: number) => message({ type: 'text', text: make(bytes) }),
    ]),
  ),
  blocks: (bytes) => message(...filled(bytes, MOST_MEMBERS / 2, (_, text) => ({ type: 'text', text }))),
  'tool calls': (bytes) =>
    message(...filled(bytes, 9_000, (at, text) => ({ type: 'tool_use', id: `t${at}`, name: 'f', input: { text } }))),
};

const RESPONSE_ANSWERS: Record<string, Make> = {
  text: (bytes) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [
      { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words(bytes) }] },
    ],
  }),
  items: (bytes) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'm',
    output: filled(bytes, 9_000, (at, text) => ({
      id: `msg_${at}`,
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text }],
    })),
  }),
};

const vector = (length: number) => Array.from({ length }, (_, at) => ((at * 7919) % 1_000_003) / -1_000_003);
const EMBEDDING_ANSWERS: Record<string, Make> = {
  vectors: (bytes) => ({
    object: 'list',
    model: 'm',
    data: Array.from({ length: Math.floor(bytes / (1536 * 20)) }, (_, index) => ({
      object: 'embedding',
      index,
      embedding: vector(1536),
    })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }),
};

/** Whole answers of vendors by dialect. */
export const ANSWERS = {
  chat: CHAT_ANSWERS,
  messages: MESSAGE_ANSWERS,
  responses: RESPONSE_ANSWERS,
  embeddings: EMBEDDING_ANSWERS,
};

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const chunks = (...between: string[]) =>
  `${event(chunk({ role: 'assistant', content: '' }))}${between.join('')}${event(chunk({}, 'stop'))}data: [DONE]\n\n`;
const openings = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => ({ index, ...chatCall(`call_${index}${text}`) }));

/** Streams of chat completions. */
export const STREAMS: Readonly<Record<string, (bytes: number) => string>> = {
  'one long line': (bytes) => chunks(event(chunk({ content: words(bytes) }))),
  'one long line of non-ASCII text': (bytes) => chunks(event(chunk({ content: TEXTS['non-ASCII text']!(bytes) }))),
  'many frames': (bytes) => chunks(event(chunk({ content: 'a' })).repeat(bytes / 130)),
  'one line of numbers': (bytes) => chunks(event({ ...chunk({ content: 'a' }), more: numbers(bytes) })),
  'one line of tool calls': (bytes) => chunks(event(chunk({ tool_calls: openings(9_000, words(bytes / 9_000 - 90)) }))),
};
