import { GatewayError } from './errors.ts';
import type { NanoDollars } from './money.ts';
import type { Target } from './provider.ts';
import type { ApiKey, SpendLimit } from './records.ts';

/** Parts of an amount are counted in millionths. */
const PARTS = 1_000_000;

/** A part of a budget's amount (`0.8`), or an amount of its own. */
export type Threshold = number | NanoDollars;

/** What several calls may cost together in each period. Several holders that share one have the same budget, by its id. */
export type Budget = SpendLimit & {
  /** Its spending is kept under it for good. Without spaces; never a key's id or that of a product's budget (`budgetId`). */
  id: string;
  /** As a refusal calls it, behind "The" or within a sentence: `the budget of project "search"`. */
  name: string;
  /** So much more until a time (Unix ms). */
  overrides: readonly { amount: NanoDollars; until: number }[];
  /** Whether it refuses calls once it is used up. One that does not only counts. */
  isHard: boolean;
  /**
   * The model or route that serves instead once it is used up; `null`: none. Calls to that are not held against it: what
   * limits them is another budget, whose `models` name it.
   */
  instead: string | null;
  /** The names of what it holds for, as `ApiKey.allowedModels`; `null`: all. */
  models: readonly string[] | null;
};

/** Spending that is told of, once in each period, when it passes a threshold. */
export type WatchedSpend = Pick<Budget, 'id' | 'amount' | 'per' | 'overrides'> & {
  /** What the spending is kept under: the id of a budget, or of a group of keys (`budgetId`). */
  spentUnder: string;
  alerts: readonly Threshold[];
  /** Whether calls beyond it are refused: its whole is then never spent to the last, see `limits/alerts.ts`. */
  isHard: boolean;
  /** Whether it is told of by mail: a mail server may take long. */
  isMailed: boolean;
  /** Unix ms. Of periods that ended before nothing is told. */
  since: number;
};

/** What was spent in a period (`periodId`) is past a threshold of what is watched. */
export type PassedThreshold = {
  /** Of the `WatchedSpend`. */
  id: string;
  threshold: Threshold;
  /** What the threshold comes to, and what was spent when it was looked at. */
  amount: NanoDollars;
  spent: NanoDollars;
  period: string;
};

/** A threshold that was told of in a period (`budgetId`: the id of the `WatchedSpend`); of its place, see `thresholdId`. */
export type ToldThreshold = { budgetId: string; period: string; threshold: string };

/** What was spent under budgets and groups of keys, and which thresholds were told of. */
export type ThresholdStore = {
  /** What was spent under each id, of a budget or of a group of keys, from the one UTC day through the other (`null`: without end), in the order of the questions. */
  spent(
    asked: readonly { id: string; sinceDay: string | null; throughDay: string | null }[],
  ): Promise<readonly NanoDollars[]>;
  /** What open calls hold against budgets, by the ids of those against which any does. */
  held(): Promise<ReadonlyMap<string, NanoDollars>>;
  told(budgetIds: readonly string[]): Promise<ToldThreshold[]>;
  /** Notes when a call was refused for a budget last. Of periods before a time it is forgotten, as with `tell`. */
  noteUsedUp(usedUp: UsedUp, at: number, forgetBefore: number): Promise<void>;
  /** In which periods calls were refused for these budgets, and when last (Unix ms, to the minute). */
  usedUp(ids: readonly string[]): Promise<(UsedUp & { at: number })[]>;
  /** Noting the same twice changes nothing. Notes on the budget's periods before a time (Unix ms) are deleted, except those of a budget for life. */
  tell(threshold: ToldThreshold, at: number, forgetBefore: number): Promise<void>;
};

/** A threshold in words for the store: `part 0.8` or `nano 5000`. */
export function thresholdId(threshold: Threshold): string {
  return typeof threshold === 'number' ? `part ${threshold}` : `nano ${threshold}`;
}

/** What a threshold of a budget comes to. */
export function thresholdAmount(threshold: Threshold, amount: NanoDollars): NanoDollars {
  if (typeof threshold === 'bigint') return threshold;
  return (amount * BigInt(Math.round(threshold * PARTS))) / BigInt(PARTS);
}

/** The budgets that a call is held against, beside the spend limit of its key. */
export type CallBudgets = {
  list: readonly Budget[];
  /**
   * Their ids in one text, between spaces, as the ledger keeps them; without that of a product's budget, whose spending is
   * that of its keys. Empty where there are none.
   */
  ids: string;
  /** Others hold for some models: which, is known with the targets that may serve. */
  hasMore?: boolean;
  /** The ids of those that do not hold where this target serves; left out: all hold, whoever serves. */
  notAt?(target: Target): ReadonlySet<string>;
};

export const NO_BUDGETS: CallBudgets = { list: [], ids: '' };

/** The ids in a `CallBudgets.ids`. */
export function idsIn(ids: string): readonly string[] {
  return ids === '' ? [] : ids.split(' ');
}

/** What may be spent of a budget in its period, at a time (Unix ms). */
export function amountAt({ amount, overrides }: Pick<Budget, 'amount' | 'overrides'>, now: number): NanoDollars {
  let sum = amount;
  for (const more of overrides) if (now < more.until) sum += more.amount;
  return sum;
}

/** Whether only calls with a known price can be let in. */
export function demandsPrice({ spendLimit }: Pick<ApiKey, 'spendLimit'>, { list }: CallBudgets): boolean {
  return spendLimit !== null || list.some(({ isHard }) => isHard);
}

/** A budget, by its id, and the period (`periodId`) in which a call was refused for it. */
export type UsedUp = { id: string; period: string };

/** A call is refused for a budget or spend limit that has too little left. */
export class BudgetUsedUp extends GatewayError {
  /** What serves such calls instead; `null`: nothing. */
  readonly instead: string | null;
  readonly usedUp: UsedUp;

  constructor(message: string, details: { retryAfterMs: number; instead: string | null; usedUp: UsedUp }) {
    super('insufficient_quota', message, details);
    this.instead = details.instead;
    this.usedUp = details.usedUp;
  }
}
