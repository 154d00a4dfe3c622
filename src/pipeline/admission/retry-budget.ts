export type RetryBudgetSettings = {
  /** The part of the calls in flight that may be repeats at the same target. */
  share: number;
  /** So many may be in any case. */
  least: number;
};

/**
 * How many calls may be repeated at the same target at once. A vendor that fails everybody gets a fifth more calls by it,
 * not three times as many.
 */
export class RetryBudget {
  #taken = 0;

  /** Takes one repeat out of the budget, if there is one. */
  take(callsInFlight: number, { share, least }: RetryBudgetSettings): boolean {
    if (this.#taken >= Math.max(least, Math.floor(callsInFlight * share))) return false;
    this.#taken += 1;
    return true;
  }

  giveBack(): void {
    this.#taken -= 1;
  }
}
