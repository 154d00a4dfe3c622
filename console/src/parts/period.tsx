import type { Filters } from '../shell/address.ts';
import { FilterSelect } from './field.tsx';
import { useTypedDay } from './typed.ts';

const DAY = 86_400;
const DEFAULT_DAYS = 30;
/** The gateway adds up no more at once. */
const MOST_DAYS = 400;
const CUSTOM = 'custom';
const CHOICES = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: CUSTOM, label: 'From … to …' },
];

/** Some UTC days, from the first to the last, both inclusive: `2026-11-21`. */
export type Period = { first: string; last: string };

/** What stands in the address: `period`, or `from` and `to`, of which a period that is too long has its last days. */
export function periodOf({ period = '', from, to }: Filters, now = Date.now()): Period {
  const today = dayOf(now / 1000);
  if (isDay(from) && isDay(to) && from <= to) return { first: later(from, earliestOf(to)), last: to };
  const date = new Date(now);
  const monthStart = (ahead: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1) / 1000;
  if (period === 'month') return { first: dayOf(monthStart(0)), last: today };
  if (period === 'last-month') return { first: dayOf(monthStart(-1)), last: dayOf(monthStart(0) - DAY) };
  const isChoice = period !== '' && CHOICES.some(({ value }) => value === period);
  const days = isChoice && period !== CUSTOM ? Number(period) : DEFAULT_DAYS;
  return { first: dayOf(now / 1000 - (days - 1) * DAY), last: today };
}

/** The same as `summarizeUsage` takes it. A period up to today has no end: what comes in is in it. */
export function timesOf({ first, last }: Period, now = Date.now()): { start_time: number; end_time?: number } {
  const end = secondsOf(last) + DAY;
  return { start_time: secondsOf(first), ...(end * 1000 <= now && { end_time: end }) };
}

/** Each day of it, as the API names days. */
export function daysBetween(start: number, end: number): string[] {
  return Array.from({ length: Math.round((end - start) / DAY) }, (_, index) => dayOf(start + index * DAY));
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** The first day of the longest period that ends with a day. */
function earliestOf(last: string): string {
  return dayOf(secondsOf(last) - (MOST_DAYS - 1) * DAY);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(secondsOf(text));
}

/** Chooses the days that a page tells of. */
export function PeriodFields({ address, change }: { address: Filters; change: (changes: Filters) => void }) {
  const chosen = periodOf(address);
  const isCustom = address.from !== undefined;
  const choose = (value: string) =>
    value === CUSTOM
      ? change({ period: undefined, from: chosen.first, to: chosen.last })
      : change({ period: value || undefined, from: undefined, to: undefined });
  return (
    <>
      <FilterSelect
        label="Period"
        value={isCustom ? CUSTOM : (address.period ?? '')}
        choices={CHOICES}
        onChange={choose}
      />
      {isCustom &&
        (['from', 'to'] as const).map((end) => (
          <DayField key={end} end={end} chosen={chosen} onChange={(day) => change({ [end]: day })} />
        ))}
      {isDay(address.from) && address.to === chosen.last && address.from < chosen.first && (
        <span role="status" className="text-small text-weak">
          A period has at most {MOST_DAYS} days: these are the last of it.
        </span>
      )}
    </>
  );
}

type DayProps = { end: 'from' | 'to'; chosen: Period; onChange: (day: string) => void };

function DayField({ end, chosen: { first, last }, onChange }: DayProps) {
  const isFirst = end === 'from';
  const field = useTypedDay(isFirst ? first : last, (day) => day !== '' && onChange(day));
  return (
    <input
      type="date"
      aria-label={isFirst ? 'First day (UTC)' : 'Last day (UTC)'}
      max={isFirst ? last : undefined}
      min={isFirst ? earliestOf(last) : first}
      {...field}
      className="h-8 rounded-md border border-line-strong bg-raised px-2 text-table"
    />
  );
}
