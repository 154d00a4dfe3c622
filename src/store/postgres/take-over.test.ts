import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EndedCall, Intent, Settlement } from '../../core/records.ts';
import { attempt, intent, settlement, temporaryFolder } from '../fixtures.test.ts';
import { listJournals } from '../journal/files.ts';
import { FileJournal } from '../journal/journal.ts';
import { writeIntent, writeSettlement } from '../journal/record-json.ts';
import { temporaryPool, WITH_POSTGRES } from './database.test.ts';
import { StoreGoneError } from './errors.ts';
import type { PostgresPool } from './pool.ts';
import { createTakeOver } from './take-over.ts';

test(
  'of a commit whose answer was lost, nothing is taken over or told twice, and all is told once',
  WITH_POSTGRES,
  async (t) => {
    const { journal, pool, takeOverOn } = await rig(t);
    let isLost = true;
    const losing: PostgresPool = {
      ...pool,
      async transaction(isolation, work) {
        const value = await pool.transaction(isolation, work);
        if (!isLost) return value;
        isLost = false;
        throw new StoreGoneError('it cannot be reached');
      },
    };
    const { takeOver, ended, name } = takeOverOn(losing);
    journal.append(recordsOf(1, 3));
    await assert.rejects(takeOver.read(name()), StoreGoneError);
    journal.append(recordsOf(4, 5));
    while (await takeOver.read(name()));
    assert.deepEqual(
      ended.map(({ settlement: { id } }) => id),
      [1, 2, 3, 4, 5].map((number) => intent(number).id),
    );
    assert.deepEqual(await sums(pool), { calls: 5n, counted: 5n, spent: 5n * 240_000n });
  },
);

test('two who take over the same journal at once take over each call once', WITH_POSTGRES, async (t) => {
  const { journal, pool, takeOverOn } = await rig(t);
  for (let from = 1; from <= 2_000; from += 20) journal.append(recordsOf(from, from + 19));
  const both = [takeOverOn(pool), takeOverOn(pool)];
  await Promise.all(
    both.map(async ({ takeOver, name }) => {
      while (await takeOver.read(name()));
    }),
  );
  assert.deepEqual(await sums(pool), { calls: 2_000n, counted: 2_000n, spent: 2_000n * 240_000n });
  const told = both.flatMap(({ ended }) => ended.map(({ settlement: { id } }) => id));
  assert.deepEqual([told.length, new Set(told).size], [2_000, 2_000]);
});

test(
  'nodes that make the same groups and sums at once wait for each other, and lose nothing',
  WITH_POSTGRES,
  async (t) => {
    const { pool } = await rig(t);
    const nodes = await Promise.all([1, 2, 3, 4].map((node) => rig(t, pool, `worker_${node}`)));
    const calls = 300;
    await Promise.all(
      nodes.map(async ({ journal, takeOverOn }, node) => {
        const { takeOver, name } = takeOverOn(pool);
        for (let number = 0; number < calls; number += 1) {
          // Each node has the names in another order.
          const of = (number * (node * 2 + 1)) % 60;
          const call = intent(node * calls + number, { keyId: `key_${of % 20}`, model: `model_${of}` });
          journal.append([writeIntent(call, null), writeSettlement(settlement(call), null)]);
          if (number % 25 === 24) while (await takeOver.read(name()));
        }
      }),
    );
    const all = BigInt(nodes.length * calls);
    assert.deepEqual(await sums(pool), { calls: all, counted: all, spent: all * 240_000n });
    const ofWorkers = await pool.query<{ spent: bigint }>(
      'select sum(amount_nano) as spent from headgate.worker_spend',
    );
    assert.equal(ofWorkers.rows[0]!.spent, all * 240_000n);
  },
);

test(
  'records with values that no table takes are told and left out, and the others are kept',
  WITH_POSTGRES,
  async (t) => {
    const { journal, pool, takeOverOn } = await rig(t);
    const { takeOver, refused, ended, name } = takeOverOn(pool);
    const calls = Array.from({ length: 8 }, (_, number) => intent(number));
    const ends = calls.map((call, number) =>
      number === 3 ? { ...settlement(call), cost: 10n ** 19n } : settlement(call),
    );
    const stray = settlement(intent(99));
    journal.append([
      ...calls.map((call) => writeIntent(call, null)),
      writeIntent({ ...calls[5]!, requestId: 'req_of_the_same_id' }, null),
      ...ends.map((end) => writeSettlement(end, null)),
      writeSettlement(stray, null),
    ]);
    while (await takeOver.read(name()));
    assert.deepEqual(refused.toSorted(), [calls[3]!.id, calls[5]!.id, stray.id].toSorted());
    assert.equal(ended.length, 7);
    const { rows } = await pool.query("select id from headgate.calls where status = 'open'");
    assert.deepEqual(rows, [{ id: calls[3]!.id }]);
    assert.deepEqual(await sums(pool), { calls: 8n, counted: 7n, spent: 7n * 240_000n });
  },
);

