import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test as embeddedTest, type TestContext } from 'node:test';
import type { AuditEvent, Audited } from '../core/audit.ts';
import type { Storage } from '../core/ports.ts';
import type { ApiKey } from '../core/records.ts';
import { holderKey, type PriceOverride, type Setting, type SettingChange } from '../core/settings.ts';
import { type OpenIn, openEmbedded, administrationTest as test } from './contract.test.ts';
import { key, NOON, temporaryFolder } from './fixtures.test.ts';

const KEY = new Uint8Array(32).fill(7);

test('a setting is put, found in its own organization alone, changed by its version and removed', async (t, openIn) => {
  const { storage } = await open(t, openIn);
  const { settings } = storage;
  const made = group('group_1', 'one');
  assert.equal(await settings.change('org_1', [{ put: made }], audited(1)), 'done');
  assert.deepEqual(await settings.find('org_1', 'group', 'group_1'), made);
  assert.equal(await settings.find('org_2', 'group', 'group_1'), null);
  assert.equal(await settings.find('org_1', 'group', 'group_1', 'proj_1'), null);
  assert.equal(await settings.change('org_1', [{ put: made }], audited(2)), 'taken');

  const next = { ...made, version: 2, value: { name: 'two' } };
  assert.equal(await settings.change('org_2', [{ put: next }], audited(3)), 'changed');
  assert.equal(await settings.change('org_1', [{ put: next }], audited(4)), 'done');
  assert.equal(await settings.change('org_1', [{ put: next }], audited(5)), 'changed');
  assert.equal((await settings.find('org_1', 'group', 'group_1'))?.value.name, 'two');

  const { kind, id, parentId } = made;
  assert.equal(await settings.change('org_1', [{ remove: { kind, id, parentId, version: 1 } }], null), 'changed');
  assert.equal(await settings.change('org_1', [{ remove: { kind, id, parentId, version: 2 } }], null), 'done');
  assert.equal(await settings.find('org_1', 'group', 'group_1'), null);
});

test('of changes that are made together, all are done or none, and the log tells of those that were', async (t, openIn) => {
  const { storage } = await open(t, openIn);
  const { settings, audit } = storage;
  const wrong: SettingChange[] = [
    { put: group('group_1', 'one') },
    { put: { ...group('group_2', 'two'), version: 5 } },
  ];
  assert.equal(await settings.change('org_1', wrong, audited(1)), 'changed');
  assert.equal(await settings.find('org_1', 'group', 'group_1'), null);
  assert.deepEqual((await audit.list('org_1', { limit: 10 })).items, []);

  const hash = Buffer.from('hash');
  const right: SettingChange[] = [{ put: group('group_1', 'one') }, { addKey: { key: key(), hash } }];
  assert.equal(await settings.change('org_1', right, audited(1)), 'done');
  assert.equal((await storage.keys.find(hash))?.key.id, 'key_1');
  assert.deepEqual((await audit.list('org_1', { limit: 10 })).items, [event(1)]);
});

test('nothing is done where a setting that a change builds on has changed or is gone', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  const base = group('group_base', 'base');
  await settings.change('org_1', [{ put: base }], null);
  const { kind, id, parentId } = base;
  const building = (name: string, version: number): SettingChange[] => [
    { put: group(`group_${name}`, name) },
    { unchanged: { kind, id, parentId, version } },
  ];
  assert.equal(await settings.change('org_1', building('first', 1), null), 'done');
  assert.equal(await settings.change('org_1', building('second', 2), null), 'changed');
  assert.equal(await settings.find('org_1', 'group', 'group_second'), null);
  assert.equal(await settings.change('org_2', building('of_another', 1), null), 'changed');
  await settings.change('org_1', [{ remove: { kind, id, parentId, version: 1 } }], null);
  assert.equal(await settings.change('org_1', building('third', 1), null), 'changed');
});

