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
import { GatewayError } from '../core/errors.ts';
import type { Caller, CallReader, UsageReader } from '../core/ports.ts';
import { CALL_STATUSES, SOURCES, type UsageQuery } from '../core/records.ts';
import { REFUSED, type RefusedQuery, type RefusedStore } from '../core/refused-calls.ts';
import { USAGE_SOURCES } from '../core/usage.ts';
import { keptDecision } from './decision.ts';
import { refusedDetailJson, refusedRecordJson } from './refused-usage.ts';
import { usageDetailJson, usageRecordJson } from './usage-json.ts';
import { SUMMARY_OPERATION, type SummaryParts } from './usage-summary.ts';

const status = z
  .enum([...CALL_STATUSES, REFUSED])
  .describe('`refused`: it was not sent to a vendor, and costs nothing.');
const errorKind = text.nullable().describe('The kind of the error, as in docs/errors.md.');
const usageSource = z
  .enum(USAGE_SOURCES)
  .describe('Where the numbers come from: the provider, the gateway’s own count, or nowhere.');
const milliseconds = z.int().describe('Unix time in milliseconds.');

/** Describes members about the target of a route. */
const TARGET = '`null` for a call of a route, except for administrators’ keys.';

export const usageRecord = named(
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
    api_key_id: text.describe('Empty for a call that was refused because its key is not valid.'),
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
    error_message: text
      .exactOptional()
      .describe('The words that the caller of a refused call was told. Only of those.'),
    error_param: text.nullable().exactOptional().describe('The member at fault. Only of refused calls.'),
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

export const attemptDetail = z.object({
  number: count,
  provider: text.nullable().describe(TARGET),
  upstream_model: text.nullable().describe(TARGET),
  credential: CREDENTIAL,
  status: z.enum(CALL_STATUSES),
  http_status: count.nullable().describe('The status of the provider’s answer, if there was one.'),
  error: errorKind,
  error_code: text.nullable().describe('The provider’s error code, if it sent one.'),
  started_at_ms: milliseconds,
  ended_at_ms: milliseconds,
  possibly_billed: flag.describe('It failed, but the vendor may have charged for it.'),
  usage_source: usageSource,
  upstream_request_id: text.nullable(),
});

export const lineItem = z.object({
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
    refused_caller: z
      .object({
        api_key: text.nullable().describe('The first and last characters of the secret that was sent, if one was.'),
        ip_address: text.nullable(),
      })
      .exactOptional()
      .describe('Who sent a call that was refused because its key is not valid.'),
    not_stored_before: count
      .exactOptional()
      .describe('Refused calls of the same key that were too many to be stored, since the one stored before.'),
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

const listedStatus = oneOf([...CALL_STATUSES, REFUSED])
  .exactOptional()
  .describe('Only calls with this status. Refused calls have no usage, and are listed only if asked for.');

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
    status: listedStatus,
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

export type UsageParts = SummaryParts & {
  usage: UsageReader;
  calls: CallReader;
  refused: Pick<RefusedStore, 'list' | 'find'>;
};

/** The records of the caller's organization, newest first, one of them in full, and their sums. */
export const USAGE_OPERATIONS: readonly HandledOperation<UsageParts>[] = [
  LIST_USAGE.handledBy(async ({ query, caller }, parts: UsageParts) => {
    const { key } = caller;
    const { status: asked, ...filters } = query;
    const wanted = { ...usageQuery(filters, organizationRead(caller)), ...callsOf(key, query.api_key_id) };
    const { data, hasMore } = await parts.reports.run(key.id, () =>
      asked === REFUSED
        ? refusedPage(caller, wanted, parts)
        : recordPage(caller, { ...wanted, ...(asked !== undefined && { status: asked }) }, parts),
    );
    return { object: 'list', data, has_more: hasMore };
  }),
  SUMMARY_OPERATION,
  RETRIEVE_USAGE.handledBy(async ({ id, caller }, { calls, refused, reports }: UsageParts) => {
    const { key } = caller;
    const organizationId = organizationRead(caller);
    const detail = await reports.run(key.id, () => calls.find(organizationId, id, callsOf(key, undefined)));
    if (detail !== null) return { ...usageDetailJson(detail, key.admin), ...organizationJson(detail.record, caller) };
    const refusal = await reports.run(key.id, () => refused.find(organizationId, id, callsOf(key, undefined)));
    if (refusal !== null) return { ...refusedDetailJson(refusal), ...organizationJson(refusal.record, caller) };
    const whose = { organization: 'This organization', project: 'This project', own: 'This API key' }[key.usage];
    throw new GatewayError('not_found', `${whose} has no usage record with this id or request id.`);
  }),
];

type RecordPage = { data: Written<typeof usageRecord>[]; hasMore: boolean };

async function recordPage(caller: Caller, query: UsageQuery, { usage }: UsageParts): Promise<RecordPage> {
  const { records, keyNames, hasMore } = (await usage.list(query)) ?? refuseCursor();
  const data = records.map((record) => ({
    ...usageRecordJson(record, keyNames[record.keyId] ?? null, caller.key.admin),
    ...organizationJson(record, caller),
  }));
  return { data, hasMore };
}

async function refusedPage(caller: Caller, query: RefusedQuery, { refused }: UsageParts): Promise<RecordPage> {
  const { records, keyNames, hasMore } = (await refused.list(query)) ?? refuseCursor();
  const data = records.map((record) => ({
    ...refusedRecordJson(record, keyNames[record.keyId ?? ''] ?? null),
    ...organizationJson(record, caller),
  }));
  return { data, hasMore };
}

function refuseCursor(): never {
  throw new GatewayError('invalid_request', '`after` is not the id of a usage record that this request may list.', {
    param: 'after',
  });
}

function organizationJson({ organizationId }: { organizationId: string | null }, { operator }: Caller) {
  return operator === undefined || organizationId === null ? {} : { organization_id: organizationId };
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
