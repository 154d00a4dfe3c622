import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { createWaiters } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask, chat } from '../workers/ask.ts';

/** Limits hold for two workers together: nothing more than they allow, and at most a block for each less. */
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: small, price: { input_per_1m: 0, output_per_1m: 10 } }] }
`,
  args: ['--workers', '2'],
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const PATH = '/v1/chat/completions';
const MINUTE_MS = 60_000;

function statusesOf(answers: readonly { status: number }[], status: number): number {
  return answers.filter((each) => each.status === status).length;
}

test('requests per minute', async () => {
  const limit = 40;
  const block = 2;
  const { key } = await headgate.createKey('--requests-per-minute', `${limit}`);
  const startedAt = performance.now();
  const answers = [];
  for (let round = 0; round < 8; round += 1) {
    const calls = Array.from({ length: 10 }, () => ask(headgate, PATH, chat('small'), key));
    answers.push(...(await Promise.all(calls)));
  }
  const cameBack = ((performance.now() - startedAt) * limit) / MINUTE_MS;
  const letIn = statusesOf(answers, 200);
  assert.equal(statusesOf(answers, 429), answers.length - letIn);
  assert(letIn >= limit - 2 * block && letIn <= limit + cameBack, `${letIn} of ${limit}, and ${cameBack} came back`);
  for (const { headers } of answers) assert.equal(headers.get('x-ratelimit-limit-requests'), `${limit}`);
});

test('a spend limit, with as many calls open as it lets in', async () => {
  const [fitting, output] = [10, 100];
  // A call may cost at most $0.001, and costs it.
  const { id, key } = await headgate.createKey('--spend-limit', '0.01');
  vendor.plan(insert(answer({ usage: { prompt_tokens: 1, completion_tokens: output } }), 0, 'hold'));
  const calls = Array.from({ length: 30 }, () => ask(headgate, PATH, chat('small', { max_tokens: output }), key));
  const waiters = createWaiters();
  let refused = 0;
  for (const call of calls) {
    void call.then(({ status }) => {
      if (status === 429) refused += 1;
      waiters.changed();
    });
  }
  await waiters.until(
    () => refused >= calls.length - fitting,
    () => `${calls.length - fitting} refusals; ${refused} so far`,
  );
  await vendor.waitFor(({ heldCalls }) => heldCalls() >= fitting - 1);
  // One more may be on its way: it is answered at once.
  vendor.forget();
  vendor.release();
  const answers = await Promise.all(calls);
  const letIn = statusesOf(answers, 200);
  // What both hold back together is what one call needs.
  assert(letIn === fitting || letIn === fitting - 1, `${letIn} let in`);
  assert.equal(statusesOf(answers, 429), calls.length - letIn);
  const { data } = await headgate.usage({ limit: '100' });
  const spent = data.filter((record) => record.api_key_id === id).map((record) => Number(record.cost_usd));
  assert(spent.reduce((sum, cost) => sum + cost, 0) < 0.0100001, `${spent}`);
});

test('leases of a worker that makes no calls are given back, and so is what a call did not use', async () => {
  const { key } = await headgate.createKey('--tokens-per-minute', '6000');
  // Each takes nearly all there is, and uses little: the next can only be let in because that came back.
  for (let call = 0; call < 6; call += 1) {
    for (let tries = 0; ; tries += 1) {
      const { status, text } = await ask(headgate, PATH, chat('small', { max_tokens: 5_500 }), key);
      if (status === 200) break;
      assert(tries < 2_000, text);
    }
  }
});
