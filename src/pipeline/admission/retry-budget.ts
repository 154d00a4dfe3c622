export type RetryBudgetSettings = {
  /** Repeats at the same target there may be, as a part of the other calls in flight. */
  share: number;
  /** So many may be in any case. */
  least: number;
};

/**
 * How many calls may be repeated at the same target at once. A vendor that fails everybody gets a fifth more calls by it,
 * not three times as many: however long it takes to fail, a repeat takes longer, by its wait.
 */
export class RetryBudget {
  #taken = 0;

  /** Takes one repeat out of the budget, if there is one. */
  take(callsInFlight: number, { share, least }: RetryBudgetSettings): boolean {
    const others = callsInFlight - this.#taken;
    if (this.#taken >= Math.max(least, Math.floor(others * share))) return false;
    this.#taken += 1;
    return true;
  }

  giveBack(): void {
    this.#taken -= 1;
  }
}
