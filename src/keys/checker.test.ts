import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorKind, GatewayError } from '../core/errors.ts';
import type { Caller, KeyStore } from '../core/ports.ts';
import type { ApiKey } from '../core/records.ts';
import { Secret } from '../core/secret.ts';
import { plainKey } from '../testing/plain-key.ts';
import { createKeyChecker, MAX_STALE_MS, POLL_MS } from './checker.ts';
import { hashKey, mintKey } from './format.ts';

const pepper = new Secret('a pepper for tests');

test('a key is looked up once and is warm from then on', async (t) => {
  const { checker, store, secret } = await setUp(t);
  const first = checker.check(secret);
  assert.ok(first instanceof Promise);
  assert.equal((await first).key.id, 'key_1');
  assert.equal(checker.check(secret), await first);
  assert.equal(checker.check(secret), await first);
  assert.equal(store.finds, 1);
});

test('malformed and unknown keys are told the same, and malformed ones never reach the store', async (t) => {
  const { checker, store } = await setUp(t);
  const secret = mintKey(randomBytes);
  const unknown = await refused(checker.check(secret), 'invalid_api_key');
  assert.equal(store.finds, 1);
  const malformed = await refused(checker.check(`${secret}!`), 'invalid_api_key');
  assert.equal(store.finds, 1);
  assert.deepEqual(
    [malformed.message, malformed.status, malformed.code, malformed.param],
    [unknown.message, unknown.status, unknown.code, unknown.param],
  );
  assert.ok(!unknown.message.includes(secret.slice(8, 16)));
});

test('a key that is made after it was asked for works at once', async (t) => {
  const { checker, store } = await setUp(t);
  const secret = mintKey(randomBytes);
  await refused(checker.check(secret), 'invalid_api_key');
  store.put(secret, { id: 'key_2' });
  assert.equal((await checker.check(secret)).key.id, 'key_2');
});

test('a revoked key is refused after the next poll, and its own code is told', async (t) => {
  const { checker, store, secret, poll } = await setUp(t);
  await checker.check(secret);
  store.put(secret, { revokedAt: 5 });
  assert.ok(!(checker.check(secret) instanceof Promise), 'warm until the poll');
  await poll();
  await refused(checker.check(secret), 'revoked_api_key');
});

test('a key that is switched off is refused after the next poll, and works again once it is on', async (t) => {
  const { checker, store, secret, poll } = await setUp(t);
  await checker.check(secret);
  store.put(secret, { disabledAt: 5 });
  await poll();
  await refused(checker.check(secret), 'disabled_api_key');
  store.put(secret, {});
  await poll();
  assert.equal((await checker.check(secret)).key.id, 'key_1');
});

test('a caller is looked at again by the secret that they came with, at no cost while nothing has changed', async (t) => {
  const { checker, store, secret, clock, poll } = await setUp(t);
  const caller = await checker.check(secret);
  assert.equal(checker.again(caller), caller);
  const { version } = checker;
  store.put(secret, { expiresAt: 1_000 });
  await poll();
  assert.ok(checker.version > version);
  const present = await checker.again(caller);
  assert.deepEqual([present.key.expiresAt, checker.again(caller)], [1_000, present]);
  clock.time = 1_000;
  await refusedNow(() => checker.again(caller), 'expired_api_key');
  store.failure = new Error('gone');
  const seen = checker.version;
  await poll();
  assert.ok(checker.version > seen, 'nobody knows what has changed');
});

test('callers that are looked up at the same time cost one look', async (t) => {
  const { checker, store, secret } = await setUp(t);
  const callers = await Promise.all(Array.from({ length: 5 }, () => checker.check(secret)));
  assert.deepEqual([new Set(callers).size, store.finds], [1, 1]);
});

test('a poll that sees no change keeps keys warm', async (t) => {
  const { checker, store, secret, poll } = await setUp(t);
  await checker.check(secret);
  for (let polls = 0; polls < 5; polls += 1) await poll();
  await checker.check(secret);
  assert.equal(store.finds, 1);
});

test('a warm key expires by the clock', async (t) => {
  const { checker, store, secret, clock } = await setUp(t);
  store.put(secret, { expiresAt: 1_000 });
  clock.time = 999;
  await checker.check(secret);
  assert.ok(!(checker.check(secret) instanceof Promise));
  clock.time = 1_000;
  assert.throws(() => checker.check(secret), { kind: 'expired_api_key', status: 401 });
  assert.equal(store.finds, 1);
});

test('a store that fails is a 503, never a 401, and the next check tries again', async (t) => {
  const { checker, store, secret } = await setUp(t);
  store.failure = new Error('disk full');
  const error = await refused(checker.check(secret), 'storage_unavailable');
  assert.equal(error.status, 503);
  assert.equal(error.cause, store.failure);
  store.failure = null;
  assert.equal((await checker.check(secret)).key.id, 'key_1');
});

test('a lookup that began before a change does not warm what it read', async (t) => {
  const { checker, store, secret, poll } = await setUp(t);
  const release = store.holdFinds();
  const early = checker.check(secret);
  store.put(secret, { revokedAt: 5 });
  await poll();
  release();
  assert.equal((await early).key.revokedAt, null, 'it read before the change');
  await refused(checker.check(secret), 'revoked_api_key');
});

