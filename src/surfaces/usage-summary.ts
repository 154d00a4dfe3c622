import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import { dollars } from '../core/money.ts';
import type { UsageReader } from '../core/ports.ts';
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
import { type HttpApi, operation } from './operation.ts';
import type { ReportQueue } from './report-queue.ts';
import { count, decimal, flag, named, oneOf, seconds, text, unixSeconds, type Written, wholeNumber } from './schema.ts';
import { callsOf } from './usage-scope.ts';

/** What is added up where no start is named, in days before now. */
export const DEFAULT_SUMMARY_DAYS = 30;
/** The days of the longest summary, with eight names and all others on each, are one answer. */
const SUMMARY_LIMIT = { min: 1, max: 4_000, default: 100 };
const TOP_LIMIT = { min: 1, max: 50 };
/** So many rows are written in one turn of the event loop. */
const ROWS_A_TURN = 500;

const sums = named(
  'UsageSums',
  z.object({
    calls: count,
    failed_calls: count,
    estimated_calls: count.describe('Whose tokens the gateway counted, since the provider did not report them.'),
    input_tokens: count.describe('Whole prompts, cached tokens too.'),
    cached_tokens: count,
    output_tokens: count,
    total_tokens: count,
    cost_usd: decimal
      .nullable()
      .describe('Of the calls whose cost is known; `null` where there are calls, and the cost of none is known.'),
    calls_without_cost: count.describe('Calls whose cost is not known: they are in no amount.'),
    vendor_cost_usd: decimal
      .nullable()
      .exactOptional()
      .describe('What the vendors charged, likewise: shown to administrators’ keys only.'),
    calls_without_vendor_cost: count.exactOptional().describe('Shown to administrators’ keys only.'),
    retried_calls: count.describe(
      'Calls that took more than one attempt: another target answered, or the same one again.',
    ),
    calls_under_other: count.describe(
      'Calls whose model and tool are told as `other`: beyond 500 combinations of names, those of a key’s day are.',
    ),
  }),
);

const compared = z.object({ ...sums.shape, previous: sums.describe('The same of the period before.') });

const summaryRow = z.object({
  api_key_id: text.exactOptional(),
  api_key_name: text.nullable().exactOptional(),
  model: text.exactOptional().describe('Its name in the catalog; `other` for names beyond those that are told apart.'),
  product: text.nullable().exactOptional(),
  tool: text.nullable().exactOptional(),
  source: text.exactOptional(),
  route: text.nullable().exactOptional().describe('`null` for calls that named a vendor’s model.'),
  provider: text
    .nullable()
    .exactOptional()
    .describe('Who served last; `null` for calls of a route, but to administrators’ keys.'),
  day: text.exactOptional().describe('A UTC day, such as `2026-11-21`.'),
  rest_of: count
    .exactOptional()
    .describe('Of a row of all that is beyond `top`, which has no names: of how many combinations of them.'),
  ...compared.shape,
});

const usageSummary = named(
  'UsageSummary',
  z.object({
    object: z.literal('usage_summary'),
    by: z.array(z.enum(SUMMARY_DIMENSIONS)),
    start_time: seconds.describe('The first moment that is added up: the beginning of a UTC day, in Unix seconds.'),
    end_time: seconds.describe('The first moment that is not: the end of a UTC day.'),
    previous_start_time: seconds.describe('Where the period before begins; it ends where this one begins.'),
    complete: flag.describe('`false` while records of an earlier version are still being added up, in the background.'),
    totals: compared,
    data: z.array(summaryRow).describe('What comes to most first (`order_by`); by day, the last day first.'),
    rest: z
      .object({ rows: count, ...compared.shape })
      .nullable()
      .describe('All rows beyond `limit` in one; `null` where there are none.'),
  }),
);

