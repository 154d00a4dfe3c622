import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { insert } from '../../src/testing/reply.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { errorOf, PROMPT } from '../faults/lab.ts';
import { type Question, ROUTE_OF, type RouteLab, startRouteLab } from './lab.ts';

const held = () => insert(normal(), 0, 'hold');

function startNarrow(more: string, drain = 1000): Promise<RouteLab> {
  return startRouteLab({ drain, providers: { one: { more } } });
}

describe('a provider that may have so many calls at once', () => {
  test('never has more; those that wait are answered in their turn', async () => {
    await using lab = await startNarrow('max_concurrency: 2, queue: { length: 50, wait: 30s }');
    const { one } = lab.vendors;
    one.plan(held());
    const calls = await Promise.all(Array.from({ length: 20 }, () => lab.ask({ model: 'one-model' })));
    let most = 0;
    for (let done = 0; done < 20; done += 2) {
      await one.waitFor(({ heldCalls }) => heldCalls() === 2);
      most = Math.max(most, one.openCalls());
      one.release();
      await one.waitFor(({ requests }) => requests.filter(({ outcome }) => outcome === 'complete').length >= done + 2);
    }
    for (const call of calls) assert.equal((await call.answer()).status, 200);
    assert.equal(most, 2);
    assert.equal(one.requests.length, 20);
    for (const call of calls) call[Symbol.dispose]();
  });

  test('a key with many calls does not hold up another with one', async () => {
    await using lab = await startNarrow('max_concurrency: 1, queue: { length: 50, wait: 30s }');
    const { one } = lab.vendors;
    const other = await lab.gateway.createKey();
    one.plan(held());
    const many = [];
    for (let index = 0; index < 10; index += 1) {
      many.push(await lab.ask({ model: 'one-model', body: marked(`many ${index}`) }));
      await open(lab, index + 1);
    }
    const single = await lab.ask({ model: 'one-model', body: marked('single'), key: other.key });
    await open(lab, 11);
    for (let served = 1; served <= 11; served += 1) {
      await one.waitFor(({ requests, heldCalls }) => requests.length === served && heldCalls() === 1);
      one.release();
    }
    const order = one.requests.map(({ json }) => (json as { user: string }).user);
    // The first is there, the second had asked before the other key came, and then each key has its turn.
    assert.equal(order.indexOf('single'), 2, order.join());
    assert.deepEqual(
      order.filter((user) => user !== 'single'),
      Array.from({ length: 10 }, (_, index) => `many ${index}`),
    );
    for (const call of [...many, single]) {
      assert.equal((await call.answer()).status, 200);
      call[Symbol.dispose]();
    }
  });

  test('as many wait as may: 503 provider_busy with retry-after, at once', async () => {
    await using lab = await startNarrow('max_concurrency: 1, queue: { length: 1, wait: 30s }');
    const { one } = lab.vendors;
    one.plan(held());
    using first = await lab.ask({ model: 'one-model' });
    await one.waitFor(({ heldCalls }) => heldCalls() === 1);
    using second = await lab.ask({ model: 'one-model' });
    await open(lab, 2);
    for (const stream of [false, true]) {
      using third = await lab.ask({ model: 'one-model', stream });
      const refused = await third.answer();
      assert.deepEqual([refused.status, errorOf(refused).code], [503, 'provider_busy']);
      assert.equal(refused.header('retry-after'), '1');
      assert.equal(refused.header('x-should-retry'), 'true');
      const { row, attempts } = await third.detail();
      assert.deepEqual([row.status, row.error, row.attempts, row.cost_usd], ['failed', 'provider_busy', 0, 0]);
      assert.deepEqual(attempts, []);
    }
    one.release();
    assert.equal((await first.answer()).status, 200);
    await one.waitFor(({ heldCalls }) => heldCalls() === 1);
    one.release();
    assert.equal((await second.answer()).status, 200);
    assert.equal(one.requests.length, 2);
  });

  test('one that waited for as long as it may: the same', async () => {
    await using lab = await startNarrow('max_concurrency: 1, queue: { length: 5, wait: 200ms }');
    lab.vendors.one.plan(held());
    using first = await lab.ask({ model: 'one-model' });
    await lab.vendors.one.waitFor(({ heldCalls }) => heldCalls() === 1);
    const startedAt = performance.now();
    using second = await lab.ask({ model: 'one-model' });
    const refused = await second.answer();
    assert.ok(performance.now() - startedAt >= 200);
    assert.deepEqual([refused.status, errorOf(refused).code], [503, 'provider_busy']);
    lab.vendors.one.release();
    assert.equal((await first.answer()).status, 200);
  });

  for (const how of ['leave', 'reset'] as const) {
    test(`a caller who leaves the queue (${how}) gives its place to the next, and nothing is sent for it`, async () => {
      await using lab = await startNarrow('max_concurrency: 1, queue: { length: 1, wait: 30s }');
      const { one } = lab.vendors;
      one.plan(held());
      using first = await lab.ask({ model: 'one-model' });
      await one.waitFor(({ heldCalls }) => heldCalls() === 1);
      using second = await lab.ask({ model: 'one-model' });
      await open(lab, 2);
      second.client[how]();
      const { row } = await second.detail();
      assert.deepEqual([row.status, row.http_status, row.error], ['cancelled', 499, 'client_closed_request']);
      assert.deepEqual([row.attempts, row.cost_usd], [0, 0]);
      using third = await lab.ask({ model: 'one-model' });
      await open(lab, 2);
      one.release();
      assert.equal((await first.answer()).status, 200);
      await one.waitFor(({ heldCalls }) => heldCalls() === 1);
      one.release();
      assert.equal((await third.answer()).status, 200);
      assert.equal(one.requests.length, 2);
    });
  }

  test('a route that has another target does not wait', async () => {
    await using lab = await startNarrow('max_concurrency: 1, queue: { length: 5, wait: 30s }');
    const { one, two } = lab.vendors;
    one.plan(held());
    using first = await lab.ask({ model: ROUTE_OF[2] });
    await one.waitFor(({ heldCalls }) => heldCalls() === 1);
    using second = await lab.ask({ model: ROUTE_OF[2] });
    const answer = await second.answer();
    assert.deepEqual([answer.status, answer.header('service-provider')], [200, 'two']);
    assert.equal(answer.header('service-attempts'), '1');
    one.release();
    assert.equal((await first.answer()).header('service-provider'), 'one');
    assert.deepEqual([one.requests.length, two.requests.length], [1, 1]);
  });

  test('a stop ends those that wait without sending them', async () => {
    await using lab = await startNarrow('max_concurrency: 1, queue: { length: 5, wait: 60s }', 300);
    const { one } = lab.vendors;
    one.plan(held());
    using first = await lab.ask({ model: 'one-model' });
    await one.waitFor(({ heldCalls }) => heldCalls() === 1);
    using second = await lab.ask({ model: 'one-model' });
    await open(lab, 2);
    const exit = lab.gateway.stop();
    for (const call of [first, second]) {
      const answer = await call.answer();
      assert.equal(answer.status, 503);
      assert.equal(errorOf(answer).code, 'shutting_down');
    }
    assert.equal(await exit, 0);
    assert.deepEqual([one.requests.length, one.closedEarly], [1, 1]);
  });
});

