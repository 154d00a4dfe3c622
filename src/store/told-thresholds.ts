import type { Kysely } from 'kysely';
import { type RaisedThreshold, splitBudgetIds, type ThresholdStore } from '../core/budget.ts';
import type { NanoDollars } from '../core/money.ts';
import { budgetId, budgetOwner, KEY_GROUPS, type KeyGroup } from '../core/records.ts';
import type { Period } from '../core/spend-period.ts';
import type { Schema } from './schema.ts';
import { COLUMN_OF } from './spend.ts';

/** Stands in the place of a threshold where a call was refused. */
const USED_UP = 'used up';
/** How many ids one statement asks for. */
const IDS_AT_ONCE = 500;

/** Which thresholds of budgets were told of, and what they look at: the sums by id and UTC day, once the tables have caught up. */
export function createThresholdStore(
  { read, write }: { read: Kysely<Schema>; write: Kysely<Schema> },
  catchUp: () => Promise<void>,
): ThresholdStore {
  return {
    async spent(asked) {
      await catchUp();
      return spentOf(read, asked);
    },

    async held() {
      await catchUp();
      return heldOf(read);
    },

    async told(budgetIds) {
      const told = [];
      for (const some of batches(budgetIds)) {
        const rows = await write
          .selectFrom('told_thresholds')
          .select(['budget_id as budgetId', 'period', 'threshold'])
          .where('budget_id', 'in', some)
          .execute();
        told.push(...rows);
      }
      return told;
    },

    noteUsedUp: ({ id, period }, at, forgetBefore) =>
      keep({ budgetId: id, period, threshold: USED_UP }, { at, forgetBefore, renews: true }),

    async usedUp(ids) {
      const found = [];
      for (const some of batches(ids)) {
        const rows = await write
          .selectFrom('told_thresholds')
          .select(['budget_id as id', 'period', 'told_at'])
          .where('budget_id', 'in', some)
          .where('threshold', '=', USED_UP)
          .orderBy('budget_id')
          .orderBy('period')
          .execute();
        found.push(...rows.map(({ id, period, told_at: at }) => ({ id, period, at: Number(at) })));
      }
      return found;
    },

    tell: (threshold, at, forgetBefore) => keep(threshold, { at, forgetBefore, renews: false }),
  };

  /** @param renews - whether the time of what is there already becomes this one */
  async function keep(
    { budgetId, period, threshold }: RaisedThreshold,
    { at, forgetBefore, renews }: { at: number; forgetBefore: number; renews: boolean },
  ): Promise<void> {
    await write
      .insertInto('told_thresholds')
      .values({ budget_id: budgetId, period, threshold, told_at: at })
      .onConflict((conflict) => {
        const told = conflict.columns(['budget_id', 'period', 'threshold']);
        return renews ? told.doUpdateSet({ told_at: at }) : told.doNothing();
      })
      .execute();
    await write
      .deleteFrom('told_thresholds')
      .where('budget_id', '=', budgetId)
      .where('period', '<>', 'life')
      .where('told_at', '<', BigInt(forgetBefore))
      .execute();
  }
}

/** What open calls hold, by the ids of the budgets that they are held against. */
async function heldOf(read: Kysely<Schema>): Promise<ReadonlyMap<string, NanoDollars>> {
  const rows = await read
    .selectFrom('calls')
    .select(({ fn }) => ['budgets', fn.sum<bigint>('held_nano').as('total')])
    .where('status', '=', 'open')
    .where('budgets', 'is not', null)
    .where('held_nano', 'is not', null)
    .groupBy('budgets')
    .execute();
  const held = new Map<string, NanoDollars>();
  for (const { budgets, total } of rows) {
    for (const id of splitBudgetIds(budgets ?? '')) held.set(id, (held.get(id) ?? 0n) + total);
  }
  return held;
}

/** What was spent under each id, in the order of the questions. */
async function spentOf(read: Kysely<Schema>, asked: Parameters<ThresholdStore['spent']>[0]): Promise<NanoDollars[]> {
  const spent = new Map<string, NanoDollars>();
  for (const [days, all] of Map.groupBy(asked, daysOf)) {
    const ids = [...new Set(all.map(({ id }) => id))];
    const own = ids.filter((id) => budgetOwner(id) === null);
    for (const some of batches(own)) {
      for (const { id, total } of await sums(read, some, all[0]!)) spent.set(`${id} ${days}`, total);
    }
    const groups = ids.flatMap((id) => budgetOwner(id) ?? []);
    for (const of of KEY_GROUPS) {
      for (const some of batches(groups.filter((group) => group.of === of).map(({ id }) => id))) {
        for (const { id, total } of await sumsOfGroups(read, { of, ids: some }, all[0]!))
          spent.set(`${budgetId({ of, id: id! })} ${days}`, total);
      }
    }
  }
  return asked.map((each) => spent.get(`${each.id} ${daysOf(each)}`) ?? 0n);
}

type DayRange = Pick<Period, 'sinceDay' | 'throughDay'>;

function batches(ids: readonly string[]): readonly string[][] {
  const batches: string[][] = [];
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) batches.push(ids.slice(from, from + IDS_AT_ONCE));
  return batches;
}

function daysOf({ sinceDay, throughDay }: DayRange): string {
  return `${sinceDay} ${throughDay}`;
}

/** What was spent under each of some ids, where anything was. */
function sums(db: Kysely<Schema>, ids: readonly string[], { sinceDay, throughDay }: DayRange) {
  let query = db
    .selectFrom('key_spend')
    .select(({ fn }) => ['key_id as id', fn.sum<bigint>('amount_nano').as('total')])
    .where('key_id', 'in', ids)
    .groupBy('key_id');
  if (sinceDay !== null) query = query.where('utc_day', '>=', sinceDay);
  if (throughDay !== null) query = query.where('utc_day', '<=', throughDay);
  return query.execute();
}

/** What the keys of each of some groups have spent together, where they have anything. */
function sumsOfGroups(
  db: Kysely<Schema>,
  { of, ids }: { of: KeyGroup['of']; ids: readonly string[] },
  { sinceDay, throughDay }: DayRange,
) {
  const column = `api_keys.${COLUMN_OF[of]}` as const;
  let query = db
    .selectFrom('api_keys')
    .innerJoin('key_spend', 'key_spend.key_id', 'api_keys.id')
    .select(({ fn }) => [`${column} as id`, fn.sum<bigint>('amount_nano').as('total')])
    .where(column, 'in', ids)
    .groupBy(column);
  if (sinceDay !== null) query = query.where('utc_day', '>=', sinceDay);
  if (throughDay !== null) query = query.where('utc_day', '<=', throughDay);
  return query.execute();
}
