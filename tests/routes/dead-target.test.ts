import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { closedPort, listen } from '../../src/testing/listen.ts';
import { insert } from '../../src/testing/reply.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { type AttemptRow, ROUTE_OF, type RouteLab, startRouteLab } from './lab.ts';
import { type Answered, assertAllAnswered, quantile, startTraffic } from './traffic.ts';

const CALLS = IS_NIGHTLY ? 10_000 : 1_000;
const CONCURRENCY = 100;
/** Opens after this many failures in a row, for long enough that the run may end before a probe. */
const FAILURES = 5;
const OPEN = 500;
const BREAKER = `{ failures: ${FAILURES}, open: ${OPEN}ms, open_max: ${OPEN}ms }`;
/** The circuit is open a fifth less at the least. */
const LEAST_OPEN = 0.8 * OPEN;

test(`${CALLS} calls to a route whose first target has a closed port: all are answered, few ask it`, async (t) => {
  await using lab = await startRouteLab({
    breaker: BREAKER,
    providers: { one: { url: `http://127.0.0.1:${await closedPort()}/v1` } },
  });
  await using traffic = startTraffic(lab.gateway);
  const startedAt = performance.now();
  const answers = await traffic.calls(ROUTE_OF[2], CALLS, CONCURRENCY);
  const probes = Math.ceil((performance.now() - startedAt) / LEAST_OPEN);
  assertAllAnswered(answers, 'two');
  // Those that were on their way when the circuit opened, and one each time that it may be tried again.
  const detoured = answers.filter(({ attempts }) => attempts > 1).length;
  assert.ok(detoured >= FAILURES && detoured <= CONCURRENCY + FAILURES + probes, `${detoured} of ${probes} probes`);
  assert.ok(answers.every(({ attempts }) => attempts <= 2));
  assert.equal(lab.vendors.two.requests.length, CALLS);
  tell(answers, (line) => t.diagnostic(line));
});

test('a first target that takes connections and says nothing: who is under way waits for connect once, all others not', async (t) => {
  let connections = 0;
  const hole = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).resume();
  });
  const port = await listen(hole, 0);
  try {
    // Never a TLS handshake: no connection is ever made.
    await using lab = await startRouteLab({
      breaker: '{ open: 60s }',
      providers: { one: { url: `https://127.0.0.1:${port}/v1` } },
      timeouts: { connect: 3_000 },
    });
    await using traffic = startTraffic(lab.gateway);
    const answers = await traffic.calls(ROUTE_OF[2], CALLS, CONCURRENCY);
    assertAllAnswered(answers, 'two');
    const detoured = answers.filter(({ attempts }) => attempts > 1).length;
    assert.ok(detoured >= FAILURES && detoured <= CONCURRENCY + FAILURES, `${detoured}`);
    // One more asked about the key, at the start.
    assert.equal(connections, detoured + 1);
    tell(answers, (line) => t.diagnostic(line));
  } finally {
    hole.close();
  }
});

test('a vendor that is down, then up: one probe at a time, and what comes back comes step by step', async () => {
  await using lab = await startRouteLab({
    breaker: BREAKER,
  });
  await using traffic = startTraffic(lab.gateway);
  const { one } = lab.vendors;
  one.plan('overloaded');
  const startedAt = performance.now();
  assertAllAnswered(await traffic.calls(ROUTE_OF[2], 200, 20), 'two');
  const probes = Math.ceil((performance.now() - startedAt) / LEAST_OPEN);
  const failed = one.requests.length;
  assert.ok(failed >= FAILURES && failed <= 20 + FAILURES + probes, `${failed} of ${probes} probes`);

  // It takes calls again, and does not answer: the first that is let through is a probe, and no other goes there.
  one.forget();
  one.plan(insert(normal(), 0, 'hold'));
  const probe = await firstAt(lab, traffic);
  await one.waitFor(({ heldCalls }) => heldCalls() === 1);
  const meanwhile = await traffic.calls(ROUTE_OF[2], 1000, 50);
  assertAllAnswered(meanwhile, 'two');
  assert.deepEqual([one.openCalls(), one.heldCalls()], [1, 1]);

  one.forget();
  one.release();
  assertAllAnswered([await probe.answer], 'one');
  const before = one.requests.length;
  const after = await traffic.calls(ROUTE_OF[2], 2000, 50);
  assertAllAnswered(after);
  const served = after.filter(({ provider }) => provider === 'one').length;
  assert.equal(one.requests.length - before, served, 'each call asked it once');
  assert.ok(served > after.length / 2, `${served}`);
  assert.equal(after.at(-1)?.provider, 'one');
});

