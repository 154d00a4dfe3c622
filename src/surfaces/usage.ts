import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import { dollars } from '../core/money.ts';
import type { CallReader, UsageReader } from '../core/ports.ts';
import { type Attempt, SOURCES, type UsageDetail, type UsageQuery, type UsageRecord } from '../core/records.ts';
import { SYSTEM_ROUTE } from '../core/route.ts';
import type { Usage } from '../core/usage.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';
import { decisionJson } from './decision.ts';
import { numberOf, oneOf, type Query, textOf, timeOf } from './query.ts';

/** How many records a page may have. */
export const PAGE = { min: 1, max: 100, default: 20 };

/** `GET /v1/usage`, the records of the caller's organization, newest first; and `GET /v1/usage/{id}`, one of them whole. */
export function serveUsage(app: FastifyInstance, front: Front, usage: UsageReader, calls: CallReader): void {
  app.get('/v1/usage', async (request, reply) => {
    const { organization } = request.exchange.caller!;
    const page = await usage.list(readQuery(request.query as Query, organization.id));
    if (page === null) {
      throw new GatewayError('invalid_request', '`after` is not the id of a usage record of this organization.', {
        param: 'after',
      });
    }
    sendJson(front, request, reply, 200, {
      object: 'list',
      data: page.records.map(usageRecordJson),
      has_more: page.hasMore,
    });
    return reply;
  });

  app.get('/v1/usage/*', async (request, reply) => {
    const { key, organization } = request.exchange.caller!;
    const id = (request.params as { '*': string })['*'];
    const detail = await calls.find(organization.id, id);
    if (detail === null) {
      throw new GatewayError('not_found', 'This organization has no usage record of this id, nor of a request of it.');
    }
    const { admin } = key;
    const seen = admin || detail.record.keyId === key.id ? detail : withoutSystemDecision(detail);
    sendJson(front, request, reply, 200, usageDetailJson(seen, admin));
    return reply;
  });
}

/** What stands behind the system route is for those who run it, and for the product that called. */
function withoutSystemDecision(detail: UsageDetail): UsageDetail {
  return detail.decision?.route === SYSTEM_ROUTE ? { ...detail, decision: null } : detail;
}

function readQuery(query: Query, organizationId: string): UsageQuery {
  const model = textOf(query, 'model');
  const after = textOf(query, 'after');
  const source = oneOf(query, 'source', SOURCES);
  const product = textOf(query, 'product');
  const tool = textOf(query, 'tool');
  const keyId = textOf(query, 'api_key_id');
  const from = timeOf(query, 'start_time');
  const until = timeOf(query, 'end_time');
  if (from !== undefined && until !== undefined && until <= from) {
    throw new GatewayError('invalid_request', '`end_time` must be after `start_time`.', { param: 'end_time' });
  }
  return {
    organizationId,
    limit: numberOf(query, 'limit', PAGE),
    ...(model === undefined ? {} : { model }),
    ...(after === undefined ? {} : { after }),
    ...(source === undefined ? {} : { source }),
    ...(product === undefined ? {} : { product }),
    ...(tool === undefined ? {} : { tool }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  };
}

/** A record as callers read it. Times are Unix seconds, costs are in dollars and `null` where no price is known. */
export function usageRecordJson(record: UsageRecord): Record<string, unknown> {
  return {
    id: record.id,
    object: 'usage_record',
    model: record.model,
    source: record.source,
    input_tokens: record.usage.inputTokens,
    output_tokens: record.usage.outputTokens,
    total_tokens: record.usage.inputTokens + record.usage.outputTokens,
    created_at: Math.floor(record.createdAt / 1000),
    cost_usd: record.cost === null ? null : dollars(record.cost),
    requested_model: record.requestedModel,
    provider: record.provider,
    upstream_model: record.upstreamModel,
    status: record.status,
    http_status: record.httpStatus,
    error: record.errorKind,
    streamed: record.streamed,
    cached_tokens: record.usage.cacheReadTokens,
    cache_write_tokens: record.usage.cacheWriteTokens,
    reasoning_tokens: record.usage.reasoningTokens,
    usage_source: record.usageSource,
    latency_ms: record.latencyMs,
    time_to_first_token_ms: record.timeToFirstTokenMs,
    request_id: record.requestId,
    client_request_id: record.clientRequestId,
    api_key_id: record.keyId,
    attempts: record.attempts,
    dropped: record.dropped,
    product: record.product,
    tool: record.tool,
    vendor_cost_usd: record.vendorCost === null ? null : dollars(record.vendorCost),
    counted_usd: dollars(record.counted),
    reported_usage: record.reported === null ? null : countsJson(record.reported),
  };
}

function countsJson(usage: Usage): Record<string, number> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    reasoning_tokens: usage.reasoningTokens,
  };
}

/**
 * A record with each of its attempts and the decision that it followed (`null` for a call that named its model).
 *
 * @param credentials whether the operator's names for its credentials are shown
 */
export function usageDetailJson(detail: UsageDetail, credentials: boolean): Record<string, unknown> {
  const { record, attempts, decision } = detail;
  return {
    ...usageRecordJson(record),
    attempt_details: attempts.map((attempt, index) => attemptJson(attempt, index + 1, credentials)),
    decision: decision === null ? null : decisionJson(decision, credentials),
  };
}

function attemptJson(attempt: Attempt, number: number, credentials: boolean): Record<string, unknown> {
  return {
    number,
    provider: attempt.provider,
    upstream_model: attempt.upstreamModel,
    ...(credentials ? { credential: attempt.credential } : {}),
    status: attempt.status,
    http_status: attempt.httpStatus,
    error: attempt.errorKind,
    started_at_ms: attempt.startedAt,
    ended_at_ms: attempt.endedAt,
    possibly_billed: attempt.possiblyBilled,
    usage_source: attempt.usageSource,
    upstream_request_id: attempt.upstreamRequestId,
  };
}
