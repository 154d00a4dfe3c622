import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { FAULTS, type FaultName } from '../../src/testing/faults.ts';
import { closedPort } from '../../src/testing/listen.ts';
import { endAfter, errorReply, insert, type Plan } from '../../src/testing/reply.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { assertParting, errorOf, PROMPT_TOKENS, streamError } from '../faults/lab.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { type AttemptRow, costAt, type Question, ROUTE_OF, type RouteLab, startRouteLab } from './lab.ts';

const MODEL = 'one-model';
const MAX_WAIT = 2000;
const RETRY_AFTER = 150;
/** No call comes to it, however busy the machine is. */
const TOTAL = 60_000;
const CALLS = 100;
/** 20 % of the calls in flight, and 3 in any case. */
const MOST_REQUESTS = CALLS * 1.2 + 3;

/** A refusal that says when to come back. */
function refusal(status: number, headers: Record<string, string>): Plan {
  return () => errorReply(status, { message: 'Not now.', type: 'server_error' }, headers);
}

const soon = (status: number) => refusal(status, { 'retry-after-ms': `${RETRY_AFTER}` });

describe('one target that fails once', () => {
  let lab: RouteLab;
  before(async () => {
    lab = await startRouteLab({
      breaker: '{ min_calls: 1000000 }',
      config: `retries: { max_wait: ${MAX_WAIT}ms }`,
    });
  });
  after(() => lab[Symbol.asyncDispose]());
  afterEach(() => lab.forget());

  async function once(plan: FaultName | Plan, question: Question) {
    lab.vendors.one.plan(plan, { times: 1 });
    return asked(lab, question);
  }

  for (const model of [MODEL, ROUTE_OF[1]]) {
    for (const stream of [false, true]) {
      const kind = `${model}, ${stream ? 'stream' : 'whole'}`;

      for (const status of [429, 503, 529]) {
        test(`${kind}, ${status} with retry-after: asked again, and not before`, async () => {
          const { answer, attempts, tookMs, requests } = await once(soon(status), { model, stream });
          assert.equal(answer.status, 200, answer.body().toString());
          assert.ok(tookMs >= RETRY_AFTER, `${tookMs} ms`);
          assert.equal(requests, 2);
          assert.deepEqual(attempts.map(told), [`failed ${status} unbilled`, 'succeeded 200 unbilled']);
        });
      }

      for (const status of [500, 502, 504]) {
        test(`${kind}, ${status}: asked once more, which the vendor may charge for twice`, async () => {
          const { answer, attempts, requests } = await once(refusal(status, {}), { model, stream });
          assert.equal(answer.status, 200);
          assert.equal(requests, 2);
          assert.deepEqual(attempts.map(told), [`failed ${status} billed?`, 'succeeded 200 unbilled']);
        });
      }

      test(`${kind}, a reset before it answers: asked once more`, async () => {
        // On a connection that was used before it would be sent again at once, which is no attempt.
        lab.vendors.one.closeIdle();
        const { answer, row, attempts } = await once('reset-before-headers', { model, stream });
        assert.equal(answer.status, 200);
        assert.deepEqual(attempts.map(told), ['failed null billed?', 'succeeded 200 unbilled']);
        assert.equal(row.cost_usd, costAt('one', 9, 8));
        assert.equal(row.vendor_cost_usd, costAt('one', 9 + PROMPT_TOKENS, 8));
      });
    }

    test(`${model}: a call with an answer under way is never sent again`, async () => {
      const { answer, attempts, requests } = await once('reset', { model, stream: true });
      assert.equal(streamError(answer).code, 'upstream_disconnected');
      assert.deepEqual([attempts.map(told), requests], [['failed 200 billed?'], 1]);
    });

    test(`${model}: a refusal of the call itself is not sent again`, async () => {
      const { answer, requests } = await once('bad-request', { model });
      assert.deepEqual([answer.status, requests], [400, 1]);
    });

    test(`${model}: retry-after that is longer than max_wait is passed on at once`, async () => {
      const { answer, requests } = await once(refusal(503, { 'retry-after-ms': `${MAX_WAIT + 1}` }), { model });
      assert.deepEqual([answer.status, requests], [503, 1]);
      assert.equal(answer.header('retry-after-ms'), `${MAX_WAIT + 1}`);
      await wellAgain();
    });
  }

  /** After so long a route may ask the target again, and does. */
  async function wellAgain(): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    while (performance.now() < deadline) {
      using call = await lab.ask({ model: ROUTE_OF[1] });
      const answer = await call.answer();
      if (answer.status === 200) return;
      assert.equal(errorOf(answer).code, 'no_target_available');
      assert.ok(Number(answer.header('retry-after-ms')) > 0);
      await nextPoll();
    }
    throw new Error(`${MODEL} did not come back`);
  }
});

