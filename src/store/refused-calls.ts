import { setImmediate as turn } from 'node:timers/promises';
import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely';
import type { CallsOf } from '../core/records.ts';
import type { RefusedBounds, RefusedQuery, RefusedRecord, RefusedSender, RefusedStore } from '../core/refused-calls.ts';
import { unindexed } from './dialect.ts';
import { keyNamesOf } from './names.ts';
import type { RefusedCallsTable, Schema } from './schema.ts';

/** Rows of one statement: it binds a limited number of values. */
const ROWS_PER_STATEMENT = 500;
/** The oldest rows of all keys are looked for once in this many additions, because that reads an entry of each row. */
const ADDITIONS_PER_TRIM = 32;
/** The key and the organization of a call without an accepted key. */
const NOBODY = '';

type RefusedFilter = (row: ExpressionBuilder<Schema, 'refused_calls'>) => Expression<SqlBool>;

/**
 * Refused calls in a table of their own, newest last.
 *
 * @param read - where lists are read; may be the same connection as `write`
 */
export function createRefusedStore(read: Kysely<Schema>, write: Kysely<Schema>): RefusedStore {
  let additions = 0;

  async function trim(keyIds: Iterable<string>, { inAll, perKey }: RefusedBounds): Promise<void> {
    const rows = write.selectFrom('refused_calls').select('id').orderBy('id', 'desc').limit(1);
    for (const keyId of keyIds) {
      const oldest = rows.where('key_id', '=', keyId).offset(perKey);
      await write.deleteFrom('refused_calls').where('key_id', '=', keyId).where('id', '<=', oldest).execute();
    }
    if (additions % ADDITIONS_PER_TRIM === 0)
      await write.deleteFrom('refused_calls').where('id', '<=', rows.offset(inAll)).execute();
  }

  return {
    async add(calls, bounds) {
      for (let from = 0; from < calls.length; from += ROWS_PER_STATEMENT) {
        const rows = calls.slice(from, from + ROWS_PER_STATEMENT).map(rowOf);
        await write.insertInto('refused_calls').values(rows).execute();
      }
      additions += 1;
      await trim(new Set(calls.map(({ keyId }) => keyId ?? NOBODY)), bounds);
    },

    async list(query) {
      const { limit, after } = query;
      const asked = read.selectFrom('refused_calls').where(await mayRead(read, query.organizationId, query));
      if (after !== undefined && (await asked.select('id').where('id', '=', after).executeTakeFirst()) === undefined)
        return null;
      let found = asked
        .selectAll()
        .where(conditionOf(query))
        .orderBy('id', 'desc')
        .limit(limit + 1);
      if (after !== undefined) found = found.where('id', '<', after);
      const rows = await found.execute();
      const records = rows.slice(0, limit).map(readRow);
      const keyNames = await keyNamesOf(read, [...new Set(records.flatMap(({ keyId }) => keyId ?? []))]);
      return { records, keyNames, hasMore: rows.length > limit };
    },

    async find(organizationId, id, of = {}) {
      const found = await read
        .selectFrom('refused_calls')
        .selectAll()
        .where(await mayRead(read, organizationId, of))
        .where((row) => row.or([row('id', '=', id), row('request_id', '=', id)]))
        .executeTakeFirst();
      if (found === undefined) return null;
      const record = readRow(found);
      const names = await keyNamesOf(read, record.keyId === null ? [] : [record.keyId]);
      return { record, keyName: names[record.keyId ?? NOBODY] ?? null };
    },

    purge: (before, keylessBefore) => purge(write, before, keylessBefore),
  };
}

/** In steps, so that nothing waits long for the table. */
async function purge(write: Kysely<Schema>, before: number, keylessBefore: number): Promise<number> {
  const old = write
    .selectFrom('refused_calls')
    .select('id')
    .where((row) =>
      row.or([
        row('at', '<', BigInt(before)),
        row.and([row('key_id', '=', NOBODY), row('at', '<', BigInt(keylessBefore))]),
      ]),
    )
    .limit(ROWS_PER_STATEMENT);
  for (let deleted = 0; ; await turn()) {
    const { numDeletedRows } = await write.deleteFrom('refused_calls').where('id', 'in', old).executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
    if (numDeletedRows < BigInt(ROWS_PER_STATEMENT)) return deleted;
  }
}

