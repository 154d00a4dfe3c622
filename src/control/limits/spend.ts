import type { NanoDollars } from '../../core/money.ts';
import type { SpendLimit } from '../../core/records.ts';

/** What one key spends in one period: its life, a UTC day or a UTC month. */
export type SpendPeriod = {
  per: SpendLimit['per'];
  /** Unix milliseconds; the period no longer holds then. */
  endsAt: number;
  /** By settled calls. */
  spent: NanoDollars;
  /** The highest cost of the calls that are open. */
  held: NanoDollars;
};

const DAY_MS = 86_400_000;

/** The period that holds at a time (Unix ms): its first UTC day (`null` for a life) and its end. */
export function periodAt(per: SpendLimit['per'], now: number): { sinceDay: string | null; endsAt: number } {
  switch (per) {
    case 'life':
      return { sinceDay: null, endsAt: Number.POSITIVE_INFINITY };
    case 'day': {
      const start = now - (now % DAY_MS);
      return { sinceDay: dayOf(start), endsAt: start + DAY_MS };
    }
    case 'month': {
      const date = new Date(now);
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      return { sinceDay: dayOf(Date.UTC(year, month)), endsAt: Date.UTC(year, month + 1) };
    }
    default:
      return per satisfies never;
  }
}

/** What may still be spent, less than 0 where calls cost more than they might. */
export function leftOf(amount: NanoDollars, period: SpendPeriod): NanoDollars {
  return amount - period.spent - period.held;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
