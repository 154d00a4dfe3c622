import { GatewayError } from './errors.ts';
import type { NanoDollars } from './money.ts';
import type { Target } from './provider.ts';
import type { ApiKey, SpendLimit } from './records.ts';

/** Fractions of an amount are computed in millionths. */
const PARTS = 1_000_000;

/** A fraction of a budget's amount (`0.8`), or an absolute amount. */
export type Threshold = number | NanoDollars;

/** A limit on the total cost of calls per period. Holders with the same budget id share it. */
export type Budget = SpendLimit & {
  /** Spending is stored under it permanently. Without spaces; never the id of a key or product budget (`budgetId`). */
  id: string;
  /** The name in refusals, within a sentence: `the budget of project "search"`. */
  name: string;
  /** Additional amounts until a time (Unix ms). */
  overrides: readonly { amount: NanoDollars; until: number }[];
  /** True if calls are refused once it is used up. Otherwise spending is only counted. */
  isHard: boolean;
  /**
   * The model or route that serves once the budget is used up; `null`: none. Calls to it do not count against this budget;
   * another budget can limit them by its `models`.
   */
  instead: string | null;
  /** The models that it applies to, in the format of `ApiKey.allowedModels`; `null`: all. */
  models: readonly string[] | null;
};

/** Spending that raises an alert once per period when it passes a threshold. */
export type WatchedSpend = Pick<Budget, 'id' | 'amount' | 'per' | 'overrides'> & {
  /** The id that the spending is stored under: of a budget, or of a group of keys (`budgetId`). */
  spentUnder: string;
  alerts: readonly Threshold[];
  /** True if calls beyond it are refused. It is then rarely spent completely: see `limits/alerts.ts`. */
  isHard: boolean;
  /** True if alerts are sent by mail, which may be slow. */
  isMailed: boolean;
  /** Unix ms. Periods that ended before this raise no alert. */
  since: number;
};

/** Spending in a period (`periodId`) has passed a threshold. */
export type PassedThreshold = {
  /** The id of the `WatchedSpend`. */
  id: string;
  threshold: Threshold;
  /** The threshold as an amount, and the spending at the check. */
  amount: NanoDollars;
  spent: NanoDollars;
  period: string;
};

/** A threshold whose alert was raised. `budgetId`: the id of the `WatchedSpend`; `threshold`: see `thresholdId`. */
export type RaisedThreshold = { budgetId: string; period: string; threshold: string };

/** Spending of budgets and groups of keys, and the thresholds whose alerts were raised. */
export type ThresholdStore = {
  /** Spending per budget or group of keys between two UTC days, inclusive (`null`: open), in the order of the questions. */
  spent(
    asked: readonly { id: string; sinceDay: string | null; throughDay: string | null }[],
  ): Promise<readonly NanoDollars[]>;
  /** Amounts that open calls hold, by budget id; budgets without any are absent. */
  held(): Promise<ReadonlyMap<string, NanoDollars>>;
  told(budgetIds: readonly string[]): Promise<RaisedThreshold[]>;
  /** Records the last refusal for a budget. Deletes records of periods before `forgetBefore`, as `tell` does. */
  noteUsedUp(usedUp: UsedUp, at: number, forgetBefore: number): Promise<void>;
  /** The periods in which these budgets refused calls, with the time of the last refusal (Unix ms, to the minute). */
  usedUp(ids: readonly string[]): Promise<(UsedUp & { at: number })[]>;
  /** Idempotent. Deletes records of the budget's periods before `forgetBefore` (Unix ms), except of lifetime budgets. */
  tell(threshold: RaisedThreshold, at: number, forgetBefore: number): Promise<void>;
};

/** A threshold as text for the store: `part 0.8` or `nano 5000`. */
export function thresholdId(threshold: Threshold): string {
  return typeof threshold === 'number' ? `part ${threshold}` : `nano ${threshold}`;
}

/** The amount of a budget's threshold. */
export function thresholdAmount(threshold: Threshold, amount: NanoDollars): NanoDollars {
  if (typeof threshold === 'bigint') return threshold;
  return (amount * BigInt(Math.round(threshold * PARTS))) / BigInt(PARTS);
}

/** The budgets of a call, in addition to the spend limit of its key. */
export type CallBudgets = {
  list: readonly Budget[];
  /**
   * Their ids separated by spaces, as the ledger stores them. Excludes the product's budget, whose spending is that of its
   * keys. Empty without budgets.
   */
  ids: string;
  /** True if further budgets apply to some models, which depends on the targets. */
  hasMore?: boolean;
  /** The ids of budgets that do not apply to this target. Absent: all apply to every target. */
  notAt?(target: Target): ReadonlySet<string>;
};

export const NO_BUDGETS: CallBudgets = { list: [], ids: '' };

/** Splits `CallBudgets.ids`. */
export function splitBudgetIds(ids: string): readonly string[] {
  return ids === '' ? [] : ids.split(' ');
}

/** The amount of a budget with the overrides of a time (Unix ms). */
export function amountAt({ amount, overrides }: Pick<Budget, 'amount' | 'overrides'>, now: number): NanoDollars {
  let sum = amount;
  for (const more of overrides) if (now < more.until) sum += more.amount;
  return sum;
}

/** True if only calls with a known price can be admitted. */
export function demandsPrice({ spendLimit }: Pick<ApiKey, 'spendLimit'>, { list }: CallBudgets): boolean {
  return spendLimit !== null || list.some(({ isHard }) => isHard);
}

/** The id of a budget, and the period (`periodId`) in which it refused a call. */
export type UsedUp = { id: string; period: string };

/** A call was refused because a budget or spend limit has too little left. */
export class BudgetUsedUp extends GatewayError {
  /** The model or route that serves such calls instead; `null`: none. */
  readonly instead: string | null;
  readonly usedUp: UsedUp;

  constructor(message: string, details: { retryAfterMs: number; instead: string | null; usedUp: UsedUp }) {
    super('insufficient_quota', message, details);
    this.instead = details.instead;
    this.usedUp = details.usedUp;
  }
}
