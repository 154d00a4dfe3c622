import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { model, provider, route, served } from '../../testing/routes.ts';
import {
  answers,
  CALLER,
  caller,
  completion,
  fails,
  Lab,
  type LabOptions,
  type Reaction,
  refuses,
  SMALL_CHAT,
  turn,
} from '../fixtures.test.ts';
import { RetryBudget } from './dispatcher.ts';

const ROUTED = { ...SMALL_CHAT, model: 'acme/auto' };
const UNREACHABLE = new GatewayError('upstream_unreachable', 'Nobody answers there.');
const DISCONNECTED = new GatewayError('upstream_disconnected', 'The vendor hung up.');

/** A route over one model at each of these providers. */
function routed(names: readonly string[], more: Partial<LabOptions> = {}) {
  return new Lab({
    served: names.map((name) => ({ provider: provider(name), models: [model(`at-${name}`)] })),
    routes: [route(names.map((name) => `at-${name}`))],
    ...more,
  });
}

function askedOf(lab: Lab): string[] {
  return lab.requests.map(({ target }) => target.provider.id);
}

test('targets are asked in the order of the route, each once, until one answers', async () => {
  const lab = routed(['one', 'two', 'three']);
  lab.reactions = [refuses(503), fails(UNREACHABLE), answers(completion())];
  await lab.call(ROUTED);
  assert.deepEqual(askedOf(lab), ['one', 'two', 'three']);
});

test('no more targets are asked than the route’s attempts', async () => {
  const limits = { ...route([]).limits, attempts: 2 };
  const lab = routed(['one', 'two', 'three'], { routes: [route(['at-one', 'at-two', 'at-three'], { limits })] });
  lab.reactions = [refuses(503)];
  await assert.rejects(lab.call(ROUTED), (error: GatewayError) => error.kind === 'upstream_error');
  assert.deepEqual(askedOf(lab), ['one', 'two']);
});

test('behind a failure that may be billed one more target is asked, and no third', async () => {
  const lab = routed(['one', 'two', 'three']);
  lab.reactions = [fails(DISCONNECTED)];
  await assert.rejects(lab.call(ROUTED));
  assert.deepEqual(askedOf(lab), ['one', 'two']);
  assert.equal(lab.settlements[0]!.attempts.filter(({ possiblyBilled }) => possiblyBilled).length, 2);
});

test('a caller whose prompt was refused first is told that, whatever befell it later', async () => {
  const lab = routed(['one', 'two']);
  lab.reactions = [refuses(400, { message: 'That is too odd.' }), fails(UNREACHABLE)];
  await assert.rejects(
    lab.call(ROUTED),
    (error: GatewayError) => error.kind === 'upstream_rejected' && error.message.includes('too odd'),
  );
  const { errorKind, httpStatus } = lab.settlements[0]!;
  assert.deepEqual([errorKind, httpStatus], ['upstream_rejected', 400]);
});

test('a prompt that is too long for one goes to the fallback for such', async () => {
  const lab = routed(['one', 'two', 'wide'], {
    routes: [route(['at-one', 'at-two'], { contextFallbacks: [{ model: 'at-wide', credential: null, weight: 1 }] })],
  });
  lab.reactions = [refuses(400, { code: 'context_length_exceeded' }), answers(completion())];
  await lab.call(ROUTED);
  assert.deepEqual(askedOf(lab), ['one', 'wide']);
});

test('a vendor that asks for a wait is asked again after it, where there is no other', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [refuses(429, {}, { 'retry-after': '3' }), answers(completion())];
  await lab.call(SMALL_CHAT);
  assert.equal(lab.requests.length, 2);
  assert.ok(lab.now >= 3000 && lab.now < 3100, `${lab.now} ms`);
});

test('a wait that is longer than the longest is not waited for', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  lab.reactions = [refuses(429, {}, { 'retry-after': '11' })];
  await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'upstream_rate_limited');
  assert.equal(lab.requests.length, 1);
});

