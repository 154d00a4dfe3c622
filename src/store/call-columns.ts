import { DEFAULT_CREDENTIAL } from '../core/provider.ts';
import type { AttemptRecord, Intent, Routed, Settlement } from '../core/records.ts';
import { compiled } from './compiled.ts';
import { writeLineItems } from './price-json.ts';
import { TOKEN_COLUMNS } from './token-columns.ts';
import { moreOf, writeUsage, writtenForAnHour } from './usage-json.ts';

/** A column and what is written into it. Lists of these make both the text of a statement and what is bound to it. */
export type BoundColumn<Of> = readonly [name: string, type: ColumnType, write: (of: Of) => ColumnValue];

export type ColumnType = 'text' | 'integer';
export type ColumnValue = string | number | bigint | null;

export type OpenedCall = {
  intent: Intent;
  priceVersion: string | null;
  served: Pick<Routed, 'provider' | 'upstreamModel'>;
  instanceId: string;
};

export const OPENED: readonly BoundColumn<OpenedCall>[] = [
  ['organization_id', 'text', ({ intent }) => intent.organizationId],
  ['id', 'text', ({ intent }) => intent.id],
  ['request_id', 'text', ({ intent }) => intent.requestId],
  ['client_request_id', 'text', ({ intent }) => intent.clientRequestId],
  ['key_id', 'text', ({ intent }) => intent.keyId],
  ['source', 'text', ({ intent }) => intent.source],
  ['dialect', 'text', ({ intent }) => intent.dialect],
  ['model', 'text', ({ intent }) => intent.model],
  ['requested_model', 'text', ({ intent }) => intent.requestedModel],
  ['provider', 'text', ({ served }) => served.provider],
  ['upstream_model', 'text', ({ served }) => served.upstreamModel],
  ['streamed', 'integer', ({ intent }) => (intent.streamed ? 1 : 0)],
  ['created_at', 'integer', ({ intent }) => intent.createdAt],
  ['estimated_input_tokens', 'integer', ({ intent }) => intent.estimatedInputTokens],
  ['price_version', 'text', ({ priceVersion }) => priceVersion],
  ['instance_id', 'text', ({ instanceId }) => instanceId],
];

/** What few calls have to tell. */
export const MORE_OPENED: readonly BoundColumn<OpenedCall>[] = [
  ['product', 'text', ({ intent }) => intent.product],
  ['tool_name', 'text', ({ intent }) => intent.tool?.name ?? null],
  ['tool_version', 'text', ({ intent }) => intent.tool?.version ?? null],
  ['route', 'text', ({ intent }) => intent.route],
];

/** Of a call that is settled already nobody asks what was held for it, nor against which budgets. */
export const HELD: readonly BoundColumn<OpenedCall>[] = [
  ['held_nano', 'integer', ({ intent }) => intent.held],
  ['budgets', 'text', ({ intent }) => (intent.budgets === '' ? null : intent.budgets)],
];

/** `last`: the last attempt; `usageGroup`: the number of the group that the call is added up in. */
export type SettledCall = { settlement: Settlement; last: AttemptRecord | undefined; usageGroup: number };

export const SETTLED: readonly BoundColumn<SettledCall>[] = [
  ['status', 'text', ({ settlement }) => settlement.status],
  ['http_status', 'integer', ({ settlement }) => settlement.httpStatus],
  ['error_kind', 'text', ({ settlement }) => settlement.errorKind],
  ...TOKEN_COLUMNS.map(
    ({ member, column }): BoundColumn<SettledCall> => [column, 'integer', ({ settlement }) => settlement.usage[member]],
  ),
  ['cache_write_1h_tokens', 'integer', ({ settlement }) => writtenForAnHour(settlement.usage)],
  ['service_tier', 'text', ({ settlement }) => settlement.usage.serviceTier ?? null],
  ['usage_source', 'text', ({ settlement }) => settlement.usageSource],
  ['line_items', 'text', ({ settlement }) => JSON.stringify(writeLineItems(settlement.lineItems))],
  ['cost_nano', 'integer', ({ settlement }) => settlement.cost],
  ['settled_at', 'integer', ({ settlement }) => settlement.settledAt],
  ['time_to_first_token_ms', 'integer', ({ settlement }) => settlement.timeToFirstTokenMs],
  ['dropped', 'text', ({ settlement: { dropped } }) => (dropped.length === 0 ? null : JSON.stringify(dropped))],
  ['attempts', 'integer', ({ settlement }) => settlement.attempts.length],
  ['upstream_status', 'integer', ({ last }) => last?.httpStatus ?? null],
  ['upstream_request_id', 'text', ({ last }) => last?.upstreamRequestId ?? null],
  ['attempted_at', 'integer', ({ last }) => last?.startedAt ?? null],
  ['usage_group', 'integer', ({ usageGroup }) => usageGroup],
];

