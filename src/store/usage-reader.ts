import type { Kysely } from 'kysely';
import { GatewayError } from '../core/errors.ts';
import type { UsageReader } from '../core/ports.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning } from '../core/record-id.ts';
import type { UsageQuery } from '../core/records.ts';
import { wholeSummary } from '../core/usage-summary.ts';
import { filterOf, filterOfCalls, isGrouped } from './call-filter.ts';
import { type CallRow, readRecord } from './call-rows.ts';
import { BEHIND_ALL, type FoundCalls, type Span, scan } from './call-scan.ts';
import { createFirstTokenReader } from './first-token-reader.ts';
import { createGroupedCalls } from './grouped-calls.ts';
import { keyNamesOf, organizationIds } from './names.ts';
import type { Reading } from './reading.ts';
import { ReportTime } from './report-time.ts';
import type { Schema } from './schema.ts';
import { createBucketReader } from './usage-buckets.ts';
import { createDayReader, createSummaryReader } from './usage-summary.ts';

export type UsageReaderParts = {
  db: Kysely<Schema>;
  /** On the same data. */
  reading: Reading;
  catchUp(): Promise<void>;
  /** How long one list may be worked at, in ms; `null`: as long as it takes. */
  reportMs: number | null;
};

/**
 * Settled calls, newest first, once the tables have caught up. Ids sort by time, so the primary key is the order; what is
 * asked for of them is found by their groups.
 */
export function createUsageReader({ db, reading, catchUp, reportMs }: UsageReaderParts): UsageReader {
  const grouped = createGroupedCalls(db, reading);

  /** One more than the limit tells that there are more. */
  async function newest(organizationId: string, query: UsageQuery, time: ReportTime): Promise<FoundCalls> {
    const limit = query.limit + 1;
    const span = spanOf(query);
    const wanted = filterOfCalls(query);
    if (!isGrouped(query)) {
      if (wanted === null)
        return { rows: await time.step(() => all(db, organizationId, span, limit)), isCutShort: false };
      return scan(db, organizationId, { filter: wanted, span, limit, time });
    }
    return grouped.newest(organizationId, { query, filter: wanted!, span, limit, time });
  }

  const summaryParts = createSummaryReader({ db, reading, catchUp, reportMs });
  return {
    summaryParts,
    summarize: (query) => wholeSummary(summaryParts(query)),
    firstTokens: createFirstTokenReader(reading, catchUp),
    buckets: createBucketReader({ db, rowsOfDay: createDayReader(reading), catchUp, reportMs }),

    async list(query) {
      await catchUp();
      const time = new ReportTime(reportMs);
      const organizations = query.organizationId === null ? await organizationIds(db) : [query.organizationId];
      if (query.after !== undefined && !(await isPlace(db, query.after, organizations, query))) return null;
      const found: FoundCalls[] = [];
      for (const organization of organizations) found.push(await newest(organization, query, time));
      const { rows, isCutShort } = mergeFound(found);
      if (rows.length === 0 && isCutShort) throw tooWide(query);
      const records = rows.slice(0, query.limit).map(readRecord);
      const keyNames = await keyNamesOf(db, [...new Set(records.map(({ keyId }) => keyId))]);
      return { records, keyNames, hasMore: isCutShort || rows.length > query.limit };
    },
  };
}

/**
 * What was found in each organization, newest first, in one list of the same order. Where one was cut short, no record of
 * another that is older than how far it was read is told: whoever goes on behind that would miss records.
 */
export function mergeFound<Row extends { id: string }>(
  found: readonly { rows: readonly Row[]; isCutShort: boolean }[],
): { rows: Row[]; isCutShort: boolean } {
  const cut = found.filter(({ isCutShort }) => isCutShort);
  const rows = found.flatMap((each) => each.rows).sort((a, b) => (a.id < b.id ? 1 : -1));
  if (cut.length === 0) return { rows, isCutShort: false };
  if (cut.some((each) => each.rows.length === 0)) return { rows: [], isCutShort: true };
  const readTo = cut.map((each) => each.rows.at(-1)!.id).reduce((one, other) => (one > other ? one : other));
  return { rows: rows.filter(({ id }) => id >= readTo), isCutShort: true };
}

/** Nothing was found in time, and what was not looked at may hold something. */
function tooWide({ from, until }: UsageQuery): GatewayError {
  const param = from === undefined ? 'start_time' : 'end_time';
  const what =
    from === undefined || until === undefined
      ? 'Name a `start_time` and an `end_time`'
      : 'Bring `start_time` and `end_time` closer together';
  return new GatewayError(
    'invalid_request',
    `Nothing was found in the time that a report may take, and there are more records to look through. ${what}.`,
    { param },
  );
}

/** Whether an id is that of a settled call of the keys that are asked for. A page begins behind no other. */
async function isPlace(
  db: Kysely<Schema>,
  id: string,
  organizations: string[],
  { organizationId, keyId, projectId }: UsageQuery,
): Promise<boolean> {
  const isOf = filterOf({
    organizationId,
    ...(keyId !== undefined && { keyId }),
    ...(projectId !== undefined && { projectId }),
  });
  const query = db.selectFrom('calls').select('id').where('id', '=', id).where('status', '<>', 'open').where(isOf);
  return (await query.where('organization_id', 'in', organizations).executeTakeFirst()) !== undefined;
}

function all(db: Kysely<Schema>, organizationId: string, { end }: Span, limit: number): Promise<CallRow[]> {
  return db
    .selectFrom('calls')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '<', end)
    .where('status', '<>', 'open')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Between what times the calls that are asked for can be, as far as ids tell, and behind what cursor. */
function spanOf({ from, until, after }: UsageQuery): Span {
  const start = from === undefined ? '' : recordIdBeginning(from);
  const end = until === undefined ? BEHIND_ALL : recordIdBeginning(until + MAX_ID_LEAD_MS);
  return { start, end: after === undefined ? end : least(end, after) };
}

function least(one: string, other: string): string {
  return one < other ? one : other;
}
