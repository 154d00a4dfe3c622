import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { type AuditEvent, type Audited, type AuditQuery, type AuditVerdict, actorIdOf } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning, sortingPart } from '../core/record-id.ts';
import type { AuditReader } from '../core/settings-store.ts';
import { actorsAskedFor } from './audit-actors.ts';
import {
  type AuditHead,
  DamagedHeadError,
  isProven,
  type KeptAuditHead,
  readAuditHead,
  writeAuditHead,
} from './audit-head.ts';
import { type AuditFilter, searchAuditLog } from './audit-search.ts';
import { BEHIND_ALL } from './call-scan.ts';
import { pageOf, placeOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** How many entries a check reads at a time. */
const CHECKED_AT_ONCE = 1_000;

/**
 * The row of an entry. Its link is the HMAC of the link before, its number and all that it says: who has no key can change
 * nothing, take nothing out and put nothing in without breaking the chain.
 */
export function auditRow({ event, key }: Audited, before: { number: bigint; link: Uint8Array } | null) {
  const number = Number(before?.number ?? 0n) + 1;
  const columns = columnsOf(event);
  return { number, ...columns, link: linkOf(key, before?.link ?? null, { number, ...columns }, PROVEN) };
}

/** What is said first in the link of an entry whose version of the gateway also proves the head; those of before say nothing. */
const PROVEN = 'entry with a proven head';

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

function linkOf(key: Uint8Array, before: Uint8Array | null, row: AuditColumns, mark: string): Buffer {
  const { number, id, organization_id, type, at, actor_id, actor_email, project_id, resource_id, event } = row;
  const said = [number, id, organization_id, type, at, actor_id, actor_email, project_id, resource_id, event];
  return createHmac('sha256', key)
    .update(mark)
    .update(before ?? '')
    .update(JSON.stringify(said))
    .digest();
}

/** @param folder - has the head of the log */
export function createAuditReader(db: Kysely<Schema>, folder: string): AuditReader {
  return {
    async list(organizationId, query) {
      await demandPlace(db, organizationId, query);
      const found = await read(db, organizationId, query);
      return pageOf(found.map(readEvent), query);
    },

    async verify(key) {
      const head = readHead(folder);
      const isDamaged = head instanceof DamagedHeadError;
      const { verdict, chainFault } = await verify(db, key, isDamaged ? null : head);
      if (!isDamaged || chainFault !== null) return verdict;
      const words = `is not told of by audit-head.json, which ${head.message}`;
      return { ...verdict, fault: { number: verdict.entries, words } };
    },

    async accept(key) {
      const head = readHead(folder);
      const { verdict, link, chainFault } = await verify(db, key, head instanceof DamagedHeadError ? null : head);
      if (chainFault !== null) return { ...verdict, fault: chainFault };
      if (link !== null) replaceHead(folder, { entries: verdict.entries, link }, key);
      return { ...verdict, fault: null };
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

/** One more than a page has, in its order, but for the page before an item: from there on towards its beginning. */
async function read(db: Kysely<Schema>, organizationId: string, query: AuditQuery): Promise<{ event: string }[]> {
  const { direction } = placeOf(query, 'desc');
  const entries = db.selectFrom('audit_log').select('event').orderBy('id', direction);
  const ids = idBounds(query);
  const filters = [...(await actorsAskedFor(db, organizationId, query)), ...listsAskedFor(query)];
  if (filters.length > 0) {
    const found = await searchAuditLog(db, { organizationId, query, filters, ids });
    return found.length === 0 ? [] : entries.where('id', 'in', found).execute();
  }
  const { limit, from, until } = query;
  return entries
    .where('organization_id', '=', organizationId)
    .where('id', '>', ids.from)
    .where('id', '<', ids.until)
    .$if(from !== undefined, (some) => some.where('at', '>=', BigInt(from!)))
    .$if(until !== undefined, (some) => some.where('at', '<', BigInt(until!)))
    .limit(limit + 1)
    .execute();
}

function listsAskedFor({ types, projectIds, resourceIds }: AuditQuery): AuditFilter[] {
  const lists = [
    ['type', types],
    ['project_id', projectIds],
    ['resource_id', resourceIds],
  ] as const;
  return lists.flatMap(([column, values]) => (values === undefined ? [] : [[{ column, values }]]));
}

/** Between what ids, both exclusive, the entries of a page can be: by its place, and by the times that are asked for, which ids tell. */
function idBounds(query: AuditQuery): { from: string; until: string } {
  const { from: place, past } = placeOf(query, 'desc');
  const from = query.from === undefined ? '' : idBeginning(query.from);
  const until = query.until === undefined ? BEHIND_ALL : idBeginning(query.until + MAX_ID_LEAD_MS);
  if (place === undefined) return { from, until };
  if (past === '>') return { from: place > from ? place : from, until };
  return { from, until: place < until ? place : until };
}

/** What the ids of entries of a time (Unix ms) begin with. They may be ahead of it by `MAX_ID_LEAD_MS`. */
function idBeginning(time: number): string {
  return `audit_log-${sortingPart(recordIdBeginning(Math.max(0, time)))}`;
}

function readEvent({ event }: { event: string }): AuditEvent {
  return JSON.parse(event) as AuditEvent;
}

/** What goes through the whole log comes to: `chainFault` is of the log itself, and `verdict` also of what the head says. */
type CheckedLog = { verdict: AuditVerdict; chainFault: AuditVerdict['fault']; link: Uint8Array | null };

/** Goes through the whole log, of all organizations, and tells of the first entry that is not as it was written. */
async function verify(db: Kysely<Schema>, key: Uint8Array, head: KeptAuditHead | null): Promise<CheckedLog> {
  let entries = 0;
  let link: Uint8Array | null = null;
  /** The link of the entry that the head speaks of. */
  let linkAtHead: Uint8Array | null = null;
  let isProofDue = false;
  const broken = (number: number, words: string): CheckedLog => {
    const fault = { number, words };
    return { verdict: { entries, fault }, chainFault: fault, link };
  };
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('number', '>', BigInt(entries))
      .orderBy('number')
      .limit(CHECKED_AT_ONCE)
      .execute();
    for (const { link: kept, ...row } of rows) {
      const columns = columnsIn({ ...row, link: kept });
      if (columns.number !== entries + 1) return broken(entries + 1, 'is missing');
      // Once one has the mark, all that follow have it.
      const isMarked = same(kept, linkOf(key, link, columns, PROVEN));
      if (!isMarked && (isProofDue || !same(kept, linkOf(key, link, columns, ''))))
        return broken(columns.number, 'was changed');
      isProofDue = isMarked;
      entries = columns.number;
      link = kept;
      if (entries === head?.entries) linkAtHead = kept;
    }
    if (rows.length < CHECKED_AT_ONCE) break;
  }
  const fault = headFault(head, { entries, linkAtHead, isProven: head !== null && isProven(head, key), isProofDue });
  return { verdict: { entries, fault }, chainFault: null, link };
}

type LogRead = { entries: number; linkAtHead: Uint8Array | null; isProven: boolean; isProofDue: boolean };

/** Where the head and the log, whose chain is whole, say different things. */
function headFault(head: KeptAuditHead | null, { entries, linkAtHead, ...proof }: LogRead): AuditVerdict['fault'] {
  if (head === null)
    return entries === 0 ? null : { number: entries, words: 'is not told of by audit-head.json, which is missing' };
  if (entries < head.entries) {
    const words = 'is missing, with all that followed: the log was cut, or is an older copy than audit-head.json';
    return { number: entries + 1, words };
  }
  if (head.entries > 0 && (linkAtHead === null || !same(linkAtHead, head.link)))
    return { number: head.entries, words: 'is another than audit-head.json says' };
  const isBelieved = proof.isProven || (head.proof === null && !proof.isProofDue);
  return isBelieved ? null : { number: head.entries, words: 'is told of by an audit-head.json that was changed' };
}

/**
 * Whether the head may be moved on to the end of the log. A head that the log does not go through any more stays: it is what tells
 * that the log was cut, however far it has grown again. Without a proof, or missing, it is believed only as long as the entry
 * before the new ones is of a version that wrote none.
 *
 * @param added - the entry that was just added, and the two before it
 */
export function mayMoveHead(
  head: KeptAuditHead | null,
  key: Uint8Array,
  { linkAtHead, added }: { linkAtHead: Uint8Array | null; added: readonly Chained[] },
): boolean {
  const goesThrough = head === null || head.entries === 0 || (linkAtHead !== null && same(linkAtHead, head.link));
  if (!goesThrough) return false;
  if (head !== null && isProven(head, key)) return true;
  const [, before = null, first = null] = added;
  if (head?.proof !== undefined && head.proof !== null) return false;
  return before === null || !same(before.link, linkOf(key, first?.link ?? null, columnsIn(before), PROVEN));
}

/** A row of the log as it is read. */
export type Chained = Selectable<Schema['audit_log']>;

function columnsIn({ link: _, ...row }: Chained): AuditColumns {
  return { ...row, number: Number(row.number), at: Number(row.at) };
}

function readHead(folder: string): KeptAuditHead | DamagedHeadError | null {
  try {
    return readAuditHead(folder);
  } catch (error) {
    if (error instanceof DamagedHeadError) return error;
    throw error;
  }
}

/** Throws `invalid_request` where what stands there cannot be replaced, such as a folder. */
function replaceHead(folder: string, head: AuditHead, key: Uint8Array): void {
  try {
    writeAuditHead(folder, head, key);
  } catch (cause) {
    const damage = readHead(folder);
    if (!(damage instanceof DamagedHeadError)) throw cause;
    const message = `audit-head.json in the data folder ${damage.message}. Move it away, and accept the log again.`;
    throw new GatewayError('invalid_request', message, { cause });
  }
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
