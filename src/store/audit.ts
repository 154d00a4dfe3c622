import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type AuditEvent, type Audited, type AuditQuery, type AuditVerdict, actorIdOf } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning, sortingPart } from '../core/record-id.ts';
import type { AuditReader } from '../core/settings-store.ts';
import { pageOf, placeOf } from './pages.ts';
import type { Schema } from './schema.ts';
import { type AuditFilter, actorsAskedFor } from './sqlite/audit-actors.ts';

/** How far the log goes: kept outside the database, so that a log whose end was cut off is found. */
export type AuditHead = { entries: number; link: Uint8Array };

const HEAD_FILE = 'audit-head.json';
/** How many entries a check reads at a time. */
const CHECKED_AT_ONCE = 1_000;
/** Of the entries that a filter finds, so many are counted for each of its values to tell which finds fewer. */
const COUNTED_AT_MOST = 1_000;

/**
 * The row of an entry. Its link is the HMAC of the link before, its number and all that it says: who has no key can change
 * nothing, take nothing out and put nothing in without breaking the chain.
 */
export function auditRow({ event, key }: Audited, before: { number: bigint; link: Uint8Array } | null) {
  const number = Number(before?.number ?? 0n) + 1;
  const columns = columnsOf(event);
  return { number, ...columns, link: linkOf(key, before?.link ?? null, { number, ...columns }) };
}

function columnsOf(event: AuditEvent) {
  const { id, organizationId, type, at, actor, project, resourceId } = event;
  return {
    id,
    organization_id: organizationId,
    type,
    at,
    actor_id: actorIdOf(actor),
    actor_email: actor.type === 'session' ? actor.email : null,
    project_id: project?.id ?? null,
    resource_id: resourceId,
    event: JSON.stringify(event),
  };
}

type AuditColumns = { number: number } & ReturnType<typeof columnsOf>;

function linkOf(key: Uint8Array, before: Uint8Array | null, row: AuditColumns): Buffer {
  const { number, id, organization_id, type, at, actor_id, actor_email, project_id, resource_id, event } = row;
  const said = [number, id, organization_id, type, at, actor_id, actor_email, project_id, resource_id, event];
  return createHmac('sha256', key)
    .update(before ?? '')
    .update(JSON.stringify(said))
    .digest();
}

/** Keeps how far the log goes, whole or not at all; one that is behind what is kept changes nothing. */
export function writeAuditHead(folder: string, { entries, link }: AuditHead): void {
  const kept = readAuditHead(folder);
  if (kept !== null && kept.entries > entries) return;
  const path = join(folder, HEAD_FILE);
  const draft = `${path}.tmp`;
  writeFileSync(draft, JSON.stringify({ entries, link: Buffer.from(link).toString('hex') }), { mode: 0o600 });
  renameSync(draft, path);
}

