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

const DAY_MS = 86_400_000;

/** A period: its first and last UTC day (`null` for a lifetime), and its start and end (Unix ms). */
export type Period = Pick<SpendPeriod, 'startsAt' | 'endsAt'> & { sinceDay: string | null; throughDay: string | null };

/** Whether the time (Unix ms) is in the period. It may be before it if the clock was set back. */
export function holdsAt({ startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>, now: number): boolean {
  return now >= startsAt && now < endsAt;
}

/** The period that contains a time (Unix ms). */
export function periodAt(per: SpendLimit['per'], now: number): Period {
  switch (per) {
    case 'life':
      return between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    case 'day': {
      const start = now - (now % DAY_MS);
      return between(start, start + DAY_MS);
    }
    case 'month': {
      const date = new Date(now);
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      return between(Date.UTC(year, month), Date.UTC(year, month + 1));
    }
    default:
      return per satisfies never;
  }
}

/** What may still be spent; negative if calls cost more than reserved. */
export function leftOf(amount: NanoDollars, period: SpendPeriod): NanoDollars {
  return amount - period.spent - period.held;
}

function between(startsAt: number, endsAt: number): Period {
  return { startsAt, endsAt, sinceDay: dayOf(startsAt), throughDay: dayOf(endsAt - 1) };
}

/** The UTC day; `null` if the time is infinite. */
function dayOf(time: number): string | null {
  if (!Number.isFinite(time)) return null;
  return new Date(time).toISOString().slice(0, 10);
}
