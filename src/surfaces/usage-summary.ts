import { z } from 'zod';
import { type HandledOperation, operation } from '../api/operation.ts';
import type { ReportQueue } from '../api/report-queue.ts';
import {
  count,
  decimal,
  flag,
  named,
  oneOf,
  seconds,
  text,
  unixSeconds,
  type Written,
  wholeNumber,
} from '../api/schema.ts';
import { callsOf, organizationRead } from '../api/usage-scope.ts';
import { GatewayError } from '../core/errors.ts';
import { dollars } from '../core/money.ts';
import type { Clock, UsageReader } from '../core/ports.ts';
import { SOURCES } from '../core/records.ts';
import {
  type ComparedSums,
  SUMMARY_DIMENSIONS,
  SUMMARY_MEASURES,
  type SummaryDimension,
  type SummaryRow,
  type UsageSummary,
  type UsageSums,
} from '../core/usage-summary.ts';
import { DAY_MS } from '../core/utc-day.ts';
import { mapInTurns } from '../http/in-turns.ts';

/** The default period, in days before now. */
export const DEFAULT_SUMMARY_DAYS = 30;
/** The longest summary of the console, by day with eight names and the rest, has 4,000 rows; reports may have more. */
const SUMMARY_LIMIT = { min: 1, max: 10_000, default: 100 };
const TOP_LIMIT = { min: 1, max: 50 };

const sums = named(
  'UsageSums',
  z.object({
    calls: count,
    failed_calls: count,
    estimated_calls: count.describe(
      'Calls whose tokens the gateway counted, because the provider did not report them.',
    ),
    input_tokens: count.describe('All prompt tokens, including cached ones.'),
    cached_tokens: count,
    output_tokens: count,
    total_tokens: count,
    cost_usd: decimal.nullable().describe('Of calls with known cost; `null` if there are calls, but no cost is known.'),
    calls_without_cost: count.describe('Calls with unknown cost, which are in no amount.'),
    vendor_cost_usd: decimal
      .nullable()
      .exactOptional()
      .describe('What the vendors charged; shown only to administrators’ keys.'),
    calls_without_vendor_cost: count.exactOptional().describe('Shown only to administrators’ keys.'),
    retried_calls: count.describe('Calls with more than one attempt, at another target or the same.'),
    calls_under_other: count.describe(
      'Calls whose model and tool are shown as `other`, because a key used more than 500 combinations on one day.',
    ),
  }),
);

const compared = z.object({ ...sums.shape, previous: sums.describe('The same for the previous period.') });

const summaryRow = z.object({
  api_key_id: text.exactOptional(),
  api_key_name: text.nullable().exactOptional(),
  model: text.exactOptional().describe('Its name in the catalog; `other` for names that are not distinguished.'),
  product: text.nullable().exactOptional(),
  tool: text.nullable().exactOptional(),
  source: text.exactOptional(),
  route: text.nullable().exactOptional().describe('`null` for calls that named a vendor’s model.'),
  provider: text
    .nullable()
    .exactOptional()
    .describe('The last provider; `null` for calls of a route, except for administrators’ keys.'),
  day: text.exactOptional().describe('A UTC day, such as `2026-11-21`.'),
  rest_of: count
    .exactOptional()
    .describe('Of the row for everything beyond `top`, which has no names: the number of combinations.'),
  ...compared.shape,
});

const usageSummary = named(
  'UsageSummary',
  z.object({
    object: z.literal('usage_summary'),
    by: z.array(z.enum(SUMMARY_DIMENSIONS)),
    start_time: seconds.describe('Start of the period: the beginning of a UTC day, in Unix seconds.'),
    end_time: seconds.describe('End of the period, exclusive: the end of a UTC day.'),
    previous_start_time: seconds.describe('Where the period before begins; it ends where this one begins.'),
    complete: flag.describe('Always `true`: all records of the days are included.'),
    totals: compared,
    data: z.array(summaryRow).describe('Largest first (`order_by`); by day, the latest first.'),
    rest: z
      .object({ rows: count, ...compared.shape })
      .nullable()
      .describe('All rows beyond `limit` in one; `null` if there are none.'),
  }),
);

export const SUMMARIZE_USAGE = operation('summarizeUsage', 'GET /v1/usage/summary', {
  client: 'usage.summary',
  tag: 'Usage',
  summary: 'Sum up usage and costs of the key’s organization, beside the previous period.',
  description:
    'The period is whole UTC days, including today so far, and is compared with as many days before. A call belongs to the ' +
    'day on which it began, and counts once it has ended.',
  access: { people: 'api.usage.read' },
  query: z.strictObject({
    by: z
      .string()
      .transform((value) => [...new Set(value.split(',').map((each) => each.trim()))])
      .pipe(
        z.array(z.enum(SUMMARY_DIMENSIONS, `must name some of ${SUMMARY_DIMENSIONS.join(', ')}, separated by commas`)),
      )
      .exactOptional()
      .describe(`Grouping, separated by commas: ${SUMMARY_DIMENSIONS.join(', ')} (default: only totals).`),
    model: text.exactOptional().describe('Only this model, by its catalog name.'),
    source: oneOf(SOURCES).exactOptional().describe('Only keys of this source.'),
    product: text.exactOptional().describe('Only this product, by id.'),
    tool: text.exactOptional().describe('Only this developer tool, by name.'),
    route: text.exactOptional().describe('Only this route.'),
    provider: text.exactOptional().describe('Only calls served by this provider.'),
    api_key_id: text.exactOptional().describe('Only this key.'),
    start_time: unixSeconds()
      .exactOptional()
      .describe(`From the UTC day of this time on (Unix seconds); left out, ${DEFAULT_SUMMARY_DAYS} days ago.`),
    end_time: unixSeconds().exactOptional().describe('End of the period; its UTC day is included (default: now).'),
    limit: wholeNumber(SUMMARY_LIMIT.min, SUMMARY_LIMIT.max)
      .default(SUMMARY_LIMIT.default)
      .describe('Number of rows; the others are summed in `rest`.'),
    order_by: oneOf(SUMMARY_MEASURES).default('cost').describe('Sort order of the rows, largest first.'),
    top: wholeNumber(TOP_LIMIT.min, TOP_LIMIT.max)
      .exactOptional()
      .describe(
        'The number of names, or combinations of them, that are shown by themselves: the largest of the whole period, not counting days. ' +
          'The others are one row, or one per day. Default: all are shown.',
      ),
  }),
  answer: { description: 'The sums.', schema: usageSummary },
  errors: ['forbidden'],
  ownTurns: true,
});

