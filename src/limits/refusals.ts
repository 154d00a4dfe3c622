import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { LimitRequest } from '../core/ports.ts';
import { type ApiKey, budgetOwner, type SpendLimit } from '../core/records.ts';
import { type Bucket, remaining, waitFor } from './bucket.ts';

const NANOS_PER_DOLLAR = 1_000_000_000n;
/** Retry times where waiting alone does not help: the operator, or the call, must change. */
const UNREACHABLE_RETRY_MS = 60_000;
const LIFE_RETRY_MS = 86_400_000;

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

/** What is left of a limit, and the ms until its period ends (`resetMs`, `Infinity` for a lifetime limit). */
export type SpendLeft = { limit: SpendLimit; left: NanoDollars; resetMs: number };

/**
 * Throws if less is left of a key's limit, or of its product's budget, than the call needs at least. Calls that cost
 * nothing are never refused, even after overspending.
 */
export function refuseOverSpend({ id }: ApiKey, spend: SpendLeft, call: LimitRequest): void {
  const { cost, leastCost = cost ?? 0n } = call;
  if (cost === null || leastCost === 0n || leastCost <= spend.left) return;
  throw overSpendLimit(holderOf(id), spend, { cost, leastCost });
}

export function tooManyRequests(bucket: Bucket, retryAfterMs: number): GatewayError {
  return new GatewayError(
    'rate_limit_exceeded',
    `This API key may make ${bucket.limit} requests per minute. The next one may come in ${retryAfterMs} ms.`,
    { retryAfterMs },
  );
}

function tooManyTokens(bucket: Bucket, tokens: number, retryAfterMs: number): GatewayError {
  return new GatewayError(
    'token_limit_exceeded',
    `This API key may use ${bucket.limit} tokens per minute and has ${remaining(bucket)} left; this call needs up to ` +
      `${tokens}, prompt and largest output together. There will be enough in ${retryAfterMs} ms.`,
    { retryAfterMs },
  );
}

function neverEnoughTokens(bucket: Bucket, tokens: number): GatewayError {
  return new GatewayError(
    'token_limit_unreachable',
    `This API key may use ${bucket.limit} tokens per minute; this call needs up to ${tokens}, prompt and largest output ` +
      'together, and would be refused at any time. Send a shorter prompt or ask for less output.',
    { retryAfterMs: UNREACHABLE_RETRY_MS },
  );
}

function overSpendLimit(
  holder: string,
  { limit, left, resetMs }: SpendLeft,
  { cost, leastCost }: { cost: NanoDollars; leastCost: NanoDollars },
): GatewayError {
  const least =
    leastCost < cost ? ` and names no maximum of output; at least ${usd(leastCost)} must be left for it` : '';
  return new GatewayError(
    'insufficient_quota',
    `${holder} has ${usd(left > 0n ? left : 0n)} left of the ${usd(limit.amount)} it may spend ${spanOf(limit)}, with ` +
      `open calls counted at their highest cost; this call may cost up to ${usd(cost)}${least}.`,
    { retryAfterMs: Number.isFinite(resetMs) ? resetMs : LIFE_RETRY_MS },
  );
}

export function unpriced({ id }: ApiKey, model: string): GatewayError {
  return new GatewayError(
    'model_unpriced',
    `${holderOf(id)} has a ${budgetOwner(id) === null ? 'spend limit' : 'budget'}, and the model \`${model}\` has no price to hold against it. ` +
      'Whoever runs the gateway can give it one under `models` in headgate.yaml, as ' +
      '`provider/model: { price: { input_per_1m: …, output_per_1m: … } }`, or with `headgate catalog import`.',
    { param: 'model' },
  );
}

function holderOf(id: string): string {
  const product = budgetOwner(id);
  return product === null ? 'This API key' : `The product \`${product}\`, all of its keys together,`;
}

function spanOf({ per }: SpendLimit): string {
  switch (per) {
    case 'life':
      return 'in its life';
    case 'day':
      return 'per day (UTC)';
    case 'month':
      return 'per month (UTC)';
    default:
      return per satisfies never;
  }
}

/** Writes the exact amount: `$5`, `$0.00015`; never `1.5e-7`. */
function usd(amount: NanoDollars): string {
  const fraction = (amount % NANOS_PER_DOLLAR).toString().padStart(9, '0').replace(/0+$/, '');
  return `$${amount / NANOS_PER_DOLLAR}${fraction === '' ? '' : `.${fraction}`}`;
}
