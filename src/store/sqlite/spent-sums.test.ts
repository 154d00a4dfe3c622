import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workerInstance } from '../../core/leases.ts';
import { temporaryFolder } from '../fixtures.test.ts';
import { openDatabase } from './open.ts';
import { SpentSums } from './spent-sums.ts';

const DAY = '2026-11-21';

for (const together of [true, false]) {
  const how = together ? 'together' : 'one by one';
  test(`what a worker spends is summed for it as well, and what others spend is not (${how})`, async (t) => {
    const database = await openDatabase(temporaryFolder(t), 'normal', 1_000);
    t.after(() => database.close());
    const sums = new SpentSums(database);
    const [one, other] = [workerInstance('1'), workerInstance('2')];
    for (const instanceId of [one, other, 'instance_1']) {
      sums.begin(together, instanceId);
      for (const amount of [5n, 7n]) sums.add('key_1', 'budget_1 budget_2', DAY, amount);
      sums.finish();
    }
    const rows = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row));
    const ids = ['budget_1', 'budget_2', 'key_1'];
    assert.deepEqual(
      rows('select key_id, amount_nano from key_spend order by key_id'),
      ids.map((id) => [id, 36]),
    );
    assert.deepEqual(
      rows('select instance_id, key_id, amount_nano from worker_spend order by instance_id, key_id'),
      [one, other].flatMap((instanceId) => ids.map((id) => [instanceId, id, 12])),
    );
  });
}
