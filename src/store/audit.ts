import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { type AuditEvent, type Audited, type AuditQuery, type AuditVerdict, actorIdOf } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import type { AuditReader } from '../core/settings-store.ts';
import { pageOf, placeOf } from './pages.ts';
import type { Schema } from './schema.ts';
import { actorsAskedFor } from './sqlite/audit-actors.ts';

/** How far the log goes: kept outside the database, so that a log whose end was cut off is found. */
export type AuditHead = { entries: number; link: Uint8Array };

const HEAD_FILE = 'audit-head.json';
/** How many entries a check reads at a time. */
const CHECKED_AT_ONCE = 1_000;

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
 * One more than a page has, in its order, but for the page before an item: from there on towards its beginning. Where actors are
 * asked for, so many are read of each by the index that tells them, which costs the same however long the log is; what other
 * filters leave out is walked over, of these actors alone. Without actors it is walked over in the whole log of the organization.
 */
async function read(db: Kysely<Schema>, organizationId: string, query: AuditQuery): Promise<{ event: string }[]> {
  const rows = matching(db, organizationId, query);
  const [first, second] = await actorsAskedFor(db, organizationId, query);
  if (first === undefined) return rows.select('event').execute();
  const narrowed =
    second === undefined
      ? rows
      : rows.where(({ or, eb }) => or(second.map(({ column, values }) => eb(column, 'in', values))));
  const ids = new Set<string>();
  for (const { column, values } of first) {
    for (const value of values) {
      for (const { id } of await narrowed.select('id').where(column, '=', value).execute()) ids.add(id);
    }
  }
  const { direction } = placeOf(query, 'desc');
  const sorted = direction === 'asc' ? [...ids].sort() : [...ids].sort().reverse();
  const wanted = sorted.slice(0, query.limit + 1);
  return db.selectFrom('audit_log').select('event').where('id', 'in', wanted).orderBy('id', direction).execute();
}

/** The entries that are asked for, but for who did it. */
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
  const lists = [
    ['type', query.types],
    ['project_id', query.projectIds],
    ['resource_id', query.resourceIds],
  ] as const;
  for (const [column, wanted] of lists) if (wanted !== undefined) rows = rows.where(column, 'in', wanted);
  return rows;
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
