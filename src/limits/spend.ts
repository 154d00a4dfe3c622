import type { NanoDollars } from '../core/money.ts';
import type { SpendLimit } from '../core/records.ts';

/** The spend of one key in one period: its lifetime, a UTC day or a UTC month. */
export type SpendPeriod = {
  per: SpendLimit['per'];
  /** Unix ms; the start belongs to the period, the end does not. */
  startsAt: number;
  endsAt: number;
  /** The cost of settled calls. */
  spent: NanoDollars;
  /** The highest cost of open calls. */
  held: NanoDollars;
};

/** What may still be spent; negative if calls cost more than reserved. */
export function leftOf(amount: NanoDollars, period: SpendPeriod): NanoDollars {
  return amount - period.spent - period.held;
}
