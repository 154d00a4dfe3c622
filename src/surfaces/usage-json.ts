import type { Written } from '../api/schema.ts';
import { errorMeaning } from '../core/errors.ts';
import { dollars, type LineItem } from '../core/money.ts';
import type { AttemptRecord, UsageDetail, UsageRecord } from '../core/records.ts';
import type { Usage } from '../core/usage.ts';
import { decisionJson } from './decision.ts';
import type { attemptDetail, lineItem, usageDetail, usageRecord } from './usage.ts';

/**
 * A record as callers read it. Times are Unix seconds, costs dollars and `null` if no price is known.
 *
 * @param vendors - true if the targets of routes and the vendors' charges are shown, which only operators may see
 */
export function usageRecordJson(
  record: UsageRecord,
  keyName: string | null,
  vendors: boolean,
): Written<typeof usageRecord> {
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
    route: record.route,
    ...targetJson(record, vendors || record.route === null),
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
    api_key_name: keyName,
    attempts: record.attempts,
    dropped: record.dropped,
    product: record.product,
    tool: record.tool,
    ...(vendors && { vendor_cost_usd: record.vendorCost === null ? null : dollars(record.vendorCost) }),
    counted_usd: dollars(record.counted),
    reported_usage: record.reported === null ? null : countsJson(record.reported),
  };
}

function targetJson({ provider, upstreamModel }: Pick<UsageRecord, 'provider' | 'upstreamModel'>, isShown: boolean) {
  return { provider: isShown ? provider : null, upstream_model: isShown ? upstreamModel : null };
}

function countsJson(usage: Usage): NonNullable<Written<typeof usageRecord>['reported_usage']> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    reasoning_tokens: usage.reasoningTokens,
  };
}

/**
 * A record with its attempts and the decision (`null` for a call that named its model).
 *
 * @param vendors - true if what only operators may see is shown, including names of credentials
 */
export function usageDetailJson(detail: UsageDetail, vendors: boolean): Written<typeof usageDetail> {
  const { record, keyName, lineItems, priceInferredFrom, unpriced, attempts, decision } = detail;
  const { usage } = record;
  const isShown = vendors || (record.route === null && decision === null);
  return {
    ...usageRecordJson(record, keyName, vendors),
    ...targetJson(record, isShown),
    line_items: isShown || detail.isRoutePrice ? lineItems.map(lineItemJson) : null,
    unpriced,
    error_meaning: errorMeaning(record.errorKind),
    service_tier: usage.serviceTier ?? null,
    region: isShown ? (usage.region ?? null) : null,
    cache_writes_by_life: usage.cacheWritesByLife ?? {},
    tool_calls: usage.toolCalls ?? {},
    price_inferred_from: isShown ? priceInferredFrom : null,
    attempt_details: attempts.map((attempt, index) => ({
      ...attemptJson(attempt, index + 1, vendors),
      ...targetJson(attempt, isShown),
      upstream_request_id: isShown ? attempt.upstreamRequestId : null,
    })),
    decision: decision === null || !vendors ? null : decisionJson(decision, vendors),
  };
}

function lineItemJson({ component, quantity, amount }: LineItem): Written<typeof lineItem> {
  return { component, quantity, amount_usd: dollars(amount) };
}

function attemptJson(attempt: AttemptRecord, number: number, credentials: boolean): Written<typeof attemptDetail> {
  return {
    number,
    provider: attempt.provider,
    upstream_model: attempt.upstreamModel,
    ...(credentials ? { credential: attempt.credential } : {}),
    status: attempt.status,
    http_status: attempt.httpStatus,
    error: attempt.errorKind,
    error_code: attempt.errorCode,
    started_at_ms: attempt.startedAt,
    ended_at_ms: attempt.endedAt,
    possibly_billed: attempt.possiblyBilled,
    usage_source: attempt.usageSource,
    upstream_request_id: attempt.upstreamRequestId,
  };
}
