import type { DatabaseSync } from 'node:sqlite';
import { splitBudgetIds } from '../../core/budget.ts';
import { isWorker } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';
import { SpentByDay } from '../spent-by-day.ts';

/**
 * What keys and budgets have spent a day, summed within the transaction that settles the calls. What workers spend is
 * summed for each worker as well.
 */
export class SpentSums {
  readonly #addSpend;
  readonly #addWorkerSpend;
  #worker: string | null = null;
  /** Of the present transaction; `null` where each call is written by itself. */
  #spent: SpentByDay | null = null;

  constructor(database: DatabaseSync) {
    this.#addSpend = database.prepare(
      `insert into key_spend (key_id, utc_day, amount_nano) values (?, ?, ?)
       on conflict do update set amount_nano = amount_nano + excluded.amount_nano`,
    );
    this.#addWorkerSpend = database.prepare(
      `insert into worker_spend (instance_id, key_id, utc_day, amount_nano) values (?, ?, ?, ?)
       on conflict do update set amount_nano = amount_nano + excluded.amount_nano`,
    );
  }

  /**
   * @param together whether sums are written once for all calls, in `finish`, or with each call
   * @param instanceId who made the calls
   */
  begin(together: boolean, instanceId: string): void {
    this.#spent = together ? new SpentByDay() : null;
    this.#worker = isWorker(instanceId) ? instanceId : null;
  }

  /** @param budgets the ids of further budgets that the call counts in, as one text */
  add(keyId: string, budgets: string | null, day: string, counted: NanoDollars): void {
    if (this.#spent === null) {
      for (const id of [keyId, ...splitBudgetIds(budgets ?? '')]) this.#write(id, day, counted);
      return;
    }
    this.#spent.add(keyId, budgets, day, counted);
  }

  finish(): void {
    for (const [id, day, amount] of this.#spent?.all() ?? []) this.#write(id, day, amount);
  }

  #write(id: string, day: string, amount: NanoDollars): void {
    this.#addSpend.run(id, day, amount);
    if (this.#worker !== null) this.#addWorkerSpend.run(this.#worker, id, day, amount);
  }
}
