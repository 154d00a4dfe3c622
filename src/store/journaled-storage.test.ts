import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Price } from '../core/money.ts';
import type { Storage } from '../core/ports.ts';
import { intent, NOON, PRICE, routed, settlement, temporaryFolder } from './fixtures.test.ts';
import { listJournals } from './journal/files.ts';
import type { StorageOptions } from './journaled-storage.ts';
import { openStorage } from './open.ts';
import { recoverOthers } from './recover.ts';
import { DATABASE_FILE } from './sqlite/open.ts';

const COST = 240_000n;

test('another process sees what was settled a moment ago', async (t) => {
  const { storage, open } = await openTestStorage(t);
  const command = await open('command');
  await settleCalls(storage, 1, 700);
  assert.equal(await recordsIn(command), 700);
  await settleCalls(storage, 701, 5);
  assert.equal(await recordsIn(command), 705);
  assert.equal(await recordsIn(storage), 705);
  assert.equal(await storage.spend.spent('key_1', null), 705n * COST);
});

test('two that take over one journal at the same time take over each record once', async (t) => {
  const { storage, open } = await openTestStorage(t);
  const readers = await Promise.all([open('command_1'), open('command_2')]);
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  await settleCalls(storage, 1, 2_100);
  const seen = await Promise.all([...readers, storage].map(recordsIn));
  assert.deepEqual(seen, [2_100, 2_100, 2_100]);
  // A record that came twice would be refused by the tables, and told.
  await turn();
  assert.deepEqual(warnings, []);
  assert.equal(await storage.spend.spent('key_1', null), 2_100n * COST);
});

test('a journal that was taken over, and outlived its process, counts nothing twice', async (t) => {
  const { folder, storage, open } = await openTestStorage(t);
  await settleCalls(storage, 1, 3);
  await storage.ledger.intend(intent(4));
  const [journal] = listJournals(folder);
  const path = join(folder, journal!.file);
  copyFileSync(path, `${path}.kept`);
  await storage.close();
  assert.deepEqual(listJournals(folder), []);
  copyFileSync(`${path}.kept`, path);
  const next = await open('instance_2');
  assert.equal(await recordsIn(next), 3);
  assert.equal(await recoverOthers(next, NOON), 1);
  assert.deepEqual(listJournals(folder), []);
  assert.equal(await next.spend.spent('key_1', null), 3n * COST + 150_000n);
});

test('a start takes over what a killed process left in its journal, up to the record it was writing', async (t) => {
  const killed = await openTestStorage(t);
  await settleCalls(killed.storage, 1, 700);
  await killed.storage.ledger.intend(intent(701));
  const [journal] = listJournals(killed.folder);
  const { folder, open } = await openTestStorage(t);
  copyFileSync(join(killed.folder, journal!.file), join(folder, journal!.file));
  appendFileSync(join(folder, journal!.file), '0badc0de [{"intent":{"id":"usage_0');
  // The tables know nothing of these calls: the process died before it took over any.
  const next = await open('instance_2');
  assert.equal(await recoverOthers(next, NOON), 1);
  assert.equal(await recordsIn(next), 701);
  assert.equal(await next.spend.spent('key_1', null), 700n * COST + 150_000n);
  assert.deepEqual(listJournals(folder), []);
});

test('a routed call that is read back from a journal keeps the version of the price that it was charged by', async (t) => {
  const killed = await openTestStorage(t);
  const price = { ...PRICE, source: 'route acme/fast' };
  await settleRouted(killed.storage, 1, price);
  await killed.storage.check();
  // The tables have the price now, so that the journal tells it by its id; the process dies before it takes that over.
  await settleRouted(killed.storage, 2, price);
  const folder = temporaryFolder(t);
  for (const file of readdirSync(killed.folder)) copyFileSync(join(killed.folder, file), join(folder, file));
  const next = await openStorage({ folder, instanceId: 'instance_2', durability: 'normal' });
  t.after(() => next.close());
  assert.equal(await recoverOthers(next, NOON), 0);
  const database = new DatabaseSync(join(folder, 'headgate.db'));
  t.after(() => database.close());
  const kept = database
    .prepare('select price_versions.source from calls join price_versions on price_versions.id = price_version')
    .all();
  assert.deepEqual(
    kept.map(({ source }) => source),
    [price.source, price.source],
  );
});