test('a failed poll is told, and the store is asked for every key until one succeeds', async (t) => {
  const { checker, store, secret, errors, poll } = await setUp(t);
  await checker.check(secret);
  store.failure = new Error('gone');
  await poll();
  await poll();
  assert.deepEqual(errors, [store.failure, store.failure]);
  await refused(checker.check(secret), 'storage_unavailable');
  store.failure = null;
  await checker.check(secret);
  assert.ok(checker.check(secret) instanceof Promise);
  await poll();
  await checker.check(secret);
  assert.ok(!(checker.check(secret) instanceof Promise));
});

test('while a poll hangs, a key is warm for a second after the last good one began, and no longer', async (t) => {
  const { checker, store, secret, clock, poll } = await setUp(t);
  await checker.check(secret);
  const release = store.holdChanges();
  await poll();
  store.put(secret, { revokedAt: 5 });
  clock.uptime = MAX_STALE_MS;
  assert.ok(!(checker.check(secret) instanceof Promise));
  clock.uptime = MAX_STALE_MS + 1;
  await refused(checker.check(secret), 'revoked_api_key');
  const asked = store.changesAsked;
  await poll();
  assert.equal(store.changesAsked, asked, 'polls do not pile up');
  release();
});

test('a slow poll tells what held when it began', async (t) => {
  const { checker, store, secret, clock, poll } = await setUp(t);
  await checker.check(secret);
  const release = store.holdChanges();
  await poll();
  clock.uptime = MAX_STALE_MS - 1;
  release();
  await nextTurn();
  clock.uptime = MAX_STALE_MS + 1;
  assert.ok(checker.check(secret) instanceof Promise);
});

test('without polling nothing is warm', async (t) => {
  const { checker, secret, store } = makeChecker(t);
  await checker.check(secret);
  await checker.check(secret);
  assert.equal(store.finds, 2);
});

test('the oldest key makes room in a full cache', async (t) => {
  const { checker, store } = await setUp(t, { cacheSize: 2 });
  const secrets = [mintKey(randomBytes), mintKey(randomBytes), mintKey(randomBytes)];
  for (const [index, secret] of secrets.entries()) {
    store.put(secret, { id: `key_${index}` });
    await checker.check(secret);
  }
  assert.deepEqual(
    secrets.map((secret) => checker.check(secret) instanceof Promise),
    [true, false, false],
  );
});

test('after stop the store is polled no more', async (t) => {
  const { checker, store, poll } = await setUp(t);
  checker.stop();
  const asked = store.changesAsked;
  await poll();
  assert.equal(store.changesAsked, asked);
});

/** A started checker over a store with one key, `secret`. */
async function setUp(t: TestContext, options: { cacheSize?: number } = {}) {
  const parts = makeChecker(t, options);
  await parts.checker.start();
  return parts;
}

function makeChecker(t: TestContext, options: { cacheSize?: number } = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = { time: 0, uptime: 0, now: () => clock.time, monotonic: () => clock.uptime };
  const errors: unknown[] = [];
  const store = new MemoryStore();
  const secret = mintKey(randomBytes);
  store.put(secret, {});
  const checker = createKeyChecker({ store, pepper, clock, onError: (error) => errors.push(error), ...options });
  /** Lets the timer fire, and the poll get as far as it can. */
  const poll = () => {
    t.mock.timers.tick(POLL_MS);
    return nextTurn();
  };
  return { checker, store, secret, clock, errors, poll };
}

class MemoryStore implements Pick<KeyStore, 'find' | 'changes'> {
  failure: Error | null = null;
  finds = 0;
  changesAsked = 0;
  #counter = 0;
  #callers = new Map<string, Caller>();
  #findGate = Promise.resolve();
  #changesGate = Promise.resolve();

  put(secret: string, key: Partial<ApiKey>): void {
    this.#counter += 1;
    const organization = { id: 'org_1', name: 'Default', createdAt: 0 };
    this.#callers.set(hashKey(secret, pepper).toString('hex'), { key: { ...plainKey, ...key }, organization });
  }

  async find(hash: Buffer): Promise<Caller | null> {
    this.finds += 1;
    if (this.failure !== null) throw this.failure;
    const caller = this.#callers.get(hash.toString('hex')) ?? null;
    await this.#findGate;
    return caller;
  }

  async changes(): Promise<number> {
    this.changesAsked += 1;
    if (this.failure !== null) throw this.failure;
    const counter = this.#counter;
    await this.#changesGate;
    return counter;
  }

  /** What is found from now on arrives only once the returned function is called; likewise `holdChanges`. */
  holdFinds(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#findGate = promise;
    return resolve;
  }

  holdChanges(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changesGate = promise;
    return resolve;
  }
}

async function refused(check: Caller | Promise<Caller>, kind: ErrorKind): Promise<GatewayError> {
  const error = await Promise.resolve(check).then(
    () => assert.fail('the key was let in'),
    (reason: GatewayError) => reason,
  );
  assert.equal(error.kind, kind);
  return error;
}

function refusedNow(check: () => Caller | Promise<Caller>, kind: ErrorKind): Promise<GatewayError> {
  return refused((async () => check())(), kind);
}
