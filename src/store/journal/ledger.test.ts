import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Storage } from '../../core/ports.ts';
import { attempt, intent, PRICE, routed, settlement, temporaryFolder } from '../fixtures.test.ts';
import type { StorageOptions } from '../journaled-storage.ts';
import { openStorage } from '../open.ts';
import { listJournals, readJournal } from './files.ts';
import { readGroups } from './groups.ts';

test('all that is handed in within one turn is one write', async (t) => {
  const { folder, storage } = await openTestStorage(t);
  await Promise.all(Array.from({ length: 50 }, (_, number) => storage.ledger.intend(intent(number))));
  const [journal] = listJournals(folder);
  assert.equal([...readGroups(readJournal(folder, journal!.file, 0), 0)].length, 1);
});

test('an intent is told at the end of the turn, a settlement that is alone at once', async (t) => {
  let now = 0;
  const { storage } = await openTestStorage(t, { now: () => now });
  const told: string[] = [];
  const tell = (name: string, write: Promise<void>) => void write.then(() => told.push(name));
  tell('intent', storage.ledger.intend(intent(1)));
  await ticks();
  assert.deepEqual(told, []);
  await turn();
  assert.deepEqual(told, ['intent']);
  now += 5;
  tell('alone', storage.ledger.settle(settlement(intent(1))));
  await ticks();
  assert.deepEqual(told, ['intent', 'alone']);
  await storage.ledger.intend(intent(2));
  now += 5;
  // The intent that comes with it makes it wait: a request must not leave before the turn is over.
  tell('with another', storage.ledger.settle(settlement(intent(2))));
  tell('another', storage.ledger.intend(intent(3)));
  await ticks();
  assert.equal(told.length, 2);
  await turn();
  assert.equal(told.length, 4);
});

test('what is in the journal is in the tables a moment later, without being asked for', async (t) => {
  const { storage, other } = await openTestStorage(t);
  await storage.ledger.intend(intent(1));
  while (rows(other, 'select * from calls').length === 0) await turn();
});

test('more records than one transaction takes are all taken over', async (t) => {
  const { storage, other } = await openTestStorage(t);
  await Promise.all(Array.from({ length: 1_201 }, (_, number) => storage.ledger.intend(intent(number))));
  await storage.check();
  assert.deepEqual(rows(other, 'select count(*) as open from calls'), [{ open: 1_201 }]);
});

test('a settlement that the tables refuse leaves nothing of itself, is told, and holds up no other', async (t) => {
  const { storage, other } = await openTestStorage(t);
  const calls = [intent(1), intent(2), intent(3), intent(4)];
  await Promise.all(calls.map((call) => storage.ledger.intend(call)));
  // The last statement of the third settlement is at fault: the sum passes 64 bits.
  const costs = [2n ** 62n, 1n, 2n ** 62n, 1n];
  const warned = once(process, 'warning');
  await Promise.all(
    calls.map((call, index) => storage.ledger.settle(settlement(call, { cost: costs[index] ?? null }))),
  );
  assert.equal(await storage.spend.spent('key_1', null), 2n ** 62n + 2n);
  assert.match(String((await warned)[0]), /could not be kept: .*"usage_00000003"/);
  assert.deepEqual(
    rows(other, 'select status from calls order by id').map(({ status }) => status),
    ['succeeded', 'succeeded', 'open', 'succeeded'],
  );
  assert.deepEqual(rows(other, 'select count(*) as attempts from attempts'), [{ attempts: 3 }]);
});

test('a call that is open is not opened again, and is settled once', async (t) => {
  const { folder, storage } = await openTestStorage(t);
  await storage.ledger.intend(intent(1));
  await assert.rejects(storage.ledger.intend(intent(1)), { kind: 'storage_unavailable' });
  const [journal] = listJournals(folder);
  assert.equal([...readGroups(readJournal(folder, journal!.file, 0), 0)].length, 1);
  await storage.ledger.settle(settlement(intent(1), { cost: 5n }));
  assert.equal(await storage.spend.spent('key_1', null), 5n);
});

test('each of many calls that are open is known, and is settled once, whatever the order and the id', async (t) => {
  const { storage, other } = await openTestStorage(t);
  const numbered = Array.from({ length: 700 }, (_, number) => intent(number));
  const opened = [
    ...numbered,
    { ...intent(0), id: '' },
    { ...intent(0), id: 'é' },
    { ...intent(0), id: 'usage_\u{1F600}' },
  ];
  await Promise.all(opened.map((each) => storage.ledger.intend(each)));
  const again = await Promise.allSettled(opened.map((each) => storage.ledger.intend(each)));
  assert.equal(again.filter(({ status }) => status === 'rejected').length, opened.length);
  const shuffled = opened.toSorted((one, other) =>
    one.id.slice(-1) + one.id < other.id.slice(-1) + other.id ? 1 : -1,
  );
  for (const each of [...shuffled, ...opened]) await storage.ledger.settle(settlement(each, { cost: 1n }));
  await storage.check();
  assert.equal(await storage.spend.spent('key_1', null), BigInt(opened.length));
  assert.deepEqual(rows(other, 'select status, count(*) as count from calls group by 1'), [
    { status: 'succeeded', count: opened.length },
  ]);
});

test('a settlement that comes again changes nothing, and is not spent again', async (t) => {
  const { storage, other } = await openTestStorage(t);
  await storage.ledger.intend(intent(1));
  await storage.check();
  await storage.ledger.settle(settlement(intent(1), { cost: 5n }));
  await storage.check();
  await storage.ledger.settle(settlement(intent(1), { cost: 7n, status: 'failed' }));
  await storage.check();
  assert.equal(await storage.spend.spent('key_1', null), 5n);
  assert.deepEqual(rows(other, 'select status, cost_nano from calls'), [{ status: 'succeeded', cost_nano: 5 }]);
});

