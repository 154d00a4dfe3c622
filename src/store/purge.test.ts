import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { settleAll } from './contract.test.ts';
import { intentAt, NOON, settlement, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';

test('names that callers invented go with the last record of them, in lists and in sums by day', async (t) => {
  const folder = temporaryFolder(t);
  const storage = await openStorage({ folder, instanceId: 'instance_1', durability: 'normal' });
  t.after(() => storage.close());
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  const invented = { model: 'invented', requestedModel: 'invented' };
  await settleAll(storage, [intentAt(NOON, 0, invented), intentAt(NOON + 1, 1, invented), intentAt(NOON + 9, 9)]);
  using database = new DatabaseSync(join(folder, 'headgate.db'), { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const naming = () =>
    tables
      .map(({ name }) => String(name))
      .filter((table) => JSON.stringify(database.prepare(`select * from "${table}"`).all(), text).includes('invented'));
  // They are read once they are taken over.
  await storage.usage.list({ organizationId: 'org_1', limit: 1 });
  assert.deepEqual(naming().sort(), ['call_groups', 'calls', 'usage_groups']);
  assert.equal(await storage.purge(NOON + 1), 1);
  assert.deepEqual(naming().sort(), ['call_groups', 'calls', 'usage_groups']);
  assert.equal(await storage.purge(NOON + 2), 1);
  assert.deepEqual(naming(), []);
});

test('a call that is still open is not deleted, however long ago it began', async (t) => {
  const storage = await openStorage({ folder: temporaryFolder(t), instanceId: 'instance_1', durability: 'normal' });
  t.after(() => storage.close());
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  const open = intentAt(NOON, 0);
  await storage.ledger.intend(open);
  await settleAll(storage, [intentAt(NOON + 1, 1)]);
  assert.equal(await storage.purge(NOON + 1_000), 1);
  await storage.ledger.settle(settlement(open));
  assert.equal((await storage.calls.find('org_1', open.id))?.record.status, 'succeeded');
});

/** Whole numbers of tables are larger than JSON knows. */
function text(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
