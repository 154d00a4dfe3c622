import { dollarsText, type NanoDollars } from '../core/money.ts';
import { moneyText, roundedText } from '../core/money-text.ts';
import type { SpendLimit } from '../core/records.ts';
import { utcDay } from '../core/utc-day.ts';

/** A spend limit as the HTTP API gives it; `amount_decimal` is exact. */
export type SpendLimitJson = { amount_decimal: string; interval: string };

/** Nano-dollars of an amount in an answer, in dollars. */
export function nanoOf(usd: number | string): NanoDollars {
  if (typeof usd === 'number') return BigInt(Math.round(usd * 1e9));
  const [whole = '0', part = ''] = usd.split('.');
  return BigInt(`${whole}${part.padEnd(9, '0')}`);
}

/** The amount of a limit in a request, exactly. */
export function amountBody(limit: SpendLimit | null): { amount_usd: string; interval: string } | null {
  return limit === null ? null : { amount_usd: dollarsText(limit.amount), interval: limit.per };
}

/** `$25.00/month`; `$25.00` without a period. */
export function limitText({ amount_decimal: amount, interval }: SpendLimitJson): string {
  return `${moneyText(nanoOf(amount))}${interval === 'life' ? '' : `/${interval}`}`;
}

/** What was spent, the limit and the end of the period: `$1.20 of $25.00/month until 2026-12-01`, `$3.10`. */
export function spentText(limit: SpendLimitJson | null, spent: number, resetsAt: number | null): string {
  const text = roundedText(nanoOf(spent));
  if (limit === null) return text;
  return `${text} of ${limitText(limit)}${resetsAt === null ? '' : ` until ${utcDay(resetsAt * 1000)}`}`;
}
