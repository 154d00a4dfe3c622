import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type FoundKept,
  type FoundPage,
  folded,
  type KeptKind,
  type KeptSearch,
  LEAST_OF_ID,
  RANKS,
  rankOf,
} from '../../core/search.ts';
import { textsOf } from '../dialect.ts';
import type { Schema } from '../schema.ts';

/** Kinds of settings, by what they are found as. */
const SETTINGS = { user: 'member', project: 'project', group: 'group', budget: 'budget' } as const;

/** Teaches a connection the order of what is found: SQLite's own comparison knows no letters but those of ASCII. */
export function addSearchRank(database: DatabaseSync): void {
  let [typed, words] = ['', ''];
  database.function('search_rank', { deterministic: true, varargs: true }, (wanted, ...texts) => {
    if (wanted !== typed) [typed, words] = [String(wanted), folded(String(wanted))];
    const [name, about, id, hint] = texts;
    return rankOf(words, textsIn(name, about), textsIn(id, hint));
  });
}

function textsIn(...values: readonly unknown[]): string[] {
  return values.flatMap((value) => (typeof value === 'string' ? [folded(value)] : []));
}

/** What was found, with what puts it in its place among others: its rank, and how long its name is. */
type FoundRow = {
  id: string;
  name: string;
  about: string | null;
  project_id: string | null;
  /** A number where `search_rank` told it. */
  rank: bigint | number;
  length: bigint;
};

/** A step of a search looks at about so many keys, which takes some ms: what was asked for meanwhile is answered behind it. */
const KEYS_AT_ONCE = 10_000;

/** What has words in its name or id, of each kind the best, in an organization. The connection needs `addSearchRank`. */
export async function findKept(
  db: Kysely<Schema>,
  organizationId: string,
  { words, kinds, limit }: KeptSearch,
): Promise<FoundPage<KeptKind, FoundKept>> {
  const found: { kind: KeptKind; rows: FoundRow[] }[] = [];
  for (const { kind, ofProjects } of kinds) {
    const asked = { organizationId, words, only: ofProjects === undefined ? null : JSON.stringify([...ofProjects]) };
    const most = limit + 1;
    const rows =
      kind === 'api_key' ? await bestKeys(db, asked, most) : await bestOf(db, rankedOfKind(kind, asked), most);
    found.push({ kind, rows });
    await othersFirst();
  }
  const shown = found.flatMap(({ kind, rows }) => rows.slice(0, limit).map((row) => ({ kind, row })));
  const names = await projectNames(
    db,
    organizationId,
    shown.map(({ row }) => row),
  );
  return {
    items: shown.map(({ kind, row }) => readRow(kind, row, names)),
    more: found.filter(({ rows }) => rows.length > limit).map(({ kind }) => kind),
  };
}

async function bestOf(db: Kysely<Schema>, ranked: RawBuilder<unknown>, most: number): Promise<FoundRow[]> {
  const best = sql<FoundRow>`
    select *, length(name) as length from (${ranked}) order by rank, length(name), name, id limit ${most}`;
  return (await best.execute(db)).rows;
}

/** An organization may have very many keys: they are looked at project by project, in steps. */
async function bestKeys(db: Kysely<Schema>, asked: KeptAsked, most: number): Promise<FoundRow[]> {
  let best: FoundRow[] = [];
  for (const projects of await projectsInSteps(db, asked)) {
    await othersFirst();
    const isOfStep = sql`access = 'models' and project_id in ${textsOf(projects)}`;
    best = [...best, ...(await bestOf(db, keys(asked, isOfStep), most))].sort(inOrder).slice(0, most);
  }
  return best;
}

