import type { DatabaseSync } from 'node:sqlite';
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

type FoundRow = {
  id: string;
  name: string;
  about: string | null;
  project_id: string | null;
  project_name: string | null;
};

/** What has words in its name or id, of each kind the best, in an organization. The connection needs `addSearchRank`. */
export async function findKept(
  db: Kysely<Schema>,
  organizationId: string,
  { words, kinds, limit }: KeptSearch,
): Promise<FoundPage<KeptKind, FoundKept>> {
  const items: FoundKept[] = [];
  const more: KeptKind[] = [];
  for (const { kind, ofProjects } of kinds) {
    const only = ofProjects === undefined ? null : JSON.stringify([...ofProjects]);
    const asked = { organizationId, words, only };
    const from = kind === 'api_key' || kind === 'admin_api_key' ? keys(kind, asked) : settings(kind, asked);
    // The name of a project is looked up for what is told alone.
    const { rows } = await sql<FoundRow>`
      select best.*, (
        select ${nameOf('project')} from settings as project where project.organization_id = ${organizationId}
          and project.kind = 'project' and project.parent_id = '' and project.id = best.project_id
      ) as project_name
      from (${from} order by rank, length(name), name, id limit ${limit + 1}) as best
      order by rank, length(name), name, id
    `.execute(db);
    items.push(...rows.slice(0, limit).map((row) => readRow(kind, row)));
    if (rows.length > limit) more.push(kind);
  }
  return { items, more };
}

type KeptAsked = { organizationId: string; words: string; only: string | null };

/** By an index of all that is looked at (the migration `searched-keys`), as it is written there: no key itself is read. */
function keys(kind: 'api_key' | 'admin_api_key', { organizationId, words, only }: KeptAsked): RawBuilder<unknown> {
  const isOfKind =
    kind === 'admin_api_key'
      ? sql`access = 'administration'`
      : sql`access = 'models' and project_id in (${openProjects(organizationId, only)})`;
  const hint = sql`replace(hint, '…', '...')`;
  const rank = rankIn(words, {
    texts: sql`name, null, id, hint`,
    isOdd: sql`(name || id || ${hint} glob '*[^ -~]*')`,
    names: [sql`lower(name)`],
    ids: [sql`lower(id)`, sql`lower(${hint})`],
    allIds: sql`lower(id || ' ' || ${hint})`,
  });
  return sql`
    select id, name, null as about, project_id, ${rank} as rank from api_keys indexed by api_keys_searched
    where organization_id = ${organizationId} and revoked_at is null and ${isOfKind} and rank is not null`;
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

function readRow(kind: KeptKind, { id, name, about, project_id, project_name }: FoundRow): FoundKept {
  const project = project_id === null ? null : { id: project_id, name: project_name ?? project_id };
  return { kind, id, name, about, project };
}
