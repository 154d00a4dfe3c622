import assert from 'node:assert/strict';
import fs, { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { intent, settlement, temporaryFolder } from '../fixtures.test.ts';
import { listJournals } from '../journal/files.ts';
import { FileJournal } from '../journal/journal.ts';
import { writeIntent, writeSettlement } from '../journal/record-json.ts';
import { openDatabase } from './open.ts';
import { createTakeOver } from './take-over.ts';

test('who is overtaken between reading a journal and taking it over takes over nothing twice', async (t) => {
  const { folder, journal, takeOverOn } = await rig(t);
  const [one, other] = [await takeOverOn(), await takeOverOn()];
  const { readSync } = fs;
  let isOvertaken = false;
  t.after(() => {
    Object.assign(fs, { readSync });
    syncBuiltinESMExports();
  });
  const call = intent(1);
  journal.append([writeIntent(call, null)]);
  journal.append([writeSettlement(settlement(call), null)]);
  const [name] = listJournals(folder);
  Object.assign(fs, {
    readSync(...args: Parameters<typeof readSync>) {
      if (!isOvertaken) {
        isOvertaken = true;
        other.takeOver.read(name!);
      }
      return readSync(...args);
    },
  });
  syncBuiltinESMExports();
  one.takeOver.read(name!);
  assert.equal(isOvertaken, true);
  assert.deepEqual([one.refused, other.refused], [[], []]);
  const spent = one.database.prepare('select amount_nano from key_spend').all();
  assert.deepEqual(
    spent.map((row) => ({ ...row })),
    [{ amount_nano: 240_000 }],
  );
});

test('a journal is taken over up to what was acknowledged, and no further', async (t) => {
  const { folder, journal, takeOverOn } = await rig(t);
  const { takeOver, database } = await takeOverOn();
  const { end } = journal.append([writeIntent(intent(1), null)]);
  journal.append([writeIntent(intent(2), null)]);
  const [name] = listJournals(folder);
  while (takeOver.read(name!, end));
  const calls = () =>
    database
      .prepare('select id from calls order by id')
      .all()
      .map(({ id }) => id);
  assert.deepEqual([calls(), takeOver.positionOf(name!.file)], [[intent(1).id], end]);
  while (takeOver.read(name!));
  assert.deepEqual(calls(), [intent(1).id, intent(2).id]);
});

test('a short rest goes with its batch, and a long one has a transaction of its own', async (t) => {
  const { folder, journal, takeOverOn } = await rig(t);
  const { takeOver, database } = await takeOverOn();
  const add = (from: number, to: number) => {
    for (let number = from; number < to; number += 1) journal.append([writeIntent(intent(number), null)]);
  };
  const count = () => database.prepare('select count(*) as calls from calls').get()!.calls;
  add(0, 740);
  const [name] = listJournals(folder);
  assert.deepEqual([takeOver.read(name!), count(), takeOver.read(name!)], [true, 740, false]);
  add(740, 1500);
  assert.deepEqual([takeOver.read(name!), count()], [true, 1240]);
  assert.deepEqual([takeOver.read(name!), count(), takeOver.read(name!)], [true, 1500, false]);
});

test('between groups that are read and calls that are written there is time to rest, unless too much waits', async (t) => {
  const { folder, journal, takeOverOn } = await rig(t);
  const { takeOver, database } = await takeOverOn();
  const isWriting: boolean[] = [];
  const rest = () => isWriting.push(database.isTransaction);
  for (let number = 0; number < 3; number += 1) journal.append([writeIntent(intent(number), null)]);
  const [name] = listJournals(folder);
  assert.equal(takeOver.read(name!, undefined, rest), true);
  assert.deepEqual(isWriting, [false, false, false, true, true, true]);
  const long = Array.from({ length: 2_000 }, (_, number) => intent(3 + number, { clientRequestId: 'x'.repeat(1_000) }));
  for (const call of long) journal.append([writeIntent(call, null)]);
  assert.equal(takeOver.read(name!, undefined, rest), true);
  assert.equal(isWriting.length, 6);
});

test('calls that end in another order than they began are settled at once, each by its own end', async (t) => {
  const { folder, journal, takeOverOn } = await rig(t);
  const { takeOver, database } = await takeOverOn();
  const calls = Array.from({ length: 20 }, (_, number) => intent(number));
  for (const call of calls) journal.append([writeIntent(call, null)]);
  const ends = calls.slice(0, 15).reverse();
  for (const [place, call] of ends.entries()) {
    const usage = { ...settlement(call).usage, outputTokens: 100 + place };
    journal.append([writeSettlement(settlement(call, { usage }), null)]);
  }
  const [name] = listJournals(folder);
  while (takeOver.read(name!));
  const rows = database.prepare('select id, status, output_tokens as output from calls order by id').all();
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    calls.map(({ id }, number) =>
      number < 15 ? { id, status: 'succeeded', output: 114 - number } : { id, status: 'open', output: null },
    ),
  );
});

test('of a write that holds thousands of calls each is settled once', async (t) => {
  const { folder, journal, takeOverOn } = await rig(t);
  const { takeOver, database } = await takeOverOn();
  const calls = Array.from({ length: 1_500 }, (_, number) => intent(number));
  const ends = calls.toReversed().map((call) => writeSettlement(settlement(call), null));
  journal.append([...calls.map((call) => writeIntent(call, null)), ...ends]);
  const [name] = listJournals(folder);
  while (takeOver.read(name!));
  const counted = database.prepare('select status, count(*) as calls from calls group by status').all();
  assert.deepEqual(
    counted.map((row) => ({ ...row })),
    [{ status: 'succeeded', calls: 1_500 }],
  );
  const spent = database.prepare('select amount_nano from key_spend').all();
  assert.deepEqual(
    spent.map((row) => ({ ...row })),
    [{ amount_nano: 240_000 * 1_500 }],
  );
});

test('a group that is longer than what is read at once is read whole, and one that was cut is left', async (t) => {
  const { folder, journal, takeOverOn } = await rig(t);
  const { takeOver, database } = await takeOverOn();
  const long = Array.from({ length: 500 }, (_, number) => intent(number, { clientRequestId: 'x'.repeat(2_000) }));
  journal.append(long.map((call) => writeIntent(call, null)));
  const [name] = listJournals(folder);
  appendFileSync(join(folder, name!.file), '0badc0de [["i"');
  while (takeOver.read(name!));
  assert.equal(database.prepare('select count(*) as count from calls').get()?.count, 500);
});

async function rig(t: TestContext) {
  const folder = temporaryFolder(t);
  const journal = new FileJournal({ folder, instanceId: 'instance_1', sync: false });
  const opened: DatabaseSync[] = [];
  t.after(() => {
    for (const database of opened) database.close();
  });
  const takeOverOn = async () => {
    const database = await openDatabase(folder, 'normal', 1_000);
    opened.push(database);
    const refused: string[] = [];
    const takeOver = createTakeOver(database, folder, { onRefused: (error) => void refused.push(error.message) });
    return { database, takeOver, refused };
  };
  return { folder, journal, takeOverOn };
}