test('a process with more memory than it may refuses calls, and says that it is alive', async () => {
  await using lab = await startRouteLab({ limits: { max_memory: 1 } });
  const deadline = performance.now() + WAIT_MS;
  let refused: Awaited<ReturnType<typeof ask>>;
  // The memory is looked at from time to time.
  do refused = await ask(lab, { model: ROUTE_OF[2] });
  while (refused.status === 200 && performance.now() < deadline);
  assert.deepEqual([refused.status, errorOf(refused).code], [503, 'overloaded']);
  assert.equal(refused.header('retry-after'), '1');
  assert.equal((await fetch(`${lab.gateway.url}/healthz`)).status, 200);
  assert.equal((await fetch(`${lab.gateway.url}/v1/models`, { headers: bearer(lab) })).status, 200);
});

async function ask(lab: RouteLab, question: Question) {
  using call = await lab.ask(question);
  return await call.answer();
}

function marked(user: string): Record<string, unknown> {
  return { user, messages: [{ role: 'user', content: PROMPT }] };
}

/** Resolves once so many calls have begun and are not over: those that wait for a place are among them. */
async function open(lab: RouteLab, calls: number): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  let text = '';
  while (performance.now() < deadline) {
    text = await (await fetch(`${lab.gateway.url}/metrics`)).text();
    if (new RegExp(`^headgate_open_calls ${calls}$`, 'm').test(text)) return;
    await nextPoll();
  }
  throw new Error(`there were never ${calls} calls open: ${/^headgate_open_calls .*/m.exec(text)?.[0]}`);
}

function bearer({ gateway }: RouteLab): Record<string, string> {
  return { authorization: `Bearer ${gateway.key}` };
}
