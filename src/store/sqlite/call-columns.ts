import type { SQLInputValue } from 'node:sqlite';
import { DEFAULT_CREDENTIAL } from '../../core/provider.ts';
import type { AttemptRecord, Intent, Routed, Settlement } from '../../core/records.ts';
import { compiled } from '../compiled.ts';
import { writeLineItems } from '../price-json.ts';
import { TOKEN_COLUMNS } from '../token-columns.ts';
import { moreOf, writeUsage, writtenForAnHour } from '../usage-json.ts';

/** A column and what is written into it. Lists of these make both the text of a statement and what is bound to it. */
export type BoundColumn<Of> = readonly [name: string, write: (of: Of) => SQLInputValue];

export type OpenedCall = {
  intent: Intent;
  priceVersion: string | null;
  served: Pick<Routed, 'provider' | 'upstreamModel'>;
  instanceId: string;
};

export const OPENED: readonly BoundColumn<OpenedCall>[] = [
  ['organization_id', ({ intent }) => intent.organizationId],
  ['id', ({ intent }) => intent.id],
  ['request_id', ({ intent }) => intent.requestId],
  ['client_request_id', ({ intent }) => intent.clientRequestId],
  ['key_id', ({ intent }) => intent.keyId],
  ['source', ({ intent }) => intent.source],
  ['dialect', ({ intent }) => intent.dialect],
  ['model', ({ intent }) => intent.model],
  ['requested_model', ({ intent }) => intent.requestedModel],
  ['provider', ({ served }) => served.provider],
  ['upstream_model', ({ served }) => served.upstreamModel],
  ['streamed', ({ intent }) => (intent.streamed ? 1 : 0)],
  ['created_at', ({ intent }) => intent.createdAt],
  ['estimated_input_tokens', ({ intent }) => intent.estimatedInputTokens],
  ['price_version', ({ priceVersion }) => priceVersion],
  ['instance_id', ({ instanceId }) => instanceId],
];

/** What few calls have to tell. */
export const MORE_OPENED: readonly BoundColumn<OpenedCall>[] = [
  ['product', ({ intent }) => intent.product],
  ['tool_name', ({ intent }) => intent.tool?.name ?? null],
  ['tool_version', ({ intent }) => intent.tool?.version ?? null],
  ['route', ({ intent }) => intent.route],
];

/** Of a call that is settled already nobody asks what was held for it, nor against which budgets. */
export const HELD: readonly BoundColumn<OpenedCall>[] = [
  ['held_nano', ({ intent }) => intent.held],
  ['budgets', ({ intent }) => (intent.budgets === '' ? null : intent.budgets)],
];

/** `last`: the last attempt; `usageGroup`: the number of the group that the call is added up in. */
export type SettledCall = { settlement: Settlement; last: AttemptRecord | undefined; usageGroup: number };

export const SETTLED: readonly BoundColumn<SettledCall>[] = [
  ['status', ({ settlement }) => settlement.status],
  ['http_status', ({ settlement }) => settlement.httpStatus],
  ['error_kind', ({ settlement }) => settlement.errorKind],
  ...TOKEN_COLUMNS.map(
    ({ member, column }): BoundColumn<SettledCall> => [column, ({ settlement }) => settlement.usage[member]],
  ),
  ['cache_write_1h_tokens', ({ settlement }) => writtenForAnHour(settlement.usage)],
  ['service_tier', ({ settlement }) => settlement.usage.serviceTier ?? null],
  ['usage_source', ({ settlement }) => settlement.usageSource],
  ['line_items', ({ settlement }) => JSON.stringify(writeLineItems(settlement.lineItems))],
  ['cost_nano', ({ settlement }) => settlement.cost],
  ['settled_at', ({ settlement }) => settlement.settledAt],
  ['time_to_first_token_ms', ({ settlement }) => settlement.timeToFirstTokenMs],
  ['dropped', ({ settlement: { dropped } }) => (dropped.length === 0 ? null : JSON.stringify(dropped))],
  ['attempts', ({ settlement }) => settlement.attempts.length],
  ['upstream_status', ({ last }) => last?.httpStatus ?? null],
  ['upstream_request_id', ({ last }) => last?.upstreamRequestId ?? null],
  ['attempted_at', ({ last }) => last?.startedAt ?? null],
  ['usage_group', ({ usageGroup }) => usageGroup],
];

/** What few calls have to tell of their end. */
export const MORE_SETTLED: readonly BoundColumn<SettledCall>[] = [
  ['credential', ({ last }) => (last === undefined ? null : toldCredential(last))],
  ['possibly_billed', ({ last }) => (last === undefined ? null : toldBilling(last))],
  ['charged_otherwise', ({ settlement }) => (isChargedOtherwise(settlement) ? 1 : null)],
  ['vendor_cost_nano', ({ settlement }) => (isChargedOtherwise(settlement) ? settlement.routed!.vendorCost : null)],
  ['counted_nano', ({ settlement: { counted, cost } }) => (counted === (cost ?? 0n) ? null : counted)],
  [
    'reported_usage',
    ({ settlement: { reported } }) => (reported === null ? null : JSON.stringify(writeUsage(reported))),
  ],
  ['more_usage', ({ settlement }) => jsonOrNull(moreOf(settlement.usage))],
  ['error_code', ({ last }) => last?.errorCode ?? null],
];

export type EarlierAttempt = { callId: string; number: number; attempt: AttemptRecord };

export const ATTEMPT: readonly BoundColumn<EarlierAttempt>[] = [
  ['call_id', ({ callId }) => callId],
  ['number', ({ number }) => number],
  ['provider', ({ attempt }) => attempt.provider],
  ['upstream_model', ({ attempt }) => attempt.upstreamModel],
  ['status', ({ attempt }) => attempt.status],
  ['http_status', ({ attempt }) => attempt.httpStatus],
  ['error_kind', ({ attempt }) => attempt.errorKind],
  ['upstream_request_id', ({ attempt }) => attempt.upstreamRequestId],
  ['started_at', ({ attempt }) => attempt.startedAt],
  ['ended_at', ({ attempt }) => attempt.endedAt],
  ['usage_source', ({ attempt }) => attempt.usageSource],
  ['credential', ({ attempt }) => toldCredential(attempt)],
  ['possibly_billed', ({ attempt }) => toldBilling(attempt)],
  ['error_code', ({ attempt }) => attempt.errorCode],
];

/** Their names, for a statement. */
export function namesOf(...lists: readonly (readonly BoundColumn<never>[])[]): string {
  return lists.flatMap((columns) => columns.map(([name]) => name)).join(', ');
}

export function placeholders(...lists: readonly (readonly BoundColumn<never>[])[]): string {
  return lists.flatMap((columns) => columns.map(() => '?')).join(', ');
}

/**
 * Makes what is bound to a statement that has their names, in their order.
 *
 * /!\ Hot path: each column is called at a place of its own, which V8 can inline.
 */
export function binderOf<Of>(columns: readonly BoundColumn<Of>[]): (of: Of) => SQLInputValue[] {
  const writes = columns.map((_, index) => `write${index}`);
  const make: (...writes: readonly BoundColumn<Of>[1][]) => (of: Of) => SQLInputValue[] = compiled(
    writes,
    `return (of) => [${writes.map((write) => `${write}(of)`)}];`,
  );
  return make(...columns.map(([, write]) => write));
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
