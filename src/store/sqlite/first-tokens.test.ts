import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { countedMs } from '../first-tokens.ts';
import { FirstTokens } from './first-tokens.ts';
import { migrate } from './migrate.ts';
import { createPurge } from './purge.ts';

const WAITS = [
  0, 1, 99, 100, 109, 110, 999, 1_000, 1_234, 9_999, 10_000, 99_999, 123_456, 1_234_567, 9_999_999, 20_000_000,
];
const DAY_MS = 86_400_000;

test('a wait is counted by its two highest digits', () => {
  assert.deepEqual(WAITS.map(countedMs), [
    ...[0, 1, 99, 100, 100, 110, 990, 1_000, 1_200, 9_900, 10_000, 99_000, 120_000, 1_200_000, 9_900_000, 9_900_000],
  ]);
});

test('a deleted call is taken out of the sums of its day', async () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  database.exec(`insert into organizations (id, name, created_at) values ('org_1', 'One', 0)`);
  database.exec(`insert into usage_groups values
    (1, 'org_1', 0, 'k', 'api_key', '', '', 'm', '', 'lab', 0, 2, 3, 4), (2, 'org_1', 1, 'k', 'api_key', '', '', '', '', '', 0, null, null, null),
    (3, 'org_1', 2, '', '', '', '', 'm', '', 'lab', 0, null, null, null), (4, 'org_1', 3, '', '', '', '', '', '', '', 0, null, null, null)`);
  for (const group of [1, 2, 3, 4]) {
    database.exec(
      `insert into usage_days values ('org_1', ${group - 1}, 7, ${group}, ${WAITS.length}, 0, 0, 0, 0, 0, 0, 0, 0, 0, ${WAITS.length / 2})`,
    );
  }
  const columns = database.prepare('pragma table_info(calls)').all() as { name: string; type: string }[];
  const known: Readonly<Record<string, string | number | null>> = {
    organization_id: 'org_1',
    usage_group: 1,
    status: 'succeeded',
  };
  const insert = database.prepare(
    `insert into calls (${columns.map(({ name }) => name)}) values (${columns.map(() => '?')})`,
  );
  for (const [number, ms] of WAITS.entries()) {
    const call = {
      ...known,
      id: `call_${number}`,
      created_at: 7 * DAY_MS + number,
      attempts: 1 + (number % 2),
      time_to_first_token_ms: ms,
    };
    insert.run(...columns.map(({ name, type }) => call[name as keyof typeof call] ?? (type === 'TEXT' ? '' : 0)));
  }
  const firstTokens = new FirstTokens(database);
  for (const ms of WAITS) firstTokens.add('org_1', 7 * DAY_MS, ms);
  firstTokens.finish();
  const purge = createPurge({ database, lockWaitMs: 0, onFailure: assert.ifError });
  const told = () => [
    database.prepare('select sum(calls) as calls from first_tokens').get()!.calls,
    ...database
      .prepare('select retried from usage_days order by shape')
      .all()
      .map(({ retried }) => retried),
  ];
  assert.deepEqual(told(), [16, 8, 8, 8, 8]);
  const found = database.prepare('select ms, calls from first_tokens where day = 7 order by ms').all();
  const counts = Map.groupBy(WAITS.map(countedMs), (ms) => ms);
  assert.deepEqual(
    found.map(({ ms, calls }) => [ms, calls]),
    [...counts].map(([ms, calls]) => [ms, calls.length]),
  );
  for (const [number] of WAITS.entries()) {
    assert.equal(await purge(7 * DAY_MS + number + 1), 1);
    const left = WAITS.length - 1 - number;
    assert.equal(told()[0] ?? 0, left);
  }
  assert.deepEqual(told(), [null]);
});