test('each of several calls that one target asked for a wait is sent again after it, by a route as directly', async () => {
  for (const name of ['acme/auto', 'at-one']) {
    let drawn = 0;
    // Each that hears of it later keeps the circuit open for longer than the one before has begun to wait.
    const lab = routed(['one']);
    lab.chance = () => 0.3 * drawn++;
    const refused = refuses(429, {}, { 'retry-after': '1' });
    const sentAt: number[] = [];
    const answered: Reaction = (listener, request) => {
      sentAt.push(lab.now);
      answers(completion())(listener, request, lab);
    };
    lab.reactions = [refused, refused, refused, answered];
    const calls = await Promise.all(Array.from({ length: 3 }, () => lab.call({ ...SMALL_CHAT, model: name })));
    assert.deepEqual(
      calls.map(({ status }) => status),
      [200, 200, 200],
      name,
    );
    assert.equal(sentAt.length, 3);
    assert.ok(
      sentAt.every((at) => at >= 1000 && at < 1300),
      `${name}: ${sentAt} ms`,
    );
  }
});

test('a route waits as long as the vendor asks for, up to the longest, whatever a circuit adds by chance', async () => {
  for (const asked of [9000, 10_000]) {
    for (const random of [0, 0.5, 0.999]) {
      const lab = routed(['one']);
      lab.chance = () => random;
      lab.reactions = [refuses(429, {}, { 'retry-after-ms': `${asked}` }), answers(completion())];
      assert.equal((await lab.call(ROUTED)).status, 200, `${asked} ms, ${random}`);
      assert.ok(lab.now >= asked && lab.now < 1.2 * asked + 100, `${lab.now} ms`);
    }
  }
});

test('a circuit’s chance does not carry a wait past the time that the call has left', async () => {
  const limits = { ...route([]).limits, total: 5500 };
  const lab = routed(['one'], { routes: [route(['at-one'], { limits })] });
  lab.chance = () => 0.999;
  lab.reactions = [refuses(429, {}, { 'retry-after': '5' }), answers(completion())];
  assert.equal((await lab.call(ROUTED)).status, 200);
  assert.ok(lab.now >= 5000 && lab.now < 5100, `${lab.now} ms`);
});

test('a route does not send a call again where its vendor has since asked for more than the longest wait', async () => {
  const lab = routed(['one']);
  const after = (seconds: number) => refuses(429, {}, { 'retry-after': `${seconds}` });
  // By then the first has begun to wait, and does not see that the circuit stays open for longer.
  const later: Reaction = (listener, request) => void setTimeout(() => after(2)(listener, request, lab), 500);
  lab.reactions = [after(1), later, after(30)];
  const calls = Array.from({ length: 2 }, () => lab.call(ROUTED));
  for (const ended of await Promise.allSettled(calls)) assert.equal(ended.status, 'rejected');
  // The second hears of it from the first, and is not sent again.
  assert.equal(lab.requests.length, 3);
  assert.ok(lab.now >= 2500 && lab.now < 3000, `${lab.now} ms`);
});

test('repeats at the same target are at most the budget’s part of the calls in flight', async () => {
  const lab = new Lab({
    served: [served('lab', [model('small')])],
    settings: (usual) => ({ ...usual, retries: { ...usual.retries, budget: 0, budgetMin: 1 } }),
  });
  lab.reactions = [fails(DISCONNECTED)];
  const calls = Array.from({ length: 5 }, () => lab.call(SMALL_CHAT).catch((error: GatewayError) => error.kind));
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['upstream_disconnected']));
  assert.equal(lab.requests.length, 6);
  // What was taken for a repeat is given back with its end.
  await assert.rejects(lab.call(SMALL_CHAT));
  assert.equal(lab.requests.length, 8);
});

test('a caller who leaves while a repeat is waited for ends the wait, and its record', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  const seen = caller();
  lab.reactions = [refuses(429, {}, { 'retry-after': '5' })];
  const call = lab.pipeline.handle(lab.request(SMALL_CHAT, seen));
  await turn();
  seen.leave();
  await call;
  assert.deepEqual([lab.requests.length, lab.settlements[0]!.status], [1, 'cancelled']);
});

test('a model that is named directly is asked whatever its circuit says; a route passes it over', async () => {
  const lab = routed(['one', 'two']);
  lab.reactions = [fails(UNREACHABLE)];
  for (let times = 0; times < 6; times += 1) await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'at-one' }));
  const [target] = lab.requests.map((request) => request.target);
  assert.equal(lab.health.of(target!, 'key_1').circuit, 'open');
  const before = lab.requests.length;
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'at-one' }));
  assert.ok(lab.requests.length > before, 'it is asked directly');
  lab.reactions = [answers(completion())];
  await lab.call(ROUTED);
  assert.equal(lab.requests.at(-1)!.target.provider.id, 'two');
});

