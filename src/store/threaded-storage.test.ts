import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GatewayError } from '../core/errors.ts';
import { ExchangeNotDone } from '../core/leases.ts';
import { WAIT_MS } from '../testing/wait.ts';
import type { WriteBytes } from './disk-state.ts';
import type { ThreadedStorageOptions } from './engine.ts';
import { StorageOpenError } from './errors.ts';
import { intent, key, NOON, settlement, temporaryFolder } from './fixtures.test.ts';
import { listJournals } from './journal/files.ts';
import { openThreadedStorage } from './open.ts';
import { readError, writeError } from './sqlite/thread/messages.ts';

const COST = 240_000n;

test('a thread that is ended is started again, and loses and doubles nothing', async (t) => {
  const { storage, news } = await open(t);
  const rounds = 3;
  for (let round = 0; round < rounds; round += 1) {
    const calls = Array.from({ length: 300 }, (_, index) => intent(round * 300 + index));
    await Promise.all(calls.map((call) => storage.ledger.intend(call)));
    const restarted = news.restarted();
    storage.threads()[0]!.kill();
    await Promise.all(calls.map((call) => storage.ledger.settle(settlement(call))));
    await restarted;
  }
  const page = await storage.usage.list({ organizationId: 'org_1', limit: 10_000 });
  assert.equal(page?.records.length, rounds * 300);
  assert.equal(await storage.spend.spent('key_1', null), BigInt(rounds * 300) * COST);
  assert.equal(news.deaths, rounds);
});

test('while no thread runs reports are refused, and what calls need is answered', async (t) => {
  const { storage, news } = await open(t);
  await storage.keys.create(key(), Buffer.from('hash'));
  const changes = await storage.keys.changes();
  await storage.ledger.intend(intent(1));
  await storage.ledger.settle(settlement(intent(1)));
  const asked = refusalOf(storage.usage.list({ organizationId: null, limit: 1 }));
  const restarted = news.restarted();
  storage.threads()[0]!.kill();
  assert.equal((await asked).kind, 'storage_unavailable');
  while (storage.threads().length > 0) await turn();
  assert.equal((await refusalOf(storage.usage.list({ organizationId: null, limit: 1 }))).kind, 'storage_unavailable');
  assert.equal((await storage.keys.find(Buffer.from('hash')))?.key.id, 'key_1');
  assert.equal(await storage.keys.changes(), changes);
  assert.equal(await storage.look(), null);
  // It waits for the next thread.
  assert.equal(await storage.spend.spent('key_1', null), COST);
  await restarted;
});

test('whoever answers calls is let in front of the thread, where a system knows priorities of threads', async (t) => {
  const tasks = '/proc/self/task';
  if (!existsSync(tasks)) return t.skip('only Linux has them');
  const before = new Set(readdirSync(tasks));
  const own = getPriority(process.pid);
  await open(t);
  const priorities = readdirSync(tasks)
    .filter((task) => !before.has(task))
    .map((task) => getPriority(Number(task)));
  assert(priorities.includes(Math.min(own + 4, 19)), String(priorities));
  assert.equal(getPriority(process.pid), own, 'the thread of calls keeps its own');
});

test('a thread that rests in the midst of its work is woken by whoever asks, and rests no more until it has answered', async (t) => {
  const { storage, folder } = await open(t, { restMs: 600_000 });
  // Several batches of them.
  const calls = Array.from({ length: 2_000 }, (_, index) => intent(index));
  await Promise.all(calls.map((call) => storage.ledger.intend(call)));
  await Promise.all(calls.map((call) => storage.ledger.settle(settlement(call))));
  // It takes them over by itself, and rests while nobody else may write.
  using other = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 0 });
  await t.waitFor(() => assert.throws(() => other.exec('begin immediate; rollback'), /locked/), { timeout: WAIT_MS });
  assert.equal(await storage.spend.spent('key_1', null), 2_000n * COST);
});

test('a store that cannot be opened is refused as it is in one thread', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'headgate.db'), 'not a database, but as long as the header of one would be '.repeat(4));
  const opening = openThreadedStorage({ folder, ...UNHEARD });
  await assert.rejects(opening, (error) => {
    assert(error instanceof StorageOpenError);
    assert.match(error.message, /cannot be used: file is not a database\.$/);
    return true;
  });
});

test('a record that the tables refuse is told where it was acknowledged', async (t) => {
  const { storage, folder } = await open(t);
  await storage.ledger.intend(intent(1));
  await storage.upToDate();
  using other = new DatabaseSync(join(folder, 'headgate.db'));
  other.exec(
    "create temp table row as select * from calls; update row set id = 'usage_00000002', status = 'succeeded'",
  );
  other.exec('insert into calls select * from row');
  const warned = once(process, 'warning');
  await storage.ledger.intend(intent(2));
  await storage.upToDate();
  assert.match(String((await warned)[0]), /could not be kept: .*"usage_00000002"/);
});

