import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, streamReply } from '../../src/testing/reply.ts';
import { ask, errorOf } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const COUNTS = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
const vendor = await startFakeProvider();
after(() => vendor.close());
const CONFIG = `
providers:
  xai: { base_url: "${vendor.url}", api_key: key-of-xai, dialects: [openai-chat], only: [new] }
  perplexity: { base_url: "${vendor.url}", api_key: key-of-perplexity, only: [newer] }
  deepinfra: { base_url: "${vendor.url}", api_key: key-of-deepinfra, only: [newest] }
`;
const headgate = await startHeadgate({ config: CONFIG });
after(() => headgate[Symbol.asyncDispose]());

const TOLD: readonly [model: string, usage: object, dollars: number][] = [
  ['xai/new', { cost_in_usd_ticks: 37_756_000 }, 0.0037756],
  ['perplexity/newer', { cost: { request_cost: 0.005, total_cost: 0.006 } }, 0.006],
  ['deepinfra/newest', { estimated_cost: 0.0000268 }, 0.0000268],
];

function bodyOf(surface: string, model: string, stream: boolean): object {
  const input = surface === '/v1/responses' ? { input: 'Hi' } : { messages: [{ role: 'user', content: 'Hi' }] };
  return { model, stream, ...(surface === '/v1/messages' && { max_tokens: 9 }), ...input };
}

async function costOf(surface: string, model: string, usage: object, stream: boolean): Promise<unknown> {
  vendor.plan(answer({ usage: { ...COUNTS, ...usage } }), { times: 1 });
  const { status, text } = await ask(`${headgate.url}${surface}`, {
    key: headgate.key,
    body: bodyOf(surface, model, stream),
  });
  assert.equal(status, 200, text);
  const { json } = await ask(`${headgate.url}/v1/usage?limit=1`, { key: headgate.key });
  return (json as { data: { cost_usd: unknown }[] }).data[0]?.cost_usd;
}

/** As text, and what is not believed: such a call has no cost. */
const ODD: readonly [model: string, usage: object, dollars: number | null][] = [
  ['xai/new', { cost_in_usd_ticks: '37756000' }, 0.0037756],
  ['perplexity/newer', { cost: { total_cost: '0.006' } }, 0.006],
  ['perplexity/newer', { cost: '0.006' }, 0.006],
  ['deepinfra/newest', { estimated_cost: '2.68e-5' }, 0.0000268],
  ['deepinfra/newest', { estimated_cost: 0 }, 0],
  ['deepinfra/newest', { estimated_cost: 1_000_000 }, null],
  ['deepinfra/newest', { estimated_cost: '-1' }, null],
  ['deepinfra/newest', { estimated_cost: null }, null],
  ['xai/new', { cost_in_usd_ticks: 1.5 }, null],
  ['xai/new', { cost_in_usd_ticks: 1e15 }, null],
  ['perplexity/newer', { cost: { total_cost: -1 } }, null],
  ['perplexity/newer', { cost: 0.001, is_byok: true, cost_details: {} }, null],
];

test('a cost may be told as text, and one that cannot be is not believed', async () => {
  for (const [model, usage, dollars] of ODD)
    for (const stream of [false, true])
      assert.equal(await costOf('/v1/responses', model, usage, stream), dollars, JSON.stringify(usage));
});

for (const [model, usage, dollars] of TOLD) {
  test(`${model} costs what its vendor says, whole and streamed, in every format`, async () => {
    for (const surface of ['/v1/chat/completions', '/v1/responses', '/v1/messages'])
      for (const stream of [false, true])
        assert.equal(await costOf(surface, model, usage, stream), dollars, `${surface} ${stream}`);
  });
}

test('a cost may come alone in the last chunk of a stream', async () => {
  const end = (usage: object) => frame({ id: 'c', choices: [], usage });
  const words = { index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' };
  const frames = [frame({ id: 'c', choices: [words] }), end(COUNTS), end({ estimated_cost: 0.002 }), frame('[DONE]')];
  for (const surface of ['/v1/chat/completions', '/v1/responses', '/v1/messages'])
    for (const stream of [false, true]) {
      vendor.plan(() => streamReply(frames), { times: 1 });
      const body = bodyOf(surface, 'deepinfra/newest', stream);
      const { status, text } = await ask(`${headgate.url}${surface}`, { key: headgate.key, body });
      assert.equal(status, 200, text);
      const [record] = (await headgate.usage({ limit: '1' })).data;
      assert.deepEqual([record?.cost_usd, record?.input_tokens], [0.002, 1000], `${surface} ${stream}`);
    }
});

test('a cost up to `limits.max_vendor_cost` is believed, and none beyond', async () => {
  const usage = (dollars: number) => ({ estimated_cost: dollars });
  const cost = (dollars: number) => costOf('/v1/chat/completions', 'deepinfra/newest', usage(dollars), false);
  assert.equal(await cost(10_000), 10_000);
  assert.equal(await cost(10_000.01), null);
  assert.match(await headgate.reload(`${CONFIG}limits: { max_vendor_cost: 20000 }\n`), /reloaded|changed/i);
  assert.equal(await cost(10_000.01), 10_000.01);
  await headgate.reload(`${CONFIG}limits: { max_vendor_cost: 1 }\n`);
  assert.deepEqual([await cost(1), await cost(1.01)], [1, null]);
  await headgate.reload(CONFIG);
});

test('a key with a spend limit is told why it may not use such a model, and how to mend that', async () => {
  const { key } = await headgate.createKey('--spend-limit', '5');
  const body = bodyOf('/v1/chat/completions', 'xai/new', false);
  const refused = await ask(`${headgate.url}/v1/chat/completions`, { key, body });
  assert.equal(refused.status, 403, refused.text);
  const { code, param, message } = errorOf(refused);
  assert.deepEqual([code, param], ['model_unpriced', 'model']);
  assert.match(String(message), /only afterwards.*headgate prices set provider\/model/);
});
