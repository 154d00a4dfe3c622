import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PlacedCall, SettledPlace, SettledQuery, SettledReader } from '../core/settled.ts';
import { filterOfCalls } from './call-filter.ts';
import { KEPT_BATCHES } from './kept-batches.ts';
import type { Schema } from './schema.ts';

/** How many batches are read at a time. */
const BATCHES_PER_STEP = 10;
/** How many calls are looked at for one answer: who asks for more has been away, and is told that there was more. */
export const MAX_LOOKED_AT = 5_000;
/** How many calls are looked at by one statement. */
const CALLS_PER_STEP = 500;

/** How an engine numbers batches. */
export type BatchNumbers = {
  /** Whether none can come any more before a batch. */
  isComplete: RawBuilder<boolean>;
  /** Whether each is the next of the one before. Where they are not, one more than `KEPT_BATCHES` is kept, which tells what was forgotten. */
  areDense: boolean;
};

const DENSE: BatchNumbers = { isComplete: sql`true`, areDense: true };

/**
 * Settled calls in the order in which they came into the tables. Nothing is taken over for it: who follows calls sees them a
 * moment later, and costs those who make calls nothing.
 */
export function createSettledReader(db: Kysely<Schema>, numbers: BatchNumbers = DENSE): SettledReader {
  const { isComplete } = numbers;

  /** Newest first; `isAll`: whether there are no more behind the place. */
  async function placedCalls(
    organizationId: string,
    after: SettledPlace,
  ): Promise<{ calls: PlacedCall[]; isAll: boolean; newest: number }> {
    const calls: PlacedCall[] = [];
    const first = after.index === null ? after.batch + 1 : after.batch;
    const batches = db
      .selectFrom('settled_batches')
      .select(['number', 'call_ids'])
      .where('organization_id', '=', organizationId)
      .where('number', '>=', BigInt(first))
      .where(isComplete)
      .orderBy('number', 'desc')
      .limit(BATCHES_PER_STEP);
    let newest = 0;
    for (let before: bigint | null = null; calls.length < MAX_LOOKED_AT; await turn()) {
      const rows = await (before === null ? batches : batches.where('number', '<', before)).execute();
      for (const row of rows) {
        newest = Math.max(newest, Number(row.number));
        calls.push(...placedIn(Number(row.number), row.call_ids, after));
      }
      before = rows.at(-1)?.number ?? null;
      if (before === null || rows.length < BATCHES_PER_STEP) return { calls, isAll: true, newest };
    }
    return { calls, isAll: false, newest };
  }

  /** Those of the calls that are asked for. */
  async function asked(query: SettledQuery, calls: readonly PlacedCall[]): Promise<PlacedCall[]> {
    const filter = filterOfCalls(query);
    if (filter === null || calls.length === 0) return [...calls];
    const ids = new Set<string>();
    for (let from = 0; from < calls.length; from += CALLS_PER_STEP) {
      const some = calls.slice(from, from + CALLS_PER_STEP).map(({ id }) => id);
      const found = db.selectFrom('calls').select('id').where('organization_id', '=', query.organizationId);
      for (const { id } of await found.where('id', 'in', some).where(filter).execute()) ids.add(id);
      await turn();
    }
    return calls.filter(({ id }) => ids.has(id));
  }

  return {
    async newest() {
      return { batch: (await ends(db, numbers)).newest, index: null };
    },

    async since(query, after, limit) {
      const { oldest, newest } = await ends(db, numbers);
      // A place that is not there yet is one of other data: of a folder that was removed or restored.
      if (after.batch > newest) return { calls: [], earlier: null, upTo: { batch: newest, index: null } };
      const isKept = oldest <= after.batch || (after.index === null && oldest === after.batch + 1);
      const placed = await placedCalls(query.organizationId, after);
      const found = await asked(query, placed.calls);
      const calls = found.slice(0, limit).reverse();
      return {
        calls,
        earlier: isKept && placed.isAll ? found.length - calls.length : null,
        upTo: { batch: Math.max(newest, placed.newest), index: null },
      };
    },
  };
}

/** The numbers of the oldest and the newest batch; 0 where there is none, or where none was ever forgotten. */
async function ends(
  db: Kysely<Schema>,
  { isComplete, areDense }: BatchNumbers,
): Promise<{ oldest: number; newest: number }> {
  const batches = db.selectFrom('settled_batches').select('number').where(isComplete);
  const newestFirst = batches.orderBy('number', 'desc').limit(1);
  const oldestOf = areDense ? batches.orderBy('number', 'asc').limit(1) : newestFirst.offset(KEPT_BATCHES);
  const [oldest, newest] = await Promise.all([oldestOf.executeTakeFirst(), newestFirst.executeTakeFirst()]);
  return { oldest: Number(oldest?.number ?? 0), newest: Number(newest?.number ?? 0) };
}

/** The calls of a batch that lie behind a place, newest first, each with the place behind it. */
function placedIn(batch: number, callIds: string, after: SettledPlace): PlacedCall[] {
  const ids = callIds.split(',');
  const isBehind = (index: number) => batch > after.batch || (after.index !== null && index > after.index);
  return ids
    .map((id, index) => ({
      id,
      place: { batch, index: index === ids.length - 1 ? null : index },
      isBehind: isBehind(index),
    }))
    .filter((call) => call.isBehind)
    .map(({ id, place }) => ({ id, place }))
    .reverse();
}
