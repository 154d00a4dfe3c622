import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type FoundKept, type FoundPage, folded, type KeptKind, type KeptSearch, rankOf } from '../../core/search.ts';
import { member, table, textsOf } from '../dialect.ts';
import { IS_OPEN } from '../listed.ts';
import type { Schema } from '../schema.ts';

/** Kinds of settings, by what they are found as. */
const SETTINGS = { user: 'member', project: 'project', group: 'group', budget: 'budget' } as const;

/** How many rows that may fit are ranked at a time. */
const ROWS_AT_ONCE = 1_000;

type KeptRow = { id: string; name: string; about: string | null; hint: string | null; project_id: string | null };
type RankedRow = KeptRow & { rank: number; length: number };
type KindSearch = { organizationId: string; words: string; only: ReadonlySet<string> | null };

/**
 * What has words in its name or id, of each kind the best, in an organization. Postgres leaves out what cannot fit; what is left,
 * and what has other characters than those of ASCII, is ranked here, as all engines rank.
 */
export async function findKept(
  db: Kysely<Schema>,
  organizationId: string,
  { words, kinds, limit }: KeptSearch,
): Promise<FoundPage<KeptKind, FoundKept>> {
  const found: { kind: KeptKind; rows: RankedRow[] }[] = [];
  for (const { kind, ofProjects } of kinds) {
    const asked = { organizationId, words: folded(words), only: ofProjects ?? null };
    found.push({ kind, rows: asked.words === '' ? [] : await bestOf(db, kind, asked, limit + 1) });
  }
  const shown = found.flatMap(({ kind, rows }) => rows.slice(0, limit).map((row) => ({ kind, row })));
  const ids = new Set(shown.flatMap(({ row }) => row.project_id ?? []));
  const names = await projectNames(db, organizationId, ids);
  return {
    items: shown.map(({ kind, row: { id, name, about, project_id: project } }) => {
      return {
        kind,
        id,
        name,
        about,
        project: project === null ? null : { id: project, name: names.get(project) ?? project },
      };
    }),
    more: found.filter(({ rows }) => rows.length > limit).map(({ kind }) => kind),
  };
}

async function bestOf(db: Kysely<Schema>, kind: KeptKind, asked: KindSearch, most: number): Promise<RankedRow[]> {
  const of = kind === 'api_key' || kind === 'admin_api_key' ? keys(kind, asked) : settings(kind, asked);
  // A first text of what was asked for must be somewhere, whatever its rank.
  const [first] = asked.words.split(/\s+/);
  const texts = sql`(name || ' ' || coalesce(about, '') || ' ' || id || ' ' || coalesce(hint, '')) collate "C"`;
  let best: RankedRow[] = [];
  for (let after = ''; ; ) {
    const { rows } = await sql<KeptRow>`
      select id, name, about, hint, project_id from (${of}) as kept
      where id > ${after} and (strpos(lower((${texts})), ${first}) > 0 or (${texts}) ~ '[^ -~]')
      order by id limit ${ROWS_AT_ONCE}`.execute(db);
    best = [...best, ...rows.flatMap((row) => ranked(row, asked.words))].sort(inOrder).slice(0, most);
    if (rows.length < ROWS_AT_ONCE) return best;
    after = rows.at(-1)!.id;
  }
}

function keys(kind: 'api_key' | 'admin_api_key', { organizationId, only }: KindSearch): RawBuilder<unknown> {
  const isOfThese =
    kind === 'admin_api_key'
      ? sql`access = 'administration'`
      : sql`access = 'models' and project_id in (${openProjects(organizationId, only)})`;
  return sql`
    select id, name, null::text as about, replace(hint, '…', '...') as hint, project_id from ${table('api_keys')}
    where organization_id = ${organizationId} and revoked_at is null and ${isOfThese}`;
}

function settings(kind: keyof typeof SETTINGS, { organizationId, only }: KindSearch): RawBuilder<unknown> {
  const about = kind === 'user' ? member('value', 'email') : sql`null::text`;
  const isShown = kind === 'project' ? sql`id in (${openProjects(organizationId, only)})` : sql`true`;
  return sql`
    select id, coalesce(${member('value', 'name')}, ${about}) as name, ${about} as about, null::text as hint,
      null::text as project_id
    from ${table('settings')}
    where organization_id = ${organizationId} and kind = ${SETTINGS[kind]} and parent_id = '' and ${isShown}`;
}

/** The ids of projects that were not archived, of all or of some. */
function openProjects(organizationId: string, only: ReadonlySet<string> | null): RawBuilder<unknown> {
  const isAsked = only === null ? sql`true` : sql`id in ${textsOf(only)}`;
  return sql`
    select id from ${table('settings')}
    where organization_id = ${organizationId} and kind = 'project' and ${IS_OPEN} and ${isAsked}`;
}

function ranked(row: KeptRow, words: string): RankedRow[] {
  const texts = (...values: readonly (string | null)[]) =>
    values.flatMap((text) => (text === null ? [] : [folded(text)]));
  const rank = rankOf(words, texts(row.name, row.about), texts(row.id, row.hint));
  return rank === null ? [] : [{ ...row, rank, length: [...row.name].length }];
}

function inOrder(one: RankedRow, other: RankedRow): number {
  return (
    one.rank - other.rank ||
    one.length - other.length ||
    Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)) ||
    Buffer.compare(Buffer.from(one.id), Buffer.from(other.id))
  );
}

async function projectNames(
  db: Kysely<Schema>,
  organizationId: string,
  ids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  if (ids.size === 0) return new Map();
  const named = await sql<{ id: string; name: string }>`
    select id, ${member('value', 'name')} as name from ${table('settings')}
    where organization_id = ${organizationId} and kind = 'project' and parent_id = '' and id in ${textsOf(ids)}`.execute(
    db,
  );
  return new Map(named.rows.map(({ id, name }) => [id, name]));
}
