import { field } from '../../src/testing/json.ts';
import { eventsIn } from '../http/client.ts';
import { CLAUDE_CODE_BODY, CLAUDE_CODE_HEADERS, CODEX_BODY, CODEX_HEADERS } from '../tools/requests.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a model says in one turn. `items` are what stands for it in the calls that follow. */
export type Said = {
  id: string;
  text: string;
  calls: readonly { id: string; name: string; input: string }[];
  items: readonly Json[];
};

/** A coding agent as it is seen on the wire: how it writes its conversation, and reads what it is answered. */
export type Agent = {
  path: string;
  headers: Readonly<Record<string, string>>;
  begin(prompt: string): Json[];
  /** `before`: the id of the answer before. */
  body(turns: readonly Json[], before: string | null): Json;
  said(answer: Json | string): Said;
  results(said: Said, outcome: (name: string) => Outcome): Json[];
  summarize(turns: readonly Json[]): Json;
  /** Whether it understands that the prompt is too long, and so compacts it. */
  isTooLong(status: number, answer: unknown): boolean;
  /** Whether a stream ends with an error, after which it asks again. */
  broke(stream: string): boolean;
};

/** What a tool does: says something, or shows a picture. */
export type Outcome = { text: string } | { image: string };

const weather = { type: 'object', properties: { city: { type: ['string', 'null'] } }, required: ['city'] };
const either = {
  type: 'object',
  properties: { id: {}, title: {} },
  anyOf: [{ required: ['id'] }, { required: ['title'] }],
};
const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
/** Schemas that servers of tools have, and names longer than some vendors take. */
const SERVED = [
  { name: 'look_up_the_note_that_somebody_wrote_about_the_weather_in_a_city', schema: weather },
  { name: 'list_notes', schema: { type: 'object' } },
  { name: 'find_note', schema: either },
];
const ephemeral = { type: 'ephemeral' };

export const claudeCode: Agent = {
  path: '/v1/messages?beta=true',
  headers: CLAUDE_CODE_HEADERS,
  begin: (prompt) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Remember this.' },
        { type: 'text', text: prompt },
      ],
    },
    { role: 'system', content: 'Folder: /work' },
  ],
  body: (turns, before) => ({
    ...CLAUDE_CODE_BODY,
    messages: marked(turns),
    tools: [
      ...CLAUDE_CODE_BODY.tools.filter(({ name }) => name !== 'WebFetch'),
      { name: 'Read', description: 'Reads a file.', input_schema: path, eager_input_streaming: true },
      ...SERVED.map(({ name, schema }) => ({
        name: `mcp__notes__${name}`,
        description: 'Notes.',
        input_schema: schema,
      })),
    ],
    diagnostics: { previous_message_id: before },
  }),
  said(answer) {
    const message = typeof answer === 'string' ? messageIn(answer) : answer;
    const content = message.content as Json[];
    return {
      id: String(message.id),
      text: content.map(({ text }) => text ?? '').join(''),
      calls: content.flatMap(({ type, id, name, input }) =>
        type === 'tool_use' ? [{ id: String(id), name: String(name), input: JSON.stringify(input) }] : [],
      ),
      items: [{ role: 'assistant', content }],
    };
  },
  results: ({ calls }, outcome) => [
    {
      role: 'user',
      content: calls.map(({ id, name }) => ({ type: 'tool_result', tool_use_id: id, content: [shown(outcome(name))] })),
    },
  ],
  summarize: (turns) => ({
    ...claudeCode.body(
      [...turns, userText('Your task is to create a detailed summary of the conversation so far.')],
      null,
    ),
  }),
  isTooLong: (status, answer) =>
    status === 400 &&
    /prompt is too long/i.test(String(field(answer, 'error', 'message'))) &&
    field(answer, 'type') === 'error',
  broke: (stream) => /^event: error$/m.test(stream) && !stream.includes('message_stop'),
};

/** The mark up to where the prompt may be cached stands at the newest block. */
function marked(turns: readonly Json[]): Json[] {
  const last = turns.at(-1);
  if (last === undefined || !Array.isArray(last.content)) return [...turns];
  const blocks = last.content as Json[];
  return [
    ...turns.slice(0, -1),
    { ...last, content: [...blocks.slice(0, -1), { ...blocks.at(-1), cache_control: ephemeral }] },
  ];
}