/** The calls that a caller may read. */
async function mayRead(read: Kysely<Schema>, organizationId: string | null, of: CallsOf): Promise<RefusedFilter> {
  if (organizationId === null) return ofCalls(of);
  const first = await read
    .selectFrom('organizations')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const isOwn = ofOrganization(organizationId, first?.id === organizationId);
  return (row) => row.and([isOwn(row), ofCalls(of)(row)]);
}

/**
 * Calls without an accepted key belong to nobody; the first organization, whose operator runs the gateway, reads them. It has most
 * of the rows, so it goes through them by id; the others have an index of their own.
 */
function ofOrganization(id: string, isFirst: boolean): RefusedFilter {
  if (!isFirst) return (row) => row('organization_id', '=', id);
  return (row) => row(unindexed(row.ref('organization_id')), 'in', [id, NOBODY]);
}

function ofCalls({ keyId, projectId }: CallsOf): RefusedFilter {
  return (row) => {
    const wanted: Expression<SqlBool>[] = [];
    if (keyId !== undefined) wanted.push(row('key_id', '=', keyId));
    if (projectId !== undefined) {
      const key = row.selectFrom('api_keys').select('api_keys.id').whereRef('api_keys.id', '=', 'refused_calls.key_id');
      wanted.push(row.exists(key.where('project_id', '=', projectId)));
    }
    return row.and(wanted);
  };
}

function conditionOf({ model, source, product, tool, from, until }: RefusedQuery): RefusedFilter {
  return (row) => {
    const wanted: Expression<SqlBool>[] = [];
    if (model !== undefined) wanted.push(row('requested_model', '=', model));
    if (source !== undefined) wanted.push(row('source', '=', source));
    if (product !== undefined) wanted.push(row('product', '=', product));
    if (tool !== undefined) wanted.push(row('tool_name', '=', tool));
    if (from !== undefined) wanted.push(row('at', '>=', BigInt(from)));
    if (until !== undefined) wanted.push(row('at', '<', BigInt(until)));
    return row.and(wanted);
  };
}

function rowOf(call: RefusedRecord) {
  return {
    id: call.id,
    request_id: call.requestId,
    client_request_id: call.clientRequestId,
    at: call.at,
    organization_id: call.organizationId ?? NOBODY,
    key_id: call.keyId ?? NOBODY,
    sent_key: call.sender?.key ?? null,
    address: call.sender?.address ?? null,
    source: call.source,
    product: call.product,
    tool_name: call.tool?.name ?? null,
    tool_version: call.tool?.version ?? null,
    requested_model: call.model,
    http_status: call.httpStatus,
    error_kind: call.errorKind,
    message: call.message,
    param: call.param,
    latency_ms: call.latencyMs,
    shed: call.shed,
  };
}

function readRow(row: RefusedRow): RefusedRecord {
  const isNobodys = row.key_id === NOBODY;
  const sender: RefusedSender = { key: row.sent_key, address: row.address };
  return {
    id: row.id,
    requestId: row.request_id,
    clientRequestId: row.client_request_id,
    at: Number(row.at),
    organizationId: row.organization_id === NOBODY ? null : row.organization_id,
    keyId: isNobodys ? null : row.key_id,
    sender: isNobodys ? sender : null,
    source: row.source,
    product: row.product,
    tool: row.tool_name === null ? null : { name: row.tool_name, version: row.tool_version },
    model: row.requested_model,
    httpStatus: Number(row.http_status),
    errorKind: row.error_kind,
    message: row.message,
    param: row.param,
    latencyMs: Number(row.latency_ms),
    shed: Number(row.shed),
  };
}

type RefusedRow = Selectable<RefusedCallsTable>;
