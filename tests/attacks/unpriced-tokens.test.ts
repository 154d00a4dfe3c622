import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, begin, chat, workersOf } from '../workers/ask.ts';

/**
 * A price that names another rate of caches and no `cache_read_per_1m`, and a vendor that reports cached tokens: a caller makes its costs unknown by
 * repeating a prompt. What was held for such calls counts, so that no limit lets in more than it allows.
 */
const vendor = await startFakeProvider();
const CONFIG = `
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: small, price: { input_per_1m: 10, output_per_1m: 10, cache_write_per_1m: 10 } }] }
products:
  desk: { name: Desk, routes: [small], budget: { usd: 0.01, per: month } }
retries: { attempts: 1 }
`;
const alone = await startHeadgate({ config: CONFIG });
const shared = await startHeadgate({ config: CONFIG, args: ['--workers', '4'] });
after(async () => {
  await Promise.all([alone[Symbol.asyncDispose](), shared[Symbol.asyncDispose]()]);
  await vendor.close();
});

const PATH = '/v1/chat/completions';
const CALL = chat('small', { max_tokens: 130 });
/** Nano-dollars that are held for a call: its bytes, four to a token, and its largest answer, at 10,000 nano-dollars a token. */
const HELD = (Math.ceil(JSON.stringify(CALL).length / 4) + 130) * 10_000;
const LIMIT = 10_000_000;
const FITTING = Math.floor(LIMIT / HELD);
const CACHED = { prompt_tokens: 9, completion_tokens: 8, prompt_tokens_details: { cached_tokens: 5 } };

vendor.plan(answer({ usage: CACHED }));

/** Calls until it is refused for its limit; tells how many were let in. */
async function untilRefused(headgate: Running, key: string): Promise<number> {
  for (let letIn = 0; letIn <= 3 * FITTING; letIn += 1) {
    const { status, text } = await ask(headgate, PATH, CALL, key);
    if (status === 200) continue;
    assert.equal(status, 429, text);
    assert.match(text, /insufficient_quota/);
    return letIn;
  }
  return Number.POSITIVE_INFINITY;
}

async function recordsOf(headgate: Running, keyIds: readonly string[]): Promise<Record<string, unknown>[]> {
  const { data } = await headgate.usage({ limit: '100' });
  return data.filter(({ api_key_id }) => keyIds.includes(String(api_key_id)));
}

function counted(records: readonly Record<string, unknown>[]): number {
  return Math.round(records.reduce((sum, { counted_usd }) => sum + Number(counted_usd), 0) * 1e9);
}

/** Resolves when no worker holds a part of any limit, so that the next call reads anew what was spent. */
async function untilLeasesAreBack({ data }: Running): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  using database = new DatabaseSync(join(data, 'limits.db'), { readOnly: true });
  const leases = database.prepare('select count(*) as held from limit_leases');
  while (leases.get()?.held !== 0) {
    assert(performance.now() < deadline, 'the leases were not given back');
    // Looked at no more often than this, so that the workers have the processor.
    await setTimeout(20);
  }
}

test('one process: neither a kill nor a restart lets more in than a key’s limit, and a product’s budget', async () => {
  const [own, one, two, open] = await Promise.all([
    alone.createKey('--spend-limit', '0.01'),
    alone.createKey('--product', 'desk'),
    alone.createKey('--product', 'desk'),
    alone.createKey('--spend-limit', '0.01'),
  ]);
  const letIn = await Promise.all([own, one].map(({ key }) => untilRefused(alone, key)));
  assert.deepEqual(letIn, [FITTING, FITTING]);
  vendor.plan('slow-headers', { times: 1 });
  const interrupted = begin(alone, PATH, CALL, open.key).catch(() => null);
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  await alone.kill9();
  await interrupted;
  await alone.restart();
  for (const { key } of [own, one, two]) assert.equal(await untilRefused(alone, key), 0, 'after a kill');
  assert.equal(await untilRefused(alone, open.key), FITTING - 1, 'what was held for the interrupted call counts');
  await alone.restart();
  for (const { key } of [own, one, two, open]) assert.equal(await untilRefused(alone, key), 0, 'after a restart');

  const records = await recordsOf(alone, [own.id]);
  assert.equal(records.length, FITTING);
  for (const { cost_usd, counted_usd } of records) assert.deepEqual([cost_usd, counted_usd], [null, HELD / 1e9]);
  const cut = (await recordsOf(alone, [open.id])).find(({ status }) => status === 'interrupted');
  assert.equal(cut?.counted_usd, HELD / 1e9);
  assert.notEqual(cut.cost_usd, null, 'its prompt is billed');
  const detail = await ask(alone, `/v1/usage/${records[0]?.id}`);
  assert.equal((JSON.parse(detail.text) as Record<string, unknown>).counted_usd, HELD / 1e9);
});

test('four workers: neither leases that are given back, nor a worker’s death, nor a restart let more in', async () => {
  const { id, key } = await shared.createKey('--spend-limit', '0.01');
  const together = await Promise.all(Array.from({ length: 4 * FITTING }, () => ask(shared, PATH, CALL, key)));
  let letIn = together.filter(({ status }) => status === 200).length;
  assert(letIn > 0 && letIn <= FITTING, `${letIn} at once`);
  await untilLeasesAreBack(shared);
  letIn += await untilRefused(shared, key);
  assert.equal(letIn, FITTING);
  await untilLeasesAreBack(shared);
  assert.equal(await untilRefused(shared, key), 0, 'once the leases were given back');
  const [victim] = workersOf(shared);
  process.kill(victim!, 'SIGKILL');
  await shared.waitForLine(/ended unexpectedly/);
  assert.equal(await untilRefused(shared, key), 0, 'after a worker’s death');
  await shared.restart();
  assert.equal(await untilRefused(shared, key), 0, 'after a restart');
  const records = await recordsOf(shared, [id]);
  assert.equal(counted(records), letIn * HELD);
  assert(counted(records) <= LIMIT);
});

test('a price that does not say what a prompt, or an answer, costs is no price to hold against a limit', async () => {
  await alone.reload(
    CONFIG.replace('only: [', 'only: [{ id: half, price: { cache_read_per_1m: 1, output_per_1m: 1 } }, '),
  );
  const { key } = await alone.createKey('--spend-limit', '0.01');
  const { status, text } = await ask(alone, PATH, { ...(CALL as object), model: 'half' }, key);
  assert.deepEqual([status, /model_unpriced/.test(text)], [403, true], text);
});
