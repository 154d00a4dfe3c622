import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Searches of the web that vendors show in their answers, and do not count in their usage. */
const vendor = await startFakeProvider();
after(() => vendor.close());
const headgate = await startHeadgate({
  config: `
providers:
  groq: { base_url: "${vendor.url}", api_key: key-of-groq, dialects: [openai-chat], only: [openai/gpt-oss-120b] }
  zai: { base_url: "${vendor.url}", api_key: key-of-zai, only: [found] }
models:
  zai/found: { price: { input_per_1m: 1, output_per_1m: 1, per_call: { web_search: 0.01 } } }
`,
});
after(() => headgate[Symbol.asyncDispose]());

const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const RESULTS = { results: [{ title: 'Rain', url: 'https://a.invalid', content: 'It rains.', score: 1 }] };
const executed = (index: number, type: string, more: object = {}) => ({
  index,
  type,
  arguments: '{"query":"x"}',
  ...more,
});
const PAGES = [{ title: 'Rain', link: 'https://a.invalid', content: 'It rains.', refer: 'ref_1' }];

type Told = {
  model: string;
  whole: { message: object; beside?: object };
  pieces: object[];
  searches: number;
  each: number;
};
const delta = (words: object, more: object = {}) => ({ choices: [{ index: 0, delta: words }], ...more });

const TOLD: Record<string, Told> = {
  'each search among the tools that Groq ran, once': {
    model: 'groq/openai/gpt-oss-120b',
    whole: {
      message: {
        executed_tools: [
          executed(0, 'browser.search', { output: 'found', search_results: RESULTS }),
          executed(1, 'browser.open', { output: 'a page' }),
          executed(2, 'search', { output: 'found', search_results: RESULTS }),
        ],
      },
    },
    pieces: [
      delta({ executed_tools: [executed(0, 'browser.search')] }),
      delta({ executed_tools: [executed(0, 'browser.search', { output: 'found', search_results: RESULTS })] }),
      delta({ content: 'It ' }),
      delta({ executed_tools: [executed(1, 'browser.open', { output: 'a page' })] }),
      delta({ executed_tools: [executed(0, 'browser.search', { output: 'found' })] }),
      delta({ content: 'may ' }),
      delta({ executed_tools: [executed(2, 'search', { output: 'found', search_results: RESULTS })] }),
    ],
    searches: 2,
    each: 0.005,
  },
  'a list of what Z.ai found': {
    model: 'zai/found',
    whole: { message: {}, beside: { web_search: PAGES } },
    pieces: [delta({ content: 'It ' }), delta({ content: '' }, { web_search: PAGES })],
    searches: 1,
    each: 0.01,
  },
};

const bodies: Record<string, object> = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/responses': { input: 'Hi' },
  '/v1/messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
};

async function recordOf(surface: string, { model, whole, pieces }: Told, stream: boolean, usage: object = USAGE) {
  const head = { id: 'c', object: 'chat.completion', model: 'm', created: 1 };
  const message = { role: 'assistant', content: 'It rains.', ...whole.message };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const end = [
    { choices: [{ index: 0, delta: { content: 'rain.' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ];
  const chunks = [{ choices: [{ index: 0, delta: { role: 'assistant', content: '.' } }] }, ...pieces, ...end];
  vendor.forget();
  vendor.plan(() =>
    stream
      ? streamReply([...chunks.map((chunk) => frame({ ...head, ...chunk })), Buffer.from('data: [DONE]\n\n')])
      : jsonReply(200, { ...head, choices, ...whole.beside, usage }),
  );
  const { status, text } = await ask(`${headgate.url}${surface}`, {
    key: headgate.key,
    body: { model, stream, ...bodies[surface] },
  });
  assert.equal(status, 200, text);
  const [record] = (await headgate.usage({ limit: '1' })).data;
  const { json } = await ask(`${headgate.url}/v1/usage/${record?.id}`, { key: headgate.key });
  return json as Readonly<Record<string, unknown>>;
}

for (const [what, told] of Object.entries(TOLD)) {
  describe(`${what}, is counted and billed`, () => {
    for (const surface of Object.keys(bodies)) {
      for (const stream of [false, true]) {
        test(`${surface} ${stream ? 'streamed' : 'whole'}`, async () => {
          const { tool_calls, cost_usd } = await recordOf(surface, told, stream);
          assert.deepEqual([tool_calls, cost_usd], [{ web_search: told.searches }, told.searches * told.each]);
        });
      }
    }
  });
}

test('what the usage itself tells of searches holds', async () => {
  const told = TOLD['a list of what Z.ai found']!;
  const usage = { ...USAGE, server_tool_use: { web_search_requests: 3 } };
  for (const stream of [false, true]) {
    const record = await recordOf('/v1/chat/completions', told, stream, usage);
    assert.deepEqual(record.tool_calls, { web_search: 3 });
  }
});
