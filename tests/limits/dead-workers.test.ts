import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';
import { timeoutsOf } from '../support/timeouts.ts';
import { ask, chat, workersOf } from '../workers/ask.ts';
import { spentOf } from './calls-at-once.ts';

/** In nano-dollars. A worker holds up to a fortieth of it: as much as three calls may cost, each of which costs that. */
const LIMIT = 120_000_000;
const OUTPUT = 100;
const WORKERS = 4;
/** Every worker has refused this many times in a row, so that none holds any money. */
const REFUSALS = 5 * WORKERS;
const PATH = '/v1/chat/completions';

test('the money that a killed worker held comes back, though the key stays busy', async () => {
  await using vendor = await startFakeProvider();
  await using headgate = await startHeadgate({
    config: `
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: small, price: { input_per_1m: 0, output_per_1m: 10 } }] }
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
retries: { attempts: 1 }
timeouts: ${timeoutsOf()}
`,
    args: ['--workers', `${WORKERS}`],
  });
  const { id, key } = await headgate.createKey('--spend-limit', `${LIMIT / 1e9}`);
  const paid = answer({ usage: { prompt_tokens: 1, completion_tokens: OUTPUT } });
  const body = chat('small', { max_tokens: OUTPUT });
  const spent = async () => (await spentOf(headgate)).get(id) ?? 0;
  const open: Promise<unknown>[] = [];

  /** Two calls of each worker are open, so that all count on the budget as it was told. */
  async function hold(calls: number): Promise<void> {
    const before = vendor.heldCalls();
    vendor.plan(insert(paid, 0, 'hold'), { times: calls });
    const held = Array.from({ length: calls }, () => ask(headgate, PATH, body, key).catch(() => null));
    open.push(...held);
    await vendor.waitFor(({ heldCalls }) => heldCalls() >= before + calls);
    vendor.plan(paid);
  }

  for (let death = 0; death < 2; death += 1) {
    await hold(2 * WORKERS);
    const [victim] = workersOf(headgate);
    process.kill(victim!, 'SIGKILL');
    await headgate.waitForLine(new RegExp(`"worker":${victim}.*ended unexpectedly`));
    while (workersOf(headgate).length < WORKERS) await ask(headgate, '/readyz');
  }
  for (let refusals = 0; refusals < REFUSALS; ) {
    const { status } = await ask(headgate, PATH, body, key);
    assert.ok(status === 200 || status === 429, `${status}`);
    refusals = status === 429 ? refusals + 1 : 0;
  }
  const stillHeld = vendor.heldCalls();
  const before = await spent();
  assert.ok(before <= LIMIT, `${before} of ${LIMIT} are spent`);
  vendor.release();
  await Promise.all(open);
  assert.equal(await spent(), LIMIT, `${before} before ${stillHeld} calls ended`);
});