test('what a change says of one kind is not held of another that has the same id', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  const alias: Setting<'alias'> = { ...group('same', ''), kind: 'alias', value: { target: 'echo', updatedAt: NOON } };
  const at = (kind: 'group' | 'alias', version: number) => ({ kind, id: 'same', parentId: null, version });
  await settings.change('org_1', [{ put: alias }], null);
  assert.equal(await settings.change('org_1', [{ unchanged: at('group', 1) }], null), 'changed');
  assert.equal(await settings.change('org_1', [{ put: { ...group('same', 'two'), version: 2 } }], null), 'changed');
  assert.equal(await settings.change('org_1', [{ remove: at('group', 1) }], null), 'changed');
  assert.deepEqual(await settings.find('org_1', 'alias', 'same'), alias);
  assert.equal(await settings.change('org_1', [{ unchanged: at('alias', 1) }], null), 'done');
});

test('an organization is named anew where it has the name that was read', async (t, openIn) => {
  const { settings, organizations } = (await open(t, openIn)).storage;
  const { id, name } = (await organizations.list()).find((each) => each.id === 'org_1')!;
  const rename = (to: string) => settings.change(id, [{ renameOrganization: { name: to, before: name } }], null);
  assert.deepEqual([await rename('Mine'), await rename('Other')], ['done', 'changed']);
  assert.equal((await organizations.list()).find((each) => each.id === id)?.name, 'Mine');
});

test('all is removed that belongs to something or to what is below it, and nothing of what only begins alike', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  const parents = ['user:a', 'user:a/proj_1', 'user:a/proj_2', 'user:a-b', 'user:a0', 'user:ab', 'user:A'];
  const given = (parent: string): SettingChange => ({ put: assignment('role_1', parent) });
  await settings.change('org_1', parents.map(given), null);
  await settings.change('org_2', parents.map(given), null);
  await settings.change('org_1', [{ removeAll: { kind: 'role_assignment', parentId: 'user:a' } }], null);
  const left = async (organization: string) =>
    (await settings.all(organization, 'role_assignment')).map(({ parentId }) => parentId).sort();
  assert.deepEqual(await left('org_1'), ['user:A', 'user:a-b', 'user:a0', 'user:ab']);
  assert.deepEqual(await left('org_2'), parents.toSorted());
});

test('all of an id is removed, and found by several ids, whatever they belong to', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  const made = ['a', 'b'].flatMap((parent) =>
    ['role_1', 'role_2', 'role_3'].map((id) => assignment(id, `user:${parent}`)),
  );
  await settings.change(
    'org_1',
    made.map((put) => ({ put })),
    null,
  );
  const ids = async (wanted: string[]) =>
    (await settings.all('org_1', 'role_assignment', { ids: wanted })).map(({ id }) => id);
  assert.deepEqual(await ids(['role_1', 'role_3']), ['role_1', 'role_1', 'role_3', 'role_3']);
  assert.deepEqual(await ids([]), []);
  await settings.change('org_1', [{ removeEvery: { kind: 'role_assignment', id: 'role_1' } }], null);
  assert.deepEqual(await ids(['role_1', 'role_3']), ['role_3', 'role_3']);
});

test('of a new setting nothing is done where what it belongs to has as many as it may', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  const given = (role: string, parent: string, most: number): SettingChange => ({
    put: assignment(role, parent),
    most,
  });
  assert.equal(
    await settings.change('org_1', [given('role_1', 'user:a', 2), given('role_2', 'user:a', 2)], null),
    'done',
  );
  assert.equal(
    await settings.change('org_1', [given('role_3', 'user:a', 2), { put: group('group_1', 'x') }], null),
    'changed',
  );
  assert.equal(await settings.find('org_1', 'group', 'group_1'), null);
  assert.equal(await settings.change('org_1', [given('role_3', 'user:b', 2)], null), 'done');
  assert.equal(await settings.change('org_2', [given('role_3', 'user:a', 1)], null), 'done');
  const { put } = given('role_1', 'user:a', 1) as { put: Setting<'role_assignment'> };
  assert.equal(
    await settings.change('org_1', [{ put: { ...put, version: 2 }, most: 1 }], null),
    'done',
    'a change is none more',
  );
});

test('settings of a kind are counted', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  await settings.change('org_1', [{ put: group('group_1', 'x') }, { put: price('price_1') }], null);
  await settings.change('org_1', [{ put: group('group_2', 'x') }], null);
  const counts = ['org_1', 'org_2'].map((id) => settings.count(id, 'group'));
  assert.deepEqual(await Promise.all(counts), [2, 0]);
});

