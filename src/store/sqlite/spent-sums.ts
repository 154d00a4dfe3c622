import type { DatabaseSync } from 'node:sqlite';
import { splitBudgetIds } from '../../core/budget.ts';
import { isWorker } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';

/** By who spent it, and by UTC day. */
type SpentByDay = Map<string, Map<string, NanoDollars>>;

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
  /** The same by the budgets of calls, as one text: most calls of a key have the same. */
  #ofBudgets: SpentByDay = new Map();

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
    this.#spent = together ? new Map() : null;
    this.#ofBudgets = new Map();
    this.#worker = isWorker(instanceId) ? instanceId : null;
  }

  /** @param budgets the ids of further budgets that the call counts in, as one text */
  add(keyId: string, budgets: string | null, day: string, counted: NanoDollars): void {
    if (this.#spent === null) {
      for (const id of [keyId, ...splitBudgetIds(budgets ?? '')]) this.#write(id, day, counted);
      return;
    }
    addUp(this.#spent, keyId, day, counted);
    if (budgets !== null && budgets !== '') addUp(this.#ofBudgets, budgets, day, counted);
  }

  finish(): void {
    if (this.#spent === null) return;
    for (const [ids, days] of this.#ofBudgets) {
      for (const id of splitBudgetIds(ids)) for (const [day, amount] of days) addUp(this.#spent, id, day, amount);
    }
    for (const [id, days] of this.#spent) for (const [day, amount] of days) this.#write(id, day, amount);
  }

  #write(id: string, day: string, amount: NanoDollars): void {
    this.#addSpend.run(id, day, amount);
    if (this.#worker !== null) this.#addWorkerSpend.run(this.#worker, id, day, amount);
  }
}

function addUp(amounts: SpentByDay, id: string, day: string, amount: NanoDollars): void {
  let days = amounts.get(id);
  if (days === undefined) {
    days = new Map();
    amounts.set(id, days);
  }
  days.set(day, (days.get(day) ?? 0n) + amount);
}
