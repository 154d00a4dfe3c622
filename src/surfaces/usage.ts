import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import { dollars } from '../core/money.ts';
import type { UsageReader } from '../core/ports.ts';
import type { UsageRecord } from '../core/records.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';
import { numberOf, type Query, textOf } from './query.ts';

/** How many records a page may have. */
export const PAGE = { min: 1, max: 100, default: 20 };

/** `GET /v1/usage`: the records of the caller's organization, newest first. */
export function serveUsage(app: FastifyInstance, front: Front, usage: UsageReader): void {
  app.get('/v1/usage', async (request, reply) => {
    const query = request.query as Query;
    const model = textOf(query, 'model');
    const after = textOf(query, 'after');
    const page = await usage.list({
      organizationId: request.exchange.caller!.organization.id,
      limit: numberOf(query, 'limit', PAGE),
      ...(model === undefined ? {} : { model }),
      ...(after === undefined ? {} : { after }),
    });
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
}

/** A record as callers read it. Times are Unix seconds, the cost is in dollars and `null` where no price is known. */
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
  };
}
