import type { Written } from '../api/schema.ts';
import { errorMeaning } from '../core/errors.ts';
import { dollars } from '../core/money.ts';
import { type FoundRefused, REFUSED, type RefusedRecord } from '../core/refused-calls.ts';
import type { usageDetail, usageRecord } from './usage.ts';

const NOTHING = dollars(0n);

/** A refused call in the form of a usage record: it used nothing. */
export function refusedRecordJson(call: RefusedRecord, keyName: string | null): Written<typeof usageRecord> {
  const model = call.model ?? '';
  return {
    id: call.id,
    object: 'usage_record',
    model,
    source: call.source,
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
    created_at: Math.floor(call.at / 1000),
    cost_usd: NOTHING,
    requested_model: model,
    route: null,
    provider: null,
    upstream_model: null,
    status: REFUSED,
    http_status: call.httpStatus,
    error: call.errorKind,
    error_message: call.message,
    error_param: call.param,
    streamed: false,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    usage_source: 'none',
    latency_ms: call.latencyMs,
    time_to_first_token_ms: null,
    request_id: call.requestId,
    client_request_id: call.clientRequestId,
    api_key_id: call.keyId ?? '',
    api_key_name: keyName,
    attempts: 0,
    dropped: [],
    product: call.product,
    tool: call.tool,
    counted_usd: NOTHING,
    reported_usage: null,
  };
}

/** The same with what only a single record shows. */
export function refusedDetailJson({ record: call, keyName }: FoundRefused): Written<typeof usageDetail> {
  const { sender } = call;
  return {
    ...refusedRecordJson(call, keyName),
    line_items: [],
    unpriced: [],
    error_meaning: errorMeaning(call.errorKind),
    service_tier: null,
    region: null,
    cache_writes_by_life: {},
    tool_calls: {},
    price_inferred_from: null,
    attempt_details: [],
    decision: null,
    ...(sender !== null && { refused_caller: { api_key: sender.key, ip_address: sender.address } }),
    not_stored_before: call.shed,
  };
}