test('settings of a kind are counted by what they belong to', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  const given = [assignment('role_1', 'user:a'), assignment('role_2', 'user:a'), assignment('role_1', 'user:ab')];
  await settings.change(
    'org_1',
    given.map((put) => ({ put })),
    null,
  );
  await settings.change('org_2', [{ put: assignment('role_1', 'user:c') }], null);
  const counted = await settings.countByParent('org_1', 'role_assignment', ['user:a', 'user:b', 'user:c']);
  assert.deepEqual([...counted], [['user:a', 2]]);
  assert.deepEqual([...(await settings.countByParent('org_1', 'role_assignment', []))], []);
});

test('prices are found by their model, with when the next of it begins', async (t, openIn) => {
  const { settings } = (await open(t, openIn)).storage;
  const prices = [
    price('price_1', { from: 10 }),
    // Ended before it began, so that it took no other's place.
    price('price_2', { from: 20, endedAt: 15 }),
    price('price_3', { from: 30, endedAt: 35 }),
    price('price_4', { from: 30 }),
    price('price_5', { from: 5 }),
    price('price_6', { from: 11, model: 'lab/b' }),
  ];
  const changes = prices.map((put) => ({ put }));
  await settings.change('org_1', changes, null);
  await settings.change('org_2', [{ put: price('price_0', { from: 12 }) }], null);
  assert.deepEqual(await settings.pricesOf('org_1', 'lab/b'), prices.slice(5));
  const ofModel = await settings.pricesOf('org_1', 'lab/a');
  assert.deepEqual(ofModel, prices.slice(0, 5));
  const ids = prices.map(({ id }) => id);
  const expected = { price_1: 30, price_2: 30, price_3: 30, price_5: 10 };
  assert.deepEqual(Object.fromEntries(await settings.replacementsOf('org_1', ids)), expected);
  assert.deepEqual([...(await settings.replacementsOf('org_1', ['price_5']))], [['price_5', 10]]);
});

test('lists go on from where they were, whatever was made and removed in between, in both directions', async (t, openIn) => {
  const { storage } = await open(t, openIn);
  const { settings } = storage;
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await settings.change('org_1', [{ put: group(`group_${name}`, name) }], null);
  const ids = (page: { items: readonly { id: string }[] }) =>
    page.items.map(({ id }) => id.slice('group_'.length)).join('');

  const first = await settings.list('org_1', 'group', { limit: 2 });
  assert.deepEqual([ids(first), first.hasMore], ['ab', true]);
  await settings.change('org_1', [{ remove: { kind: 'group', id: 'group_b', parentId: null, version: 1 } }], null);
  assert.equal(ids(await settings.list('org_1', 'group', { limit: 2, after: 'group_b' })), 'cd');
  const last = await settings.list('org_1', 'group', { limit: 2, after: 'group_d' });
  assert.deepEqual([ids(last), last.hasMore], ['e', false]);
  assert.equal(ids(await settings.list('org_1', 'group', { limit: 2, before: 'group_e' })), 'cd');
  assert.equal(ids(await settings.list('org_1', 'group', { limit: 2, order: 'desc' })), 'ed');
  assert.equal(ids(await settings.list('org_1', 'group', { limit: 2, order: 'desc', after: 'group_d' })), 'ca');
});

test('a change of settings is counted, so that every process looks again', async (t, openIn) => {
  const { storage } = await open(t, openIn);
  const before = await storage.keys.changes();
  await storage.settings.change('org_1', [{ put: group('group_1', 'one') }], null);
  assert.ok((await storage.keys.changes()) > before);
});

test('every organization has a default project from the beginning, and its keys are in it', async (t, openIn) => {
  const { storage } = await open(t, openIn);
  const [project] = (await storage.settings.list('org_1', 'project', { limit: 10 })).items;
  assert.deepEqual([project?.id, project?.value.isDefault], ['proj_00_org_1', true]);
});

