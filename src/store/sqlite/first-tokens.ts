import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FirstTokenCounts } from '../first-tokens.ts';

/** Counts, by UTC day, how long callers waited for the first token of their streams. `add` and `finish` belong inside a transaction. */
export class FirstTokens {
  readonly #add: StatementSync;
  /** Of the present transaction; `null`: nothing yet. */
  #counts: FirstTokenCounts | null = null;

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(
      `insert into first_tokens (organization_id, day, ms, calls) values (?, ?, ?, ?)
       on conflict do update set calls = calls + excluded.calls`,
    );
  }

  add(organizationId: string, createdAt: number, ms: number): void {
    this.#counts ??= new FirstTokenCounts();
    this.#counts.add(organizationId, createdAt, ms);
  }

  finish(): void {
    if (this.#counts === null) return;
    for (const row of this.#counts.all()) this.#add.run(...row);
    this.#counts = null;
  }

  rolledBack(): void {
    this.#counts = null;
  }
}
