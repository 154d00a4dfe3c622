import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Audited } from '../../core/audit.ts';
import type { ChangeOutcome } from '../../core/settings.ts';
import { readAuditHead, writeAuditHead } from '../audit-head.ts';
import { auditRow, type Chained, mayMoveHead } from '../audit-reader.ts';
import { type ChangeCounter, counterOf } from '../counted-changes.ts';
import { storageUnavailable } from '../errors.ts';
import type { Schema } from '../schema.ts';
import type { Statement, Transact } from '../statements.ts';
import { changedRows, count, run } from './driver.ts';
import { resultCode, SQLITE } from './errors.ts';
import { waitingForLock } from './lock-wait.ts';

export type TransactParts = {
  database: DatabaseSync;
  db: Kysely<Schema>;
  folder: string;
  lockWaitMs: number;
  onFailure(error: unknown): void;
};

/** Transactions are done within one turn of the event loop, so that no other statement of this connection comes between. */
export function createTransact({ database, db, folder, lockWaitMs, onFailure }: TransactParts): Transact {
  function once(statements: readonly Statement[], audited: Audited | null): ChangeOutcome {
    database.exec('begin immediate');
    try {
      const outcome = doAll(statements, audited);
      database.exec(outcome === 'done' ? 'commit' : 'rollback');
      return outcome;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      if (resultCode(error) === SQLITE.constraint) return 'taken';
      throw error;
    }
  }

  function doAll(statements: readonly Statement[], audited: Audited | null): ChangeOutcome {
    const counters = new Set<ChangeCounter>();
    for (const { query, mustChange } of statements) {
      const changed = changedRows(run(database, query));
      if (mustChange && changed === 0n) return 'changed';
      const counter = changed === 0n ? null : counterOf(query);
      if (counter !== null) counters.add(counter);
    }
    for (const counter of counters) count(database, counter);
    if (audited !== null) run(database, db.insertInto('audit_log').values(auditRow(audited, lastEntry())).compile());
    return 'done';
  }

  function lastEntry(): { number: bigint; link: Uint8Array } | null {
    const last = db.selectFrom('audit_log').select(['number', 'link']).orderBy('number', 'desc').limit(1).compile();
    return run<{ number: bigint; link: Uint8Array }>(database, last).rows[0] ?? null;
  }

  /**
   * Behind the commit, since a head that is ahead of the log would be taken for a log that was cut; and while nobody else may
   * write, since of two processes the slower would keep an earlier head. It stays where the log does not go through it any more.
   *
   * @param id - the entry that was added
   */
  function keepHead({ event: { id }, key }: Audited): void {
    database.exec('begin immediate');
    try {
      const [last, head] = [lastEntry(), readAuditHead(folder)];
      if (last === null) return;
      const rows = db.selectFrom('audit_log').selectAll();
      const own = db.selectFrom('audit_log').select('number').where('id', '=', id);
      const added = run<Chained>(
        database,
        rows.where('number', '<=', own).orderBy('number', 'desc').limit(3).compile(),
      ).rows;
      const atHead = rows.where('number', '=', BigInt(head?.entries ?? 0)).compile();
      const linkAtHead = run<Chained>(database, atHead).rows[0]?.link ?? null;
      if (mayMoveHead(head, key, { linkAtHead, added }))
        writeAuditHead(folder, { entries: Number(last.number), link: last.link }, key);
    } finally {
      database.exec('rollback');
    }
  }

  return async (statements, audited) => {
    let outcome: ChangeOutcome;
    try {
      outcome = await waitingForLock(lockWaitMs, () => once(statements, audited));
    } catch (error) {
      onFailure(error);
      throw storageUnavailable(error);
    }
    // What is changed is changed, whether the head can be kept or not: the next change keeps it.
    if (outcome === 'done' && audited !== null)
      await waitingForLock(lockWaitMs, () => keepHead(audited)).catch(onFailure);
    return outcome;
  };
}