test('a route whose targets are all out refuses at once, and says when to come back', async () => {
  const lab = routed(['one']);
  lab.reactions = [fails(UNREACHABLE)];
  for (let times = 0; times < 6; times += 1) await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'at-one' }));
  const before = lab.requests.length;
  await assert.rejects(
    lab.call(ROUTED),
    (error: GatewayError) => error.kind === 'no_target_available' && error.retryAfterMs! > 0,
  );
  assert.equal(lab.requests.length, before);
});

test('a circuit that failures opened is not waited for by a route, though the vendor asks for a wait of nothing', async () => {
  const lab = routed(['one']);
  lab.reactions = [refuses(503, {}, { 'retry-after': '0' })];
  // Three attempts, then two: the fifth failure opens the circuit.
  for (let times = 0; times < 2; times += 1) {
    await assert.rejects(lab.call(ROUTED), (error: GatewayError) => error.kind === 'upstream_error');
  }
  assert.equal(lab.requests.length, 5);
  assert.ok(lab.now < 1000, `${lab.now} ms`);
});

test('of two calls at once one finds out whether a target is back, and the other goes past it', async () => {
  const lab = routed(['one', 'two']);
  lab.reactions = [fails(UNREACHABLE)];
  for (let times = 0; times < 6; times += 1) await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'at-one' }));
  const { openUntil } = lab.health.of(lab.requests[0]!.target, 'key_1');
  lab.pass(openUntil! - lab.clock.now());
  const before = lab.requests.length;
  lab.reactions = [answers(completion())];
  await Promise.all([lab.call(ROUTED), lab.call(ROUTED)]);
  assert.deepEqual(askedOf(lab).slice(before), ['one', 'two']);
});

/** Vendors that hold each request until they are told to answer. */
function holding(lab: Lab): (() => void)[] {
  const held: (() => void)[] = [];
  const hold: Reaction = (listener, request) => void held.push(() => answers(completion())(listener, request, lab));
  lab.reactions = [hold];
  return held;
}

const CAPPED = { concurrency: { max: 1, queue: 1, wait: 1000 } };

test('beyond a provider’s cap one call waits, and the next is refused', async () => {
  const lab = new Lab({ served: [{ provider: provider('lab', CAPPED), models: [model('small')] }] });
  const held = holding(lab);
  const first = lab.call(SMALL_CHAT);
  await turn();
  const second = lab.call(SMALL_CHAT);
  await turn();
  await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'provider_busy');
  assert.equal(lab.requests.length, 1);
  held[0]!();
  await first;
  await turn();
  held[1]!();
  await second;
  assert.equal(lab.settlements.length, 3);
  const refused = lab.settlements.find(({ errorKind }) => errorKind === 'provider_busy');
  assert.deepEqual([refused!.status, refused!.cost], ['failed', 0n]);
});

test('who waits longer than a queue allows is refused, and its reservation given back', async () => {
  const lab = new Lab({ served: [{ provider: provider('lab', CAPPED), models: [model('small')] }] });
  const held = holding(lab);
  const first = lab.call(SMALL_CHAT);
  await turn();
  await assert.rejects(lab.call(SMALL_CHAT), (error: GatewayError) => error.kind === 'provider_busy');
  assert.deepEqual(lab.held[1]!.settled, [{ tokens: 0, cost: 0n }]);
  held[0]!();
  await first;
});

test('a route goes past a provider that has no place', async () => {
  const lab = new Lab({
    served: [
      { provider: provider('full', CAPPED), models: [model('first')] },
      { provider: provider('free'), models: [model('second')] },
    ],
    routes: [route(['first', 'second'])],
  });
  const held = holding(lab);
  const first = lab.call(ROUTED);
  await turn();
  const second = lab.call(ROUTED);
  await turn();
  assert.deepEqual(askedOf(lab), ['full', 'free']);
  for (const answer of held) answer();
  await Promise.all([first, second]);
});