test('trouble with the tables is known before the journal, and so is its end', async (t) => {
  const { storage, folder } = await open(t, { lockWaitMs: 20 });
  using other = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 0 });
  other.exec('begin immediate');
  await assert.rejects(storage.organizations.create({ id: 'org_9', name: 'Late', createdAt: 0 }));
  assert.equal(storage.trouble()?.reason, 'failing');
  other.exec('rollback');
  assert.equal(await storage.look(), null);
  assert.equal(storage.trouble(), null);
});

test('what was spent is not known to be complete while the journal lacks a settlement, and no lease is given back', async (t) => {
  let isFull = false;
  const writeJournal: WriteBytes = (...args) => {
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return writeSync(...args);
  };
  const { storage } = await open(t, { writeJournal });
  await storage.ledger.intend(intent(1));
  isFull = true;
  await assert.rejects(storage.ledger.settle(settlement(intent(1))), { kind: 'storage_unavailable' });
  await assert.rejects(storage.leases.catchUp(), { kind: 'storage_unavailable' });
  const nothing = () => storage.leases.exchange({ number: 1, asks: [] });
  await assert.rejects(nothing, ExchangeNotDone);
  isFull = false;
  await storage.leases.catchUp();
  assert.deepEqual(await nothing(), { isGranted: true, grants: [] });
  assert.equal(await storage.spend.spent('key_1', null), COST);
});

test('a closed store has no journal and no thread', async (t) => {
  const { storage, folder } = await open(t);
  await storage.ledger.intend(intent(1));
  await storage.ledger.settle(settlement(intent(1)));
  await storage.close();
  assert.deepEqual([listJournals(folder), storage.threads()], [[], []]);
  await assert.rejects(storage.usage.list({ organizationId: null, limit: 1 }), { kind: 'storage_unavailable' });
});

test('what comes in parts comes whole, and is let go by whoever stops', async (t) => {
  const { storage, news } = await open(t);
  const rows = Array.from({ length: 450 }, (_, number) => ({
    id: `row_${String(number).padStart(4, '0')}`,
    origin: 'a file',
    at: number,
    features: 'f',
    scores: { small: 0.5 },
    propensity: 1,
  }));
  await storage.models.addRows('acme/fast', rows);
  const read = [];
  for await (const batch of storage.models.rows('acme/fast')) read.push(...batch);
  assert.deepEqual(read, rows);
  for await (const batch of storage.models.rows('acme/fast')) {
    assert.equal(batch.length > 0, true);
    break;
  }
  const broken = storage.models.rows('acme/fast')[Symbol.asyncIterator]();
  await broken.next();
  const restarted = news.restarted();
  storage.threads()[0]!.kill();
  await restarted;
  assert.equal((await refusalOf(broken.next())).kind, 'storage_unavailable', 'it is the next thread that is asked');
});

test('an error is the same behind the border of a thread', () => {
  const disk = Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  const error = new GatewayError('storage_unavailable', 'Not now.', { cause: disk, param: 'id' });
  const read = readError(structuredClone(writeError(error)));
  assert(read instanceof GatewayError);
  assert.deepEqual([read.kind, read.message, read.param, read.status], ['storage_unavailable', 'Not now.', 'id', 503]);
  assert(read.cause instanceof Error && 'errcode' in read.cause && 'code' in read.cause);
  assert.deepEqual([read.cause.message, read.cause.errcode, read.cause.code], ['full', 13, 'ERR_SQLITE_ERROR']);
});

const UNHEARD = {
  instanceId: 'instance_1',
  durability: 'normal' as const,
  onThreadDeath: () => undefined,
  onThreadRestart: () => undefined,
};

async function open(t: TestContext, options: Partial<ThreadedStorageOptions> = {}) {
  const folder = temporaryFolder(t);
  let waiting: PromiseWithResolvers<void> = Promise.withResolvers();
  const news = {
    deaths: 0,
    /** Resolves at the next start. */
    restarted() {
      waiting = Promise.withResolvers();
      return waiting.promise;
    },
  };
  const storage = await openThreadedStorage({
    folder,
    ...UNHEARD,
    ...options,
    onThreadDeath() {
      news.deaths += 1;
    },
    onThreadRestart: () => waiting.resolve(),
  });
  t.after(() => storage.close());
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  return { folder, news, storage: { ...storage, upToDate: () => storage.check() } };
}

async function refusalOf(asked: Promise<unknown>): Promise<GatewayError> {
  try {
    await asked;
  } catch (error) {
    assert(error instanceof GatewayError);
    return error;
  }
  assert.fail('was not refused');
}
