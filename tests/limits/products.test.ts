import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type OpenAI from 'openai';
import { RateLimitError } from 'openai';
import { rejection, startLab } from '../sdk/lab.ts';

const lab = await startLab(configOf('0.0001'));
const { headgate } = lab;
after(() => lab[Symbol.asyncDispose]());

const chat = { model: 'priced', messages: [{ role: 'user' as const, content: 'Hi' }], max_tokens: 100 };

function configOf(usd: string): string {
  return `
providers:
  lab:
    base_url: \${LAB_URL}
    only: [unpriced, { id: priced, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }]
products:
  helpdesk: { name: Helpdesk, routes: [priced, unpriced], budget: { usd: ${usd}, per: month } }
  search: { name: Search, routes: [priced] }
limits: { requests_per_minute: 100000, tokens_per_minute: 100000000 }
`;
}

/** Calls until it is refused; resolves with how many calls were answered, and the refusal. */
async function untilRefused(client: OpenAI): Promise<{ calls: number; error: RateLimitError }> {
  for (let calls = 0; calls < 100; calls += 1) {
    try {
      await client.chat.completions.create(chat);
    } catch (error) {
      assert(error instanceof RateLimitError, String(error));
      return { calls, error };
    }
  }
  throw new Error('the product was never refused');
}

test('the keys of a product share its budget, also after a kill, and until a reload says more', async () => {
  const [one, two] = [
    await headgate.createKey('--product', 'helpdesk'),
    await headgate.createKey('--product', 'helpdesk'),
  ];
  const other = await headgate.createKey('--product', 'search');
  const first = await untilRefused(lab.clientWith(one.key));
  assert.ok(first.calls > 1);
  assert.equal(first.error.code, 'insufficient_quota');
  assert.match(first.error.message, /The budget of the product `helpdesk` has \$0\.0000\d+ left of \$0\.0001 /);
  assert.equal((await untilRefused(lab.clientWith(two.key))).error.message, first.error.message);

  await headgate.kill9();
  await headgate.restart();
  assert.equal((await untilRefused(lab.clientWith(two.key))).error.message, first.error.message);
  await lab.clientWith(other.key).chat.completions.create(chat);
  await headgate.reload(configOf('0.0002'));
  const more = await untilRefused(lab.clientWith(two.key));
  assert.ok(more.calls > 0);
  assert.match(more.error.message, /left of \$0\.0002 /);

  const { data } = await headgate.usage({ product: 'helpdesk', limit: '100' });
  assert.equal(data.length, first.calls + more.calls);
  assert.ok(data.every(({ source, product }) => source === 'product' && product === 'helpdesk'));
  const keys = new Set(data.map(({ api_key_id }) => api_key_id));
  assert.deepEqual(keys, new Set([one.id, two.id]));
});

test('under a budget a model without a price is refused', async () => {
  const { key } = await headgate.createKey('--product', 'helpdesk');
  const call = lab.clientWith(key).chat.completions.create({ ...chat, model: 'unpriced' });
  assert.equal((await rejection(call, Error)).message.includes('the budget of the product `helpdesk`'), true);
});

test('a key of a product that the configuration does not have is not made', async () => {
  const { code, stderr } = await headgate.command('keys', 'create', '--name', 'x', '--product', 'nobody');
  assert.deepEqual([code, stderr], [2, 'There is no product nobody; the products are: helpdesk, search.\n']);
});
