import { roundedText } from '../../core/money-text.ts';
import { SOURCES } from '../../core/records.ts';
import {
  type ComparedSums,
  SUMMARY_DIMENSIONS,
  type SummaryDimension,
  type SummaryQuery,
  type SummaryRow,
  type UsageSummary,
  type UsageSums,
} from '../../core/usage-summary.ts';
import { DAY_MS, utcDay, utcDayNumber } from '../../core/utc-day.ts';
import { noneCompared } from '../../store/summary-rows.ts';
import { summarizeUsageTask } from '../../tasks/usage.ts';
import type { Command, CommandCall } from '../command.ts';
import { UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { countText } from '../phrases.ts';
import { type Column, table } from '../table.ts';
import { othersText, summaryCsv } from './csv.ts';
import { limitOf, numberOf, sourceOf, timeOf } from './options.ts';

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
  async run({ values, flags, json, where, tools }) {
    if (json && flags.has('csv')) throw new UsageError('--csv and --json cannot be used together.');
    const query = queryOf(values, tools.clock.now());
    const { answer: summary, notes } = await perform(tools, tools.readSetup(where), summarizeUsageTask, { query });
    const told = summary ?? summaryOfNothing(query);
    const { usageSummaryJson } = await tools.usageShapes();
    const text = summary === null ? 'No usage yet.' : summaryText(summary, query.by);
    return {
      text: flags.has('csv') ? summaryCsv(told, query.by) : text,
      json: usageSummaryJson(told, query.by, true),
      notes: [...notes, ...notesOn(told)],
    };
  },
};

/** The query that the options describe. Throws a `UsageError` that names the faulty option. */
function queryOf(values: CommandCall['values'], now: number): SummaryQuery {
  const { organization = null, key, model, product, tool, route, provider, until, top } = values;
  const { since = DEFAULT_SINCE } = values;
  const source = sourceOf(values.source);
  const end = until === undefined ? null : timeOf('--until', until, now);
  // `--until` is exclusive: the day before it is the last one.
  const through = end === null ? now : end - 1;
  const from = timeOf('--since', since, now);
  if (through < from) throw new UsageError('--until must be after --since.');
  return {
    organizationId: organization,
    by: dimensionsOf(values.by ?? DEFAULT_BY),
    from,
    through,
    hidesTargets: false,
    limit: limitOf(values.limit, LIMIT),
    ...(top === undefined ? {} : { top: numberOf('--top', top, TOP) }),
    ...(key === undefined ? {} : { keyId: key }),
    ...(model === undefined ? {} : { model }),
    ...(product === undefined ? {} : { product }),
    ...(tool === undefined ? {} : { tool }),
    ...(source === undefined ? {} : { source }),
    ...(route === undefined ? {} : { route }),
    ...(provider === undefined ? {} : { provider }),
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

/** The answer without any data, for programs. */
function summaryOfNothing({ from: since, through }: SummaryQuery): UsageSummary {
  const from = utcDayNumber(since) * DAY_MS;
  const until = (utcDayNumber(through) + 1) * DAY_MS;
  const previousFrom = from - (until - from);
  return { from, until, previousFrom, totals: noneCompared(), rows: [], rest: null };
}

/** One line of the table: a row, the rest or the total. */
type Line = ComparedSums & { row: SummaryRow | null; name: string };

/** A summary for people: days, rows and totals. */
export function summaryText(summary: UsageSummary, by: readonly SummaryDimension[]): string {
  const { from, until, previousFrom, totals, rows, rest } = summary;
  const lines: Line[] = [
    ...rows.map((row) => ({ ...row, row, name: '' })),
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
    right('CALLS', ({ sums }) => `${sums.calls}`),
    right('IN', ({ sums }) => `${sums.inputTokens}`),
    right('OUT', ({ sums }) => `${sums.outputTokens}`),
    right('COST', ({ sums }) => costText(sums)),
    right('BEFORE', ({ previous }) => costText(previous)),
    right('CHANGE', changeText),
    right('NO COST', ({ sums }) => `${sums.withoutCost}`),
  ];
}

/** A key's name, if it has one. A row of others says how many they are in the place of its first name. */
function valueText(
  { values, keyName, restOf }: SummaryRow,
  dimension: SummaryDimension,
  by: readonly SummaryDimension[],
): string {
  if (restOf !== undefined && dimension !== 'day')
    return dimension === by.find((each) => each !== 'day') ? othersText(restOf) : '';
  if (dimension === 'key' && keyName !== null) return keyName;
  return values[dimension] ?? '-';
}

/** A dash if there are calls, but no cost is known. */
function costText({ calls, withoutCost, cost }: UsageSums): string {
  return roundedText(calls > 0 && calls === withoutCost ? null : cost);
}

function changeText({ sums, previous }: ComparedSums): string {
  if (previous.cost === 0n) return '-';
  const percent = Math.round((Number(sums.cost - previous.cost) / Number(previous.cost)) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

function daysText(from: number, until: number): string {
  const [first, last] = [utcDay(from), utcDay(until - 1)];
  return first === last ? first : `${first} to ${last}`;
}

function notesOn({ totals }: UsageSummary): string[] {
  const { underOther } = totals.sums;
  if (underOther === 0) return [];
  return [`${countText(underOther, 'call')} under “other”: one key used too many names in one day to list them.`];
}
