import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '../../core/audit.ts';
import type { Storage } from '../../core/ports.ts';
import { KEPT_KINDS } from '../../core/search.ts';
import type { SettingChange, SettingKind } from '../../core/settings.ts';
import { seeded } from '../../testing/seeded.ts';
import { openEmbedded, openInPostgres } from '../contract.test.ts';
import { key, NOON, temporaryFolder } from '../fixtures.test.ts';
import { temporaryPool, WITH_POSTGRES } from './database.test.ts';

const PROOF = Buffer.alloc(32, 7);
const ENTRIES = 40;
const KEYS = 40;
/** With letters that databases fold otherwise than `folded` does, or not at all. */
const LETTERS = [...'aAbB1 -_.éÉﬁ№…K'];
const ROUNDS = 60;

test('lists of administration have what the embedded engine has, in the same order', WITH_POSTGRES, async (t) => {
  const folder = temporaryFolder(t);
  const stores = [await openEmbedded(folder), await (await openInPostgres(t))(temporaryFolder(t))] as const;
  t.after(() => Promise.all(stores.map((store) => store.close())));
  for (const store of stores) await fill(store);
  let asked = 0;
  for (const ask of questions()) {
    const [embedded, postgres] = await Promise.all(stores.map(ask));
    assert.deepEqual(postgres, embedded, String(ask));
    asked += JSON.stringify(embedded).length > 30 ? 1 : 0;
  }
  assert.ok(asked > 50, `${asked} questions have an answer`);
});

test('search finds what the embedded engine finds, of whatever names', WITH_POSTGRES, async (t) => {
  const part = seeded(20_261_128);
  const random = (below: number) => Math.floor(part() * below);
  const text = () => Array.from({ length: random(7) }, () => LETTERS[random(LETTERS.length)]).join('');
  const stores = [await openEmbedded(temporaryFolder(t)), await (await openInPostgres(t))(temporaryFolder(t))] as const;
  t.after(() => Promise.all(stores.map((store) => store.close())));
  const names = Array.from({ length: 30 }, () => [text(), text()] as const);
  const user = (index: number) => ({ name: index % 3 === 0 ? null : names[index]![0], email: `${names[index]![1]}@b` });
  const people = names.map((_, index) => put('member', `user_b${index}`, { ...user(index), role: 'reader' }));
  for (const store of stores) {
    await store.organizations.create({ id: 'org_1', name: 'One', createdAt: NOON });
    assert.equal(await store.settings.change('org_1', people, null), 'done');
    for (const [index, [name, hint]] of names.entries())
      await store.keys.create(
        key({ id: `key_a${index}`, name: `n${name}`, hint: `hg_a${hint}…ab` }),
        Buffer.from([index]),
      );
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const query = { words: text(), kinds: KEPT_KINDS.map((kind) => ({ kind })), limit: 1 + random(9) };
    const [embedded, postgres] = await Promise.all(stores.map(({ settings }) => settings.search('org_1', query)));
    assert.deepEqual(postgres, embedded, `round ${round}: ${query.words}`);
  }
});

test('of changes at once each has its entry, and the log is whole', WITH_POSTGRES, async (t) => {
  const [openIn, folder] = [await openInPostgres(t), temporaryFolder(t)];
  const stores = await Promise.all([openIn(folder), openIn(folder)]);
  t.after(() => Promise.all(stores.map((store) => store.close())));
  await stores[0]!.organizations.create({ id: 'org_1', name: 'One', createdAt: NOON });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      stores[number % 2]!.settings.change('org_1', [put('group', `group_${number % 15}`, { name: 'x' })], {
        event: eventOf(number),
        key: PROOF,
      }),
    ),
  );
  assert.deepEqual(Object.groupBy(outcomes, (each) => each).done?.length, 15);
  assert.deepEqual(Object.groupBy(outcomes, (each) => each).taken?.length, 5);
  assert.deepEqual(await stores[1]!.audit.verify(PROOF), { entries: 15, fault: null });
});

test('nobody changes the audit log or cuts it', WITH_POSTGRES, async (t) => {
  const pool = await temporaryPool(t);
  const log = 'headgate.audit_log';
  for (const statement of [`delete from ${log}`, `update ${log} set at = 1`, `truncate ${log}`])
    await assert.rejects(pool.query(statement), /the audit log is neither changed nor cut/);
});

type Ask = (store: Storage) => Promise<unknown>;

