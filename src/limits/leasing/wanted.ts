import type { Budget } from '../../core/budget.ts';
import type { WantedAmounts } from '../../core/leases.ts';
import type { LimitRequest } from '../../core/ports.ts';
import type { SpendNow } from '../refusals.ts';
import { type Holding, holdingCovers, isWarm, type SpendShare } from './holding.ts';

/** What a call takes, of its key and then of each budget. */
export type WantedByCall = {
  call: LimitRequest;
  /** The spend limit of the key, where it has one, and the budgets: all that may refuse the call for its cost. */
  budgets: readonly Budget[];
  holdings: readonly Holding[];
  shares: readonly WantedAmounts[];
};

/** What a call wants of its key, and of a budget. */
export function wantedOfKey(money: Budget | null, { tokens, cost, leastCost }: LimitRequest): WantedAmounts {
  const spend = money === null ? 0n : (cost ?? 0n);
  const leastSpend = money === null ? 0n : (leastCost ?? spend);
  return { requests: 1n, tokens: BigInt(Math.ceil(tokens)), spend, leastSpend };
}

export function wantedOfBudget({ isHard }: Budget, { cost, leastCost }: LimitRequest): WantedAmounts {
  const spend = cost ?? 0n;
  return { requests: 0n, tokens: 0n, spend, leastSpend: isHard ? (leastCost ?? spend) : 0n };
}

/** Whether the leases cover all that a call wants, in the present periods. */
export function areCovered({ holdings, shares }: WantedByCall, now: number): boolean {
  for (let index = 0; index < holdings.length; index += 1) {
    const holding = holdings[index]!;
    if (!isWarm(holding, now) || !holdingCovers(holding, shares[index]!)) return false;
  }
  return true;
}

/** What is left is told as what was spent: others may hold the rest. */
export function spendNow(spend: SpendShare | null): SpendNow {
  if (spend === null) return { spent: 0n, held: 0n, endsAt: Number.POSITIVE_INFINITY };
  return { spent: spend.amount - spend.left, held: 0n, endsAt: spend.endsAt };
}
