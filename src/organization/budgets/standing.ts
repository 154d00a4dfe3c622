import { amountAt, type ThresholdStore } from '../../core/budget.ts';
import { dollarsText, type NanoDollars } from '../../core/money.ts';
import type { Setting, SharedBudget } from '../../core/settings.ts';
import { periodAt } from '../../core/spend-period.ts';

/** Reads the spending of budgets, and which of them refused calls. */
export type BudgetUse = Pick<ThresholdStore, 'spent' | 'held' | 'usedUp'>;

/** A budget in its current period. `endsAt` (Unix ms): its next reset; `null` for none. */
export type BudgetStanding = { limit: NanoDollars; spent: NanoDollars; reserved: NanoDollars; endsAt: number | null };

/** The standings of budgets, in their order. */
export async function budgetStandings(
  use: BudgetUse,
  budgets: readonly Setting<'budget'>[],
  now: number,
): Promise<BudgetStanding[]> {
  if (budgets.length === 0) return [];
  const periods = budgets.map(({ value }) => periodAt(value.per, now));
  const asked = budgets.map(({ id }, index) => {
    const { sinceDay, throughDay } = periods[index]!;
    return { id, sinceDay, throughDay };
  });
  const [spent, held] = await Promise.all([use.spent(asked), use.held()]);
  return budgets.map(({ id, value }, index) => {
    const { endsAt } = periods[index]!;
    return {
      limit: amountAt(amountsOf(value), now),
      spent: spent[index]!,
      reserved: held.get(id) ?? 0n,
      endsAt: Number.isFinite(endsAt) ? endsAt : null,
    };
  });
}

/** The amounts of a budget as numbers. */
export function amountsOf({ amount, overrides }: Pick<SharedBudget, 'amount' | 'overrides'>) {
  return {
    amount: BigInt(amount),
    overrides: overrides.map((more) => ({ amount: BigInt(more.amount), until: more.until })),
  };
}

/** A budget and its standing, for answers. */
export function budgetJson({ id, createdAt, version: number, value }: Setting<'budget'>, standing: BudgetStanding) {
  const { name, holders, amount: written, per, isHard, alerts, recipients, overrides, models, instead } = value;
  return {
    id,
    object: 'organization.budget' as const,
    name,
    holders,
    amount_usd: dollarsText(BigInt(written)),
    interval: per,
    hard: isHard,
    alerts,
    recipients,
    overrides: overrides.map((more) => ({
      amount_usd: dollarsText(BigInt(more.amount)),
      ends_at: inSeconds(more.until),
    })),
    models,
    instead,
    limit_usd: dollarsText(standing.limit),
    spent_usd: dollarsText(standing.spent),
    reserved_usd: dollarsText(standing.reserved),
    resets_at: standing.endsAt === null ? null : inSeconds(standing.endsAt),
    created_at: inSeconds(createdAt),
    version: number,
  };
}

/** Unix seconds from Unix ms. */
function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