describe('one target that keeps failing', () => {
  let lab: RouteLab;
  before(async () => {
    lab = await startRouteLab({
      timeouts: { total: TOTAL },
      config: `retries: { max_wait: ${2 * TOTAL}ms }`,
      routes: [`lab/hasty: { targets: [${MODEL}], limits: { attempts: 2 } }`],
      providers: { two: { url: `http://127.0.0.1:${await closedPort()}/v1` } },
    });
  });
  after(() => lab[Symbol.asyncDispose]());
  afterEach(() => lab.forget());

  for (const stream of [false, true]) {
    const kind = stream ? 'stream' : 'whole';

    test(`${kind}, never connected: three attempts, none of which can be charged for`, async () => {
      const { answer, row, attempts } = await asked(lab, { model: 'two-model', stream });
      assert.deepEqual([answer.status, errorOf(answer).code], [502, 'upstream_unreachable']);
      assert.deepEqual(attempts.map(told), Array(3).fill('failed null unbilled'));
      assert.deepEqual([row.attempts, row.cost_usd, row.vendor_cost_usd], [3, 0, 0]);
    });

    test(`${kind}, overloaded: three attempts, and its own words`, async () => {
      lab.vendors.one.plan('overloaded');
      const { answer, attempts, requests } = await asked(lab, { model: MODEL, stream });
      assert.deepEqual([answer.status, errorOf(answer).code, requests], [503, 'overloaded', 3]);
      assert.deepEqual(attempts.map(told), Array(3).fill('failed 503 unbilled'));
      assert.equal(answer.header('service-attempts'), '3');
    });

    for (const [name, sign] of [
      ['server-error', '500'],
      ['bad-gateway', '502'],
      ['reset-before-headers', 'null'],
      ['empty-body', '200'],
    ] as const) {
      test(`${kind}, ${name}: two attempts, each of which may be charged for`, async () => {
        lab.vendors.one.closeIdle();
        lab.vendors.one.plan(name);
        const { answer, attempts, requests } = await asked(lab, { model: MODEL, stream });
        assert.ok(answer.status >= 500);
        assert.equal(requests, 2);
        assert.deepEqual(attempts.map(told), Array(2).fill(`failed ${sign} billed?`));
      });
    }
  }

  test('a route may allow fewer', async () => {
    lab.vendors.one.plan('overloaded');
    const { requests } = await asked(lab, { model: 'lab/hasty' });
    assert.equal(requests, 2);
  });

  test('a failure that may be charged for and one that may not: three attempts, the second kind once', async () => {
    lab.vendors.one.plan('server-error', { times: 1 });
    lab.vendors.one.plan('overloaded', { times: 1 });
    lab.vendors.one.plan('server-error', { times: 1 });
    const { attempts } = await asked(lab, { model: MODEL });
    assert.deepEqual(attempts.map(told), ['failed 500 billed?', 'failed 503 unbilled', 'failed 500 billed?']);
  });

  test('retry-after beyond the deadline of the call is passed on', async () => {
    lab.vendors.one.plan(refusal(429, { 'retry-after-ms': `${TOTAL + 100}` }));
    const { answer, requests } = await asked(lab, { model: MODEL });
    assert.deepEqual([answer.status, answer.header('retry-after-ms'), requests], [429, `${TOTAL + 100}`, 1]);
  });
});

describe('the budget of repeats', () => {
  for (const [name, plan] of Object.entries({
    overloaded: FAULTS.overloaded.plan,
    'server-error': FAULTS['server-error'].plan,
  })) {
    test(`${CALLS} calls in flight at one target that is ${name}: a fifth of them is repeated, and 3 more`, async () => {
      await using lab = await startRouteLab({ breaker: null });
      const { one } = lab.vendors;
      one.plan(insert(plan, 0, 'hold'));
      const calls = await Promise.all(Array.from({ length: CALLS }, () => lab.ask({ model: MODEL })));
      await one.waitFor(({ heldCalls }) => heldCalls() === CALLS);
      one.forget();
      one.plan(plan);
      one.release();
      for (const call of calls) assert.ok((await call.answer()).status >= 500);
      const requests = one.requests.length;
      assert.ok(requests > CALLS && requests <= MOST_REQUESTS, `${requests} requests`);
      for (const call of calls) call[Symbol.dispose]();
    });
  }
});