function userText(text: string): Json {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function shown(outcome: Outcome): Json {
  if ('text' in outcome) return { type: 'text', text: outcome.text };
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: outcome.image } };
}

/** The message that a stream says, put together as clients do. */
function messageIn(stream: string): Json {
  let message: Json = {};
  const blocks: Record<string, unknown>[] = [];
  const inputs: string[] = [];
  for (const event of eventsIn(stream).map((data) => JSON.parse(data) as Json)) {
    const index = Number(event.index);
    const delta = (event.delta ?? {}) as Record<string, string>;
    if (event.type === 'error') throw new Error(JSON.stringify(event));
    if (event.type === 'message_start') message = event.message as Json;
    if (event.type === 'content_block_start') blocks[index] = { ...(event.content_block as Json) };
    if (event.type !== 'content_block_delta') continue;
    const block = blocks[index]!;
    if (delta.type === 'input_json_delta') inputs[index] = (inputs[index] ?? '') + delta.partial_json;
    for (const name of ['text', 'thinking', 'signature']) {
      if (delta.type === `${name}_delta`) block[name] = String(block[name] ?? '') + delta[name];
    }
  }
  inputs.forEach((json, index) => {
    blocks[index]!.input = JSON.parse(json || '{}');
  });
  return { ...message, content: blocks };
}

export const codex: Agent = {
  path: '/v1/responses',
  headers: CODEX_HEADERS,
  begin: (prompt) => [...(CODEX_BODY.input.slice(0, 3) as Json[]), inputText(prompt)],
  body: (turns) => ({
    ...CODEX_BODY,
    input: turns,
    tools: [
      ...CODEX_BODY.tools,
      { type: 'local_shell' },
      { type: 'function', name: 'view_image', description: 'Shows one.', strict: false, parameters: path },
      {
        type: 'namespace',
        name: 'mcp__notes',
        description: 'Notes.',
        tools: SERVED.map(({ name, schema }) => ({
          type: 'function',
          name,
          description: 'Notes.',
          strict: false,
          parameters: schema,
        })),
      },
    ],
  }),
  said(answer) {
    const response = typeof answer === 'string' ? responseIn(answer) : answer;
    const output = response.output as Json[];
    return {
      id: String(response.id),
      text: output
        .map(({ content }) => (Array.isArray(content) ? content.map((part) => field(part, 'text') ?? '').join('') : ''))
        .join(''),
      calls: output.flatMap(({ type, call_id, namespace, name, arguments: json, input }) =>
        type === 'function_call' || type === 'custom_tool_call'
          ? [
              {
                id: String(call_id),
                name: `${namespace ?? ''}${type === 'custom_tool_call' ? 'custom ' : ''}${name}`,
                input: String(json ?? input),
              },
            ]
          : [],
      ),
      items: output,
    };
  },
  results: ({ calls }, outcome) =>
    calls.map(({ id, name }) => {
      const done = outcome(name);
      const output =
        'text' in done
          ? done.text
          : [{ type: 'input_image', image_url: `data:image/png;base64,${done.image}`, detail: 'high' }];
      const type = name.startsWith('custom ') ? 'custom_tool_call_output' : 'function_call_output';
      return { type, id: `${type === 'function_call_output' ? 'fco' : 'ctco'}_${id}`, call_id: id, output };
    }),
  // Its own compaction is one call without tools.
  summarize: (turns) => ({
    ...CODEX_BODY,
    input: [...turns, inputText('You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary.')],
    tools: [],
  }),
  isTooLong: (status, answer) => status === 400 && field(answer, 'error', 'code') === 'context_length_exceeded',
  broke: (stream) => stream.includes('"response.failed"') && !stream.includes('response.completed'),
};

function inputText(text: string): Json {
  return { type: 'message', id: 'msg_01a1fedf-c379', role: 'user', content: [{ type: 'input_text', text }] };
}

/** As Codex reads a stream: items from their ends, and no answer without `response.completed`. */
function responseIn(stream: string): Json {
  const events = eventsIn(stream)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Json);
  const completed = events.find(({ type }) => type === 'response.completed');
  if (completed === undefined) throw new Error(`the stream was not completed: ${stream}`);
  const output = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
  return { ...(completed.response as Json), output };
}