test('a probe that fails: the circuit opens again, and its caller is answered by another', async () => {
  await using lab = await startRouteLab({ breaker: BREAKER });
  await using traffic = startTraffic(lab.gateway);
  const { one } = lab.vendors;
  one.plan('server-error');
  // No more calls than open the circuit: on a slow machine a longer series would come to its first probe.
  assertAllAnswered(await traffic.calls(ROUTE_OF[2], FAILURES, 1), 'two');
  const failed = one.requests.length;
  assert.equal(failed, FAILURES);
  const deadline = performance.now() + WAIT_MS;
  while (one.requests.length < failed + 3 && performance.now() < deadline) {
    assertAllAnswered([await traffic.call(ROUTE_OF[2])], 'two');
  }
  assert.equal(one.requests.length, failed + 3);
  const [row] = (await lab.gateway.usage({ limit: '1' })).data;
  const probe = await attemptsOf(lab, String(row?.id));
  assert.deepEqual(
    probe.map(({ provider, http_status }) => [provider, http_status]),
    [
      ['one', 500],
      ['two', 200],
    ],
  );
});

test('a stream that has begun has found out: the next calls need not wait for its end', async () => {
  await using lab = await startRouteLab({
    breaker: BREAKER,
  });
  await using traffic = startTraffic(lab.gateway);
  const { one } = lab.vendors;
  one.plan('overloaded');
  assertAllAnswered(await traffic.calls(ROUTE_OF[2], 50, 5), 'two');
  one.forget();
  const known = one.requests.length;
  one.plan(insert(normal(), 3, 'hold'), { times: 1 });
  // Streams until one of them is let through: it is the probe, and it does not end.
  const deadline = performance.now() + WAIT_MS;
  let next: Answered | null = null;
  while (next === null && performance.now() < deadline) {
    using call = await lab.ask({ model: ROUTE_OF[2], stream: true });
    await call.client.bodyHas('" from"');
    if (one.requests.length > known) {
      await one.waitFor(({ heldCalls }) => heldCalls() === 1);
      next = await traffic.call(ROUTE_OF[2]);
      one.release();
    }
    assert.equal((await call.answer()).status, 200);
  }
  assert.deepEqual([next?.status, next?.provider], [200, 'one']);
});

/** Asks until a call has come to the vendor, where it is held. */
async function firstAt(lab: RouteLab, traffic: ReturnType<typeof startTraffic>) {
  const { one } = lab.vendors;
  const known = one.requests.length;
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const answer = traffic.call(ROUTE_OF[2]);
    const arrived = one.waitFor(({ requests }) => requests.length > known).then(() => 'arrived' as const);
    arrived.catch(() => undefined);
    if ((await Promise.race([answer, arrived])) === 'arrived') return { answer };
  }
  throw new Error('the vendor was not asked again');
}

async function attemptsOf(lab: RouteLab, id: string): Promise<AttemptRow[]> {
  const headers = { authorization: `Bearer ${lab.gateway.key}` };
  const response = await fetch(`${lab.gateway.url}/v1/usage/${id}`, { headers });
  return ((await response.json()) as { attempt_details: AttemptRow[] }).attempt_details;
}

function tell(answers: readonly Answered[], print: (line: string) => void): void {
  const print3 = (name: string, times: readonly number[]) => {
    const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(1));
    print(`${name}: ${times.length} calls, p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`);
  };
  print3(
    'by way of the dead target',
    answers.filter(({ attempts }) => attempts > 1).map(({ tookMs }) => tookMs),
  );
  print3(
    'past it',
    answers.filter(({ attempts }) => attempts === 1).map(({ tookMs }) => tookMs),
  );
}
