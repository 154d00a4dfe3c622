import { z } from 'zod';
import { ERROR_KINDS, type ErrorKind } from '../core/errors.ts';
import { type GatewayStatus, LIST_STATES, type OutgoingRateStatus, type TargetStatus } from '../core/target-status.ts';
import { unpricedSentence } from '../core/unpriced.ts';
import { circuit, secondsOf, until } from './explained.ts';
import { type HttpApi, operation } from './operation.ts';
import { count, decimal, named, seconds, text, type Written } from './schema.ts';

const targetStatus = named(
  'TargetStatus',
  z
    .object({
      provider: text,
      model: text.describe('The vendor’s name for it.'),
      credential: text,
      circuit,
      open_until: until,
      credential_out_until: seconds.nullable().describe('The same for its credential, where the vendor refused that.'),
      p50_ms: decimal.nullable().describe('Time to the first token of the last 200 streams.'),
      p95_ms: decimal.nullable(),
      whole_p50_ms: decimal.nullable().describe('Time to the end of the last 200 answers that were not streamed.'),
      whole_p95_ms: decimal.nullable(),
      error_rate: decimal.nullable().describe('The part of `recent_calls` that failed, 0 to 1.'),
      recent_calls: count.describe('Calls that ended within `breaker.window`.'),
      in_flight: count,
      last_error: z
        .object({
          kind: z.enum(Object.keys(ERROR_KINDS) as ErrorKind[]),
          status: count,
          message: text,
          at: seconds,
        })
        .nullable(),
    })
    .describe('Of several workers: the worst circuit, the sums of calls, and the longest of their times.'),
);

const gatewayStatus = named(
  'Status',
  z.object({
    object: z.literal('status'),
    process: z.object({
      version: text,
      uptime_seconds: count,
      open_calls: count,
      workers: count.describe('Processes that serve.'),
      silent_workers: count.describe('Those of them that did not answer in time; they are not in the sums.'),
    }),
    providers: z
      .array(
        z.object({
          provider: text,
          list: z.enum(LIST_STATES),
          refused_credentials: z
            .array(text)
            .describe('The names of its credentials that it refused when it was asked last.'),
        }),
      )
      .describe(
        'What each provider said when it was asked for its models last: it listed them, it refuses the key, it failed to say, ' +
          'or it was not heard yet. Those that the configuration restricts are asked about their keys alone.',
      ),
    outgoing_rates: z
      .array(
        z.object({
          provider: text,
          credential: text.nullable().describe('Of a rate of one key: its name.'),
          model: text.nullable().describe('Of a rate of one model: the vendor’s name for it.'),
          requests_per_minute: count.nullable(),
          tokens_per_minute: count.nullable(),
          passed_over: count.describe('Calls for which it had no room since the processes that serve began.'),
          full_at: seconds.nullable().describe('When that was last.'),
          full_until: seconds
            .nullable()
            .describe('Until when it has no room; `null`: it has room, as far as is known.'),
        }),
      )
      .describe('What providers, their keys and their models may be sent in a minute, where that is limited.'),
    unpriced: z
      .array(z.object({ route: text, models: z.array(text), unpriced: z.enum(['skip', 'refuse']), sentence: text }))
      .describe(
        'Targets of routes without a price: a call under a budget or spend limit is served by others (`skip`), or refused.',
      ),
    targets: z.array(targetStatus).describe('Those behind a route, and those that were called.'),
  }),
);

export const GET_STATUS = operation('getStatus', 'GET /v1/status', {
  tag: 'Operation',
  summary: 'Tell how every target does. For administrators’ keys.',
  access: { people: 'api.usage.read', admin: 'The status' },
  answer: { description: 'The status of all processes together.', schema: gatewayStatus },
});

export type StatusParts = HttpApi & {
  /** Of this software. */
  version: string;
  /** Of all processes that serve. */
  status(): Promise<GatewayStatus>;
};

/** How every target does, for those who run the gateway. */
export function serveStatus({ version, status, ...served }: StatusParts): void {
  GET_STATUS.serve(served, async () => statusJson(await status(), version));
}

/** The status as administrators read it. Times are Unix seconds; rates and percentiles are `null` where nothing is known. */
export function statusJson(status: GatewayStatus, version: string): Written<typeof gatewayStatus> {
  const { targets, providers, outgoing, unpriced, uptimeMs, openCalls, workers, silentWorkers } = status;
  return {
    object: 'status',
    process: {
      version,
      uptime_seconds: Math.floor(uptimeMs / 1000),
      open_calls: openCalls,
      workers,
      silent_workers: silentWorkers,
    },
    providers: providers.map(({ provider, list, refusedCredentials }) => ({
      provider,
      list,
      refused_credentials: [...refusedCredentials],
    })),
    outgoing_rates: outgoing.map(outgoingJson),
    unpriced: unpriced.map((each) => ({
      route: each.route,
      models: [...each.models],
      unpriced: each.unpriced,
      sentence: unpricedSentence(each),
    })),
    targets: targets.map(targetJson),
  };
}

function outgoingJson(rate: OutgoingRateStatus): Written<typeof gatewayStatus>['outgoing_rates'][number] {
  return {
    provider: rate.provider,
    credential: rate.credential,
    model: rate.model,
    requests_per_minute: rate.requestsPerMinute,
    tokens_per_minute: rate.tokensPerMinute,
    passed_over: rate.passedOver,
    full_at: rate.fullAt === null ? null : Math.floor(rate.fullAt / 1000),
    full_until: secondsOf(rate.fullUntil),
  };
}

function targetJson(target: TargetStatus): Written<typeof targetStatus> {
  const { lastError } = target;
  return {
    provider: target.provider,
    model: target.upstreamModel,
    credential: target.credential,
    circuit: target.circuit,
    open_until: secondsOf(target.openUntil),
    credential_out_until: secondsOf(target.credentialOutUntil),
    p50_ms: target.p50Ms,
    p95_ms: target.p95Ms,
    whole_p50_ms: target.wholeP50Ms,
    whole_p95_ms: target.wholeP95Ms,
    error_rate: target.errorRate,
    recent_calls: target.recentCalls,
    in_flight: target.inFlight,
    last_error: lastError && {
      kind: lastError.kind,
      status: lastError.status,
      message: lastError.message,
      at: Math.floor(lastError.at / 1000),
    },
  };
}
