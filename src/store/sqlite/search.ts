import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type FoundKept, type FoundPage, folded, type KeptKind, type KeptSearch, rankOf } from '../../core/search.ts';
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
    const { rows } = await sql<FoundRow>`
      select * from (${from}) where rank is not null order by rank, length(name), name, id limit ${limit + 1}
    `.execute(db);
    items.push(...rows.slice(0, limit).map((row) => readRow(kind, row)));
    if (rows.length > limit) more.push(kind);
  }
  return { items, more };
}

type KeptAsked = { organizationId: string; words: string; only: string | null };

function keys(kind: 'api_key' | 'admin_api_key', { organizationId, words, only }: KeptAsked): RawBuilder<unknown> {
  const columns = sql`api_keys.id, api_keys.name, null as about`;
  const rank = sql`search_rank(${words}, api_keys.name, null, api_keys.id, api_keys.hint) as rank`;
  const own = sql`api_keys.organization_id = ${organizationId} and api_keys.revoked_at is null`;
  if (kind === 'admin_api_key') {
    return sql`
      select ${columns}, null as project_id, null as project_name, ${rank} from api_keys
      where ${own} and api_keys.access = 'administration'
    `;
  }
  return sql`
    select ${columns}, project.id as project_id, ${nameOf('project')} as project_name, ${rank}
    from api_keys join settings as project on project.organization_id = api_keys.organization_id
      and project.kind = 'project' and project.parent_id = '' and project.id = api_keys.project_id
    where ${own} and api_keys.access = 'models' and ${isOpen('project')} and ${isAmong(sql`project.id`, only)}
  `;
}

function settings(kind: keyof typeof SETTINGS, { organizationId, words, only }: KeptAsked): RawBuilder<unknown> {
  const about = kind === 'user' ? sql`json_extract(each.value, '$.email')` : sql`null`;
  const name = kind === 'user' ? sql`coalesce(${nameOf('each')}, ${about})` : nameOf('each');
  const isShown = kind === 'project' ? sql`${isOpen('each')} and ${isAmong(sql`each.id`, only)}` : sql`true`;
  return sql`
    select each.id, ${name} as name, ${about} as about, null as project_id, null as project_name,
      search_rank(${words}, ${name}, ${about}, each.id, null) as rank
    from settings as each
    where each.organization_id = ${organizationId} and each.kind = ${SETTINGS[kind]} and each.parent_id = ''
      and ${isShown}
  `;
}

function nameOf(setting: string): RawBuilder<string> {
  return sql<string>`json_extract(${sql.ref(`${setting}.value`)}, '$.name')`;
}

/** Whether a project is not archived. */
function isOpen(project: string): RawBuilder<boolean> {
  return sql<boolean>`json_extract(${sql.ref(`${project}.value`)}, '$.archivedAt') is null`;
}

function isAmong(id: RawBuilder<unknown>, only: string | null): RawBuilder<boolean> {
  return only === null ? sql<boolean>`true` : sql<boolean>`${id} in (select value from json_each(${only}))`;
}

function readRow(kind: KeptKind, { id, name, about, project_id, project_name }: FoundRow): FoundKept {
  const project = project_id === null ? null : { id: project_id, name: project_name ?? project_id };
  return { kind, id, name, about, project };
}
