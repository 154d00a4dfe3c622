import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { KEPT_BATCHES } from '../kept-batches.ts';

/** Notes which calls a transaction has settled. `add` and `finish` belong inside it. */
export class SettledBatches {
  readonly #insert: StatementSync;
  readonly #forget: StatementSync;
  /** Ids by organization, of the present transaction: a new map for each (docs/decisions/2026-11-23-calls-pass-through-no-set.md). */
  #ids = new Map<string, string[]>();

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('insert into settled_batches (organization_id, call_ids) values (?, ?)');
    this.#forget = database.prepare('delete from settled_batches where number <= ?');
  }

  /** Forgets what was noted in a transaction that was rolled back. */
  begin(): void {
    this.#ids = new Map();
  }

  add(organizationId: string, id: string): void {
    const ids = this.#ids.get(organizationId);
    if (ids === undefined) this.#ids.set(organizationId, [id]);
    else ids.push(id);
  }

  finish(): void {
    for (const [organizationId, ids] of this.#ids) {
      const { lastInsertRowid } = this.#insert.run(organizationId, ids.join());
      this.#forget.run(Number(lastInsertRowid) - KEPT_BATCHES);
    }
    this.#ids = new Map();
  }
}
