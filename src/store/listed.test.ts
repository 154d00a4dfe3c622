import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import { type CompiledQuery, Kysely } from 'kysely';
import type { KeyListQuery } from '../core/settings-store.ts';
import { endingKeys } from './ending-keys.ts';
import { listKeysOf } from './key-lists.ts';
import { keyModelsOf, keysOfModels } from './key-models.ts';
import { memberRows, openInviteRows, projectRows } from './listed.ts';
import { oldUsageKeys } from './old-usage-keys.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/driver.ts';
import { migrate } from './sqlite/migrate.ts';
import { nearestKeys } from './sqlite/nearest-keys.ts';

const PROJECTS = 4;
const KEYS = 40;

test('keys of some projects are listed page by page in both directions, as if there were no others', async () => {
  const { db } = rig();
  for (const projects of [['proj_1'], ['proj_0', 'proj_2'], ['proj_0', 'proj_1', 'proj_2', 'proj_3']]) {
    const ofOpenProjects = new Set(projects);
    // The last project was archived.
    const expected = keysIn(projects.filter((id) => id !== 'proj_3'));
    for (const order of ['asc', 'desc'] as const) {
      const inOrder = order === 'asc' ? expected : expected.toReversed();
      const pages = (query: Partial<KeyListQuery>) =>
        listKeysOf(db, nearestKeys, 'org_1', { access: 'models', limit: 3, order, ofOpenProjects, ...query });
      const told: string[] = [];
      for (let after: string | undefined; ; after = told.at(-1)) {
        const { items, hasMore } = await pages(after === undefined ? {} : { after });
        told.push(...items.map(({ id }) => id));
        if (!hasMore) break;
      }
      assert.deepEqual(told, inOrder);
      const before = await pages({ before: inOrder[5]! });
      assert.deepEqual([before.items.map(({ id }) => id), before.hasMore], [inOrder.slice(2, 5), true]);
    }
  }
  const all = await listKeysOf(db, nearestKeys, 'org_1', { access: 'models', limit: 100, ofOpenProjects: 'all' });
  assert.deepEqual(
    all.items.map(({ id }) => id),
    keysIn(['proj_0', 'proj_1', 'proj_2']),
  );
});

test('no list walks over what it does not show', async () => {
  const { db, plans } = rig();
  const keys = (query: Partial<KeyListQuery>) =>
    listKeysOf(db, nearestKeys, 'org_1', { access: 'models', limit: 3, after: 'key_03', ...query });
  await keys({ ofOpenProjects: new Set(['proj_1', 'proj_2']) });
  await keys({ ofOpenProjects: 'all' });
  await keys({ projectId: 'proj_1' });
  await keys({ ownerId: 'user_1' });
  await keys({ revokedAt: 5 });
  assert.deepEqual(plans(), [
    'api_keys_listed_by_project',
    'api_keys_listed',
    'api_keys_listed_by_project',
    'api_keys_listed_by_owner',
    'api_keys_revoked',
  ]);
  await memberRows(db, 'org_1', { limit: 3, emails: ['ada@example.com'] }).execute();
  await memberRows(db, 'org_1', { limit: 3, areOwners: true }).execute();
  await projectRows(db, 'org_1', { limit: 3, areOpen: true }).execute();
  await openInviteRows(db, 'org_1', 'user_1').execute();
  assert.deepEqual(plans(), ['members_by_email', 'owners', 'open_projects', 'open_invites']);

  const ofProjects = new Set(['proj_1', 'proj_2']);
  const ending = { access: 'models', after: 1, until: 9, limit: 3 } as const;
  await endingKeys(db, 'org_1', ending);
  await endingKeys(db, 'org_1', { ...ending, ofProjects });
  await oldUsageKeys(db, 'org_1', { now: 1, limit: 3 });
  await oldUsageKeys(db, 'org_1', { now: 1, limit: 3, ofProjects });
  await keysOfModels(db, 'org_1', {
    projectId: 'proj_1',
    of: [{ allowedModels: null, product: null }],
    now: 1,
    limit: 3,
  });
  assert.deepEqual(plans(), [
    'api_keys_ending',
    'api_keys_ending_by_project',
    'api_keys_with_old_usage',
    'api_keys_with_old_usage_by_project',
    'api_keys_listed_by_project',
  ]);
});

test('which models keys may use is counted by what they say, and told of the first that say it', async () => {
  const { db, database } = rig();
  database.exec(`update api_keys set allowed_models = '["a"]' where id in ('key_01', 'key_09');
    update api_keys set product = 'helpdesk', allowed_models = '["b","c"]' where id = 'key_05';
    update api_keys set disabled_at = 1 where id = 'key_13';
    update api_keys set expires_at = 5 where id = 'key_17';
    update api_keys set revoked_at = 1 where id = 'key_21'`);
  const counted = await keyModelsOf(db, 'org_1', { projectIds: ['proj_1', 'proj_9'], now: 5 });
  const projectId = 'proj_1';
  assert.deepEqual(counted, [
    { projectId, allowedModels: null, product: null, keys: 4 },
    { projectId, allowedModels: ['a'], product: null, keys: 2 },
    { projectId, allowedModels: ['b', 'c'], product: 'helpdesk', keys: 1 },
  ]);
  const first = await keysOfModels(db, 'org_1', { projectId, of: counted.slice(1), now: 5, limit: 2 });
  assert.deepEqual(
    first.map(({ id }) => id),
    ['key_01', 'key_05'],
  );
  assert.deepEqual(await keysOfModels(db, 'org_1', { projectId, of: [], now: 5, limit: 2 }), []);
});

function keysIn(projects: readonly string[]): string[] {
  return Array.from({ length: KEYS }, (_, number) => number)
    .filter((number) => projects.includes(`proj_${number % PROJECTS}`))
    .map(keyId);
}

function keyId(number: number): string {
  return `key_${String(number).padStart(2, '0')}`;
}

/** Keys of four projects in turn, always two of one moment; the last project was archived. */
function rig() {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  migrate(database);
  database.exec("insert into organizations values ('org_1', 'One', 1)");
  const project = database.prepare("insert into settings values ('org_1', 'project', '', ?, 1, 1, ?)");
  for (let number = 0; number < PROJECTS; number += 1)
    project.run(`proj_${number}`, JSON.stringify({ name: 'P', archivedAt: number === PROJECTS - 1 ? 9 : null }));
  const key = database.prepare(
    `insert into api_keys (id, organization_id, name, source, hint, hash, created_at, project_id)
    values (?, 'org_1', 'Key', 'api_key', '', ?, ?, ?)`,
  );
  for (let number = 0; number < KEYS; number += 1)
    key.run(keyId(number), Buffer.from(keyId(number)), number >> 1, `proj_${number % PROJECTS}`);
  const statements: CompiledQuery[] = [];
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(database, 0),
    log: ({ query }) => void statements.push(query),
  });
  /** The index that each list since the last look is read by. Nothing is read without one. */
  const plans = () =>
    statements
      .splice(0)
      .filter(({ sql }) => / (limit|order by) /.test(sql))
      .map(({ sql, parameters }) => {
        const steps = database.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
        const read = steps.map(({ detail }) => String(detail));
        assert.deepEqual(
          read.filter((step) => /^SCAN (?!place|json_each|near)/.test(step)),
          [],
        );
        return read.flatMap((step) => /INDEX (api_keys_\w+|members\w+|owners|open\w+)/.exec(step)?.[1] ?? [])[0];
      });
  return { db, plans, database };
}
