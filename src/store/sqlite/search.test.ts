import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import { type CompiledQuery, Kysely } from 'kysely';
import { type FoundKept, folded, KEPT_KINDS, type KeptKind, rankOf } from '../../core/search.ts';
import { seeded } from '../../testing/seeded.ts';
import type { Schema } from '../schema.ts';
import { sqliteDialect } from './driver.ts';
import { migrate } from './migrate.ts';
import { addSearchRank, findKept } from './search.ts';

const EVERYTHING = KEPT_KINDS.map((kind) => ({ kind }));
/** Short, so that what is looked for is found, with letters that SQLite does not fold. */
const LETTERS = [...'aAbB1 -_.éÉﬁ№…K'];
const ROUNDS = 300;

test('what is found, and in which order, is as `rankOf` says of whatever names', async () => {
  const part = seeded(20_261_127);
  const random = (below: number) => Math.floor(part() * below);
  const text = () => Array.from({ length: random(7) }, () => LETTERS[random(LETTERS.length)]).join('');
  const { db, add, database } = rig();
  for (let round = 0; round < ROUNDS; round += 1) {
    database.exec("delete from api_keys; delete from settings where kind = 'member'");
    const words = text();
    const expected: Ranked[] = [];
    for (let index = 0; index <= random(8); index += 1) {
      const [name, email, hint] = [`n${text()}`, `${text()}@b`, `hg_a${text()}…ab${index}`];
      const [key, user] = [`key_a${index}${'abAB'.slice(index % 4)}`, `user_b${index}`];
      add.key({ id: key, name, hint, projectId: 'proj_1' });
      add.setting('member', user, { name: index % 3 === 0 ? null : name, email });
      const shown = index % 3 === 0 ? email : name;
      const project = { id: 'proj_1', name: 'Zz' };
      expected.push(
        {
          rank: rankOf(folded(words), [folded(name)], [key, hint].map(folded)),
          kind: 'api_key',
          id: key,
          name,
          about: null,
          project,
        },
        {
          rank: rankOf(folded(words), [shown, email].map(folded), [user]),
          kind: 'user',
          id: user,
          name: shown,
          about: email,
          project: null,
        },
      );
    }
    const kinds = (['api_key', 'user'] as const).map((kind) => ({ kind }));
    const { items } = await findKept(db, 'org_1', { words, kinds, limit: 100 });
    assert.deepEqual(
      items,
      kinds.flatMap(({ kind }) => sorted(expected.filter((each) => each.kind === kind))),
      `round ${round}: ${words}`,
    );
  }
});

type Ranked = FoundKept & { rank: number | null };

test('of keys and projects those are found that were asked for, and none of a project that was archived', async () => {
  const { db, add } = rig();
  add.setting('project', 'proj_2', { name: 'Zy', archivedAt: null });
  add.setting('project', 'proj_3', { name: 'Zx', archivedAt: 9 });
  for (const number of [1, 2, 3]) add.key({ id: `key_${number}`, name: 'z', hint: '', projectId: `proj_${number}` });
  const found = async (ofProjects?: ReadonlySet<string>) => {
    const kinds = (['api_key', 'project'] as const).map((kind) => ({ kind, ...(ofProjects && { ofProjects }) }));
    return (await findKept(db, 'org_1', { words: 'z', kinds, limit: 9 })).items.map(({ id }) => id);
  };
  assert.deepEqual(await found(), ['key_1', 'key_2', 'proj_2', 'proj_1']);
  assert.deepEqual(await found(new Set(['proj_2', 'proj_3'])), ['key_2', 'proj_2']);
  assert.deepEqual(await found(new Set()), []);
});

test('of more keys than one step looks at the best are told, and others have their turn between the steps', async () => {
  const { db, add, database } = rig();
  database.exec('begin');
  const projects = ['proj_1', 'proj_2', 'proj_3'];
  for (const id of projects.slice(1)) add.setting('project', id, { name: id, archivedAt: null });
  for (let each = 0; each < 20_002; each += 1)
    add.key({ id: `key_${each}`, name: `team ${each}`, hint: '', projectId: projects[Number(each > 10_000)]! });
  for (const [index, name] of ['an eam', 'eam', 'eam é'].entries())
    add.key({ id: `key_best_${index}`, name, hint: '', projectId: projects[2 - index]! });
  database.exec('commit');
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const { items, more } = await findKept(db, 'org_1', { words: 'eam', kinds: [{ kind: 'api_key' }], limit: 4 });
  clearInterval(others);
  assert.deepEqual(
    items.map(({ name }) => name),
    ['eam', 'eam é', 'an eam', 'team 0'],
  );
  assert.deepEqual(more, ['api_key']);
  assert(turns >= 2, `${turns}`);
});

test('keys are searched by an index of what is looked at, and of some projects without reading those of others', async () => {
  const { db, add, plans } = rig();
  add.key({ id: 'key_1', name: 'abc', hint: '', projectId: 'proj_1' });
  const only = { kind: 'api_key' as const, ofProjects: new Set(['proj_1']) };
  await findKept(db, 'org_1', { words: 'abc', kinds: [...EVERYTHING, only], limit: 3 });
  const read = plans();
  const ofKeys = read.filter((steps) => steps.some((step) => step.includes(' api_keys ')));
  const counted = ['api_keys_by_models', '(organization_id=? AND access=? AND project_id=?)'];
  const searched = ['api_keys_searched', '(organization_id=? AND access=? AND project_id=?)'];
  const administering = ['api_keys_searched', '(organization_id=? AND access=?)'];
  assert.deepEqual(
    ofKeys.map((steps) => /SEARCH api_keys USING COVERING INDEX (\w+) (\(.*?\))/.exec(steps.join())?.slice(1)),
    [counted, searched, administering, counted, searched],
  );
  assert.deepEqual(
    read.flat().filter((step) => /^SCAN (?!json_each|best|\()/.test(step)),
    [],
  );
});

function sorted(all: readonly Ranked[]): FoundKept[] {
  const points = (each: string) => [...each].length;
  return all
    .filter(({ rank }) => rank !== null)
    .toSorted(
      (one, other) =>
        one.rank! - other.rank! ||
        points(one.name) - points(other.name) ||
        Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)) ||
        (one.id < other.id ? -1 : 1),
    )
    .map(({ rank: _, ...each }) => each);
}

/** A database with one project, `Zz`. */
function rig() {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  migrate(database);
  addSearchRank(database);
  database.exec("insert into organizations values ('org_1', 'One', 1)");
  const settings = database.prepare("insert into settings values ('org_1', ?, '', ?, 1, 1, ?)");
  const keys = database.prepare(
    `insert into api_keys (id, organization_id, name, source, hint, hash, created_at, project_id, access)
    values (?, 'org_1', ?, 'api_key', ?, ?, 1, ?, 'models')`,
  );
  const add = {
    setting: (kind: KeptKind | 'member', id: string, value: object) =>
      void settings.run(kind, id, JSON.stringify(value)),
    key: ({ id, name, hint, projectId }: { id: string; name: string; hint: string; projectId: string }) =>
      void keys.run(id, name, hint, Buffer.from(id), projectId),
  };
  add.setting('project', 'proj_1', { name: 'Zz', archivedAt: null });
  const statements: CompiledQuery[] = [];
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(database, 0),
    log: ({ query }) => void statements.push(query),
  });
  const plans = () =>
    statements.splice(0).map(({ sql, parameters }) => {
      const steps = database.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
      return steps.map(({ detail }) => String(detail));
    });
  return { db, add, plans, database };
}