/** The open projects that have keys, together as many as have the keys of one step. */
async function projectsInSteps(db: Kysely<Schema>, { organizationId, only }: KeptAsked): Promise<string[][]> {
  const counted = await sql<{ id: string; keys: bigint }>`
    select project_id as id, count(*) as keys from api_keys
    where organization_id = ${organizationId} and revoked_at is null and access = 'models'
      and project_id in (${openProjects(organizationId, only)})
    group by project_id`.execute(db);
  const steps: string[][] = [];
  let keysLeft = 0;
  for (const { id, keys } of counted.rows) {
    if (keysLeft <= 0) {
      steps.push([]);
      keysLeft = KEYS_AT_ONCE;
    }
    steps.at(-1)!.push(id);
    keysLeft -= Number(keys);
  }
  return steps;
}

/** As `bestOf` orders what it reads. */
function inOrder(one: FoundRow, other: FoundRow): number {
  return (
    Number(one.rank) - Number(other.rank) ||
    Number(one.length) - Number(other.length) ||
    Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)) ||
    Buffer.compare(Buffer.from(one.id), Buffer.from(other.id))
  );
}

/** Names are looked up for what is told alone. */
async function projectNames(
  db: Kysely<Schema>,
  organizationId: string,
  rows: readonly FoundRow[],
): Promise<Map<string, string>> {
  const ids = new Set(rows.flatMap(({ project_id: id }) => id ?? []));
  if (ids.size === 0) return new Map();
  const named = await sql<{ id: string; name: string }>`
    select id, ${nameOf('project')} as name from settings as project where project.organization_id = ${organizationId}
      and project.kind = 'project' and project.parent_id = '' and project.id in ${textsOf(ids)}`.execute(db);
  return new Map(named.rows.map(({ id, name }) => [id, name]));
}

type KeptAsked = { organizationId: string; words: string; only: string | null };

function rankedOfKind(kind: Exclude<KeptKind, 'api_key'>, asked: KeptAsked): RawBuilder<unknown> {
  return kind === 'admin_api_key' ? keys(asked, sql`access = 'administration'`) : settings(kind, asked);
}

/** By an index of all that is looked at (the migration `searched-keys`), as it is written there: no key itself is read. */
function keys({ organizationId, words }: KeptAsked, isOfThese: RawBuilder<unknown>): RawBuilder<unknown> {
  const hint = sql`replace(hint, '…', '...')`;
  const rank = rankIn(words, {
    texts: sql`name, null, id, hint`,
    isOdd: sql`(name || id || ${hint} glob '*[^ -~]*')`,
    names: [sql`lower(name)`],
    ids: [sql`lower(id)`, sql`lower(${hint})`],
    allIds: sql`lower(id || ' ' || ${hint})`,
  });
  return sql`
    select * from (
      select id, name, null as about, project_id, ${rank} as rank from api_keys indexed by api_keys_searched
      where organization_id = ${organizationId} and revoked_at is null and ${isOfThese}
      -- Each is ranked once.
      limit -1
    ) where rank is not null`;
}

function settings(kind: keyof typeof SETTINGS, { organizationId, words, only }: KeptAsked): RawBuilder<unknown> {
  const about = kind === 'user' ? sql`json_extract(each.value, '$.email')` : sql`null`;
  const name = kind === 'user' ? sql`coalesce(${nameOf('each')}, ${about})` : nameOf('each');
  const isShown = kind === 'project' ? sql`each.id in (${openProjects(organizationId, only)})` : sql`true`;
  const rank = rankIn(words, {
    texts: sql`name, about, id, null`,
    isOdd: sql`name || coalesce(about, '') || id glob '*[^ -~]*'`,
    names: [sql`lower(name)`, sql`lower(coalesce(about, ''))`],
    ids: [sql`lower(id)`],
    allIds: sql`lower(id)`,
  });
  return sql`
    select id, name, about, project_id, ${rank} as rank
    from (
      select each.id, ${name} as name, ${about} as about, null as project_id from settings as each
      where each.organization_id = ${organizationId} and each.kind = ${SETTINGS[kind]} and each.parent_id = ''
        and ${isShown}
      -- Names are read out of the settings once.
      limit -1
    ) where rank is not null`;
}

