import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { UsageReader } from '../core/ports.ts';
import type { UsageQuery, UsageRecord } from '../core/records.ts';
import type { Usage } from '../core/usage.ts';
import type { Schema } from './schema.ts';

/** How many calls are looked through for a model in one turn of the event loop: an index would cost every call. */
const SCANNED_CALLS = 2_000;

type Row = Awaited<ReturnType<typeof newest>>[number];

/** Settled calls, newest first, once the tables have caught up. Ids sort by time, so the primary key is the order. */
export function createUsageReader(db: Kysely<Schema>, catchUp: () => Promise<void>): UsageReader {
  return {
    async list(query) {
      await catchUp();
      const organizations = query.organizationId === null ? await organizationIds(db) : [query.organizationId];
      if (query.after !== undefined && !(await isSettled(db, query.after, organizations))) return null;
      const rows: Row[] = [];
      for (const organization of organizations) rows.push(...(await newest(db, organization, query)));
      rows.sort((a, b) => (a.id < b.id ? 1 : -1));
      return { records: rows.slice(0, query.limit).map(readRecord), hasMore: rows.length > query.limit };
    },
  };
}

async function organizationIds(db: Kysely<Schema>): Promise<string[]> {
  return (await db.selectFrom('organizations').select('id').execute()).map((row) => row.id);
}

async function isSettled(db: Kysely<Schema>, id: string, organizations: string[]): Promise<boolean> {
  const query = db.selectFrom('calls').select('id').where('id', '=', id).where('status', '<>', 'open');
  return (await query.where('organization_id', 'in', organizations).executeTakeFirst()) !== undefined;
}

/** One organization's newest settled calls past the cursor; one more than the limit tells that there are more. */
async function newest(db: Kysely<Schema>, organizationId: string, { model, limit, after }: UsageQuery) {
  const calls = db.selectFrom('calls').where('organization_id', '=', organizationId).orderBy('id', 'desc');
  let settled = calls.selectAll().where('status', '<>', 'open');
  if (after !== undefined) settled = settled.where('id', '<', after);
  if (model === undefined) return settled.limit(limit + 1).execute();

  const ofModel = settled.where((call) => call.or([call('model', '=', model), call('requested_model', '=', model)]));
  const rows = [];
  for (let end = after; ; await turn()) {
    const ahead = end === undefined ? calls : calls.where('id', '<', end);
    const last = await ahead
      .select('id')
      .offset(SCANNED_CALLS - 1)
      .limit(1)
      .executeTakeFirst();
    let span = end === undefined ? ofModel : ofModel.where('id', '<', end);
    if (last !== undefined) span = span.where('id', '>=', last.id);
    rows.push(...(await span.limit(limit + 1 - rows.length).execute()));
    if (last === undefined || rows.length > limit) return rows;
    end = last.id;
  }
}

function readRecord(row: Row): UsageRecord {
  const createdAt = Number(row.created_at);
  return {
    id: row.id,
    requestId: row.request_id,
    clientRequestId: row.client_request_id,
    organizationId: row.organization_id,
    keyId: row.key_id,
    source: row.source,
    product: null,
    tool: null,
    dialect: row.dialect,
    model: row.model,
    requestedModel: row.requested_model,
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
    vendorCost: row.cost_nano,
    latencyMs: Number(row.settled_at) - createdAt,
    timeToFirstTokenMs: row.time_to_first_token_ms === null ? null : Number(row.time_to_first_token_ms),
    attempts: Number(row.attempts),
    dropped: row.dropped === null ? [] : (JSON.parse(row.dropped) as string[]),
  };
}

function readUsage(row: Row): Usage {
  return {
    inputTokens: Number(row.input_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    cacheWrite1hTokens: Number(row.cache_write_1h_tokens),
    outputTokens: Number(row.output_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    audioInputTokens: Number(row.audio_input_tokens),
    audioOutputTokens: Number(row.audio_output_tokens),
    ...(row.service_tier === null ? {} : { serviceTier: row.service_tier }),
  };
}
