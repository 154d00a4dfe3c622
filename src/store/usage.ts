import { setImmediate as turn } from 'node:timers/promises';
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { UsageReader } from '../core/ports.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning } from '../core/record-id.ts';
import type { UsageQuery } from '../core/records.ts';
import { type CallRow, readRecord } from './call-rows.ts';
import type { Schema } from './schema.ts';

/** How many calls are looked through in one turn of the event loop: an index for each filter would cost every call. */
export const SCANNED_CALLS = 2_000;

/** What is asked of calls, beside whose they are. */
type Filter = (call: ExpressionBuilder<Schema, 'calls'>) => Expression<SqlBool>;
/** Where to look: ids from `start` on, up to and without `end`. */
export type Span = { start: string; end: string | undefined };

/** Settled calls, newest first, once the tables have caught up. Ids sort by time, so the primary key is the order. */
export function createUsageReader(db: Kysely<Schema>, catchUp: () => Promise<void>): UsageReader {
  return {
    async list(query) {
      await catchUp();
      const organizations = query.organizationId === null ? await organizationIds(db) : [query.organizationId];
      if (query.after !== undefined && !(await isSettled(db, query.after, organizations))) return null;
      const rows: CallRow[] = [];
      for (const organization of organizations) rows.push(...(await newest(db, organization, query)));
      rows.sort((a, b) => (a.id < b.id ? 1 : -1));
      return { records: rows.slice(0, query.limit).map(readRecord), hasMore: rows.length > query.limit };
    },
  };
}

export async function organizationIds(db: Kysely<Schema>): Promise<string[]> {
  return (await db.selectFrom('organizations').select('id').execute()).map((row) => row.id);
}

async function isSettled(db: Kysely<Schema>, id: string, organizations: string[]): Promise<boolean> {
  const query = db.selectFrom('calls').select('id').where('id', '=', id).where('status', '<>', 'open');
  return (await query.where('organization_id', 'in', organizations).executeTakeFirst()) !== undefined;
}

/** One organization's newest settled calls past the cursor; one more than the limit tells that there are more. */
function newest(db: Kysely<Schema>, organizationId: string, query: UsageQuery): Promise<CallRow[]> {
  const { limit, after } = query;
  const filter = filterOf(query);
  if (filter !== null) return scan(db, organizationId, filter, spanOf(query), limit + 1);
  let settled = db.selectFrom('calls').selectAll().where('organization_id', '=', organizationId);
  if (after !== undefined) settled = settled.where('id', '<', after);
  return settled
    .where('status', '<>', 'open')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Looks through one organization's settled calls, from the newest on, for at most so many that the filter lets through. */
async function scan(
  db: Kysely<Schema>,
  organizationId: string,
  filter: Filter,
  { start, end: first }: Span,
  limit: number,
): Promise<CallRow[]> {
  const all = db.selectFrom('calls').where('organization_id', '=', organizationId).where('id', '>=', start);
  const calls = all.orderBy('id', 'desc');
  const wanted = calls.selectAll().where('status', '<>', 'open').where(filter);
  const rows: CallRow[] = [];
  for (let end = first; ; await turn()) {
    const ahead = end === undefined ? calls : calls.where('id', '<', end);
    const last = await ahead
      .select('id')
      .offset(SCANNED_CALLS - 1)
      .limit(1)
      .executeTakeFirst();
    let span = end === undefined ? wanted : wanted.where('id', '<', end);
    if (last !== undefined) span = span.where('id', '>=', last.id);
    rows.push(...(await span.limit(limit - rows.length).execute()));
    if (last === undefined || rows.length === limit) return rows;
    end = last.id;
  }
}

/** `null` where every call is wanted. */
function filterOf({ model, source, product, tool, keyId, from, until }: UsageQuery): Filter | null {
  const wanted: Filter[] = [];
  if (model !== undefined) {
    wanted.push((call) => call.or([call('model', '=', model), call('requested_model', '=', model)]));
  }
  if (source !== undefined) wanted.push((call) => call('source', '=', source));
  if (product !== undefined) wanted.push((call) => call('product', '=', product));
  if (tool !== undefined) wanted.push((call) => call('tool_name', '=', tool));
  if (keyId !== undefined) wanted.push((call) => call('key_id', '=', keyId));
  if (from !== undefined) wanted.push((call) => call('created_at', '>=', BigInt(from)));
  if (until !== undefined) wanted.push((call) => call('created_at', '<', BigInt(until)));
  return wanted.length === 0 ? null : (call) => call.and(wanted.map((each) => each(call)));
}

/** Between what times the calls that are asked for can be, as far as ids tell. */
function spanOf({ from, until, after }: UsageQuery): Span {
  const start = from === undefined ? '' : recordIdBeginning(from);
  const end = until === undefined ? undefined : recordIdBeginning(until + MAX_ID_LEAD_MS);
  return { start, end: end === undefined || (after !== undefined && after < end) ? after : end };
}