/**
 * What is ranked: `texts` are the arguments of `search_rank`; `isOdd` says whether one of them has other characters than those of
 * ASCII; `names` and `ids` are in small letters, and `allIds` is one text that has all ids in it.
 */
type RankedTexts = {
  texts: RawBuilder<unknown>;
  isOdd: RawBuilder<unknown>;
  names: readonly RawBuilder<unknown>[];
  ids: readonly RawBuilder<unknown>[];
  allIds: RawBuilder<unknown>;
};

/**
 * How well names and ids fit, as `rankOf` tells, in SQLite's own words, which take a small part of the time. Where a text has
 * other characters than those of ASCII, `rankOf` itself is asked.
 */
function rankIn(words: string, { texts, isOdd, names, ids, allIds }: RankedTexts): RawBuilder<number | null> {
  const wanted = folded(words);
  if (wanted === '') return sql`null`;
  const any = (each: readonly RawBuilder<unknown>[]) => sql`(${sql.join(each, sql` or `)})`;
  const at = (text: RawBuilder<unknown>, word = wanted) => sql`instr(${text}, ${word})`;
  const isSameId = sql`(${at(allIds)} > 0 and ${any(ids.map((id) => sql`${id} = ${wanted}`))})`;
  const beginsWord = (name: RawBuilder<unknown>) =>
    sql`(${at(name)} > 1 and substr(${name}, ${at(name)} - 1, 1) not glob '[a-z0-9]')`;
  const several = wanted.split(/\s+/);
  const hasEach = several.map((word) => any(names.map((name) => sql`${at(name, word)} > 0`)));
  const isLong = sql.lit(wanted.length >= LEAST_OF_ID ? 1 : 0);
  const isInId = (id: RawBuilder<unknown>) =>
    sql`((length(${wanted}) > instr(${id}, '_') and ${at(id)} = 1)
      or (${isLong} and ${at(sql`substr(${id}, instr(${id}, '_') + 1)`)} > 0))`;
  return sql`case
    when ${isOdd} then search_rank(${words}, ${texts})
    when ${any(names.map((name) => sql`${at(name)} > 0`))} then case
      when ${any(names.map((name) => sql`${name} = ${wanted}`))} or ${isSameId} then ${sql.lit(RANKS.same)}
      when ${any(names.map((name) => sql`${at(name)} = 1`))} then ${sql.lit(RANKS.begins)}
      when ${any(names.map(beginsWord))} then ${sql.lit(RANKS.wordBegins)}
      else ${sql.lit(RANKS.holds)} end
    when ${isSameId} then ${sql.lit(RANKS.same)}
    when ${sql.lit(several.length > 1 ? 1 : 0)} and ${sql.join(hasEach, sql` and `)} then ${sql.lit(RANKS.holds)}
    when ${at(allIds)} > 0 and ${any(ids.map(isInId))} then ${sql.lit(RANKS.id)}
  end`;
}

function nameOf(setting: string): RawBuilder<string> {
  return sql<string>`json_extract(${sql.ref(`${setting}.value`)}, '$.name')`;
}

/** The ids of projects that were not archived, of all or of some. Written as in the index `open_projects`. */
function openProjects(organizationId: string, only: string | null): RawBuilder<unknown> {
  const isAsked = only === null ? sql`true` : sql`id in (select value from json_each(${only}))`;
  return sql`
    select id from settings where organization_id = ${organizationId} and kind = 'project'
      and (json_extract(value, '$.archivedAt') is null) = 1 and ${isAsked}`;
}

function readRow(
  kind: KeptKind,
  { id, name, about, project_id: projectId }: FoundRow,
  names: ReadonlyMap<string, string>,
): FoundKept {
  const project = projectId === null ? null : { id: projectId, name: names.get(projectId) ?? projectId };
  return { kind, id, name, about, project };
}
