import { z } from 'zod';
import { type HandledOperation, operation } from '../api/operation.ts';
import { circuit, until } from '../api/route-decision.ts';
import { count, decimal, named, seconds, text, type Written } from '../api/schema.ts';
import { ERROR_KINDS, type ErrorKind } from '../core/errors.ts';
import { type GatewayStatus, LIST_STATES, type OutgoingRateStatus, type TargetStatus } from '../core/target-status.ts';
import { unpricedSentence } from '../core/unpriced.ts';
import { secondsOf } from './explained.ts';

const targetStatus = named(
  'TargetStatus',
  z
    .object({
      provider: text,
      model: text.describe('The vendor’s name for it.'),
      credential: text,
      circuit,
      open_until: until,
      credential_out_until: seconds.nullable().describe('The same for its credential, if the vendor refused it.'),
      p50_ms: decimal.nullable().describe('Time to the first token of the last 200 streams.'),
      p95_ms: decimal.nullable(),
      whole_p50_ms: decimal.nullable().describe('Duration of the last 200 answers that were not streamed.'),
      whole_p95_ms: decimal.nullable(),
      error_rate: decimal.nullable().describe('Failed part of `recent_calls`, 0 to 1.'),
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
    .describe('With several workers: the worst circuit, the sums of calls, and the longest times.'),
);

const gatewayStatus = named(
  'Status',
  z.object({
    object: z.literal('status'),
    process: z.object({
      version: text,
      uptime_seconds: count,
      open_calls: count,
      workers: count.describe('Number of serving processes.'),
      silent_workers: count.describe('Processes that did not answer in time and are not in the sums.'),
    }),
    providers: z
      .array(
        z.object({
          provider: text,
          list: z.enum(LIST_STATES),
          refused_credentials: z.array(text).describe('The names of the credentials that it last refused.'),
        }),
      )
      .describe(
        'Each provider’s answer to the last request for its models: it listed them, refused the key, or failed, ' +
          'or has not answered yet. For restricted providers only the keys are tested.',
      ),
    outgoing_rates: z
      .array(
        z.object({
          provider: text,
          credential: text.nullable().describe('Of a rate limit of one key: its name.'),
          model: text.nullable().describe('Of a rate limit of one model: the vendor’s name for it.'),
          requests_per_minute: count.nullable(),
          tokens_per_minute: count.nullable(),
          passed_over: count.describe('Calls that passed it over since the processes started.'),
          full_at: seconds.nullable().describe('The last time.'),
          full_until: seconds.nullable().describe('Until then it is full; `null`: it has room, as far as is known.'),
        }),
      )
      .describe('The outgoing rate limits of providers, their keys and models.'),
    unpriced: z
      .array(z.object({ route: text, models: z.array(text), unpriced: z.enum(['skip', 'refuse']), sentence: text }))
      .describe(
        'Targets of routes without a price: under a budget or spend limit, others serve the call (`skip`), or it is refused.',
      ),
    targets: z.array(targetStatus).describe('Models in routes, and models that were called.'),
  }),
);

export const GET_STATUS = operation('getStatus', 'GET /v1/status', {
  client: 'status.retrieve',
  tag: 'Operation',
  summary: 'Get the health of all targets. For administrators’ keys.',
  access: { people: 'api.usage.read', admin: 'The status' },
  answer: { description: 'The status of all processes together.', schema: gatewayStatus },
});

export type StatusParts = {
  /** The version of this software. */
  version: string;
  /** Returns the status of all server processes. */
  status(): Promise<GatewayStatus>;
};

/** The health of all targets, for operators. */
export const STATUS_OPERATION: HandledOperation<StatusParts> = GET_STATUS.handledBy(
  async (_, { version, status }: StatusParts) => statusJson(await status(), version),
);

/** The status for administrators. Times are Unix seconds; rates and percentiles are `null` if unknown. */
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