export type SummaryParts = {
  front: { clock: Clock };
  usage: Pick<UsageReader, 'summarize'>;
  reports: ReportQueue;
};

/** Sums of an organization's usage. */
export const SUMMARY_OPERATION: HandledOperation<SummaryParts> = SUMMARIZE_USAGE.handledBy(
  async ({ query, caller }, { front, usage, reports }: SummaryParts) => {
    const { key } = caller;
    const { by = [], api_key_id, start_time, end_time, order_by: orderBy, ...same } = query;
    // The end is exclusive: the day before it is the last one.
    const through = end_time === undefined ? front.clock.now() : end_time * 1000 - 1;
    const from = start_time === undefined ? through - DEFAULT_SUMMARY_DAYS * DAY_MS : start_time * 1000;
    if (through < from) {
      throw new GatewayError('invalid_request', '`end_time` must be after `start_time`.', { param: 'end_time' });
    }
    const of = callsOf(key, api_key_id);
    const wanted = {
      organizationId: organizationRead(caller),
      by,
      from: Math.max(0, from),
      through,
      orderBy,
      hidesTargets: !key.admin,
    };
    const summary = await reports.run(key.id, () => usage.summarize({ ...wanted, ...same, ...of }));
    return summaryInTurns(summary, by, key.admin);
  },
);

/** Longer answers are written in several turns, so that calls are served in between. */
export async function summaryInTurns(
  summary: UsageSummary,
  by: readonly SummaryDimension[],
  vendors: boolean,
): Promise<Written<typeof usageSummary>> {
  const data = await mapInTurns(summary.rows, (row) => rowJson(row, vendors));
  return { ...usageSummaryJson({ ...summary, rows: [] }, by, vendors), data };
}

/**
 * A summary as callers read it. Times are Unix seconds, amounts dollars.
 *
 * @param vendors - true if the vendors' charges are shown
 */
export function usageSummaryJson(
  summary: UsageSummary,
  by: readonly SummaryDimension[],
  vendors: boolean,
): Written<typeof usageSummary> {
  const { from, until, previousFrom, totals, rows, rest } = summary;
  return {
    object: 'usage_summary',
    by,
    start_time: from / 1000,
    end_time: until / 1000,
    previous_start_time: previousFrom / 1000,
    complete: true,
    totals: comparedJson(totals, vendors),
    data: rows.map((row) => rowJson(row, vendors)),
    rest: rest === null ? null : { rows: rest.rows, ...comparedJson(rest, vendors) },
  };
}

function rowJson(row: SummaryRow, vendors: boolean): Written<typeof summaryRow> {
  return { ...valuesJson(row), ...comparedJson(row, vendors) };
}

function valuesJson({ values: { key, ...values }, keyName, restOf }: SummaryRow) {
  const named = key === undefined ? {} : { api_key_id: key ?? '', api_key_name: keyName };
  return { ...named, ...values, ...(restOf !== undefined && { rest_of: restOf }) } as Pick<
    Written<typeof summaryRow>,
    'api_key_id' | 'api_key_name'
  >;
}

function comparedJson({ sums: now, previous }: ComparedSums, vendors: boolean): Written<typeof compared> {
  return { ...sumsJson(now, vendors), previous: sumsJson(previous, vendors) };
}

function sumsJson(of: UsageSums, vendors: boolean): Written<typeof sums> {
  return {
    calls: of.calls,
    failed_calls: of.failed,
    estimated_calls: of.estimated,
    input_tokens: of.inputTokens,
    cached_tokens: of.cachedTokens,
    output_tokens: of.outputTokens,
    total_tokens: of.inputTokens + of.outputTokens,
    cost_usd: isUnknown(of.calls, of.withoutCost) ? null : dollars(of.cost),
    calls_without_cost: of.withoutCost,
    ...(vendors && {
      vendor_cost_usd: isUnknown(of.calls, of.withoutVendorCost) ? null : dollars(of.vendorCost),
      calls_without_vendor_cost: of.withoutVendorCost,
    }),
    retried_calls: of.retried,
    calls_under_other: of.underOther,
  };
}

/** True if no cost is known. */
function isUnknown(calls: number, without: number): boolean {
  return calls > 0 && calls === without;
}
