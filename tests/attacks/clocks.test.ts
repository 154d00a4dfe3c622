import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask, begin, chat } from '../workers/ask.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const YEARS_MS = 3650 * DAY_MS;
const JUMPS = {
  'an hour ahead': HOUR_MS,
  'an hour back': -HOUR_MS,
  'a day back': -DAY_MS,
  'ten years ahead': YEARS_MS,
};

const vendor = await startFakeProvider();
const folder = mkdtempSync(join(tmpdir(), 'headgate-clock-'));
const file = join(folder, 'clock');
/** The gateway's wall clock, against that of this process. */
function setClock(aheadMs: number): void {
  writeFileSync(file, String(aheadMs));
}
setClock(0);

const CONFIG = `
providers:
  lab: { base_url: "${vendor.url}", only: [small, { id: priced, price: { input_per_1m: 100, output_per_1m: 100 } }] }
retention: { usage: 60d }
`;
const env = { CLOCK_FILE: file, NODE_OPTIONS: `--import ${new URL('../support/jumping-clock.ts', import.meta.url)}` };
const headgate = await startHeadgate({ config: CONFIG, env });
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
  rmSync(folder, { recursive: true });
});

async function records() {
  return (await headgate.usage({ limit: '100' })).data as { id: string; created_at: number }[];
}

for (const [name, jump] of Object.entries(JUMPS)) {
  test(`a call during which the clock is set ${name} ends after it began, and is found`, async () => {
    const before = await records();
    vendor.plan('slow-headers', { times: 1 });
    const open = begin(headgate, '/v1/chat/completions', chat('small'));
    await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    setClock(jump);
    vendor.release();
    assert.equal((await open).status, 200);
    const requestId = (await open).headers.get('x-request-id');
    const shown = JSON.parse((await ask(headgate, `/v1/usage/${requestId}`)).text);
    const [attempt] = shown.attempt_details;
    const took = attempt.ended_at_ms - attempt.started_at_ms;
    assert(took >= 0 && took < HOUR_MS / 2, `the attempt took ${took} ms`);
    assert(attempt.started_at_ms >= shown.created_at * 1000 - 1000, 'the attempt was made after the call came');

    // A call under the clock that is wrong, and one after it was set right.
    assert.equal((await ask(headgate, '/v1/chat/completions', chat('small'))).status, 200);
    setClock(0);
    assert.equal((await ask(headgate, '/v1/chat/completions', chat('small'))).status, 200);
    const now = Math.floor(Date.now() / 1000);
    const present = await headgate.usage({ start_time: String(now - 600), end_time: String(now + 2), limit: '100' });
    const known = new Set(before.map(({ id }) => id));
    const found = present.data.filter(({ id }) => !known.has(String(id)));
    assert.equal(found.length, 2, 'both calls of now are found by their time');
    const all = await records();
    assert.equal(all.length, before.length + 3);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  });
}

test('pages hold every record once, in whatever order the clock has made them', async () => {
  const all = (await records()).map(({ id }) => id);
  const paged: string[] = [];
  for (let more = true; more; ) {
    const after = paged.at(-1);
    const page = await headgate.usage({ limit: '2', ...(after === undefined ? {} : { after }) });
    paged.push(...page.data.map(({ id }) => String(id)));
    more = page.has_more;
  }
  assert.deepEqual(paged, all);
  assert.deepEqual(all, all.toSorted().toReversed());
});

test('a day that a wrong clock began ends when the clock is set right, and what it cost counts on that day', async () => {
  const { key } = await headgate.createKey('--spend-limit', '0.02/day');
  const paid = chat('priced', { max_tokens: 100 });
  const spendAll = async (): Promise<number> => {
    for (let calls = 0; calls < 50; calls += 1) {
      const { status, text } = await ask(headgate, '/v1/chat/completions', paid, key);
      if (status === 429) return calls;
      assert.equal(status, 200, text);
    }
    assert.fail('the limit does not hold');
  };
  setClock(YEARS_MS);
  const first = await spendAll();
  assert(first > 0);
  setClock(0);
  assert.equal(await spendAll(), first, 'today is a day of its own');
  setClock(YEARS_MS);
  assert.equal(await spendAll(), 0, 'and that day is spent');
  setClock(0);
  assert.equal(await spendAll(), 0, 'as is today');
  await headgate.restart();
  assert.equal(await spendAll(), 0, 'after a restart, too');
});

test('no record is deleted because the clock has jumped', async () => {
  const before = await records();
  setClock(YEARS_MS);
  assert.match(await headgate.reload(`${CONFIG}# again\n`), /was reloaded/);
  await headgate.waitForLine(/no usage records are deleted/);
  setClock(0);
  assert.deepEqual(await records(), before);
});
