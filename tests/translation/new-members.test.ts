import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { eventsIn } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Members that only OpenAI's formats have: untouched among vendors of the format, and told elsewhere. */
const IDS = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers:\n${IDS.map((id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], only: [m] }`).join('\n')}`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});
beforeEach(() => vendor.forget());

const FUNCTION = { name: 'f', parameters: { type: 'object', properties: {} } };
const INPUT = [
  { type: 'configuration_update', reasoning: { effort: 'low' } },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  { type: 'message', role: 'assistant', phase: 'commentary', content: [{ type: 'output_text', text: 'I look.' }] },
  { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{}', async: true },
  { type: 'function_call', id: 'fc_2', call_id: 'c2', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c2', output: 'found' },
  { type: 'configuration_update', reasoning: { effort: 'high' } },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on' }] },
];
const MODERATION = { model: 'omni-moderation-latest', policy: { input: { mode: 'score' } } };
const CALL = {
  input: INPUT,
  tools: [{ type: 'function', ...FUNCTION, async: true }],
  moderation: MODERATION,
  prompt_cache_options: { mode: 'implicit', comparison_response_id: 'resp_0' },
  image: { context_compression: 'enabled' },
  background_options: { completion_window: '24h' },
};
const CALL_LOSSES = [
  ...['input.configuration_update', 'input.phase', 'input.async', 'tools.async', 'moderation'],
  ...['prompt_cache_options', 'image.context_compression', 'background_options'],
];

const SCORES = {
  input: { type: 'moderation_result', model: 'o', flagged: false, categories: {}, category_scores: {} },
};
const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm', error: null },
  output: [
    {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', phase: 'final_answer' },
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    },
  ],
  usage: {
    ...{ input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  },
  moderation: SCORES,
  prompt_cache_diagnostics: { type: 'cache_miss', reason: 'tools_changed', cache_missed_tokens: 900 },
  image: { context_compression: 'enabled' },
};
const COMPLETION = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  moderation: SCORES,
};
const EVENTS = [
  { type: 'response.created', sequence_number: 0, response: { ...RESPONSE, status: 'in_progress', output: [] } },
  { type: 'response.output_item.done', sequence_number: 1, output_index: 0, item: RESPONSE.output[0] },
  { type: 'response.completed', sequence_number: 2, response: RESPONSE },
];
const CHUNKS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: COMPLETION.usage },
  { choices: [], usage: null, moderation: SCORES },
].map((chunk) => ({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...chunk }));

/** The vendor's answers, in the form that is asked for. */
function answers(): void {
  const named = EVENTS.map((event) => frame(event));
  vendor.plan(({ stream }) => (stream ? streamReply(named) : jsonReply(200, RESPONSE)), { path: '/v1/responses' });
  const chunks = [...CHUNKS.map((chunk) => frame(chunk)), frame('[DONE]')];
  vendor.plan(({ stream }) => (stream ? streamReply(chunks) : jsonReply(200, COMPLETION)), {
    path: '/v1/chat/completions',
  });
  const begun = { ...MESSAGE, content: [], stop_reason: null };
  const block = { type: 'content_block_start', index: 0, content_block: MESSAGE.content[0] };
  const pieces = [
    { type: 'message_start', message: begun },
    block,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: MESSAGE.usage },
    { type: 'message_stop' },
  ].map((piece) => frame(piece));
  vendor.plan(({ stream }) => (stream ? streamReply(pieces) : jsonReply(200, MESSAGE)), { path: '/v1/messages' });
}

const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
  content: [{ type: 'text', text: 'Done.' }],
  usage: { input_tokens: 5, output_tokens: 2 },
};

async function post(path: string, body: object): Promise<{ text: string; told: string[]; dropped: string[] }> {
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const usage = await fetch(`${headgate.url}/v1/usage/${response.headers.get('x-request-id')}`, {
    headers: { authorization: `Bearer ${headgate.key}` },
  });
  const record: unknown = await usage.json();
  const told = response.headers.get('service-dropped')?.split(', ') ?? [];
  return { text, told, dropped: (field(record, 'dropped') as string[] | undefined) ?? [] };
}

for (const stream of [false, true]) {
  const kind = stream ? 'streamed' : 'whole';

  test(`OpenAI’s own members pass to a vendor of responses, and back, ${kind}`, async () => {
    answers();
    const { text, told } = await post('/v1/responses', { model: 'openai-responses/m', ...CALL, stream });
    assert.partialDeepStrictEqual(vendor.requests.at(-1)?.json, CALL);
    assert.deepEqual(told, []);
    const last: unknown = JSON.parse(stream ? eventsIn(text).at(-1)! : text);
    assert.partialDeepStrictEqual(stream ? field(last, 'response') : last, RESPONSE);
  });

  for (const id of ['openai-chat', 'anthropic-messages'] as const) {
    test(`to ${id} they are told by name, ${kind}`, async () => {
      answers();
      const { told } = await post('/v1/responses', { model: `${id}/m`, ...CALL, stream });
      for (const name of CALL_LOSSES) assert.ok(told.includes(name), `${name} in ${told}`);
    });
  }

  test(`what only responses tell is told to callers of other formats, ${kind}`, async () => {
    answers();
    const messages = [{ role: 'user', content: 'Hi' }];
    for (const [path, more] of [
      ['/v1/chat/completions', {}],
      ['/v1/messages', { max_tokens: 99 }],
    ] as const) {
      const { told, dropped } = await post(path, { model: 'openai-responses/m', messages, ...more, stream });
      for (const name of ['moderation', 'prompt_cache_diagnostics', 'output.phase']) {
        assert.ok((stream ? dropped : told).includes(name), `${path}: ${name} in ${told} or ${dropped}`);
      }
    }
  });

  test(`moderation of chat completions passes, and is told to callers of other formats, ${kind}`, async () => {
    answers();
    const asked = { messages: [{ role: 'user', content: 'Hi' }], moderation: MODERATION, stream };
    const { text, told } = await post('/v1/chat/completions', { model: 'openai-chat/m', ...asked });
    assert.partialDeepStrictEqual(vendor.requests.at(-1)?.json, asked);
    assert.deepEqual(told, []);
    assert.ok(text.includes(JSON.stringify(SCORES)));
    const elsewhere = await post('/v1/chat/completions', { model: 'anthropic-messages/m', ...asked });
    assert.ok(elsewhere.told.includes('moderation'));
    const read = await post('/v1/responses', { model: 'openai-chat/m', input: 'Hi', stream });
    assert.ok((stream ? read.dropped : read.told).includes('moderation'));
  });
}

test('a call that still runs has a result to vendors that want one, and no other turn is made up', async () => {
  answers();
  await post('/v1/responses', { model: 'openai-chat/m', ...CALL });
  const messages = field(vendor.requests.at(-1)?.json, 'messages') as { role: string; tool_call_id?: string }[];
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'tool', 'user'],
  );
  assert.deepEqual(
    messages.flatMap(({ tool_call_id: id }) => id ?? []),
    ['c2', 'c1'],
  );
  await post('/v1/responses', { model: 'anthropic-messages/m', ...CALL });
  assert.partialDeepStrictEqual(field(vendor.requests.at(-1)?.json, 'messages', '2', 'content'), [
    { type: 'tool_result', tool_use_id: 'c2' },
    { type: 'tool_result', tool_use_id: 'c1' },
    { type: 'text', text: 'Go on' },
  ]);
});
