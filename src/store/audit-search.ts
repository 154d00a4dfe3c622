import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { AuditQuery } from '../core/audit.ts';
import { auditUser, indexedBy, lineBreak, table, unindexed } from './dialect.ts';
import { placeOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** A filter that fewer entries pass than this has all of them looked at; of what more pass, the groups are. */
const FEW_ENTRIES = 1_000;
/** So many statements are run in one turn, each of which reads a page at most. */
const STATEMENTS_PER_TURN = 200;

/** Who was signed in, or whose key it was. It must be written as in the index `audit_log_by_user`, or that is not used. */
const USER = auditUser();
/** Must be written as in the indexes by group. A line break is in no name of a part, so that groups sort by their parts. */
const GROUP = sql<string>`type || ${lineBreak()} || coalesce(project_id, '') || ${lineBreak()} || coalesce(actor_id, '')
  || ${lineBreak()} || coalesce(actor_email, '') || ${lineBreak()} || coalesce(${USER}, '')`;
/** Come behind each group itself, and behind all that begin with a part, and before any other. */
const [BEHIND_GROUP, BEHIND_PART] = ['\u0001', '\u000b'];

/** A column, and the values of it that are asked for; there is an index of the column. */
export type AuditColumn = {
  column: 'type' | 'project_id' | 'resource_id' | 'actor_id' | 'actor_email' | 'user';
  values: readonly string[];
};
/** An entry passes where one of these columns has one of its values. */
export type AuditFilter = readonly AuditColumn[];

/** Ids in the order of a page, by an index that has no others between them: so many of those between two. */
type IdStream = (bounds: IdBounds, limit: number) => Promise<string[]>;
/** Both exclusive. */
type IdBounds = { from: string; until: string };

export type AuditSearch = { organizationId: string; query: AuditQuery; filters: readonly AuditFilter[]; ids: IdBounds };

/**
 * The ids of the entries that pass all filters, in the page's order, one more than it has at most. However long the log is, the cost
 * is that of the groups of entries, or of the entries of the narrowest filter where these are few; others have their turn
 * behind some statements each.
 */
export async function searchAuditLog(db: Kysely<Schema>, search: AuditSearch): Promise<string[]> {
  const { organizationId, filters } = search;
  const turns = new SearchTurns();
  const counted = await narrowestOf(db, organizationId, filters, turns);
  const others = filters.filter((filter) => filter !== counted.filter);
  const isInOrder = counted.filter.every(({ column }) => column !== 'resource_id');
  const isWalked = counted.entries < FEW_ENTRIES || (others.length === 0 && isInOrder);
  const streams = isWalked ? streamsOf(db, search, counted.filter, others) : await groupStreams(db, search, turns);
  return firstIds(streams, search, turns);
}

/** Stand in a statement where a value comes that is another each time. */
const [FROM, UNTIL, LIMIT, NAME] = [Symbol('from'), Symbol('until'), Symbol('limit'), Symbol('name')];
type Blanks = Readonly<Record<symbol, unknown>>;

/** A statement that is run often, and compiled once: to compile one takes longer than SQLite takes to run it. */
function compiledOnce<Row>(db: Kysely<Schema>, statement: RawBuilder<unknown>): (blanks: Blanks) => Promise<Row[]> {
  const compiled = statement.compile(db);
  return async (blanks) => {
    const parameters = compiled.parameters.map((value) => (typeof value === 'symbol' ? blanks[value] : value));
    const { rows } = await db.executeQuery({ ...compiled, parameters });
    return rows as Row[];
  };
}

/** Lets others go first now and then. */
class SearchTurns {
  #statements = 0;

  async afterStatement(): Promise<void> {
    this.#statements += 1;
    if (this.#statements % STATEMENTS_PER_TURN === 0) await othersFirst();
  }
}

const INDEXES: Readonly<Record<AuditColumn['column'], string>> = {
  type: 'audit_log_by_type',
  project_id: 'audit_log_by_project',
  resource_id: 'audit_log_by_resource',
  actor_id: 'audit_log_by_actor',
  actor_email: 'audit_log_by_email',
  user: 'audit_log_by_user',
};
const GROUP_INDEX = 'audit_log_by_group';

function expressionOf(column: AuditColumn['column']): Expression<string | null> {
  return column === 'user' ? USER : sql.ref<string | null>(column);
}

/** The filter that the fewest entries pass, and how many do; of what many pass no more are counted than tells that. */
async function narrowestOf(
  db: Kysely<Schema>,
  organizationId: string,
  filters: readonly AuditFilter[],
  turns: SearchTurns,
): Promise<{ filter: AuditFilter; entries: number }> {
  const counts: { filter: AuditFilter; entries: number }[] = [];
  for (const filter of filters) {
    let entries = 0;
    for (const { column, values } of filter) {
      for (const value of values) {
        if (entries >= FEW_ENTRIES) break;
        const counted = await sql<{ entries: bigint }>`select count(*) as entries from (
          select 1 from ${table('audit_log')} ${indexedBy(INDEXES[column])}
          where organization_id = ${organizationId} and ${expressionOf(column)} = ${value}
          limit ${FEW_ENTRIES - entries}) as found`.execute(db);
        entries += Number(counted.rows[0]!.entries);
        await turns.afterStatement();
      }
    }
    counts.push({ filter, entries });
  }
  return counts.reduce((one, other) => (other.entries < one.entries ? other : one));
}

/** A stream of each value that a filter asks for; each leaves out what does not pass the others. */
function streamsOf(
  db: Kysely<Schema>,
  search: AuditSearch,
  filter: AuditFilter,
  others: readonly AuditFilter[],
): IdStream[] {
  const passes = others.map((other) => {
    const parts = other.map(
      // By no index, which would be the one of this filter.
      ({ column, values }) => sql<boolean>`${unindexed(expressionOf(column))} in (${sql.join(values)})`,
    );
    return sql<boolean>`(${sql.join(parts, sql` or `)})`;
  });
  return filter.flatMap(({ column, values }) =>
    values.map((value) => {
      const conditions = [sql<boolean>`${expressionOf(column)} = ${value}`, ...passes];
      return idsWhere(db, search, INDEXES[column], conditions);
    }),
  );
}

/** A stream of each group whose entries pass all filters, of each resource that is asked for. */
async function groupStreams(db: Kysely<Schema>, search: AuditSearch, turns: SearchTurns): Promise<IdStream[]> {
  const { organizationId, filters } = search;
  const resources = valuesOf('resource_id', filters);
  const index = resources === undefined ? GROUP_INDEX : INDEXES.resource_id;
  const streams: IdStream[] = [];
  for (const resource of resources ?? [null]) {
    const ofResource = resource === null ? sql<boolean>`true` : sql<boolean>`resource_id = ${resource}`;
    const nextGroup = compiledOnce<{ name: string }>(
      db,
      sql`select ${GROUP} as name from ${table('audit_log')} ${indexedBy(index)}
        where organization_id = ${organizationId} and ${ofResource} and ${GROUP} >= ${FROM}
        order by ${GROUP} limit 1`,
    );
    const idsOfGroup = idsWhere(db, search, index, [sql<boolean>`${GROUP} = ${NAME}`, ofResource]);
    for (let from: string | null = ''; from !== null; ) {
      const name: string | undefined = (await nextGroup({ [FROM]: from }))[0]?.name;
      await turns.afterStatement();
      if (name === undefined) break;
      const { passes, next: ahead } = judgeGroup(name, filters);
      if (passes) streams.push((bounds, limit) => idsOfGroup(bounds, limit, name));
      from = ahead;
    }
  }
  return streams;
}

/**
 * Whether the entries of a group pass all filters but those by resources. `next`: where the next group that does can begin; `null`:
 * there is none.
 */
function judgeGroup(name: string, filters: readonly AuditFilter[]): { passes: boolean; next: string | null } {
  const [type, project, actor_id, actor_email, user] = name.split('\n') as [string, string, string, string, string];
  const nextType = nextWanted('type', type, filters);
  if (nextType !== type) return { passes: false, next: nextType };
  const nextProject = nextWanted('project_id', project, filters);
  if (nextProject !== project) {
    return { passes: false, next: nextProject === null ? type + BEHIND_PART : `${type}\n${nextProject}` };
  }
  const told = { type, project_id: project, actor_id, actor_email, user };
  const passes = filters.every((filter) =>
    filter.some(({ column, values }) => column === 'resource_id' || values.includes(told[column])),
  );
  return { passes, next: name + BEHIND_GROUP };
}

/** The values of a column that a filter asks for which looks at no other; `undefined`: there is none. */
function valuesOf(column: AuditColumn['column'], filters: readonly AuditFilter[]): readonly string[] | undefined {
  return filters.flat().find((each) => each.column === column)?.values;
}

/** The first value from this one on that a filter asks for; this one where none asks. `null`: there is none. */
function nextWanted(column: 'type' | 'project_id', value: string, filters: readonly AuditFilter[]): string | null {
  const wanted = valuesOf(column, filters);
  if (wanted === undefined) return value;
  const ahead = wanted.filter((each) => each >= value);
  return ahead.length === 0 ? null : ahead.reduce((one, other) => (other < one ? other : one));
}

/** @returns a stream that is told the value of `NAME`, if the conditions have it */
function idsWhere(
  db: Kysely<Schema>,
  { organizationId, query }: AuditSearch,
  index: string,
  conditions: readonly RawBuilder<boolean>[],
): (bounds: IdBounds, limit: number, name?: string) => Promise<string[]> {
  const { direction } = placeOf(query, 'desc');
  const at = unindexed(sql.ref<bigint>('at'));
  const times = [
    ...(query.from === undefined ? [] : [sql<boolean>`${at} >= ${BigInt(query.from)}`]),
    ...(query.until === undefined ? [] : [sql<boolean>`${at} < ${BigInt(query.until)}`]),
  ];
  const all = sql.join([...conditions, ...times], sql` and `);
  const read = compiledOnce<{ id: string }>(
    db,
    sql`select id from ${table('audit_log')} ${indexedBy(index)}
      where organization_id = ${organizationId} and ${all} and id > ${FROM} and id < ${UNTIL}
      order by id ${sql.raw(direction)} limit ${LIMIT}`,
  );
  return async ({ from, until }, limit, name) => {
    const rows = await read({ [FROM]: from, [UNTIL]: until, [LIMIT]: limit, [NAME]: name });
    return rows.map(({ id }) => id);
  };
}

/** Of a stream those ids that were read and not taken yet, and how many were read at once. */
type StreamHead = { stream: IdStream; ids: string[]; read: number };

/** The first ids of all streams together: of each no more is read than about four times as many as are taken. */
async function firstIds(streams: readonly IdStream[], search: AuditSearch, turns: SearchTurns): Promise<string[]> {
  const { query, ids: bounds } = search;
  const { direction } = placeOf(query, 'desc');
  const isBefore = (one: StreamHead, other: StreamHead) =>
    direction === 'asc' ? one.ids[0]! < other.ids[0]! : one.ids[0]! > other.ids[0]!;
  const readOn = async (head: StreamHead, between: IdBounds): Promise<void> => {
    head.ids.push(...(await head.stream(between, head.read)));
    await turns.afterStatement();
  };
  const heads: StreamHead[] = [];
  for (const stream of streams) {
    const head: StreamHead = { stream, ids: [], read: 1 };
    await readOn(head, bounds);
    if (head.ids.length > 0) heads.push(head);
  }
  heads.sort((one, other) => (isBefore(one, other) ? -1 : 1));
  const found: string[] = [];
  while (found.length <= query.limit) {
    const head = heads.shift();
    if (head === undefined) break;
    const id = head.ids.shift()!;
    // One entry may be in two streams: of who was signed in, and of whose key it was.
    if (id !== found.at(-1)) found.push(id);
    if (head.ids.length === 0) {
      head.read *= 4;
      await readOn(head, direction === 'asc' ? { ...bounds, from: id } : { ...bounds, until: id });
    }
    if (head.ids.length > 0) insert(heads, head, isBefore);
  }
  return found;
}

/** Into those that are sorted. */
function insert(
  heads: StreamHead[],
  head: StreamHead,
  isBefore: (one: StreamHead, other: StreamHead) => boolean,
): void {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(heads[middle]!, head)) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