embeddedTest('the log is checked from its first entry to its last', async (t) => {
  const { storage, folder } = await open(t, openEmbedded);
  for (let number = 1; number <= 5; number += 1) {
    await storage.settings.change('org_1', [{ put: group(`group_${number}`, 'x') }], audited(number));
  }
  assert.deepEqual(await storage.audit.verify(KEY), { entries: 5, fault: null });
  assert.equal((await storage.audit.verify(new Uint8Array(32))).fault?.number, 1);

  const edits: [sql: string, number: number, words: RegExp][] = [
    ["update audit_log set event = replace(event, 'group_3', 'group_9') where number = 3", 3, /was changed/],
    ['update audit_log set at = at + 1 where number = 2', 2, /was changed/],
    ["update audit_log set organization_id = 'org_2' where number = 4", 4, /was changed/],
    ['delete from audit_log where number = 1', 1, /is missing/],
    ['delete from audit_log where number = 3', 3, /is missing/],
    ['delete from audit_log where number = 5', 5, /is missing, with all that followed/],
    ['delete from audit_log', 1, /is missing, with all that followed/],
    ['update audit_log set number = 6 where number = 5', 5, /is missing/],
    [
      "insert into audit_log select 6, organization_id, 'x', type, at, actor_id, actor_email, project_id, resource_id, event, link from audit_log where number = 5",
      6,
      /was changed/,
    ],
  ];
  await storage.close();
  for (const [sql, number, words] of edits) {
    const copy = temporaryFolder(t);
    cpSync(folder, copy, { recursive: true });
    using database = new DatabaseSync(join(copy, 'headgate.db'));
    if (!sql.startsWith('insert')) assert.throws(() => database.exec(sql), /the audit log is not/);
    database.exec('drop trigger audit_log_is_not_changed; drop trigger audit_log_is_not_cut');
    database.exec(sql);
    const edited = await openEmbedded(copy);
    t.after(() => edited.close());
    const { fault } = await edited.audit.verify(KEY);
    assert.equal(fault?.number, number, sql);
    assert.match(fault?.words ?? '', words, sql);
  }

  const head = join(folder, 'audit-head.json');
  writeFileSync(head, JSON.stringify({ entries: 4, link: '00'.repeat(32) }));
  const again = await openEmbedded(folder);
  t.after(() => again.close());
  assert.match((await again.audit.verify(KEY)).fault?.words ?? '', /is another than audit-head.json says/);
  rmSync(head);
  assert.match((await again.audit.verify(KEY)).fault?.words ?? '', /audit-head.json, which is missing/);
});

async function open(t: TestContext, openIn: OpenIn): Promise<{ storage: Storage; folder: string }> {
  const folder = temporaryFolder(t);
  const storage = await openIn(folder);
  t.after(() => storage.close());
  for (const id of ['org_1', 'org_2']) await storage.organizations.create({ id, name: id, createdAt: NOON });
  return { storage, folder };
}

function group(id: string, name: string): Setting<'group'> {
  return { kind: 'group', id, parentId: null, version: 1, createdAt: NOON, value: { name } };
}

function price(id: string, changes: Partial<PriceOverride> = {}): Setting<'price_override'> {
  const by = { type: 'operator' } as const;
  const given = { model: 'lab/a', definition: {}, from: NOON, endedAt: null, note: null, by, updatedAt: NOON };
  return { kind: 'price_override', id, parentId: null, version: 1, createdAt: NOON, value: { ...given, ...changes } };
}

function event(number: number): AuditEvent {
  return {
    id: `audit_log-${number}`,
    organizationId: 'org_1',
    type: 'group.created',
    at: NOON + number,
    actor: { type: 'operator' },
    project: null,
    resourceId: `group_${number}`,
    details: { data: { group_name: 'one' } },
    request: null,
  };
}

function audited(number: number): Audited {
  return { event: event(number), key: KEY };
}

function assignment(id: string, parentId: string): Setting<'role_assignment'> {
  return { kind: 'role_assignment', id, parentId, version: 1, createdAt: NOON, value: { roleId: id, projectId: null } };
}