/** What few calls have to tell of their end. */
export const MORE_SETTLED: readonly BoundColumn<SettledCall>[] = [
  ['credential', 'text', ({ last }) => (last === undefined ? null : toldCredential(last))],
  ['possibly_billed', 'integer', ({ last }) => (last === undefined ? null : toldBilling(last))],
  ['charged_otherwise', 'integer', ({ settlement }) => (isChargedOtherwise(settlement) ? 1 : null)],
  [
    'vendor_cost_nano',
    'integer',
    ({ settlement }) => (isChargedOtherwise(settlement) ? settlement.routed!.vendorCost : null),
  ],
  ['counted_nano', 'integer', ({ settlement: { counted, cost } }) => (counted === (cost ?? 0n) ? null : counted)],
  [
    'reported_usage',
    'text',
    ({ settlement: { reported } }) => (reported === null ? null : JSON.stringify(writeUsage(reported))),
  ],
  ['more_usage', 'text', ({ settlement }) => jsonOrNull(moreOf(settlement.usage))],
  ['error_code', 'text', ({ last }) => last?.errorCode ?? null],
];

export type EarlierAttempt = { callId: string; number: number; attempt: AttemptRecord };

export const ATTEMPT: readonly BoundColumn<EarlierAttempt>[] = [
  ['call_id', 'text', ({ callId }) => callId],
  ['number', 'integer', ({ number }) => number],
  ['provider', 'text', ({ attempt }) => attempt.provider],
  ['upstream_model', 'text', ({ attempt }) => attempt.upstreamModel],
  ['status', 'text', ({ attempt }) => attempt.status],
  ['http_status', 'integer', ({ attempt }) => attempt.httpStatus],
  ['error_kind', 'text', ({ attempt }) => attempt.errorKind],
  ['upstream_request_id', 'text', ({ attempt }) => attempt.upstreamRequestId],
  ['started_at', 'integer', ({ attempt }) => attempt.startedAt],
  ['ended_at', 'integer', ({ attempt }) => attempt.endedAt],
  ['usage_source', 'text', ({ attempt }) => attempt.usageSource],
  ['credential', 'text', ({ attempt }) => toldCredential(attempt)],
  ['possibly_billed', 'integer', ({ attempt }) => toldBilling(attempt)],
  ['error_code', 'text', ({ attempt }) => attempt.errorCode],
];

/** Their names, for a statement. */
export function namesOf(...lists: readonly (readonly BoundColumn<never>[])[]): string {
  return lists.flatMap((columns) => columns.map(([name]) => name)).join(', ');
}

/**
 * Makes what is bound to a statement that has their names, in their order.
 *
 * /!\ Hot path: each column is called at a place of its own, which V8 can inline.
 */
export function binderOf<Of>(columns: readonly BoundColumn<Of>[]): (of: Of) => ColumnValue[] {
  const writes = columns.map((_, index) => `write${index}`);
  const make: (...writes: readonly BoundColumn<Of>[2][]) => (of: Of) => ColumnValue[] = compiled(
    writes,
    `return (of) => [${writes.map((write) => `${write}(of)`)}];`,
  );
  return make(...columns.map(([, , write]) => write));
}

/** Whether its vendor charges another amount than the gateway. */
function isChargedOtherwise({ routed, cost }: Settlement): boolean {
  return routed !== null && routed.vendorCost !== cost;
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function toldCredential({ credential }: AttemptRecord): string | null {
  return credential === DEFAULT_CREDENTIAL ? null : credential;
}

function toldBilling({ possiblyBilled }: AttemptRecord): 1 | null {
  return possiblyBilled ? 1 : null;
}