export const SUMMARIZE_USAGE = operation('summarizeUsage', 'GET /v1/usage/summary', {
  tag: 'Usage',
  summary: 'Add up what the key’s organization used and what it cost, beside the period before.',
  description:
    'Whole UTC days are added up, today as far as it has come, and the same number of days before them. A call is of the ' +
    'day on which it began, and is added up once it is over.',
  access: { people: 'api.usage.read' },
  query: z.strictObject({
    by: z
      .string()
      .transform((value) => [...new Set(value.split(',').map((each) => each.trim()))])
      .pipe(
        z.array(
          z.enum(SUMMARY_DIMENSIONS, `must name some of ${SUMMARY_DIMENSIONS.join(', ')}, with commas between them`),
        ),
      )
      .exactOptional()
      .describe(`What to take it apart by, with commas: ${SUMMARY_DIMENSIONS.join(', ')}. Left out, totals alone.`),
    model: text.exactOptional().describe('Only this model’s, by its name in the catalog.'),
    source: oneOf(SOURCES).exactOptional().describe('Only what keys of this source have used.'),
    product: text.exactOptional().describe('Only this product’s, by its id.'),
    tool: text.exactOptional().describe('Only this developer tool’s, by its name.'),
    route: text.exactOptional().describe('Only this route’s.'),
    provider: text.exactOptional().describe('Only what this provider served.'),
    api_key_id: text.exactOptional().describe('Only what this key has used.'),
    start_time: unixSeconds()
      .exactOptional()
      .describe(`From the UTC day of this time on (Unix seconds); left out, ${DEFAULT_SUMMARY_DAYS} days ago.`),
    end_time: unixSeconds().exactOptional().describe('Up to this time, whose UTC day is whole; left out, now.'),
    limit: wholeNumber(SUMMARY_LIMIT.min, SUMMARY_LIMIT.max)
      .default(SUMMARY_LIMIT.default)
      .describe('Rows to return; the others are added up in `rest`.'),
    order_by: oneOf(SUMMARY_MEASURES).default('cost').describe('What the rows are sorted by, the most first.'),
    top: wholeNumber(TOP_LIMIT.min, TOP_LIMIT.max)
      .exactOptional()
      .describe(
        'How many names, or combinations of them, are told apart, days aside: those that come to most in the whole period. ' +
          'The others are one row, or one a day. Left out, all are.',
      ),
  }),
  answer: { description: 'The sums.', schema: usageSummary },
  errors: ['forbidden'],
  ownTurns: true,
});

export type SummaryParts = HttpApi & { usage: Pick<UsageReader, 'summarize'> };

/** What an organization used, added up. */
export function serveUsageSummary(parts: SummaryParts, reports: ReportQueue): void {
  SUMMARIZE_USAGE.serve(parts, async ({ query, caller: { key, organization } }) => {
    const { by = [], api_key_id, start_time, end_time, order_by: orderBy, ...same } = query;
    // A moment that is not added up is the first of its kind: that of the day before is the last that is.
    const through = end_time === undefined ? parts.front.clock.now() : end_time * 1000 - 1;
    const from = start_time === undefined ? through - DEFAULT_SUMMARY_DAYS * DAY_MS : start_time * 1000;
    if (through < from) {
      throw new GatewayError('invalid_request', '`end_time` must be after `start_time`.', { param: 'end_time' });
    }
    const of = callsOf(key, api_key_id);
    const wanted = {
      organizationId: organization.id,
      by,
      from: Math.max(0, from),
      through,
      orderBy,
      hidesTargets: !key.admin,
    };
    const summary = await reports.run(key.id, () => parts.usage.summarize({ ...wanted, ...same, ...of }));
    return summaryInTurns(summary, by, key.admin);
  });
}

/** Longer ones are written in several turns, between which calls are served. */
export async function summaryInTurns(
  summary: UsageSummary,
  by: readonly SummaryDimension[],
  vendors: boolean,
): Promise<Written<typeof usageSummary>> {
  const { rows } = summary;
  if (rows.length <= ROWS_A_TURN) return usageSummaryJson(summary, by, vendors);
  const data: Written<typeof summaryRow>[] = [];
  for (let from = 0; from < rows.length; from += ROWS_A_TURN) {
    await turn();
    for (const row of rows.slice(from, from + ROWS_A_TURN)) data.push(rowJson(row, vendors));
  }
  await turn();
  return { ...usageSummaryJson({ ...summary, rows: [] }, by, vendors), data };
}

/**
 * A summary as callers read it. Times are Unix seconds, amounts dollars.
 *
 * @param vendors whether what the vendors charged is shown
 */
export function usageSummaryJson(
  summary: UsageSummary,
  by: readonly SummaryDimension[],
  vendors: boolean,
): Written<typeof usageSummary> {
  const { from, until, previousFrom, totals, rows, rest, isComplete } = summary;
  return {
    object: 'usage_summary',
    by,
    start_time: from / 1000,
    end_time: until / 1000,
    previous_start_time: previousFrom / 1000,
    complete: isComplete,
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

/** Whether the cost of no call is known. */
function isUnknown(calls: number, without: number): boolean {
  return calls > 0 && calls === without;
}
