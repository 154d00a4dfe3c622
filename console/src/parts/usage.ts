import type { Answer } from '../api/call.ts';
import { money, percent, short } from './format.ts';
import { daysBetween } from './period.tsx';
import type { Series } from './plot.ts';
import { coloursOf, REST_COLOUR } from './series-colours.ts';

export type Summary = Answer<'summarizeUsage'>;
export type Sums = Omit<Summary['totals'], 'previous'>;
export type Compared = Summary['totals'];
type SummaryRow = Summary['data'][number];

/** Rows of a chart: a year of days, with as many names as it tells apart and all others on each. */
export const CHART_ROWS = 4_000;

/** What usage is taken apart by, and what calls without such a thing are called. */
export const DIMENSIONS = {
  model: { title: 'Model', none: 'No model' },
  key: { title: 'API key', none: 'No key' },
  product: { title: 'Product', none: 'No product' },
  tool: { title: 'Tool', none: 'No tool' },
  source: { title: 'Source', none: 'No source' },
  route: { title: 'Route', none: 'No route: the model was named' },
  provider: { title: 'Provider', none: 'Not told: calls of routes' },
} as const;
export type Dimension = keyof typeof DIMENSIONS;

const SOURCES = new Map([
  ['api_key', 'API keys'],
  ['product', 'Products'],
  ['developer_tool', 'Developer tools'],
  ['console', 'The console'],
]);

type Measured = {
  title: string;
  orderBy: 'cost' | 'calls' | 'tokens' | 'cached_tokens' | 'failed_calls';
  of: (sums: Sums) => number | null;
  format: (value: number | null) => string;
  /** It cannot be added up: a chart has lines of it. */
  isShare?: true;
};

/** What usage is measured by. */
export const MEASURES = {
  spend: { title: 'Spend', orderBy: 'cost', of: ({ cost_usd }) => cost_usd, format: money },
  calls: { title: 'Calls', orderBy: 'calls', of: ({ calls }) => calls, format: short },
  tokens: { title: 'Tokens', orderBy: 'tokens', of: ({ total_tokens }) => total_tokens, format: short },
  cached: { title: 'Cached input', orderBy: 'cached_tokens', of: cachedShare, format: percent, isShare: true },
  errors: { title: 'Failed calls', orderBy: 'failed_calls', of: ({ failed_calls }) => failed_calls, format: short },
} as const satisfies Record<string, Measured>;
export type Measure = keyof typeof MEASURES;

/** The part of all input tokens that vendors had cached. */
function cachedShare({ input_tokens, cached_tokens }: Sums): number | null {
  return input_tokens === 0 ? null : cached_tokens / input_tokens;
}

/** The part of all calls that failed. */
export function errorRate({ calls, failed_calls }: Sums): number | null {
  return calls === 0 ? null : failed_calls / calls;
}

/** What a row is of: `null` where its calls have no such thing. */
export function idOf(row: SummaryRow, by: Dimension): string | null {
  return (by === 'key' ? row.api_key_id : row[by]) || null;
}

export function nameOf(row: SummaryRow, by: Dimension): string {
  const value = idOf(row, by);
  if (value === null) return DIMENSIONS[by].none;
  if (by === 'source') return SOURCES.get(value) ?? value;
  return by === 'key' ? row.api_key_name || value : value;
}

export const REST = ' rest';

/** The charts' series of a summary by something and by day, what comes to most first, and all days of it. */
export function seriesOf(summary: Summary, by: Dimension, measure: Measure): { days: string[]; series: Series[] } {
  const { of, isShare } = MEASURES[measure] as Measured;
  const days = daysBetween(summary.start_time, summary.end_time);
  const things = new Map<string, { name: string; total: number; rows: Map<string, SummaryRow> }>();
  for (const row of summary.data) {
    const isRest = row.rest_of !== undefined;
    const id = isRest ? REST : `=${idOf(row, by) ?? ''}`;
    const thing = things.get(id) ?? {
      name: isRest ? `${row.rest_of} others` : nameOf(row, by),
      total: 0,
      rows: new Map(),
    };
    things.set(id, thing);
    thing.rows.set(row.day!, row);
    thing.total += isShare ? row.input_tokens : (of(row) ?? 0);
  }
  const ranked = [...things]
    .filter(([id, { total }]) => total > 0 && !(isShare && id === REST))
    .sort(
      ([one, { total }], [other, { total: others }]) => Number(one === REST) - Number(other === REST) || others - total,
    );
  const colours = coloursOf(
    by,
    ranked.flatMap(([id]) => (id === REST ? [] : [id])),
  );
  const series = ranked.map(([id, { name, rows }]) => ({
    ...{ id, name, colour: colours.get(id) ?? REST_COLOUR },
    values: days.map((day) => (rows.has(day) ? of(rows.get(day)!) : isShare ? null : 0)),
  }));
  return { days, series };
}

/** What the days of a summary come to, and those of the period before. */
export function daysOf(summary: Summary, measure: Measure): { days: string[]; now: number[]; previous: number[] } {
  const { of } = MEASURES[measure] as Measured;
  const days = daysBetween(summary.start_time, summary.end_time);
  const sum = (pick: (row: SummaryRow) => Sums) =>
    days.map((day) => summary.data.reduce((so, row) => (row.day === day ? so + (of(pick(row)) ?? 0) : so), 0));
  return { days, now: sum((row) => row), previous: sum(({ previous }) => previous) };
}

/** What a thing of a chart is to be filtered by; `null` where it is none, or many. */
export function filterOf(seriesId: string): string | null {
  return seriesId === REST ? null : seriesId.slice(1) || null;
}
