import { z } from 'zod';
import { type HandledOperation, operation, type QueryOf } from '../api/operation.ts';
import {
  CREDENTIAL,
  count,
  decimal,
  flag,
  listOf,
  named,
  oneOf,
  seconds,
  text,
  unixSeconds,
  type Written,
  wholeNumber,
} from '../api/schema.ts';
import { callsOf, organizationRead } from '../api/usage-scope.ts';
import { ERROR_KINDS, type ErrorKind, GatewayError } from '../core/errors.ts';
import { dollars, type LineItem } from '../core/money.ts';
import type { Caller, CallReader, UsageReader } from '../core/ports.ts';
import { type AttemptRecord, CALL_STATUSES, SOURCES, type UsageDetail, type UsageRecord } from '../core/records.ts';
import { USAGE_SOURCES, type Usage } from '../core/usage.ts';
import { decisionJson, keptDecision } from './decision.ts';
import { SUMMARY_OPERATION, type SummaryParts } from './usage-summary.ts';

const status = z.enum(CALL_STATUSES);
const errorKind = text.nullable().describe('The kind of the error, as in docs/errors.md.');
const usageSource = z
  .enum(USAGE_SOURCES)
  .describe('Where the numbers come from: the provider, the gateway’s own count, or nowhere.');
const milliseconds = z.int().describe('Unix time in milliseconds.');

/** Describes members about the target of a route. */
const TARGET = '`null` for a call of a route, except for administrators’ keys.';

const usageRecord = named(
  'UsageRecord',
  z.object({
    id: text.describe('Sorts by time; the cursor for `after`.'),
    object: z.literal('usage_record'),
    model: text,
    source: z.enum(SOURCES),
    input_tokens: count.describe('All prompt tokens, including cached ones.'),
    output_tokens: count,
    total_tokens: count,
    created_at: seconds,
    cost_usd: decimal.nullable().describe('`null` if a used token has no known price.'),
    requested_model: text.describe('The name that the caller sent.'),
    route: text.nullable().describe('The route that chose the target; `null` for a call that named a vendor’s model.'),
    provider: text.nullable().describe(`The last provider; ${TARGET}`),
    upstream_model: text.nullable().describe(`The vendor’s name of the model; ${TARGET}`),
    status,
    http_status: count,
    error: errorKind,
    streamed: flag,
    cached_tokens: count,
    cache_write_tokens: count,
    reasoning_tokens: count,
    usage_source: usageSource,
    latency_ms: count,
    time_to_first_token_ms: count.nullable(),
    request_id: text,
    client_request_id: text.nullable(),
    api_key_id: text,
    api_key_name: text.nullable().describe('`null` if the key was deleted.'),
    attempts: count,
    dropped: z
      .array(text)
      .describe(
        'Omissions of translation, in the call and its answer: at most 4 KB of names, longer ones cut; the last ' +
          'entry counts the others (`+59871 more`).',
      ),
    product: text.nullable().describe('The operator’s product; `null` for other sources.'),
    tool: z
      .object({ name: text, version: text.nullable() })
      .nullable()
      .describe('The developer tool’s own name; `null` for other sources.'),
    vendor_cost_usd: decimal
      .nullable()
      .exactOptional()
      .describe(
        'What the vendors charged for all attempts; `cost_usd` is what the caller is charged. Shown only ' +
          'to administrators’ keys.',
      ),
    counted_usd: decimal.describe(
      'What the call counts against limits of its key and product: `cost_usd`, or what was reserved for it if that is `null` ' +
        'or the call was interrupted.',
    ),
    organization_id: text.exactOptional().describe('Shown only to commands.'),
    reported_usage: z
      .object({
        input_tokens: count,
        output_tokens: count,
        cached_tokens: count,
        cache_write_tokens: count,
        reasoning_tokens: count,
      })
      .nullable()
      .describe('What the provider reported, if it was not credible and the gateway counted instead; else `null`.'),
  }),
);

const attemptDetail = z.object({
  number: count,
  provider: text.nullable().describe(TARGET),
  upstream_model: text.nullable().describe(TARGET),
  credential: CREDENTIAL,
  status,
  http_status: count.nullable().describe('The status of the provider’s answer, if there was one.'),
  error: errorKind,
  error_code: text.nullable().describe('The provider’s error code, if it sent one.'),
  started_at_ms: milliseconds,
  ended_at_ms: milliseconds,
  possibly_billed: flag.describe('It failed, but the vendor may have charged for it.'),
  usage_source: usageSource,
  upstream_request_id: text.nullable(),
});

const lineItem = z.object({
  component: text.describe(
    '`input`, `output`, `cache_read`, `cache_write` (or by lifetime: `cache_write_1h`), `reasoning`, `audio_input`, ' +
      '`audio_output`; `tool:web_search` and others are calls of the vendor’s own tools. `vendor_cost` is the cost that the vendor reported, if no price is known.',
  ),
  quantity: count.describe('Tokens, or calls of a tool.'),
  amount_usd: decimal,
});

const byName = z.record(z.string(), count);

