import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Storage } from '../../core/ports.ts';
import { attempt, intent, PRICE, settlement, temporaryFolder } from '../fixtures.test.ts';
import { openStorage, type StorageOptions } from '../storage.ts';

test('all that is handed in within one turn is one transaction', async (t) => {
  const { folder, storage } = await openTestStorage(t);
  const wal = join(folder, 'headgate.db-wal');
  const before = statSync(wal).size;
  await Promise.all(Array.from({ length: 50 }, (_, number) => storage.ledger.intend(intent(number))));
  // Each transaction writes at least the page of its call and that of the index; fifty calls fill fewer than twenty.
  assert.ok((statSync(wal).size - before) / 4_096 < 20);
});

test('more writes than one transaction takes are all written', async (t) => {
  const { storage, other } = await openTestStorage(t);
  await Promise.all(Array.from({ length: 1_201 }, (_, number) => storage.ledger.intend(intent(number))));
  assert.deepEqual(rows(other, 'select count(*) as open from calls'), [{ open: 1_201 }]);
});

test('a settlement that fails half-way leaves nothing of itself', async (t) => {
  const { storage, other } = await openTestStorage(t);
  const calls = [intent(1), intent(2), intent(3)];
  await Promise.all(calls.map((call) => storage.ledger.intend(call)));
  // The last statement of the third settlement is at fault: the sum passes 64 bits.
  const costs = [2n ** 62n, 1n, 2n ** 62n];
  const outcomes = await Promise.allSettled(
    calls.map((call, index) => storage.ledger.settle(settlement(call, { cost: costs[index] ?? null }))),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  assert.deepEqual(rows(other, 'select status from calls order by id'), [
    { status: 'succeeded' },
    { status: 'succeeded' },
    { status: 'open' },
  ]);
  assert.deepEqual(rows(other, 'select count(*) as attempts from attempts'), [{ attempts: 2 }]);
  assert.equal(await storage.spend.spent('key_1', null), 2n ** 62n + 1n);
});

test('every attempt and line item is kept', async (t) => {
  const { storage, other } = await openTestStorage(t);
  const call = intent(1);
  const refused = attempt(call, {
    provider: 'first',
    status: 'failed',
    httpStatus: 429,
    errorKind: 'upstream_rate_limited',
  });
  await storage.ledger.intend(call);
  await storage.ledger.settle(
    settlement(call, { attempts: [refused, attempt(call, { upstreamRequestId: 'theirs' })] }),
  );
  assert.deepEqual(rows(other, 'select number, provider, status, error_kind, upstream_request_id from attempts'), [
    { number: 1, provider: 'first', status: 'failed', error_kind: 'upstream_rate_limited', upstream_request_id: null },
    { number: 2, provider: 'lab', status: 'succeeded', error_kind: null, upstream_request_id: 'theirs' },
  ]);
  const [row] = rows(other, 'select line_items from calls');
  assert.deepEqual(JSON.parse(String(row?.line_items)), [
    { component: 'input', tokens: 1_200, rate: '150000', amount: '180000' },
    { component: 'output', tokens: 100, rate: '600000', amount: '60000' },
  ]);
});

test('a price version is one row for the same prices, and another row for others', async (t) => {
  const { storage, other } = await openTestStorage(t);
  const same = structuredClone(PRICE);
  const raised = { ...PRICE, rates: { ...PRICE.rates, output: 700_000n } };
  const prices = [PRICE, same, raised, null];
  await Promise.all(prices.map((price, number) => storage.ledger.intend(intent(number, { price }))));
  const versions = rows(other, 'select price_version from calls order by id').map((row) => row.price_version);
  assert.equal(versions[0], versions[1]);
  assert.notEqual(versions[0], versions[2]);
  assert.equal(versions[3], null);
  assert.equal(rows(other, 'select * from price_versions').length, 2);
});

test('a price version that was rolled back with its call is stored with the next', async (t) => {
  const { storage, other } = await openTestStorage(t);
  await storage.ledger.intend(intent(1, { price: null }));
  await assert.rejects(storage.ledger.intend(intent(1)));
  assert.equal(rows(other, 'select * from price_versions').length, 0);
  await storage.ledger.intend(intent(2));
  assert.equal(rows(other, 'select * from price_versions').length, 1);
});

test('past the longest queue an intent is refused as overloaded, and a settlement is not', async (t) => {
  const { storage } = await openTestStorage(t, { maxQueuedWrites: 2 });
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => storage.ledger.intend(intent(number))));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  assert.equal(outcomes[2]?.status === 'rejected' && outcomes[2].reason.kind, 'overloaded');
  await Promise.all([
    storage.ledger.intend(intent(3)),
    ...[1, 2].map((n) => storage.ledger.settle(settlement(intent(n)))),
  ]);
});

test('while another connection holds the lock, writes wait and the event loop turns', async (t) => {
  // If turns lasted 50 ms, the writes would be out of patience before the lock is let go.
  const { storage, other } = await openTestStorage(t, { patienceMs: 1_500 });
  other.exec('begin immediate');
  let done = 0;
  const writes = Array.from({ length: 20 }, (_, number) => storage.ledger.intend(intent(number)));
  writes.push(storage.organizations.create({ id: 'org_1', name: 'First', createdAt: 1 }));
  const counted = Promise.all(writes.map((write) => write.then(() => done++)));
  for (let turns = 0; turns < 30; turns++) await turn();
  assert.equal(done, 0);
  other.exec('commit');
  await counted;
  assert.equal(done, 21);
});

test('a write that waits past its patience is refused, and the next one works', async (t) => {
  const { storage, other } = await openTestStorage(t, { patienceMs: 20 });
  other.exec('begin immediate');
  await assert.rejects(storage.ledger.intend(intent(1)), { kind: 'storage_unavailable' });
  await assert.rejects(storage.check(), { kind: 'storage_unavailable' });
  other.exec('rollback');
  await storage.ledger.intend(intent(1));
  await storage.check();
});

test('a store that fails refuses all writes of the turn', async (t) => {
  const { storage, other } = await openTestStorage(t);
  other.exec('alter table attempts rename to lost');
  await Promise.all([1, 2].map((number) => storage.ledger.intend(intent(number))));
  const settle = () => Promise.allSettled([1, 2].map((number) => storage.ledger.settle(settlement(intent(number)))));
  for (const outcome of await settle()) {
    assert.equal(outcome.status === 'rejected' && outcome.reason.kind, 'storage_unavailable');
  }
  other.exec('alter table lost rename to attempts');
  for (const outcome of await settle()) assert.equal(outcome.status, 'fulfilled');
});

/** A store, and a second connection to its database as another process would have. */
async function openTestStorage(t: TestContext, options: Partial<StorageOptions> = {}) {
  const folder = temporaryFolder(t);
  const storage: Storage = await openStorage({ folder, instanceId: 'instance_1', durability: 'normal', ...options });
  const other = new DatabaseSync(join(folder, 'headgate.db'));
  t.after(async () => {
    other.close();
    await storage.close();
  });
  return { folder, storage, other };
}

function rows(database: DatabaseSync, sql: string) {
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
}