test('a key is looked up with what its project and its organization say of its calls', async (t, openIn) => {
  const { storage } = await open(t, openIn);
  const { settings, keys } = storage;
  const hash = Buffer.from('hash');
  await keys.create(key(), hash);
  const project = await settings.find('org_1', 'project', 'proj_00_org_1');
  const of = { version: 1, createdAt: NOON };
  const rates = { model: 'small', requestsPerMinute: 5, tokensPerMinute: null, kept: {} };
  await settings.change(
    'org_1',
    [
      {
        put: { ...project!, version: 2, value: { ...project!.value, models: { mode: 'deny_list', ids: ['large'] } } },
      },
      { put: { kind: 'rate_limit', id: 'rate_limit_small', parentId: 'proj_00_org_1', ...of, value: rates } },
      { put: { kind: 'rate_limit', id: 'rate_limit_small', parentId: 'proj_other', ...of, value: rates } },
      {
        put: {
          kind: 'spend_limit',
          id: 'spend_limit',
          parentId: null,
          ...of,
          value: { cents: 500, isEnforced: true },
        },
      },
      {
        put: {
          kind: 'spend_limit',
          id: 'spend_limit',
          parentId: 'proj_00_org_1',
          ...of,
          value: { cents: 100, isEnforced: true },
        },
      },
    ],
    null,
  );
  assert.deepEqual((await keys.find(hash))?.key.inForce, {
    models: { mode: 'deny_list', ids: ['large'] },
    rates: new Map([['small', rates]]),
    spendLimits: [
      { organizationId: 'org_1', projectId: null, name: 'org_1', cents: 500, setAt: NOON },
      { organizationId: 'org_1', projectId: 'proj_00_org_1', name: 'Default project', cents: 100, setAt: NOON },
    ],
    budgets: [],
  });
});

test('a key is looked up with the budgets that hold for it, for whom it belongs to and for the groups they are in', async (t, openIn) => {
  const { settings, keys } = (await open(t, openIn)).storage;
  const of = { version: 1, createdAt: NOON };
  const holders = {
    ofAll: { type: 'organization', id: 'org_1' },
    ofProject: { type: 'project', id: 'proj_00_org_1' },
    ofTeam: { type: 'group', id: 'group_team' },
    ofAda: { type: 'user', id: 'user_ada' },
    ofKey: { type: 'api_key', id: 'key_ada' },
    ofProduct: { type: 'product', id: 'search' },
    ofOthers: { type: 'project', id: 'proj_other' },
  } as const;
  const plain = { isHard: true, alerts: [], recipients: [], overrides: [], instead: null, models: null } as const;
  const made = Object.entries(holders).flatMap(([name, holder]): SettingChange[] => {
    const value = { ...plain, name, holders: [holder], amount: '5', per: 'day' } as const;
    return [
      { put: { kind: 'budget', id: name, parentId: null, ...of, value } },
      { put: { kind: 'budget_holder', id: name, parentId: holderKey(holder), ...of, value: {} } },
    ];
  });
  const member = { kind: 'group_member', id: 'user_ada', parentId: 'group_team', ...of, value: {} } as const;
  await settings.change('org_1', [...made, { put: member }], null);
  const namesOf = async (changes: Partial<ApiKey>) => {
    const hash = Buffer.from(changes.id ?? '');
    await keys.create(key(changes), hash);
    return (await keys.find(hash))?.key.inForce?.budgets.map(({ value }) => value.name);
  };
  const ada = { type: 'user', id: 'user_ada' } as const;
  assert.deepEqual(await namesOf({ id: 'key_ada', owner: ada }), ['ofKey', 'ofAda', 'ofTeam', 'ofProject', 'ofAll']);
  // A service account that is called like a person is not one.
  assert.deepEqual(await namesOf({ id: 'key_ci', owner: { ...ada, type: 'service_account' } }), ['ofProject', 'ofAll']);
  // Whoever has made a key knows its secret: it counts for them, too.
  const ofAda = ['ofAda', 'ofTeam', 'ofProject', 'ofAll'];
  const ci = { type: 'service_account', id: 'svc_ci' } as const;
  assert.deepEqual(await namesOf({ id: 'key_free', createdBy: ada }), ofAda);
  assert.deepEqual(await namesOf({ id: 'key_of_ci', createdBy: ada, owner: ci }), ofAda);
  assert.deepEqual(await namesOf({ id: 'key_op', createdBy: { type: 'operator' } }), ['ofProject', 'ofAll']);
  assert.deepEqual(await namesOf({ id: 'key_2', product: 'search' }), ['ofProduct', 'ofProject', 'ofAll']);
  await settings.change('org_1', [{ remove: member }], null);
  assert.deepEqual(await namesOf({ id: 'key_3', owner: ada }), ['ofAda', 'ofProject', 'ofAll']);
});