test('while the disk refuses a settlement, no call is let in that would have room, and the settlement is written first', async (t) => {
  let room = Number.POSITIVE_INFINITY;
  const lines: string[] = [];
  const writeJournal = (descriptor: number, line: Buffer) => {
    if (line.length > room) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    lines.push(line.toString());
    return writeSync(descriptor, line);
  };
  const call = (number: number) => intent(number, { price: null });
  const { storage } = await openTestStorage(t, { writeJournal });
  await storage.ledger.intend(call(1));
  await storage.ledger.intend(call(2));
  const ofIntent = lines.at(-1)!.length;
  room = ofIntent + 10;
  await assert.rejects(storage.ledger.settle(settlement(call(1), { cost: 5n, lineItems: [] })), {
    kind: 'storage_unavailable',
  });
  // It would fit, but by the money that the settlement gives back.
  await assert.rejects(storage.ledger.intend(call(3)), { kind: 'storage_unavailable' });
  room = Number.POSITIVE_INFINITY;
  lines.length = 0;
  await storage.ledger.intend(call(3));
  assert.deepEqual(
    lines.map((line) => /\["([is])","(\w+)"/.exec(line)?.slice(1) ?? line),
    [
      ['s', 'usage_00000001'],
      ['i', 'usage_00000003'],
    ],
  );
});

test('a full disk refuses records, and what it refused was never there', async (t) => {
  let full = false;
  const writeJournal = (descriptor: number, line: Buffer) => writeSync(descriptor, full ? line.subarray(0, 100) : line);
  const { storage, open } = await openTestStorage(t, { writeJournal });
  await storage.ledger.intend(intent(1));
  full = true;
  await assert.rejects(storage.ledger.intend(intent(2)), { kind: 'storage_unavailable' });
  await assert.rejects(storage.ledger.settle(settlement(intent(1))), { kind: 'storage_unavailable' });
  assert.equal(await recordsIn(await open('command')), 0);
  full = false;
  // It is open until it is settled.
  await assert.rejects(storage.ledger.intend(intent(1)), ({ cause }: Error) => /is open already/.test(String(cause)));
  await storage.ledger.settle(settlement(intent(1)));
  await settleCalls(storage, 2, 1);
  assert.equal(await recordsIn(storage), 2);
  await storage.close();
  assert.equal(await recoverOthers(await open('instance_2'), NOON), 0);
});

for (const [how, next] of [
  ['the next call', (storage: Storage) => settleCalls(storage, 3, 1)],
  ['the next look at the store', (storage: Storage) => storage.look()],
] as const) {
  test(`a settlement that a full disk refused is written with ${how}, once`, async (t) => {
    let full = false;
    const writeJournal = (descriptor: number, line: Buffer) =>
      writeSync(descriptor, full ? line.subarray(0, 100) : line);
    const { storage, open } = await openTestStorage(t, { writeJournal });
    const settled = [1, 2].map((number) => settlement(intent(number), { cost: 7n, counted: 7n }));
    for (const number of [1, 2]) await storage.ledger.intend(intent(number));
    full = true;
    for (const each of settled) await assert.rejects(storage.ledger.settle(each), { kind: 'storage_unavailable' });
    await assert.rejects(storage.ledger.intend(intent(9)), { kind: 'storage_unavailable' });
    full = false;
    await next(storage);
    const { records } = (await storage.usage.list({ organizationId: null, limit: 9 }))!;
    assert.deepEqual(
      records.filter(({ cost }) => cost === 7n).map(({ status }) => status),
      ['succeeded', 'succeeded'],
    );
    await storage.close();
    assert.equal(await recoverOthers(await open('instance_2'), NOON), 0);
  });
}

test('a lock that was busy once, and whose records another has taken over, is no trouble when it is busy again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { storage, folder, open } = await openTestStorage(t, { lockWaitMs: 20 });
  const other = await open('instance_2');
  const lock = new DatabaseSync(join(folder, DATABASE_FILE));
  t.after(() => lock.close());
  const followWhileLocked = async (isLocked: boolean) => {
    if (isLocked) lock.exec('begin immediate');
    t.mock.timers.tick(250);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    if (isLocked) lock.exec('rollback');
  };
  await settleCalls(storage, 1, 1);
  await followWhileLocked(true);
  assert.equal(await recordsIn(other), 1);
  await followWhileLocked(false);
  const busyFor = performance.now() + 30;
  while (performance.now() < busyFor);
  await settleCalls(storage, 2, 1);
  await followWhileLocked(true);
  assert.equal(storage.trouble(), null);
  assert.equal(await recordsIn(storage), 2);
});

test('a stop leaves no journal', async (t) => {
  const { folder, storage } = await openTestStorage(t, { durability: 'full' });
  await settleCalls(storage, 1, 20);
  assert.equal(listJournals(folder).length, 1);
  await storage.close();
  assert.deepEqual(listJournals(folder), []);
});

async function openTestStorage(t: TestContext, options: Partial<StorageOptions> = {}) {
  const folder = temporaryFolder(t);
  const opened: Storage[] = [];
  const open = async (instanceId: string, more: Partial<StorageOptions> = {}) => {
    const storage = await openStorage({ folder, instanceId, durability: 'normal', ...more });
    opened.push(storage);
    return storage;
  };
  t.after(() => Promise.all(opened.map((storage) => storage.close())));
  const storage = await open('instance_1', options);
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  return { folder, storage, open };
}

async function settleCalls({ ledger }: Storage, first: number, count: number): Promise<void> {
  const calls = Array.from({ length: count }, (_, index) => intent(first + index));
  await Promise.all(calls.map((call) => ledger.intend(call)));
  await Promise.all(calls.map((call) => ledger.settle(settlement(call))));
}

async function recordsIn(storage: Storage): Promise<number | undefined> {
  return (await storage.usage.list({ organizationId: null, limit: 10_000 }))?.records.length;
}

async function settleRouted(storage: Storage, number: number, price: Price): Promise<void> {
  await storage.ledger.intend(intent(number));
  await storage.ledger.settle(settlement(intent(number), { routed: routed({ price }) }));
}
