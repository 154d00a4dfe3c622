import type { Kysely } from 'kysely';
import type { UsageQuery } from '../core/records.ts';
import { OTHER_NAMES } from '../core/usage-summary.ts';
import { conditionsOf } from './call-filter.ts';
import type { CallRow } from './call-rows.ts';
import { type FoundCalls, SCANNED_CALLS, type Scan, type Span, scan } from './call-scan.ts';
import type { Reading } from './reading.ts';
import type { Schema } from './schema.ts';

/** How many groups one step looks at. */
const GROUPS_PER_STEP = 2_000;
/** How many ids of one group are read at a time. */
const IDS_PER_READ = 32;

export type GroupedCalls = {
  /** One organization's newest settled calls of the groups that a query asks for, and that the filter lets through. */
  newest(organizationId: string, wanted: Wanted): Promise<FoundCalls>;
};

/** `filter` says all that is asked for, of calls; `query` the same of groups. */
export type Wanted = Scan & { query: UsageQuery };

/** A group, and the newest of its ids that was not taken yet. */
type Head = { number: number; newest: string };
/** Ids of one group, newest first. */
type GroupIds = { number: number; ids: string[]; at: number };

/** Whether `key_id` is a key of a project, also one that was revoked. */
export function isOfProject({ words }: Reading): string {
  return `exists (select 1 from ${words.table('api_keys')} where api_keys.id = key_id and project_id = ?)`;
}

/** The same of groups. Those that names beyond the bound share may have calls of any model and tool. */
function groupsWhere(reading: Reading, query: UsageQuery): { sql: string; values: string[] } {
  const parts = conditionsOf(query).map(({ columns, value }) => {
    const isShared = columns.some((column) => column === 'model' || column === 'tool_name');
    const values = columns.map(() => value);
    return {
      sql: ` and (${columns.map((column) => `${column} = ?`).join(' or ')}${isShared ? ' or model = ?' : ''})`,
      values: isShared ? [...values, OTHER_NAMES] : values,
    };
  });
  const { projectId } = query;
  if (projectId !== undefined) parts.push({ sql: ` and ${isOfProject(reading)}`, values: [projectId] });
  return { sql: parts.map(({ sql }) => sql).join(''), values: parts.flatMap(({ values }) => values) };
}

const idsUpTo = ({ words }: Reading, end: '<' | '<=') =>
  `select call_id as id from ${words.table('grouped_calls')} where group_number = ? and call_id ${end} ? and call_id >= ?
   order by call_id desc limit ${IDS_PER_READ}`;

