import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `
providers:
  anthropic:
    base_url: "${vendor.url}"
    api_key: sk-ant-0123456789
    only:
      - { id: asked, price: { input_per_1m: 10, output_per_1m: 50, cache_read_per_1m: 1, cache_write_per_1m: 12.5 } }
      - { id: serves, price: { input_per_1m: 4, output_per_1m: 20, cache_read_per_1m: 0.4, cache_write_per_1m: 5 } }
      - { id: free, price: { input_per_1m: 0, output_per_1m: 0 } }
routes:
  dear: { targets: [anthropic/asked], price: { input_per_1m: 100, output_per_1m: 100 } }
`,
});
after(() => Promise.all([headgate[Symbol.asyncDispose](), vendor.close()]));

const DECLINED = { type: 'message', model: 'asked', input_tokens: 1000, output_tokens: 10 };
const SILENT = { type: 'message', model: 'asked', input_tokens: 1000, output_tokens: 0 };
const SERVED = { type: 'fallback_message', model: 'serves', input_tokens: 2000, output_tokens: 100 };
const COMPACTED = { type: 'compaction', input_tokens: 3000, output_tokens: 30 };
const top = { input_tokens: 2000, output_tokens: 100 };

/** The record of a call whose vendor tells this usage. */
async function recordOf(model: string, usage: object, stream: boolean) {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'serves', content: [] };
  vendor.plan(
    () =>
      stream
        ? streamReply(
            [
              { type: 'message_start', message: { ...head, usage: { input_tokens: 1, output_tokens: 1 } } },
              { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Fine.' } },
              { type: 'content_block_stop', index: 0 },
              { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
              { type: 'message_stop' },
            ].map(frame),
          )
        : jsonReply(200, { ...head, content: [{ type: 'text', text: 'Fine.' }], stop_reason: 'end_turn', usage }),
    { times: 1 },
  );
  const response = await fetch(`${headgate.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': headgate.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: 9,
      stream,
      messages: [{ role: 'user', content: 'Hi' }],
      fallbacks: 'default',
    }),
  });
  assert.equal(response.status, 200);
  await response.text();
  const [record] = (await headgate.usage({ limit: '1' })).data;
  return { cost: Number(field(record, 'cost_usd')), record };
}

for (const stream of [false, true]) {
  const how = stream ? 'streamed' : 'whole';

  test(`${how}: each iteration is billed at the price of its model`, async () => {
    const cases: readonly [iterations: readonly object[], cost: number][] = [
      [[DECLINED, SERVED], 1000 * 10e-6 + 10 * 50e-6 + 2000 * 4e-6 + 100 * 20e-6],
      [[SILENT, SERVED], 2000 * 4e-6 + 100 * 20e-6],
      [[DECLINED, COMPACTED, SERVED], 1000 * 10e-6 + 10 * 50e-6 + 5000 * 4e-6 + 130 * 20e-6],
      [[{ ...COMPACTED, model: 'asked' }, SILENT, SERVED], 3000 * 10e-6 + 30 * 50e-6 + 2000 * 4e-6 + 100 * 20e-6],
      [[{ ...DECLINED, ...top }], 2000 * 10e-6 + 100 * 50e-6],
      [
        [
          { ...DECLINED, ...top },
          { ...SERVED, type: 'advisor_message' },
        ],
        4000 * 7e-6 + 200 * 35e-6,
      ],
    ];
    for (const [iterations, cost] of cases) {
      const found = await recordOf('anthropic/asked', { ...top, iterations }, stream);
      assert.ok(Math.abs(found.cost - cost) < 1e-9, `${found.cost} is not ${cost}: ${JSON.stringify(iterations)}`);
    }
  });

  test(`${how}: a model that has no price leaves the cost unknown, and a price of the route holds for all`, async () => {
    const unknown = { ...SERVED, model: 'of-tomorrow' };
    const { record } = await recordOf('anthropic/asked', { ...top, iterations: [DECLINED, unknown] }, stream);
    assert.equal(field(record, 'cost_usd'), null);
    const routed = await recordOf('dear', { ...top, iterations: [DECLINED, SERVED] }, stream);
    assert.ok(Math.abs(routed.cost - 3110 * 100e-6) < 1e-9, `${routed.cost}`);
  });
}
