import type { Kysely } from 'kysely';
import type { Audited } from '../../core/audit.ts';
import type { ChangeOutcome } from '../../core/settings.ts';
import { readAuditHead, writeAuditHead } from '../audit-head.ts';
import { auditRow, type Chained, mayMoveHead } from '../audit-reader.ts';
import { type ChangeCounter, counterOf } from '../counted-changes.ts';
import { storageUnavailable } from '../errors.ts';
import type { Schema } from '../schema.ts';
import type { Statement, Transact } from '../statements.ts';
import { count, run } from './driver.ts';
import { breaksConstraint, mayDoAgain } from './errors.ts';
import type { PostgresPool, RunQuery } from './pool.ts';
import { SCHEMA } from './schema/schema.ts';

export type TurnParts = {
  pool: PostgresPool;
  db: Kysely<Schema>;
  /** Has the head of the audit log. */
  folder: string;
  /** How long a change is tried while others are in its way, in ms. */
  lockWaitMs: number;
  onFailure(error: unknown): void;
};

/** Rolls the transaction back that throws it. */
class NotDone extends Error {
  override readonly name = 'NotDone';
}

/**
 * Transactions take turns: each entry of the audit log follows from the one before, and a row that is there already is told from
 * one that another transaction has just made. The turn is a lock of a table, which is waited for before the transaction sees anything.
 * They are serializable, and done again, for what is written without a turn: what a statement finds is true when it is committed.
 */
export function createTransact({ pool, db, folder, lockWaitMs, onFailure }: TurnParts): Transact {
  const inTurn = async <Value>(work: (query: RunQuery) => Promise<Value>): Promise<Value> =>
    pool.transaction('serializable', async (query) => {
      await query(`set local lock_timeout = ${lockWaitMs}; lock table ${SCHEMA}.change_turn in exclusive mode`);
      return work(query);
    });

  async function once(statements: readonly Statement[], audited: Audited | null): Promise<ChangeOutcome> {
    const work = async (query: RunQuery) => {
      await doAll(query, statements);
      if (audited === null) return;
      const row = auditRow(audited, await lastEntry(query));
      await run(query, db.insertInto('audit_log').values(row).compile());
    };
    try {
      await inTurn(work);
      return 'done';
    } catch (error) {
      if (error instanceof NotDone) return 'changed';
      if (breaksConstraint(error)) return 'taken';
      throw error;
    }
  }

  async function lastEntry(query: RunQuery): Promise<{ number: bigint; link: Uint8Array } | null> {
    const last = db.selectFrom('audit_log').select(['number', 'link']).orderBy('number', 'desc').limit(1).compile();
    return (await run<{ number: bigint; link: Uint8Array }>(query, last)).rows[0] ?? null;
  }

  /**
   * Behind the commit, since a head that is ahead of the log would be taken for a log that was cut; and in turn, since of two
   * processes of a folder the slower would keep an earlier head. It stays where the log does not go through it any more.
   *
   * @param id - the entry that was added
   */
  async function keepHead(query: RunQuery, { event: { id }, key }: Audited): Promise<void> {
    const [last, head] = [await lastEntry(query), readAuditHead(folder)];
    if (last === null) return;
    const rows = db.selectFrom('audit_log').selectAll();
    const own = db.selectFrom('audit_log').select('number').where('id', '=', id);
    const behind = rows.where('number', '<=', own).orderBy('number', 'desc').limit(3).compile();
    const added = (await run<Chained>(query, behind)).rows;
    const atHead = rows.where('number', '=', BigInt(head?.entries ?? 0)).compile();
    const linkAtHead = (await run<Chained>(query, atHead)).rows[0]?.link ?? null;
    if (mayMoveHead(head, key, { linkAtHead, added }))
      writeAuditHead(folder, { entries: Number(last.number), link: last.link }, key);
  }

  async function again<Value>(work: () => Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!mayDoAgain(error) || performance.now() - startedAt > lockWaitMs) throw error;
      }
    }
  }

  return async (statements, audited) => {
    let outcome: ChangeOutcome;
    try {
      outcome = await again(() => once(statements, audited));
    } catch (error) {
      onFailure(error);
      throw storageUnavailable(error);
    }
    // What is changed is changed, whether the head can be kept or not: the next change keeps it.
    if (outcome === 'done' && audited !== null)
      await again(() => inTurn((query) => keepHead(query, audited))).catch(onFailure);
    return outcome;
  };
}

async function doAll(query: RunQuery, statements: readonly Statement[]): Promise<void> {
  const counters = new Set<ChangeCounter>();
  for (const { query: compiled, mustChange } of statements) {
    const { numAffectedRows } = await run(query, compiled);
    if (numAffectedRows === 0n && mustChange) throw new NotDone();
    const counter = numAffectedRows === 0n ? null : counterOf(compiled);
    if (counter !== null) counters.add(counter);
  }
  // In one order, so that two transactions never wait for each other.
  for (const counter of [...counters].sort()) await count(query, counter);
}
