import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Intent, Settlement } from '../core/records.ts';
import { usageOf } from '../core/usage.ts';
import { Metrics } from './metrics.ts';

const INTENT: Intent = {
  id: 'usage_1',
  requestId: 'req_1',
  clientRequestId: null,
  organizationId: 'org_1',
  keyId: 'key_1',
  source: 'api_key',
  product: null,
  tool: null,
  dialect: 'openai-chat',
  model: 'small',
  requestedModel: 'default',
  route: null,
  provider: 'lab',
  upstreamModel: 'small-2026',
  streamed: true,
  createdAt: 1_000,
  estimatedInputTokens: 5,
  price: null,
  held: null,
  budgets: '',
};

const SETTLEMENT: Settlement = {
  id: 'usage_1',
  organizationId: 'org_1',
  keyId: 'key_1',
  createdAt: 1_000,
  status: 'succeeded',
  httpStatus: 200,
  errorKind: null,
  usage: usageOf({ inputTokens: 100, outputTokens: 20 }),
  usageSource: 'provider',
  lineItems: [],
  cost: 1_500_000_000n,
  counted: 0n,
  reported: null,
  settledAt: 3_500,
  timeToFirstTokenMs: 250,
  attempts: [],
  dropped: [],
  routed: null,
};

async function valuesOf(metrics: Metrics): Promise<Map<string, number>> {
  const { body } = await metrics.text();
  const lines = body.split('\n').filter((line) => line.startsWith('headgate_'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

test('a call is open until it is settled, and then counted with its tokens, its cost and its times', async () => {
  const metrics = new Metrics();
  metrics.opened();
  metrics.opened();
  assert.equal((await valuesOf(metrics)).get('headgate_open_calls'), 2);
  metrics.closed(INTENT, SETTLEMENT, true);
  metrics.closed(INTENT, { ...SETTLEMENT, status: 'failed', cost: null, timeToFirstTokenMs: null }, true);
  const values = await valuesOf(metrics);
  const of = 'provider="lab",model="small"';
  assert.deepEqual(
    [
      'headgate_open_calls',
      `headgate_calls_total{${of},status="succeeded"}`,
      `headgate_calls_total{${of},status="failed"}`,
      `headgate_tokens_total{${of},type="input"}`,
      `headgate_tokens_total{${of},type="output"}`,
      `headgate_cost_usd_total{${of}}`,
      `headgate_call_duration_seconds_sum{${of}}`,
      `headgate_call_duration_seconds_count{${of}}`,
      `headgate_time_to_first_token_seconds_sum{${of}}`,
      `headgate_time_to_first_token_seconds_count{${of}}`,
    ].map((name) => values.get(name)),
    [0, 1, 1, 200, 40, 1.5, 5, 2, 0.25, 1],
  );
});

test('models that never stream have no times to a first token, and equal names of two providers are told apart', async () => {
  const metrics = new Metrics();
  for (const provider of ['lab', 'other']) {
    metrics.opened();
    metrics.closed({ ...INTENT, provider }, { ...SETTLEMENT, timeToFirstTokenMs: null }, true);
  }
  const values = await valuesOf(metrics);
  assert.deepEqual(
    [...values.keys()].filter((name) => name.startsWith('headgate_time_to_first_token')),
    [],
  );
  for (const provider of ['lab', 'other']) {
    const of = `provider="${provider}",model="small"`;
    assert.equal(values.get(`headgate_calls_total{${of},status="succeeded"}`), 1);
    assert.equal(values.get(`headgate_call_duration_seconds_count{${of}}`), 1);
  }
});

test('nothing that a caller chose becomes a label', async () => {
  const metrics = new Metrics();
  metrics.opened();
  metrics.closed(INTENT, SETTLEMENT, true);
  assert.doesNotMatch((await metrics.text()).body, /default|small-2026|key_1|org_1|req_1/);
});

test('models that are in no list are one label, however many callers invent', async () => {
  const metrics = new Metrics();
  for (let index = 0; index < 100; index += 1) {
    metrics.closed({ ...INTENT, model: `lab/invented-${index}` }, SETTLEMENT, false);
  }
  const { body } = await metrics.text();
  assert.doesNotMatch(body, /invented/);
  assert.equal(
    (await valuesOf(metrics)).get('headgate_calls_total{provider="lab",model="other",status="succeeded"}'),
    100,
  );
});