test('a sum that no column holds refuses the call that makes it too large alone', WITH_POSTGRES, async (t) => {
  const { journal, pool, takeOverOn } = await rig(t);
  const { takeOver, refused, name } = takeOverOn(pool);
  const dear = 6n * 10n ** 18n;
  const calls = [1, 2, 3].map((number) => intent(number));
  const ends = calls.map((call, at) => settlement(call, { counted: at < 2 ? dear : 1n }));
  journal.append([...calls.map((call) => writeIntent(call, null)), ...ends.map((end) => writeSettlement(end, null))]);
  while (await takeOver.read(name()));
  assert.deepEqual(refused, [calls[1]!.id]);
  assert.deepEqual(await sums(pool), { calls: 3n, counted: 2n, spent: dear + 1n });
});

test(
  'a group that was cut is not taken over, and what is behind the acknowledged end waits',
  WITH_POSTGRES,
  async (t) => {
    const { folder, journal, pool, takeOverOn } = await rig(t);
    const { takeOver, name } = takeOverOn(pool);
    const { end } = journal.append(recordsOf(1, 2));
    journal.append(recordsOf(3, 3));
    while (await takeOver.read(name(), end));
    assert.equal((await sums(pool)).calls, 2n);
    while (await takeOver.read(name()));
    assert.equal((await sums(pool)).calls, 3n);
    appendFileSync(join(folder, name().file), '00000000 [');
    assert.equal(await takeOver.read(name()), false);
  },
);

test('attempts, decisions and prices are kept in the same transaction as their calls', WITH_POSTGRES, async (t) => {
  const { journal, pool, takeOverOn } = await rig(t);
  const { takeOver, name } = takeOverOn(pool);
  const call = intent(1);
  const failed = attempt(call, { status: 'failed', errorKind: 'upstream_error' });
  journal.append([writeIntent(call, null)]);
  while (await takeOver.read(name()));
  journal.append([writeSettlement(settlement(call, { attempts: [failed, attempt(call)] }), null)]);
  while (await takeOver.read(name()));
  const { rows } = await pool.query(
    `select status, attempts, (select count(*) from headgate.earlier_attempts where call_id = id) as earlier,
       exists (select 1 from headgate.price_versions where id = price_version) as priced from headgate.calls`,
  );
  assert.deepEqual(rows, [{ status: 'succeeded', attempts: 2n, earlier: 1n, priced: true }]);
  assert.equal(takeOver.newPrices().length, 1);
});

/** Whole calls, an intent and a settlement each. */
function recordsOf(from: number, through: number): string[] {
  const calls: Intent[] = [];
  for (let number = from; number <= through; number += 1) calls.push(intent(number));
  const ends: Settlement[] = calls.map((call) => settlement(call));
  return [...calls.map((call) => writeIntent(call, null)), ...ends.map((end) => writeSettlement(end, null))];
}

async function sums(pool: PostgresPool): Promise<Record<string, bigint>> {
  const { rows } = await pool.query<Record<string, bigint>>(
    `select (select count(*) from headgate.calls) as calls,
       (select coalesce(sum(calls), 0) from headgate.usage_days where shape = 0) as counted,
       (select coalesce(sum(amount_nano), 0) from headgate.key_spend) as spent`,
  );
  return { ...rows[0]! };
}

/** The journal of an instance, and what takes it over. */
async function rig(t: TestContext, database?: PostgresPool, instanceId = 'instance_1') {
  const folder = temporaryFolder(t);
  const pool = database ?? (await temporaryPool(t));
  const journal = new FileJournal({ folder, instanceId, sync: false });
  const takeOverOn = (on: PostgresPool) => {
    const refused: string[] = [];
    const ended: EndedCall[] = [];
    const takeOver = createTakeOver(on, folder, {
      onRefused: (_, record) => refused.push('intent' in record ? record.intent.id : record.settlement.id),
      onEnded: (calls) => ended.push(...calls),
    });
    return { takeOver, refused, ended, name: () => listJournals(folder)[0]! };
  };
  return { folder, journal, pool, takeOverOn };
}
