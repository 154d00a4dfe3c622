import type { Selectable } from 'kysely';
import { DEFAULT_CREDENTIAL } from '../core/provider.ts';
import type { AttemptRecord, UsageRecord } from '../core/records.ts';
import type { Usage } from '../core/usage.ts';
import type { Schema } from './schema.ts';
import { tokensOfRow } from './token-columns.ts';
import { type MoreUsageJson, readMore, readUsage as readUsageJson, type UsageJson } from './usage-json.ts';

export type CallRow = Selectable<Schema['calls']>;
type AttemptRow = Selectable<Schema['earlier_attempts']>;

/** Reads a settled call. */
export function readRecord(row: CallRow): UsageRecord {
  const createdAt = Number(row.created_at);
  return {
    id: row.id,
    requestId: row.request_id,
    clientRequestId: row.client_request_id,
    organizationId: row.organization_id,
    keyId: row.key_id,
    source: row.source,
    product: row.product,
    tool: row.tool_name === null ? null : { name: row.tool_name, version: row.tool_version },
    dialect: row.dialect,
    model: row.model,
    requestedModel: row.requested_model,
    route: row.route,
    provider: row.provider,
    upstreamModel: row.upstream_model,
    streamed: row.streamed === 1n,
    createdAt,
    status: row.status as UsageRecord['status'],
    httpStatus: Number(row.http_status),
    errorKind: row.error_kind,
    usage: readUsage(row),
    usageSource: row.usage_source,
    cost: row.cost_nano,
    vendorCost: row.charged_otherwise === null ? row.cost_nano : row.vendor_cost_nano,
    counted: row.counted_nano ?? row.cost_nano ?? 0n,
    reported: row.reported_usage === null ? null : readReport(row.reported_usage),
    latencyMs: Number(row.settled_at) - createdAt,
    timeToFirstTokenMs: numberOrNull(row.time_to_first_token_ms),
    attempts: Number(row.attempts),
    dropped: row.dropped === null ? [] : (JSON.parse(row.dropped) as string[]),
  };
}

function readReport(json: string): Usage {
  return readUsageJson(JSON.parse(json) as UsageJson);
}

function readUsage(row: CallRow): Usage {
  return {
    ...tokensOfRow(row),
    ...(row.service_tier === null ? {} : { serviceTier: row.service_tier }),
    ...readMore(
      Number(row.cache_write_1h_tokens),
      row.more_usage === null ? null : (JSON.parse(row.more_usage) as MoreUsageJson),
    ),
  };
}

/** The attempts of a settled call: its own row holds the last, where that ended as the call did. */
export function readAttempts(call: CallRow, earlier: readonly AttemptRow[]): AttemptRecord[] {
  const attempts = earlier.map(readAttempt);
  if (BigInt(attempts.length) === call.attempts) return attempts;
  const { attempted_at: startedAt, settled_at: endedAt, upstream_status: status } = call;
  const last = { ...call, http_status: status, started_at: startedAt ?? call.created_at, ended_at: endedAt };
  return [...attempts, readAttempt(last)];
}

type AttemptColumns = Omit<AttemptRow, 'call_id' | 'number' | 'status'> & { status: CallRow['status'] };

function readAttempt(row: AttemptColumns): AttemptRecord {
  return {
    provider: row.provider,
    upstreamModel: row.upstream_model,
    credential: row.credential ?? DEFAULT_CREDENTIAL,
    status: row.status as AttemptRecord['status'],
    httpStatus: numberOrNull(row.http_status),
    errorKind: row.error_kind as AttemptRecord['errorKind'],
    errorCode: row.error_code,
    upstreamRequestId: row.upstream_request_id,
    startedAt: Number(row.started_at),
    endedAt: Number(row.ended_at),
    usageSource: row.usage_source,
    possiblyBilled: row.possibly_billed === 1n,
  };
}

export function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