/** `null` where there is none. Throws where it cannot be read. */
export function readAuditHead(folder: string): AuditHead | null {
  let text: string;
  try {
    text = readFileSync(join(folder, HEAD_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const { entries, link } = JSON.parse(text) as { entries: number; link: string };
  return { entries, link: Buffer.from(link, 'hex') };
}

export function createAuditReader(db: Kysely<Schema>, folder: string): AuditReader {
  return {
    async list(organizationId, query) {
      await demandPlace(db, organizationId, query);
      const found = await read(db, organizationId, query);
      return pageOf(found.map(readEvent), query);
    },

    async verify(key) {
      return verify(db, key, readAuditHead(folder));
    },
  };
}

/** Entries are never deleted, so that a page is beside one that there is. Throws `invalid_request`. */
async function demandPlace(db: Kysely<Schema>, organizationId: string, { after, before }: AuditQuery): Promise<void> {
  const id = before ?? after;
  if (id === undefined) return;
  const entries = db.selectFrom('audit_log').select('id').where('organization_id', '=', organizationId);
  if ((await entries.where('id', '=', id).executeTakeFirst()) !== undefined) return;
  const param = before === undefined ? 'after' : 'before';
  const fault = `\`${param}\` is no entry of the audit log of this organization.`;
  throw new GatewayError('invalid_request', fault, { param });
}

/**
 * One more than a page has, in its order, but for the page before an item: from there on towards its beginning. Of each value that
 * the narrowest filter asks for so many are read, by the index that tells them, which costs the same however long the log is; what
 * the other filters leave out is walked over, of these values alone.
 */
async function read(db: Kysely<Schema>, organizationId: string, query: AuditQuery): Promise<{ event: string }[]> {
  const rows = matching(db, organizationId, query);
  const filters = [...(await actorsAskedFor(db, organizationId, query)), ...listsAskedFor(query)];
  const narrowest = filters.length < 2 ? filters[0] : await narrowestOf(db, organizationId, filters);
  if (narrowest === undefined) return within(rows, query).select('event').execute();
  let narrowed = rows;
  for (const filter of filters) {
    if (filter === narrowest) continue;
    // The plus keeps SQLite from taking the index of this filter.
    const passes = filter.map(({ column, values }) => sql<boolean>`+${column} in (${sql.join(values)})`);
    narrowed = narrowed.where(({ or }) => or(passes));
  }
  const ids = new Set<string>();
  for (const { column, values } of narrowest) {
    for (const value of values) {
      for (const { id } of await narrowed.select('id').where(column, '=', value).execute()) ids.add(id);
    }
  }
  const { direction } = placeOf(query, 'desc');
  const sorted = direction === 'asc' ? [...ids].sort() : [...ids].sort().reverse();
  const wanted = sorted.slice(0, query.limit + 1);
  return db.selectFrom('audit_log').select('event').where('id', 'in', wanted).orderBy('id', direction).execute();
}

function listsAskedFor({ types, projectIds, resourceIds }: AuditQuery): AuditFilter[] {
  const lists = [
    [sql.ref<string | null>('type'), types],
    [sql.ref<string | null>('project_id'), projectIds],
    [sql.ref<string | null>('resource_id'), resourceIds],
  ] as const;
  return lists.flatMap(([column, values]) => (values === undefined ? [] : [[{ column, values }]]));
}

/** The filter that the fewest entries pass; of what many pass no more is counted than tells that. */
async function narrowestOf(
  db: Kysely<Schema>,
  organizationId: string,
  filters: readonly AuditFilter[],
): Promise<AuditFilter> {
  const counts = new Map<AuditFilter, number>();
  for (const filter of filters) {
    let count = 0;
    for (const { column, values } of filter) {
      for (const value of values) {
        const some = db
          .selectFrom('audit_log')
          .select('number')
          .where('organization_id', '=', organizationId)
          .where(column, '=', value)
          .limit(COUNTED_AT_MOST)
          .as('some');
        const counted = db.selectFrom(some).select(({ fn }) => fn.countAll<bigint>().as('rows'));
        count += Number((await counted.executeTakeFirstOrThrow()).rows);
      }
    }
    counts.set(filter, count);
  }
  return filters.reduce((one, other) => (counts.get(other)! < counts.get(one)! ? other : one));
}

/** The entries within a page’s reach and the time that is asked for. */
function matching(db: Kysely<Schema>, organizationId: string, query: AuditQuery) {
  const { limit, from, until } = query;
  const { from: place, direction, past } = placeOf(query, 'desc');
  let rows = db
    .selectFrom('audit_log')
    .where('organization_id', '=', organizationId)
    .orderBy('id', direction)
    .limit(limit + 1);
  if (place !== undefined) rows = rows.where('id', past, place);
  if (from !== undefined) rows = rows.where('at', '>=', BigInt(from));
  if (until !== undefined) rows = rows.where('at', '<', BigInt(until));
  return rows;
}

/** Bounds the ids of what is looked for by time, since they tell it: entries of other times are not walked over. */
function within(rows: ReturnType<typeof matching>, { from, until }: AuditQuery): typeof rows {
  const begun = from === undefined ? rows : rows.where('id', '>=', idBeginning(from));
  return until === undefined ? begun : begun.where('id', '<', idBeginning(until + MAX_ID_LEAD_MS));
}

/** What the ids of entries of a time (Unix ms) begin with. They may be ahead of it by `MAX_ID_LEAD_MS`. */
function idBeginning(time: number): string {
  return `audit_log-${sortingPart(recordIdBeginning(Math.max(0, time)))}`;
}

function readEvent({ event }: { event: string }): AuditEvent {
  return JSON.parse(event) as AuditEvent;
}

/** Goes through the whole log, of all organizations, and tells of the first entry that is not as it was written. */
async function verify(db: Kysely<Schema>, key: Uint8Array, head: AuditHead | null): Promise<AuditVerdict> {
  let entries = 0;
  let link: Uint8Array | null = null;
  /** The link of the entry that the head speaks of. */
  let linkAtHead: Uint8Array | null = null;
  const broken = (number: number, words: string) => ({ entries, fault: { number, words } });
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('number', '>', BigInt(entries))
      .orderBy('number')
      .limit(CHECKED_AT_ONCE)
      .execute();
    for (const { link: kept, ...row } of rows) {
      const columns = { ...row, number: Number(row.number), at: Number(row.at) };
      if (columns.number !== entries + 1) return broken(entries + 1, 'is missing');
      const wanted = linkOf(key, link, columns);
      if (kept.length !== wanted.length || !timingSafeEqual(kept, wanted)) return broken(columns.number, 'was changed');
      entries = columns.number;
      link = kept;
      if (entries === head?.entries) linkAtHead = kept;
    }
    if (rows.length < CHECKED_AT_ONCE) break;
  }
  if (head === null)
    return entries === 0
      ? { entries, fault: null }
      : broken(entries, 'is not told of by audit-head.json, which is missing');
  if (entries < head.entries) return broken(entries + 1, 'is missing, with all that followed');
  if (linkAtHead === null || !timingSafeEqual(linkAtHead, head.link))
    return broken(head.entries, 'is another than audit-head.json says');
  return { entries, fault: null };
}