export const usageDetail = named(
  'UsageDetail',
  usageRecord.extend({
    line_items: z
      .array(lineItem)
      .nullable()
      .describe(`The items of \`cost_usd\` that have a price. \`null\` if it would reveal what a target costs.`),
    unpriced: z
      .array(text)
      .describe('Used units without a price, if `cost_usd` is `null`, by the names of line items.'),
    error_meaning: text.nullable().describe('The meaning of the kind, in words.'),
    service_tier: text.nullable().describe('The service tier that the vendor reports.'),
    region: text.nullable().describe('Where the vendor says that it served, if that is not its ordinary place.'),
    cache_writes_by_life: byName.describe(
      'The part of `cache_write_tokens` with another lifetime than the vendor’s usual one: `{"1h": 2000}`.',
    ),
    tool_calls: byName.describe('Calls of the vendor’s own tools, as it reports them: `{"web_search": 2}`.'),
    price_inferred_from: text
      .nullable()
      .describe('The model whose price was used, if the call’s model is a dated name of it.'),
    attempt_details: z.array(attemptDetail).describe('In order of time.'),
    decision: keptDecision
      .nullable()
      .describe('How its route chose: shown only to administrators’ keys. `null` for a call that named its model.'),
  }),
);

/** The filters of calls, for the list and for live usage. */
export const USAGE_FILTERS = {
  model: text.exactOptional().describe('Only this model.'),
  source: oneOf(SOURCES).exactOptional().describe('Only keys of this source.'),
  product: text.exactOptional().describe('Only this product, by id.'),
  tool: text.exactOptional().describe('Only this developer tool, by name.'),
  api_key_id: text.exactOptional().describe('Only this key.'),
  status: oneOf(CALL_STATUSES).exactOptional().describe('Only calls with this status.'),
  start_time: unixSeconds().exactOptional().describe('Only calls from this time on (Unix seconds).'),
  end_time: unixSeconds().exactOptional().describe('Only calls before this time (Unix seconds).'),
};

export const LIST_USAGE = operation('listUsage', 'GET /v1/usage', {
  client: 'usage.list',
  tag: 'Usage',
  summary: 'List the usage records of the key’s organization, newest first.',
  description:
    'A key reads the records of its organization, its project or only its own, according to its `usage`, here and in the ' +
    'other operations. A person’s key never reads more than the person may.',
  access: { people: 'api.usage.read' },
  query: z.strictObject({
    ...USAGE_FILTERS,
    limit: wholeNumber(1, 100).default(20).describe('Number of records.'),
    after: text.exactOptional().describe('Id of the last record of the previous page.'),
  }),
  answer: {
    description: 'A page of records.',
    schema: named('UsageList', listOf(usageRecord).extend({ has_more: flag })),
  },
  errors: ['forbidden'],
  ownTurns: true,
});

export const RETRIEVE_USAGE = operation('retrieveUsage', 'GET /v1/usage/{id}', {
  client: 'usage.retrieve',
  tag: 'Usage',
  summary: 'Get one complete call: its record, each attempt, and its route’s decision.',
  access: { people: 'api.usage.read' },
  idDescription: 'The record’s id, or the request’s (`x-request-id` of the answer).',
  answer: { description: 'The call.', schema: usageDetail },
  errors: ['not_found'],
  ownTurns: true,
});

export type UsageParts = SummaryParts & { usage: UsageReader; calls: CallReader };

/** The records of the caller's organization, newest first, one of them in full, and their sums. */
export const USAGE_OPERATIONS: readonly HandledOperation<UsageParts>[] = [
  LIST_USAGE.handledBy(async ({ query, caller }, { usage, reports }: UsageParts) => {
    const { key } = caller;
    const wanted = { ...usageQuery(query, organizationRead(caller)), ...callsOf(key, query.api_key_id) };
    const page = await reports.run(key.id, () => usage.list(wanted));
    if (page === null) {
      throw new GatewayError('invalid_request', '`after` is not the id of a usage record that this request may list.', {
        param: 'after',
      });
    }
    const data = page.records.map((record) => ({
      ...usageRecordJson(record, page.keyNames[record.keyId] ?? null, key.admin),
      ...organizationJson(record, caller),
    }));
    return { object: 'list', data, has_more: page.hasMore };
  }),
  SUMMARY_OPERATION,
  RETRIEVE_USAGE.handledBy(async ({ id, caller }, { calls, reports }: UsageParts) => {
    const { key } = caller;
    const detail = await reports.run(key.id, () => calls.find(organizationRead(caller), id, callsOf(key, undefined)));
    if (detail !== null) return { ...usageDetailJson(detail, key.admin), ...organizationJson(detail.record, caller) };
    const whose = { organization: 'This organization', project: 'This project', own: 'This API key' }[key.usage];
    throw new GatewayError('not_found', `${whose} has no usage record with this id or request id.`);
  }),
];

function organizationJson({ organizationId }: UsageRecord, { operator }: Caller) {
  return operator === undefined ? {} : { organization_id: organizationId };
}

/** The filters of calls, except for the key, which depends on the caller. Throws if the times are reversed. */
export function usageQuery<
  Filters extends Pick<QueryOf<typeof LIST_USAGE>, keyof typeof USAGE_FILTERS>,
  Organization extends string | null,
>(query: Filters, organizationId: Organization) {
  const { api_key_id: _, start_time: start, end_time: end, ...same } = query;
  if (start !== undefined && end !== undefined && end <= start) {
    throw new GatewayError('invalid_request', '`end_time` must be after `start_time`.', { param: 'end_time' });
  }
  return {
    organizationId,
    ...same,
    ...(start !== undefined && { from: start * 1000 }),
    ...(end !== undefined && { until: end * 1000 }),
  };
}

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
    error_meaning: meaningOf(record.errorKind),
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

/** A kind of an earlier version may be unknown now. */
function meaningOf(kind: string | null): string | null {
  return kind !== null && kind in ERROR_KINDS ? ERROR_KINDS[kind as ErrorKind].meaning : null;
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
