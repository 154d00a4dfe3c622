import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type OpenAI from 'openai';
import { PermissionDeniedError, RateLimitError } from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { insert } from '../../src/testing/reply.ts';
import { createWaiters } from '../../src/testing/wait.ts';
import { collect, rejection, startLab } from '../sdk/lab.ts';
import { timeoutsOf } from '../support/timeouts.ts';

/** Nano-dollars a token. */
const PRICE = { input: 150, output: 600 };
const lab = await startLab(`
providers:
  lab:
    base_url: \${LAB_URL}
    only: [unpriced, { id: priced, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }]
limits: { requests_per_minute: 100000, tokens_per_minute: 100000000 }
retries: { attempts: 1 }
timeouts: ${timeoutsOf()}
`);
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const chat = { model: 'priced', messages: [{ role: 'user' as const, content: 'Hi' }], max_tokens: 100 };
/** What a call of this body may cost at most: by its bytes, four to a token, and its largest answer. */
const PROMPT_ESTIMATE = Math.ceil(JSON.stringify(chat).length / 4);
const HIGHEST = PROMPT_ESTIMATE * PRICE.input + 100 * PRICE.output;
/** What it does cost. */
const ACTUAL = 9 * PRICE.input + 8 * PRICE.output;

/** Nano-dollars of all settled calls of a key. */
async function spent(keyId: string): Promise<number> {
  const { data } = await headgate.usage({ limit: '100' });
  const costs = data.filter((record) => record.api_key_id === keyId).map(({ cost_usd }) => Number(cost_usd));
  return Math.round(costs.reduce((sum, cost) => sum + cost, 0) * 1e9);
}

async function untilRefused(client: OpenAI): Promise<{ calls: number; error: RateLimitError }> {
  for (let calls = 0; calls < 100; calls += 1) {
    try {
      await client.chat.completions.create(chat, { maxRetries: 2 });
    } catch (error) {
      assert(error instanceof RateLimitError, String(error));
      return { calls, error };
    }
  }
  throw new Error('the key was never refused');
}

test('a key spends what it may in its life, and not more after a kill', async () => {
  const limit = 100_000;
  const { id, key } = await headgate.createKey('--spend-limit', '0.0001');
  const { calls, error } = await untilRefused(lab.clientWith(key));
  assert.equal(calls, Math.floor((limit - HIGHEST) / ACTUAL) + 1, 'let in as long as the highest cost fits');
  assert.deepEqual([error.code, error.type], ['insufficient_quota', 'insufficient_quota']);
  assert.equal(error.headers.get('x-should-retry'), 'false');
  assert.equal(error.headers.get('retry-after'), '86400');
  assert.match(error.message, /\$0\.0001 in all/);
  assert.equal(await spent(id), calls * ACTUAL);

  await headgate.kill9();
  await headgate.restart();
  const client = lab.clientWith(key);
  const again = await rejection(client.chat.completions.create(chat), RateLimitError);
  assert.equal(again.code, 'insufficient_quota');
  assert.equal(again.message, error.message, 'the same is left');
  const small = await client.chat.completions.create({ ...chat, max_tokens: 10 });
  assert.equal(small.object, 'chat.completion', 'what still fits is let in');
});

test('fifty calls at once never spend more than the limit together', async () => {
  const limit = 1_000_000;
  const { id, key } = await headgate.createKey('--spend-limit', '0.001/day');
  const client = lab.clientWith(key);
  // Every call costs as much as it may, and none is answered before all the others were refused.
  const costly = answer({ usage: { prompt_tokens: PROMPT_ESTIMATE, completion_tokens: 100 } });
  vendor.plan(insert(costly, 0, 'hold'));
  const waiters = createWaiters();
  let refused = 0;
  const call = async (stream: boolean) => {
    try {
      const data = await client.chat.completions.create({ ...chat, stream });
      if (Symbol.asyncIterator in data) await collect(data);
    } catch (error) {
      assert(error instanceof RateLimitError, String(error));
      assert.equal(error.code, 'insufficient_quota');
      assert.match(error.message, /per day \(UTC\)/);
      refused += 1;
      waiters.changed();
    }
  };
  const calls = Array.from({ length: 50 }, (_, index) => call(index % 2 === 1));
  const fitting = Math.floor(limit / HIGHEST);
  await waiters.until(
    () => refused === 50 - fitting,
    () => `${50 - fitting} refusals; ${refused} so far`,
  );
  await vendor.waitFor(({ heldCalls }) => heldCalls() === fitting);
  vendor.release();
  await Promise.all(calls);
  vendor.forget();
  assert.equal(refused, 50 - fitting);
  assert.equal(await spent(id), fitting * HIGHEST);
});

test('a failed call costs nothing', async () => {
  const { id, key } = await headgate.createKey('--spend-limit', '0.0001/month');
  vendor.plan('server-error', { times: 3 });
  const client = lab.clientWith(key);
  for (let count = 0; count < 3; count += 1) await assert.rejects(client.chat.completions.create(chat));
  assert.equal(await spent(id), 0);
  assert.equal((await client.chat.completions.create(chat)).object, 'chat.completion');
});

test('a key with a spend limit may not use a model without a price', async () => {
  const { key } = await headgate.createKey('--spend-limit', '100');
  const client = lab.clientWith(key);
  const before = vendor.requests.length;
  const error = await rejection(client.chat.completions.create({ ...chat, model: 'unpriced' }), PermissionDeniedError);
  assert.deepEqual([error.code, error.param], ['model_unpriced', 'model']);
  assert.equal(vendor.requests.length, before);
  assert.equal((await client.chat.completions.create({ ...chat, model: 'echo' })).model, 'echo', 'free is a price');
  assert.equal((await lab.client.chat.completions.create({ ...chat, model: 'unpriced' })).model, 'unpriced');
});
