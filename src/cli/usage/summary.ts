import { roundedText } from '../../core/money-text.ts';
import { SOURCES } from '../../core/records.ts';
import { SUMMARY_DIMENSIONS, type SummaryDimension } from '../../core/usage-summary.ts';
import { utcDay } from '../../core/utc-day.ts';
import type { Query } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { UsageError } from '../failure.ts';
import { countText } from '../phrases.ts';
import { nanoOf } from '../spend-text.ts';
import { type Column, table } from '../table.ts';
import type { ShownComparison, ShownRow, ShownSummary, ShownSums } from './answers.ts';
import { dimensionValue, othersText, summaryCsv } from './csv.ts';
import { endOf, limitOf, numberOf, sourceOf, startOf, timeOf } from './options.ts';

const DEFAULT_BY = 'model';
const DEFAULT_SINCE = '30d';
const LIMIT = { min: 1, max: 10_000, default: 1_000 };
const TOP = { min: 1, max: 50 };

export const usageSummary: Command = {
  name: 'usage summary',
  about: 'Sum up usage and costs, beside the previous period.',
  details:
    'Whole UTC days are summed, including today so far; BEFORE is the same number of days before them.\n' +
    'Calls with unknown cost are counted under NO COST and are in no amount.',
  options: {
    by: {
      value: 'A,B',
      about: `Some of ${SUMMARY_DIMENSIONS.join(', ')} (default: ${DEFAULT_BY}).`,
    },
    since: { value: 'WHEN', about: `From a duration ago (7d), or a date (default: ${DEFAULT_SINCE}).` },
    until: { value: 'WHEN', about: 'Only days before then (default: up to today).' },
    csv: { value: null, about: 'Print CSV, with every number.' },
    key: { value: 'ID', about: 'Only calls with this key.' },
    model: { value: 'MODEL', about: 'Only calls of this model, by its catalog name.' },
    product: { value: 'PRODUCT', about: 'Only calls of this product.' },
    tool: { value: 'TOOL', about: 'Only calls of this developer tool.' },
    source: { value: 'SOURCE', about: `Only calls of this source: ${SOURCES.join(', ')}.` },
    route: { value: 'ROUTE', about: 'Only calls of this route.' },
    provider: { value: 'PROVIDER', about: 'Only calls served by this provider.' },
    organization: { value: 'ID', about: 'Only calls of this organization.' },
    top: {
      value: 'N',
      about: `Names shown by themselves, most expensive first (at most ${TOP.max}); others are a row, or one a day.`,
    },
    limit: {
      value: 'N',
      about: `Rows to show, most expensive first; the others are combined (default: ${LIMIT.default}).`,
    },
  },
  examples: [
    'headgate usage summary',
    'headgate usage summary --by key,model --since 7d',
    'headgate usage summary --by day,key --top 10',
    'headgate usage summary --by day,product --since 2026-11-01 --csv > november.csv',
  ],
  async run({ values, flags, json, tools, api }) {
    if (json && flags.has('csv')) throw new UsageError('--csv and --json cannot be used together.');
    const by = dimensionsOf(values.by ?? DEFAULT_BY);
    const query = queryOf(values, tools.clock.now());
    const summary = await api.get<ShownSummary>('/v1/usage/summary', { ...query, by: by.join(',') });
    const text = api.isOfNothing ? 'No usage yet.' : summaryText(summary, by);
    return { text: flags.has('csv') ? summaryCsv(summary, by) : text, json: summary, notes: notesOn(summary) };
  },
};

/** The query that the options describe. Throws a `UsageError` that names the faulty option. */
function queryOf(
  { key, model, product, tool, route, provider, until, top, ...values }: CommandCall['values'],
  now: number,
): Query {
  const { since = DEFAULT_SINCE } = values;
  const end = until === undefined ? null : timeOf('--until', until, now);
  const from = timeOf('--since', since, now);
  if ((end ?? now + 1) <= from) throw new UsageError('--until must be after --since.');
  return {
    start_time: startOf(from),
    end_time: end === null ? undefined : endOf(end),
    ...{ api_key_id: key, model, product, tool, route, provider },
    source: sourceOf(values.source),
    top: top === undefined ? undefined : numberOf('--top', top, TOP),
    limit: limitOf(values.limit, LIMIT),
  };
}

function dimensionsOf(text: string): SummaryDimension[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    const known = SUMMARY_DIMENSIONS.find((each) => each === name);
    if (known === undefined)
      throw new UsageError(`--by must name some of ${SUMMARY_DIMENSIONS.join(', ')}, not ${name}.`);
    return known;
  });
}

/** One line of the table: a row, the rest or the total. */
type Line = ShownComparison & { row: ShownRow | null; name: string };

/** A summary for people: days, rows and totals. */
export function summaryText(summary: ShownSummary, by: readonly SummaryDimension[]): string {
  const { start_time: from, end_time: until, previous_start_time: previousFrom, totals, data, rest } = summary;
  const lines: Line[] = [
    ...data.map((row) => ({ ...row, row, name: '' })),
    ...(rest === null ? [] : [{ ...rest, row: null, name: `${rest.rows} more` }]),
    { ...totals, row: null, name: 'ALL' },
  ];
  return [
    `${daysText(from, until)} (UTC); before: ${daysText(previousFrom, from)}`,
    '',
    table(columnsOf(by), lines),
  ].join('\n');
}

function columnsOf(by: readonly SummaryDimension[]): Column<Line>[] {
  const names = by.map(
    (each, index): Column<Line> => ({
      title: each.toUpperCase(),
      of: ({ row, name }) => (row === null ? (index === 0 ? name : '') : valueText(row, each, by)),
    }),
  );
  const right = (title: string, of: (line: Line) => string): Column<Line> => ({ title, of, align: 'right' });
  return [
    ...(names.length > 0 ? names : [{ title: '', of: ({ name }: Line) => name }]),
    right('CALLS', ({ calls }) => `${calls}`),
    right('IN', (line) => `${line.input_tokens}`),
    right('OUT', (line) => `${line.output_tokens}`),
    right('COST', costText),
    right('BEFORE', ({ previous }) => costText(previous)),
    right('CHANGE', changeText),
    right('NO COST', (line) => `${line.calls_without_cost}`),
  ];
}

/** A key's name, if it has one. A row of others says how many they are in the place of its first name. */
function valueText(row: ShownRow, dimension: SummaryDimension, by: readonly SummaryDimension[]): string {
  const { rest_of: restOf, api_key_name: keyName = null } = row;
  if (restOf !== undefined && dimension !== 'day')
    return dimension === by.find((each) => each !== 'day') ? othersText(restOf) : '';
  if (dimension === 'key' && keyName !== null) return keyName;
  return dimensionValue(row, dimension) ?? '-';
}

/** A dash if there are calls, but no cost is known. */
function costText({ cost_usd: cost }: ShownSums): string {
  return roundedText(cost === null ? null : nanoOf(cost));
}

function changeText({ cost_usd: cost, previous }: ShownComparison): string {
  const before = previous.cost_usd ?? 0;
  if (before === 0) return '-';
  const percent = Math.round((((cost ?? 0) - before) / before) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

/** Days from Unix seconds; the end is exclusive. */
function daysText(from: number, until: number): string {
  const [first, last] = [utcDay(from * 1000), utcDay(until * 1000 - 1)];
  return first === last ? first : `${first} to ${last}`;
}

function notesOn({ totals: { calls_under_other: underOther } }: ShownSummary): string[] {
  if (underOther === 0) return [];
  return [`${countText(underOther, 'call')} under “other”: one key used too many names in one day to list them.`];
}
