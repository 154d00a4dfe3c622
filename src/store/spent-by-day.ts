import { splitBudgetIds } from '../core/budget.ts';
import type { NanoDollars } from '../core/money.ts';

/** By who spent it, and by UTC day. */
type SpentAmounts = Map<string, Map<string, NanoDollars>>;

/** What keys and budgets have spent a day, of the calls of one transaction. */
export class SpentByDay {
  readonly #spent: SpentAmounts = new Map();
  /** The same by the budgets of calls, as one text: most calls of a key have the same. */
  readonly #ofBudgets: SpentAmounts = new Map();

  /** @param budgets the ids of further budgets that the call counts in, as one text */
  add(keyId: string, budgets: string | null, day: string, counted: NanoDollars): void {
    addUp(this.#spent, keyId, day, counted);
    if (budgets !== null && budgets !== '') addUp(this.#ofBudgets, budgets, day, counted);
  }

  /** To be asked for once, when all is added. */
  *all(): Generator<[id: string, day: string, amount: NanoDollars], void> {
    for (const [ids, days] of this.#ofBudgets) {
      for (const id of splitBudgetIds(ids)) for (const [day, amount] of days) addUp(this.#spent, id, day, amount);
    }
    for (const [id, days] of this.#spent) for (const [day, amount] of days) yield [id, day, amount];
  }
}

function addUp(amounts: SpentAmounts, id: string, day: string, amount: NanoDollars): void {
  let days = amounts.get(id);
  if (days === undefined) {
    days = new Map();
    amounts.set(id, days);
  }
  days.set(day, (days.get(day) ?? 0n) + amount);
}
