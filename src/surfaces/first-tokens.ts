import { z } from 'zod';
import { type HttpApi, operation } from '../api/operation.ts';
import type { ReportQueue } from '../api/report-queue.ts';
import { count, named, seconds, text, unixSeconds } from '../api/schema.ts';
import { GatewayError } from '../core/errors.ts';
import type { FirstTokenTimes } from '../core/first-tokens.ts';
import type { UsageReader } from '../core/ports.ts';
import { DAY_MS } from '../core/utc-day.ts';
import { DEFAULT_SUMMARY_DAYS } from './usage-summary.ts';

const times = z.object({
  streams: count.describe('Streamed answers that reached a first token.'),
  p50_ms: count.nullable().describe('The median in ms, to two significant digits.'),
  p95_ms: count.nullable().describe('And 95 of 100 after so many.'),
});

const firstTokenTimes = named(
  'FirstTokenTimes',
  z.object({
    object: z.literal('first_token_times'),
    start_time: seconds.describe('Start of the period: the beginning of a UTC day, in Unix seconds.'),
    end_time: seconds.describe('End of the period, exclusive: the end of a UTC day.'),
    previous_start_time: seconds.describe('Where the period before begins; it ends where this one begins.'),
    totals: z.object({ ...times.shape, previous: times.describe('The same for the previous period.') }),
    data: z
      .array(z.object({ day: text.describe('A UTC day, such as `2026-11-21`.'), ...times.shape }))
      .describe('Days with such streams, latest first.'),
  }),
);

export const FIRST_TOKEN_TIMES = operation('retrieveFirstTokenTimes', 'GET /v1/usage/first_tokens', {
  client: 'usage.firstTokens',
  tag: 'Usage',
  summary: 'Get the time to the first token of the organization’s streams, beside the previous period.',
  description:
    'The period is whole UTC days, including today so far, and is compared with as many days before. A call belongs to the day on ' +
    'which it began, and counts once it has ended.',
  access: { people: 'api.usage.read' },
  query: z.strictObject({
    start_time: unixSeconds()
      .exactOptional()
      .describe(`From the UTC day of this time on (Unix seconds); left out, ${DEFAULT_SUMMARY_DAYS} days ago.`),
    end_time: unixSeconds().exactOptional().describe('End of the period; its UTC day is included (default: now).'),
  }),
  answer: { description: 'The waits.', schema: firstTokenTimes },
  errors: ['forbidden'],
  ownTurns: true,
});

export type FirstTokenParts = HttpApi & { usage: Pick<UsageReader, 'firstTokens'> };

/** The organization's times to the first token. Keys with a narrower usage scope are refused. */
export function serveFirstTokens(parts: FirstTokenParts, reports: ReportQueue): void {
  FIRST_TOKEN_TIMES.serve(parts, async ({ query: { start_time, end_time }, caller: { key, organization } }) => {
    if (key.usage !== 'organization') {
      throw new GatewayError(
        'forbidden',
        'This API key cannot read the usage of the whole organization, which this report needs.',
      );
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
