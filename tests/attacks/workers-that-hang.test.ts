import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask, begin, chat, workersOf } from '../workers/ask.ts';

/** The least that may be set. */
const TIMEOUT_MS = 2_000;

const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `
server: { workers: 2, worker_timeout: ${TIMEOUT_MS}ms }
providers: { lab: { base_url: "${vendor.url}", only: [small] } }`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const call = () => ask(headgate, '/v1/chat/completions', chat('small'));

/** The status of an answer; `null` where its connection was cut. */
function statusOf(answer: Promise<{ status: number }>): Promise<number | null> {
  return answer.then(
    ({ status }) => status,
    () => null,
  );
}

test('a machine that slept, or a primary that was stopped, costs no worker', async () => {
  const workers = workersOf(headgate);
  const all = [headgate.pid, ...workers];
  for (const stopped of [all, [headgate.pid]]) {
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    await delay(1.5 * TIMEOUT_MS);
    // The primary first: it finds none of its pings answered.
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    assert.equal((await call()).status, 200);
  }
  // Whoever counted the time, and not the beats, had killed them at the first beat.
  await delay(1_500);
  assert.deepEqual(workersOf(headgate), workers);
  assert.doesNotMatch(headgate.stderr(), /has not answered/);
});

test('a worker that hangs is replaced, its calls are settled, and calls go on beside it', async () => {
  vendor.plan('slow-headers', { times: 2 });
  const open = [1, 2].map(() => statusOf(begin(headgate, '/v1/chat/completions', chat('small'))));
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 2);
  const [victim, healthy] = workersOf(headgate);
  process.kill(victim!, 'SIGSTOP');
  // One connection may be on its way to the worker that hangs; no other is handed to it.
  const beside = await Promise.all(Array.from({ length: 8 }, () => statusOf(call())));
  assert(beside.filter((status) => status === 200).length >= 7, `${beside}`);

  const silent = JSON.parse(await headgate.waitForLine(/has not answered/)) as Record<string, unknown>;
  assert.deepEqual([silent.level, silent.worker, silent.silent_ms], [50, victim, TIMEOUT_MS]);
  const ended = JSON.parse(await headgate.waitForLine(/ended unexpectedly/)) as Record<string, unknown>;
  assert.equal(ended.worker, victim);
  assert.equal(ended.interrupted, 1);
  await headgate.waitForLine(/serves in the place/);
  vendor.release();
  assert.deepEqual((await Promise.all(open)).toSorted(), [200, null]);

  const workers = workersOf(headgate);
  assert(workers.includes(healthy!) && !workers.includes(victim!) && workers.length === 2, `${workers}`);
  for (let time = 0; time < 4; time += 1) assert.equal((await call()).status, 200);
  const statuses = (await headgate.usage({ limit: '100' })).data.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 'interrupted').length, 1);
});
