import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Intent, Settlement } from '../../core/records.ts';
import { attempt, intent, NOON, settlement, temporaryFolder } from '../fixtures.test.ts';
import { listJournals } from '../journal/files.ts';
import { FileJournal } from '../journal/journal.ts';
import { writeIntent, writeSettlement } from '../journal/record-json.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import { createPurge } from './purge.ts';
import { createTakeOver } from './take-over.ts';

test('a group that gets a call while a purge removes its parents is added up in the parents that are made anew', async (t) => {
  const { database, settle, days, purge } = await rig(t);
  const [first, last] = [1, 2].map((number) => intent(number, { model: `model_${number}` }));
  const others = Array.from({ length: 600 }, (_, number) => intent(10 + number, { keyId: `key_of_${number}` }));
  settle([first!, ...others, last!]);
  const parent = database.prepare("select 1 from usage_groups where key_id = 'key_1' and shape = 1");
  const late = intent(9_000, { model: last!.model, createdAt: NOON + 86_400_000 });
  const { exec } = database;
  let isLate = false;
  database.exec = (sql) => {
    if (sql === 'begin immediate' && !isLate && parent.get() === undefined) {
      isLate = true;
      settle([late]);
    }
    exec.call(database, sql);
  };
  assert.equal(await purge(NOON + 10_000), 602);
  assert.equal(isLate, true);
  assert.deepEqual(
    days('calls'),
    [0, 1, 2, 3].map((shape) => [shape, 1]),
  );
  assert.equal(await purge(late.createdAt + 1), 1);
  assert.deepEqual(days('calls'), []);
});

test('a sum that a database came to have later does not fall below nothing', async (t) => {
  const { database, settle, days, purge } = await rig(t);
  const retried = (of: Intent) => settlement(of, { attempts: [attempt(of, { status: 'failed' }), attempt(of)] });
  settle([intent(1), intent(2)], retried);
  database.exec('alter table usage_days drop column retried');
  migrate(database);
  assert.equal(await purge(NOON + 2), 1);
  assert.deepEqual(
    days('calls, retried'),
    [0, 1, 2, 3].map((shape) => [shape, 1, 0]),
  );
});

async function rig(t: TestContext) {
  const folder = temporaryFolder(t);
  const journal = new FileJournal({ folder, instanceId: 'instance_1', sync: false });
  const [database, other] = [await openDatabase(folder, 'normal', 1_000), await openDatabase(folder, 'normal', 1_000)];
  t.after(() => {
    journal.close();
    for (const each of [database, other]) each.close();
  });
  database.exec("insert into organizations (id, name, created_at) values ('org_1', 'First', 1)");
  const onRefused = (error: Error) => assert.fail(error);
  /** Settles calls on a connection of its own, at once. */
  const settle = (calls: readonly Intent[], settled: (of: Intent) => Settlement = settlement) => {
    const takeOver = createTakeOver(other, folder, { onRefused });
    for (const call of calls) journal.append([writeIntent(call, null), writeSettlement(settled(call), null)]);
    for (const name of listJournals(folder)) while (takeOver.read(name));
  };
  const days = (columns: string) =>
    database
      .prepare(`select shape, ${columns} from usage_days order by shape`)
      .all()
      .map((row) => Object.values(row));
  const onFailure = (error: unknown) => assert.fail(error as Error);
  const purge = (before: number) => createPurge({ database, lockWaitMs: 1_000, onFailure })(before);
  return { database, settle, days, purge };
}
