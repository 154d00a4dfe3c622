import { type Bucket, remaining, waitFor } from '../core/bucket.ts';
import { amountAt, type Budget, BudgetUsedUp } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import { dollarsText, type NanoDollars } from '../core/money.ts';
import type { LimitRequest } from '../core/ports.ts';
import type { SpendLimit } from '../core/records.ts';
import { periodAt, periodId } from '../core/spend-period.ts';
import { DAY_MS } from '../core/utc-day.ts';

/** Retry times where waiting alone does not help: the operator, or the call, must change. */
const UNREACHABLE_RETRY_MS = 60_000;
const LIFE_RETRY_MS = DAY_MS;

/**
 * Throws if one of two refilled buckets has too little. If both have, the error names the one that takes longer, so
 * that its wait suffices for both. Calls that need no tokens ignore a bucket that is in debt.
 */
export function refuseOverRate({ requests, tokens }: { requests: Bucket; tokens: Bucket }, needed: number): void {
  const requestsWait = waitFor(requests, 1);
  const tokensWait = needed === 0 ? 0 : waitFor(tokens, needed);
  if (requestsWait === 0 && tokensWait === 0) return;
  if (tokensWait === Number.POSITIVE_INFINITY) throw neverEnoughTokens(tokens, needed);
  if (tokensWait > requestsWait) throw tooManyTokens(tokens, needed, tokensWait);
  throw tooManyRequests(requests, requestsWait);
}

/** A budget's current period: spending of settled calls, and amounts held by open calls. */
export type SpendNow = { spent: NanoDollars; held: NanoDollars; endsAt: number };

type Refusing = { budget: Budget; amount: NanoDollars; left: NanoDollars; endsAt: number };

/**
 * Throws if less is left of a hard budget than the call needs at least. Calls that cost nothing are never refused, even
 * after overspending. If several have too little, the error names one without an `instead` first, then the one that begins
 * anew last.
 *
 * @param spendOf may be asked for every budget. /!\ Hot path: nothing is made unless the call is refused
 */
export function refuseOverSpend(
  budgets: readonly Budget[],
  call: LimitRequest,
  now: number,
  spendOf: (budget: Budget, index: number) => SpendNow,
): void {
  const { cost, leastCost = cost ?? 0n } = call;
  if (cost === null || leastCost === 0n) return;
  let refusing: Refusing | null = null;
  for (let index = 0; index < budgets.length; index += 1) {
    const budget = budgets[index]!;
    if (!budget.isHard) continue;
    const { spent, held, endsAt } = spendOf(budget, index);
    const amount = amountAt(budget, now);
    const left = amount - spent - held;
    if (leastCost <= left) continue;
    if (refusing === null || isGraver({ budget, endsAt }, refusing)) refusing = { budget, amount, left, endsAt };
  }
  if (refusing !== null) throw overBudget(refusing, now, { cost, leastCost });
}

type Gravity = Pick<Refusing, 'budget' | 'endsAt'>;

function isGraver(one: Gravity, other: Gravity): boolean {
  const [isFinal, otherIsFinal] = [one.budget.instead === null, other.budget.instead === null];
  return isFinal === otherIsFinal ? one.endsAt > other.endsAt : isFinal;
}

function tooManyRequests(bucket: Bucket, retryAfterMs: number): GatewayError {
  return new GatewayError(
    'rate_limit_exceeded',
    `This API key may make ${bucket.limit} requests per minute. Retry in ${retryAfterMs} ms.`,
    { retryAfterMs },
  );
}

function tooManyTokens(bucket: Bucket, tokens: number, retryAfterMs: number): GatewayError {
  return new GatewayError(
    'token_limit_exceeded',
    `This API key may use ${bucket.limit} tokens per minute and has ${remaining(bucket)} left; this call needs up to ` +
      `${tokens}, prompt and largest output together. Retry in ${retryAfterMs} ms.`,
    { retryAfterMs },
  );
}

function neverEnoughTokens(bucket: Bucket, tokens: number): GatewayError {
  return new GatewayError(
    'token_limit_unreachable',
    `This API key may use ${bucket.limit} tokens per minute; this call needs up to ${tokens}, prompt and largest output ` +
      'together, so it is always refused. Send a shorter prompt or ask for less output.',
    { retryAfterMs: UNREACHABLE_RETRY_MS },
  );
}

function overBudget(
  { budget, amount, left, endsAt }: Refusing,
  now: number,
  { cost, leastCost }: { cost: NanoDollars; leastCost: NanoDollars },
): BudgetUsedUp {
  const least = leastCost < cost ? ` and sets no output limit; at least ${usd(leastCost)} must be left for it` : '';
  const isForLife = !Number.isFinite(endsAt);
  const anew = isForLife ? '' : ` It resets at ${new Date(endsAt).toISOString()}.`;
  return new BudgetUsedUp(
    `${sentence(budget.name)} has ${usd(left > 0n ? left : 0n)} left of ${usd(amount)} ${spanOf(budget)}, with open calls ` +
      `counted at their highest cost; this call may cost up to ${usd(cost)}${least}.${anew}`,
    {
      retryAfterMs: isForLife ? LIFE_RETRY_MS : endsAt - now,
      instead: budget.instead,
      usedUp: { id: budget.id, period: periodId(budget.per, periodAt(budget.per, now)) },
    },
  );
}

const TOLD_LATER = 'Its vendor reports the cost of a call only afterwards, too late to refuse it. ';

/** Throws if a hard budget applies to a call whose model has no price. */
export function refuseUnpriced(budgets: readonly Budget[], { model, isPricedAfterwards }: LimitRequest): void {
  const budget = budgets.find(({ isHard }) => isHard);
  if (budget === undefined) return;
  throw new GatewayError(
    'model_unpriced',
    `The model \`${model}\` has no price to hold against ${budget.name}. ${isPricedAfterwards === true ? TOLD_LATER : ''}` +
      'The operator can set one with `headgate prices set provider/model --input … --output …` (dollars per ' +
      'million tokens), under `models` in headgate.yaml, as `provider/model: { price: { input_per_1m: …, output_per_1m: … } }`, ' +
      'or with `headgate catalog import`.',
    { param: 'model' },
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function spanOf({ per }: SpendLimit): string {
  return per === 'life' ? 'in all' : `per ${per} (UTC)`;
}

function usd(amount: NanoDollars): string {
  return `$${dollarsText(amount)}`;
}