describe('a wait before a target is asked again', () => {
  for (const stream of [false, true]) {
    test(`${stream ? 'stream' : 'whole'}: a caller who leaves in it is not asked for again`, async () => {
      await using lab = await startRouteLab({ config: 'retries: { max_wait: 50s }' });
      lab.vendors.one.plan(refusal(503, { 'retry-after': '40' }), { times: 1 });
      using call = await lab.ask({ model: MODEL, stream });
      await lab.vendors.one.waitFor(({ requests, openCalls }) => requests.length === 1 && openCalls() === 0);
      // The gateway has read the refusal, since it answers what came behind it.
      assert.equal((await asked(lab, { model: 'two-model' })).answer.status, 200);
      call.client.leave();
      const { row, attempts } = await call.detail();
      assert.deepEqual([row.status, row.http_status, row.error], ['cancelled', 499, 'client_closed_request']);
      assert.deepEqual(attempts.map(told), ['failed 503 unbilled']);
      assert.equal(lab.vendors.one.requests.length, 1);
    });
  }

  test('a stop in it ends it: the caller has the vendor’s own answer', async () => {
    await using lab = await startRouteLab({ drain: 300, config: 'retries: { max_wait: 50s }' });
    lab.vendors.one.plan(refusal(503, { 'retry-after': '40' }));
    using call = await lab.ask({ model: MODEL });
    await lab.vendors.one.waitFor(({ requests, openCalls }) => requests.length === 1 && openCalls() === 0);
    const exit = lab.gateway.stop();
    const answer = await call.answer();
    assert.deepEqual([answer.status, answer.header('retry-after')], [503, '40']);
    assert.equal(await exit, 0);
    assert.equal(lab.vendors.one.requests.length, 1);
  });
});

describe('a call that two vendors refuse', () => {
  let lab: RouteLab;
  before(async () => {
    lab = await startRouteLab();
  });
  after(() => lab[Symbol.asyncDispose]());
  afterEach(() => lab.forget());

  test('for itself, then for another reason: its caller is told the first, the ledger both', async () => {
    lab.vendors.one.plan('bad-request');
    lab.vendors.two.plan('overloaded');
    const { answer, row, attempts } = await asked(lab, { model: ROUTE_OF[2] });
    assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_value']);
    const refusals = attempts.map(({ provider, error, http_status }) => [provider, error, http_status]);
    assert.deepEqual(refusals.slice(0, 2), [
      ['one', 'upstream_rejected', 400],
      ['two', 'upstream_error', 503],
    ]);
    assert.deepEqual([row.status, row.error, row.http_status], ['failed', 'upstream_rejected', 400]);
    assert.equal(row.attempts, attempts.length);
  });
});

test('what a vendor had sent of an answer that it did not finish is not the caller’s', async () => {
  await using lab = await startRouteLab();
  lab.vendors.one.plan(endAfter(normal(), 1), { times: 1 });
  const { answer } = await asked(lab, { model: MODEL, stream: true });
  const text = answer.body().toString();
  assert.equal(answer.status, 200);
  assert.equal(text.match(/"role":"assistant"/g)?.length, 1);
  assert.match(text, /chatcmpl-fake-2/);
  assert.doesNotMatch(text, /chatcmpl-fake-1/);
  assertParting(lab.vendors.one.requests.at(-1)!, 'ended');
});

type AskedOnce = {
  answer: RawAnswer;
  row: Record<string, unknown>;
  attempts: AttemptRow[];
  tookMs: number;
  /** How many the vendor has had of it. */
  requests: number;
};

async function asked(lab: RouteLab, question: Question): Promise<AskedOnce> {
  const before = lab.vendors.one.requests.length;
  const startedAt = performance.now();
  using call = await lab.ask(question);
  const answer = await call.answer();
  const tookMs = performance.now() - startedAt;
  await lab.released();
  return { answer, tookMs, requests: lab.vendors.one.requests.length - before, ...(await call.detail()) };
}

function told({ status, http_status, possibly_billed }: AttemptRow): string {
  return `${status} ${http_status} ${possibly_billed ? 'billed?' : 'unbilled'}`;
}
