import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Searches of the web that an answer without any usage shows. */
const vendor = await startFakeProvider();
after(() => vendor.close());
const price = 'price: { input_per_1m: 1, output_per_1m: 1, per_call: { web_search: 0.01 } }';
const provider = (id: string, dialect: string) =>
  `  ${id}: { base_url: "${vendor.url}", api_key: a-key, dialects: [${dialect}], models: [{ id: ${id}-m, ${price} }] }\n`;
const headgate = await startHeadgate({
  config: `providers:\n${provider('chat', 'openai-chat')}${provider('responses', 'openai-responses')}${provider('messages', 'anthropic-messages')}`,
});
after(() => headgate[Symbol.asyncDispose]());

type Told = { whole: object; pieces: readonly object[] };

const PAGES = [{ title: 'Rain', link: 'https://a.invalid', content: 'It rains.' }];
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const chat: Told = {
  whole: {
    ...CHUNK,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Rain.' }, finish_reason: 'stop' }],
    web_search: PAGES,
  },
  pieces: [
    { ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'Rain.' } }], web_search: PAGES },
    { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
};

const item = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'rain' } };
const message = { type: 'message', id: 'm_1', role: 'assistant', content: [{ type: 'output_text', text: 'Rain.' }] };
const response = {
  id: 'r',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output: [item, message],
};
const responses: Told = {
  whole: response,
  pieces: [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 1, item: message },
    { type: 'response.completed', response },
  ],
};

const found = { type: 'web_search_result', url: 'https://a.invalid', title: 'Rain', encrypted_content: 'x' };
const blocks = [
  { type: 'server_tool_use', id: 's_1', name: 'web_search', input: { query: 'rain' } },
  { type: 'web_search_tool_result', tool_use_id: 's_1', content: [found] },
  { type: 'text', text: 'Rain.' },
];
const head = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const messages: Told = {
  whole: { ...head, content: blocks, stop_reason: 'end_turn' },
  pieces: [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
};

const BODIES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
};

type LineItem = { component: string; amount_usd: number };

async function searchesBilled(surface: keyof typeof BODIES, model: string, told: Told, forms: [boolean, boolean]) {
  const [asked, answered] = forms;
  const frames = told.pieces.map((piece) => frame(piece));
  vendor.forget();
  vendor.plan(() => (answered ? streamReply(frames) : jsonReply(200, told.whole)));
  const body = { model, stream: asked, ...BODIES[surface] };
  const { status, text } = await ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body });
  assert.equal(status, 200, text);
  const [record] = (await headgate.usage({ limit: '1' })).data;
  const { json } = await ask(`${headgate.url}/v1/usage/${record?.id}`, { key: headgate.key });
  const { line_items: items } = json as { line_items: LineItem[] };
  const { usage_source: source, tool_calls: calls } = json as Record<string, unknown>;
  const search = items.find(({ component }) => component === 'tool:web_search');
  return { source, calls, cost: search?.amount_usd };
}

for (const [model, told] of Object.entries({ 'chat-m': chat, 'responses-m': responses, 'messages-m': messages })) {
  test(`a search that an answer of ${model} without usage shows is counted and billed`, async () => {
    for (const surface of Object.keys(BODIES) as (keyof typeof BODIES)[])
      for (const asked of [false, true])
        for (const answered of [false, true])
          assert.deepEqual(
            await searchesBilled(surface, model, told, [asked, answered]),
            { source: 'estimated', calls: { web_search: 1 }, cost: 0.01 },
            `${surface} asked ${asked} answered ${answered}`,
          );
  });
}