test('a caller who leaves the queue is answered nothing, and its record is cancelled', async () => {
  const lab = new Lab({ served: [{ provider: provider('lab', CAPPED), models: [model('small')] }] });
  const held = holding(lab);
  const first = lab.call(SMALL_CHAT);
  await turn();
  const seen = caller();
  const waiting = lab.pipeline.handle(lab.request(SMALL_CHAT, seen));
  await turn();
  seen.leave();
  await waiting;
  assert.deepEqual([lab.settlements[0]!.status, seen.body], ['cancelled', '']);
  held[0]!();
  await first;
  assert.equal(lab.requests.length, 1);
});

test('in a queue the keys take turns', async () => {
  const concurrency = { max: 1, queue: 10, wait: 60_000 };
  const lab = new Lab({ served: [{ provider: provider('lab', { concurrency }), models: [model('small')] }] });
  const held = holding(lab);
  const call = (keyId: string) => {
    const key = { ...CALLER.key, id: keyId };
    return lab.pipeline.handle(lab.request({ ...SMALL_CHAT, user: keyId }, caller(), { caller: { ...CALLER, key } }));
  };
  const calls = ['greedy', 'greedy', 'greedy', 'modest'].map(call);
  for (let at = 0; at < 4; at += 1) {
    await turn();
    held[at]!();
  }
  await Promise.all(calls);
  const users = lab.requests.map(({ body }) => JSON.parse(body!.toString()).user);
  assert.deepEqual(users, ['greedy', 'greedy', 'modest', 'greedy']);
});

test('a call whose time is up is not sent to another target', async () => {
  const lab = routed(['one', 'two'], {
    settings: (usual) => ({ ...usual, timeouts: { ...usual.timeouts, total: 1000 } }),
  });
  lab.reactions = [
    (listener, request) => {
      lab.now += 1000;
      fails(UNREACHABLE)(listener, request, lab);
    },
  ];
  await assert.rejects(lab.call(ROUTED), (error: GatewayError) => error.kind === 'upstream_unreachable');
  assert.deepEqual(askedOf(lab), ['one']);
});

test('while others may be asked a target has half of the time that is left', async () => {
  const lab = routed(['one', 'two'], {
    settings: (usual) => ({ ...usual, timeouts: { ...usual.timeouts, total: 1000 } }),
  });
  let askedAt = 0;
  lab.reactions = [
    () => {},
    (listener, request) => {
      askedAt = lab.now;
      answers(completion())(listener, request, lab);
    },
  ];
  await lab.call(ROUTED);
  assert.ok(askedAt >= 500 && askedAt < 600, `${askedAt} ms`);
});

/** The vendor answers after so long. */
function answersAfter(ms: number): Reaction {
  return (listener, request, lab) => void setTimeout(() => answers(completion())(listener, request, lab), ms);
}

test('a target has all of the time where no further attempt may be made', async () => {
  const limits = { ...route([]).limits, attempts: 1, total: 1000 };
  const lab = routed(['one', 'two', 'three'], { routes: [route(['at-one', 'at-two', 'at-three'], { limits })] });
  lab.reactions = [answersAfter(800)];
  assert.equal((await lab.call(ROUTED)).status, 200);
});

test('behind a target that was silent the next has all of the time: behind a second silence there is none', async () => {
  const limits = { ...route([]).limits, total: 1000 };
  const lab = routed(['one', 'two', 'three'], { routes: [route(['at-one', 'at-two', 'at-three'], { limits })] });
  lab.reactions = [() => {}, answersAfter(400)];
  assert.equal((await lab.call(ROUTED)).status, 200);
  assert.deepEqual(askedOf(lab), ['one', 'two']);
});

const BUDGET = { share: 0.2, least: 3 };

function taken(budget: RetryBudget, callsInFlight: number): number {
  let count = 0;
  while (budget.take(callsInFlight, BUDGET)) count += 1;
  return count;
}

test('for five calls in flight there may be one repeat, and three in any case', () => {
  assert.equal(taken(new RetryBudget(), 1), 3);
  assert.equal(taken(new RetryBudget(), 15), 3);
  assert.equal(taken(new RetryBudget(), 120), 20);
});

test('a repeat that is over makes room for another', () => {
  const budget = new RetryBudget();
  assert.equal(taken(budget, 10), 3);
  budget.giveBack();
  assert.equal(taken(budget, 10), 1);
});
