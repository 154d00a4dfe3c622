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
import { summaryCsv } from './csv.ts';
import { limitOf, sourceOf, timeOf } from './options.ts';

const DEFAULT_BY = 'model';
const DEFAULT_SINCE = '30d';
const LIMIT = { min: 1, max: 10_000, default: 1_000 };

export const usageSummary: Command = {
  name: 'usage summary',
  about: 'Add up what was used and what it cost, beside the period before.',
  details:
    'Whole UTC days are added up, today as far as it has come; BEFORE is what as many days before them came to.\n' +
    'Calls whose cost is not known are counted under NO COST, and are in no amount.',
  options: {
    by: {
      value: 'A,B',
      about: `Some of ${SUMMARY_DIMENSIONS.join(', ')}; left out, ${DEFAULT_BY}.`,
    },
    since: { value: 'WHEN', about: `From the day that was so long ago (7d), or a date; left out, ${DEFAULT_SINCE}.` },
    until: { value: 'WHEN', about: 'Only days before then; left out, up to today.' },
    csv: { value: null, about: 'Answer in CSV, with every number.' },
    key: { value: 'ID', about: 'Only calls with this key.' },
    model: { value: 'MODEL', about: 'Only calls of this model, by its name in the catalog.' },
    product: { value: 'PRODUCT', about: 'Only calls of this product.' },
    tool: { value: 'TOOL', about: 'Only calls of this developer tool.' },
    source: { value: 'SOURCE', about: `Only calls of this source: ${SOURCES.join(', ')}.` },
    route: { value: 'ROUTE', about: 'Only calls of this route.' },
    provider: { value: 'PROVIDER', about: 'Only calls that this provider served.' },
    organization: { value: 'ID', about: 'Only calls of this organization.' },
    limit: {
      value: 'N',
      about: `Rows to show, the dearest first; the others are one row. Left out, ${LIMIT.default}.`,
    },
  },
  examples: [
    'headgate usage summary',
    'headgate usage summary --by key,model --since 7d',
    'headgate usage summary --by day,product --since 2026-11-01 --csv > november.csv',
  ],
  async run({ values, flags, json, where, tools }) {
    if (json && flags.has('csv')) throw new UsageError('--csv and --json are two forms of the answer: name one.');
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

/** What the options ask for. Throws a `UsageError` that names the option at fault. */
function queryOf(values: CommandCall['values'], now: number): SummaryQuery {
  const { organization = null, key, model, product, tool, route, provider, until, since = DEFAULT_SINCE } = values;
  const source = sourceOf(values.source);
  const end = until === undefined ? null : timeOf('--until', until, now);
  // A date that is not added up itself: the moment before it is the last that is.
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

/** Of data in which nothing is kept yet, for programs. */
function summaryOfNothing({ from: since, through }: SummaryQuery): UsageSummary {
  const from = utcDayNumber(since) * DAY_MS;
  const until = (utcDayNumber(through) + 1) * DAY_MS;
  const previousFrom = from - (until - from);
  return { from, until, previousFrom, totals: noneCompared(), rows: [], rest: null, isComplete: true };
}

/** One line of the table, which may be a row, the rest or all. */
type Line = ComparedSums & { row: SummaryRow | null; name: string };

/** A summary for people: days, rows, and all of them together. */
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
      of: ({ row, name }) => (row === null ? (index === 0 ? name : '') : valueText(row, each)),
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

/** A key by its name, where it has one. */
function valueText({ values, keyName }: SummaryRow, dimension: SummaryDimension): string {
  if (dimension === 'key' && keyName !== null) return keyName;
  return values[dimension] ?? '-';
}

/** A dash where there are calls, and the cost of none is known. */
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

function notesOn({ isComplete, totals }: UsageSummary): string[] {
  const { underOther } = totals.sums;
  return [
    ...(isComplete
      ? []
      : ['Records of an earlier version are still being added up, by the gateway that runs: there will be more.']),
    ...(underOther === 0
      ? []
      : [
          `${countText(underOther, 'call')} under “other”: too many names in one day, called by one key, to tell them apart.`,
        ]),
  ];
}