test('a cost that no table can hold is refused, and the call can still be settled', async (t) => {
  const { storage } = await openTestStorage(t);
  await storage.ledger.intend(intent(1));
  await assert.rejects(storage.ledger.settle(settlement(intent(1), { cost: 2n ** 63n })), {
    kind: 'storage_unavailable',
  });
  await assert.rejects(storage.ledger.settle(settlement(intent(1), { routed: routed({ vendorCost: 2n ** 63n }) })));
  await storage.ledger.settle(settlement(intent(1), { cost: 2n ** 63n - 1n }));
  assert.equal(await storage.spend.spent('key_1', null), 2n ** 63n - 1n);
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
  await storage.check();
  assert.deepEqual(rows(other, 'select number, provider, status, error_kind, upstream_request_id from attempts'), [
    { number: 1, provider: 'first', status: 'failed', error_kind: 'upstream_rate_limited', upstream_request_id: null },
    { number: 2, provider: 'lab', status: 'succeeded', error_kind: null, upstream_request_id: 'theirs' },
  ]);
  const [row] = rows(other, 'select line_items from calls');
  assert.deepEqual(JSON.parse(String(row?.line_items)), [
    ['input', 1_200, '150000', '180000'],
    ['output', 100, '600000', '60000'],
  ]);
});

test('a routed call is kept with who served it and the price its caller was charged by', async (t) => {
  const { storage, other } = await openTestStorage(t);
  const sold = { ...PRICE, source: 'route acme/fast' };
  const calls = [1, 2, 3].map((number) => intent(number));
  await Promise.all(calls.map((call) => storage.ledger.intend(call)));
  await storage.ledger.settle(settlement(calls[0]!, { routed: routed({ price: sold }) }));
  await storage.check();
  // By now the tables have the price, and the journal tells it by its id.
  await storage.ledger.settle(settlement(calls[1]!, { routed: routed({ price: sold }) }));
  await storage.ledger.settle(settlement(calls[2]!, { routed: routed({ price: null }) }));
  await storage.check();
  const kept = rows(
    other,
    `select calls.provider, calls.upstream_model, price_versions.source from calls
     left join price_versions on price_versions.id = price_version order by calls.id`,
  );
  const expected = [sold.source, sold.source, null];
  assert.deepEqual(
    kept.map((row) => ({ ...row })),
    expected.map((source) => ({ provider: 'spare', upstream_model: 'spare-large', source })),
  );
});

test('a price version is one row for the same prices, and another row for others', async (t) => {
  const { storage, other } = await openTestStorage(t);
  const same = structuredClone(PRICE);
  const raised = { ...PRICE, rates: { ...PRICE.rates, output: 700_000n } };
  const prices = [PRICE, same, raised, null];
  await Promise.all(prices.map((price, number) => storage.ledger.intend(intent(number, { price }))));
  await storage.check();
  const versions = rows(other, 'select price_version from calls order by id').map((row) => row.price_version);
  assert.equal(versions[0], versions[1]);
  assert.notEqual(versions[0], versions[2]);
  assert.equal(versions[3], null);
  assert.equal(rows(other, 'select * from price_versions').length, 2);
});

test('a price version that was rolled back with its call is stored with the next', async (t) => {
  const { storage, other } = await openTestStorage(t);
  other.exec('alter table calls rename to lost');
  await storage.ledger.intend(intent(1));
  await assert.rejects(storage.check(), { kind: 'storage_unavailable' });
  assert.equal(rows(other, 'select * from price_versions').length, 0);
  other.exec('alter table lost rename to calls');
  await storage.check();
  assert.equal(rows(other, 'select * from price_versions').length, 1);
});

test('past the most that may wait an intent is refused as overloaded, and a settlement is not', async (t) => {
  const { storage } = await openTestStorage(t, { maxQueuedWrites: 2 });
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => storage.ledger.intend(intent(number))));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  assert.equal(outcomes[2]?.status === 'rejected' && outcomes[2].reason.kind, 'overloaded');
  await Promise.all([1, 2].map((number) => storage.ledger.settle(settlement(intent(number)))));
  await storage.check();
  await storage.ledger.intend(intent(3));
});

test('while another connection holds the lock records are kept, and readers wait for it', async (t) => {
  const { storage, other } = await openTestStorage(t, { lockWaitMs: 1_500 });
  other.exec('begin immediate');
  await storage.ledger.intend(intent(1));
  await storage.ledger.settle(settlement(intent(1)));
  let read = false;
  const reading = storage.spend.spent('key_1', null).then((spent) => {
    read = true;
    return spent;
  });
  for (let turns = 0; turns < 10; turns++) await turn();
  assert.equal(read, false);
  other.exec('commit');
  assert.equal(await reading, 240_000n);
});

test('a reader that waits longer for the lock than it may is refused, and the next one reads all', async (t) => {
  const { storage, other } = await openTestStorage(t, { lockWaitMs: 20 });
  other.exec('begin immediate');
  await storage.ledger.intend(intent(1));
  await assert.rejects(storage.usage.list({ organizationId: null, limit: 1 }), { kind: 'storage_unavailable' });
  await assert.rejects(storage.check(), { kind: 'storage_unavailable' });
  other.exec('rollback');
  await storage.check();
  assert.equal(rows(other, 'select * from calls').length, 1);
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

/** What runs before the event loop goes on has run. */
async function ticks(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
}

function rows(database: DatabaseSync, sql: string) {
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
}