export function createGroupedCalls(db: Kysely<Schema>, reading: Reading): GroupedCalls {
  const { table } = reading.words;
  const idsTo = { '<': idsUpTo(reading, '<'), '<=': idsUpTo(reading, '<=') } as const;

  async function lastGroup(): Promise<number> {
    const [row] = await reading.rows(`select coalesce(max(number), 0) as number from ${table('call_groups')}`, []);
    return Number(row!.number);
  }

  /** The groups that are asked for, with the newest id of each within the span, newest first; `null` where time ran out. */
  async function headsOf(organizationId: string, { query, span, time }: Wanted): Promise<Head[] | null> {
    const { sql, values } = groupsWhere(reading, query);
    const find = `select number, (
         select max(call_id) from ${table('grouped_calls')} where group_number = number and call_id < ? and call_id >= ?
       ) as newest from ${table('call_groups')} where number > ? and number <= ? and organization_id = ? ${sql}`;
    const heads: Head[] = [];
    const last = await lastGroup();
    for (let from = 0; from < last; from += GROUPS_PER_STEP) {
      if (time.isOver) return null;
      await time.step(async () => {
        const asked = [span.end, span.start, from, from + GROUPS_PER_STEP, organizationId, ...values];
        for (const { number, newest } of await reading.rows(find, asked)) {
          if (newest !== null) heads.push({ number: Number(number), newest: String(newest) });
        }
      });
    }
    return heads.sort((a, b) => (a.newest < b.newest ? 1 : -1));
  }

  async function read(number: number, { start, end }: Span, from: '<=' | '<' = '<'): Promise<GroupIds> {
    const rows = await reading.rows(idsTo[from], [number, end, start]);
    return { number, ids: rows.map(({ id }) => String(id)), at: 0 };
  }

  /** Ids of all groups together, newest first. */
  async function* merged(heads: readonly Head[], span: Span): AsyncGenerator<string> {
    const opened: GroupIds[] = [];
    // A call of an earlier version may be in a group of its own, and in the one that names beyond the bound share.
    let last = '';
    for (let next = 0; ; ) {
      const best = newestOf(opened);
      const head = heads[next];
      if (head !== undefined && (best === undefined || head.newest > best.ids[best.at]!)) {
        next += 1;
        const group = await read(head.number, { start: span.start, end: head.newest }, '<=');
        if (group.ids.length > 0) opened.push(group);
        continue;
      }
      if (best === undefined) return;
      const id = best.ids[best.at]!;
      if (id !== last) yield id;
      last = id;
      best.at += 1;
      if (best.at < best.ids.length) continue;
      opened.splice(opened.indexOf(best), 1);
      const more = best.ids.length < IDS_PER_READ ? null : await read(best.number, { start: span.start, end: id });
      if (more !== null && more.ids.length > 0) opened.push(more);
    }
  }

  return {
    async newest(organizationId, wanted) {
      const { span, limit, time } = wanted;
      if ((await lastGroup()) > GROUPS_PER_STEP) {
        const recent = await newestFew(db, organizationId, wanted);
        if (recent !== null) return { rows: recent, isCutShort: false };
      }
      const heads = await headsOf(organizationId, wanted);
      if (heads === null) return { rows: [], isCutShort: true };
      const ids = merged(heads, span);
      const rows: CallRow[] = [];
      for (let isLast = false; !isLast && rows.length < limit; ) {
        if (time.isOver) return { rows, isCutShort: true };
        await time.step(async () => {
          const next = await take(ids, limit);
          isLast = next.length < limit;
          if (next.length > 0) rows.push(...(await settled(db, organizationId, next, wanted)));
        });
      }
      return { rows: rows.slice(0, limit), isCutShort: false };
    },
  };
}

/** Only settled calls are in groups. What ids tell of times is not exact; and a call may have been removed since. */
function settled(
  db: Kysely<Schema>,
  organizationId: string,
  ids: readonly string[],
  { filter }: Wanted,
): Promise<CallRow[]> {
  return db
    .selectFrom('calls')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .where(filter)
    .orderBy('id', 'desc')
    .execute();
}

/** Of very many groups, to ask each takes long; what is common is found among the newest calls. `null` where it is not. */
async function newestFew(db: Kysely<Schema>, organizationId: string, wanted: Wanted): Promise<CallRow[] | null> {
  const { span, limit, time, filter } = wanted;
  const calls = db.selectFrom('calls').where('organization_id', '=', organizationId).where('id', '<', span.end);
  const newest = calls
    .orderBy('id', 'desc')
    .select('id')
    .offset(SCANNED_CALLS - 1)
    .limit(1);
  const start = (await time.step(() => newest.executeTakeFirst()))?.id ?? span.start;
  const { rows } = await scan(db, organizationId, {
    filter,
    span: { start: start > span.start ? start : span.start, end: span.end },
    limit,
    time,
  });
  return rows.length === limit ? rows : null;
}

/** The group with the newest id that was not taken yet. */
function newestOf(groups: readonly GroupIds[]): GroupIds | undefined {
  let best: GroupIds | undefined;
  for (const group of groups) {
    if (best === undefined || group.ids[group.at]! > best.ids[best.at]!) best = group;
  }
  return best;
}

async function take(ids: AsyncGenerator<string>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await ids.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}