function questions(): Ask[] {
  const pages = [{ limit: 3 }, { limit: 100 }, { limit: 4, order: 'desc' }, { limit: 100, order: 'desc' }] as const;
  const projects = new Set(['proj_0', 'proj_2', 'proj_3']);
  const [org, now] = ['org_1', NOON + 5];
  const keyFilters = [
    {},
    { projectId: 'proj_1' },
    { ownerId: 'user_1' },
    { product: 'search' },
    { revokedAt: NOON + 9 },
  ];
  const ofProjects = [
    { ofOpenProjects: projects },
    { ofOpenProjects: 'all' },
    { isOwnerHere: true },
    { isOwnerHere: false },
  ];
  const places = [{}, { after: 'key_11' }, { before: 'key_20' }];
  const entries = [{}, { types: ['type.1', 'type.2'] }, { projectIds: ['proj_1'] }, { actorIds: ['user_1', 'key_2'] }];
  const others = [
    { actorEmails: ['user_1@b'] },
    { resourceIds: ['res_1', 'res_3'] },
    { from: NOON + 5, until: NOON + 20 },
  ];
  const both = [
    { types: ['type.1'], projectIds: ['proj_0'] },
    { types: ['type.1'], actorIds: ['user_1'], from: NOON + 9 },
  ];
  return [
    ...pages.flatMap((page): Ask[] => [
      ...[{}, { emails: ['user_1@b', 'user_3@b'] }, { areOwners: true as const }, { emails: [] }].map(
        (of): Ask =>
          ({ settings }) =>
            settings.members(org, { ...page, ...of }),
      ),
      ...[{}, { areOpen: true }, { ids: ['proj_1', 'proj_3'] }, { ids: [] }].map(
        (of): Ask =>
          ({ settings }) =>
            settings.projects(org, { ...page, ...of }),
      ),
      ...[...keyFilters, ...ofProjects].flatMap((of) =>
        places.map(
          (place): Ask =>
            ({ settings }) =>
              settings.keys(org, { access: 'models', ...page, ...place, ...(of as object) }),
        ),
      ),
      ...[...entries, ...others, ...both].flatMap((of) =>
        [{}, { after: idOf(17) }, { before: idOf(17) }].map(
          (place): Ask =>
            ({ audit }) =>
              audit.list(org, { ...page, ...of, ...place }),
        ),
      ),
    ]),
    ({ settings }) => settings.keyModels(org, { projectIds: ['proj_0', 'proj_1'], now }).then(sorted),
    ({ settings }) =>
      settings.keysOfModels(org, { projectId: 'proj_1', of: [{ allowedModels: ['a'], product: null }], now, limit: 3 }),
    ({ settings }) => settings.keyCounts(org, ['proj_0', 'proj_1']).then((counts) => [...counts].sort()),
    ({ settings }) => settings.keyCounts(org, []),
    ({ settings }) => settings.endingKeys(org, { access: 'models', after: NOON, until: NOON + 30, limit: 9 }),
    ({ settings }) =>
      settings.endingKeys(org, { access: 'models', after: NOON, until: NOON + 99, limit: 9, ofProjects: projects }),
    ({ settings }) => settings.oldUsageKeys(org, { now, limit: 9 }),
    ({ settings }) => settings.oldUsageKeys(org, { now, limit: 9, ofProjects: projects }),
    ({ settings }) => settings.openInvitesOf(org, 'user_1'),
    ({ people }) => Promise.all(['a@b', 'b@b'].map((email) => people.isInvited(email, NOON))),
    ({ keys }) => keys.use('2026-11-21', ['key_01']),
    ({ settings }) =>
      settings.change(org, [{ revokeKeysOfAbsent: { userId: 'user_1', projectId: 'proj_1', at: NOON } }], null),
    ({ settings }) => settings.keys(org, { access: 'models', limit: 100, ownerId: 'user_1' }),
  ];
}

async function fill(store: Storage): Promise<void> {
  await store.organizations.create({ id: 'org_1', name: 'One', createdAt: NOON });
  await store.organizations.create({ id: 'org_2', name: 'Two', createdAt: NOON });
  const invite = { role: 'reader', expiresAt: NOON + 9, projects: [], invitedBy: 'user_1' };
  const changes: SettingChange[] = [
    ...[0, 1, 2, 3].map((index) =>
      put('project', `proj_${index}`, { name: `P${index}`, archivedAt: index === 3 ? NOON : null }),
    ),
    ...[0, 1, 2, 3].map((index) =>
      put('member', `user_${index}`, { name: null, email: `user_${index}@b`, role: index === 2 ? 'owner' : 'reader' }),
    ),
    put('project_member', 'user_1', {}, 'proj_1'),
    put('invite', 'invite_1', { ...invite, email: 'a@b', acceptedAt: null }),
    put('invite', 'invite_2', { ...invite, email: 'b@b', acceptedAt: NOON }),
  ];
  assert.equal(await store.settings.change('org_1', changes, null), 'done');
  for (let index = 0; index < KEYS; index += 1) {
    const id = `key_${String(index).padStart(2, '0')}`;
    const owner = index % 2 === 0 ? null : ({ type: 'user', id: `user_${index % 4}` } as const);
    const made = {
      id,
      name: `Key ${index}`,
      projectId: `proj_${index % 4}`,
      createdAt: NOON + (index % 7),
      expiresAt: index % 5 === 0 ? NOON + index : null,
      revokedAt: index % 11 === 0 ? NOON + 9 : null,
      allowedModels: index % 3 === 0 ? ['a'] : null,
      product: index % 6 === 0 ? 'search' : null,
      owner,
    };
    await store.keys.create(key(made), Buffer.from(id));
  }
  for (let number = 0; number < ENTRIES; number += 1) {
    const change = put('group', `group_${number}`, { name: 'x' });
    await store.settings.change('org_1', [change], { event: eventOf(number), key: PROOF });
  }
}

function put(kind: SettingKind, id: string, value: object, parentId: string | null = null): SettingChange {
  return { put: { kind, id, parentId, version: 1, createdAt: NOON, value } } as SettingChange;
}

function idOf(number: number): string {
  return `audit_log-${String(number).padStart(26, '0')}`;
}

function eventOf(number: number): AuditEvent {
  const userId = `user_${number % 3}`;
  return {
    id: idOf(number),
    organizationId: 'org_1',
    type: `type.${number % 4}`,
    at: NOON + number,
    actor:
      number % 2 === 0
        ? { type: 'session', userId, email: `${userId}@b`, address: null, userAgent: null }
        : { type: 'api_key', keyId: `key_${number % 5}`, userId, address: null, userAgent: null },
    project: number % 3 === 0 ? null : { id: `proj_${number % 3}`, name: 'P' },
    resourceId: `res_${number % 5}`,
    details: {},
  } as unknown as AuditEvent;
}

function sorted(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
