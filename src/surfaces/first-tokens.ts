import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import type { FirstTokenTimes } from '../core/first-tokens.ts';
import type { UsageReader } from '../core/ports.ts';
import { DAY_MS } from '../core/utc-day.ts';
import { type HttpApi, operation } from './operation.ts';
import type { ReportQueue } from './report-queue.ts';
import { count, named, seconds, text, unixSeconds } from './schema.ts';
import { DEFAULT_SUMMARY_DAYS } from './usage-summary.ts';

const times = z.object({
  streams: count.describe('Streamed answers that came as far as a first token.'),
  p50_ms: count.nullable().describe('Half of them had it after so many ms, of which the two highest digits are told.'),
  p95_ms: count.nullable().describe('And 95 of 100 after so many.'),
});

const firstTokenTimes = named(
  'FirstTokenTimes',
  z.object({
    object: z.literal('first_token_times'),
    start_time: seconds.describe('The first moment that is counted: the beginning of a UTC day, in Unix seconds.'),
    end_time: seconds.describe('The first moment that is not: the end of a UTC day.'),
    previous_start_time: seconds.describe('Where the period before begins; it ends where this one begins.'),
    totals: z.object({ ...times.shape, previous: times.describe('The same of the period before.') }),
    data: z
      .array(z.object({ day: text.describe('A UTC day, such as `2026-11-21`.'), ...times.shape }))
      .describe('Days that have such streams, the last first.'),
  }),
);

export const FIRST_TOKEN_TIMES = operation('retrieveFirstTokenTimes', 'GET /v1/usage/first_tokens', {
  tag: 'Usage',
  summary: 'Tell how long the organization’s callers waited for the first token of a stream, beside the period before.',
  description:
    'Whole UTC days are told, today as far as it has come, and the same number of days before them. A call is of the day on ' +
    'which it began, and is counted once it is over.',
  access: { people: 'api.usage.read' },
  query: z.strictObject({
    start_time: unixSeconds()
      .exactOptional()
      .describe(`From the UTC day of this time on (Unix seconds); left out, ${DEFAULT_SUMMARY_DAYS} days ago.`),
    end_time: unixSeconds().exactOptional().describe('Up to this time, whose UTC day is whole; left out, now.'),
  }),
  answer: { description: 'The waits.', schema: firstTokenTimes },
  errors: ['forbidden'],
  ownTurns: true,
});

export type FirstTokenParts = HttpApi & { usage: Pick<UsageReader, 'firstTokens'> };

/** How long an organization's callers waited. A key that reads less than all is not told of it. */
export function serveFirstTokens(parts: FirstTokenParts, reports: ReportQueue): void {
  FIRST_TOKEN_TIMES.serve(parts, async ({ query: { start_time, end_time }, caller: { key, organization } }) => {
    if (key.usage !== 'organization') {
      throw new GatewayError('forbidden', 'This API key does not read the usage of all keys, and this is of all.');
    }
    const through = end_time === undefined ? parts.front.clock.now() : end_time * 1000 - 1;
    const from = start_time === undefined ? through - DEFAULT_SUMMARY_DAYS * DAY_MS : start_time * 1000;
    if (through < from) {
      throw new GatewayError('invalid_request', '`end_time` must be after `start_time`.', { param: 'end_time' });
    }
    const asked = { organizationId: organization.id, from: Math.max(0, from), through };
    const found = await reports.run(key.id, () => parts.usage.firstTokens(asked));
    return {
      object: 'first_token_times' as const,
      start_time: found.from / 1000,
      end_time: found.until / 1000,
      previous_start_time: found.previousFrom / 1000,
      totals: { ...timesJson(found.now), previous: timesJson(found.previous) },
      data: found.days.map(({ day, ...of }) => ({ day, ...timesJson(of) })),
    };
  });
}

function timesJson({ streams, p50, p95 }: FirstTokenTimes) {
  return { streams, p50_ms: p50, p95_ms: p95 };
}
