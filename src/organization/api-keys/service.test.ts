import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS } from '../../core/permissions.ts';
import { NOON } from '../../store/fixtures.test.ts';
import type { Administration } from '../administration.ts';
import { DAY_MS, keyIn, member, organizationOf, project, setting } from '../fixtures.test.ts';
import { removeMember } from '../members/service.ts';
import { createAccountKey, createServiceAccount, deleteServiceAccount } from '../service-accounts/service.ts';
import {
  createAdminKey,
  createProjectKey,
  deleteAdminKey,
  deleteProjectKey,
  findProjectKey,
  listAllKeys,
  listProjectKeys,
  rotateProjectKey,
  updateProjectKey,
} from './service.ts';

const forbidden = { kind: 'forbidden' };
const noKey = { kind: 'not_found', message: 'There is no API key with this id.' };
const ofUser = (id: string) => ({ name: 'ci', owner: { type: 'user', id } }) as const;

/** Two projects; `ben` and `cleo` are in the first and have a key there. */
async function company(t: Parameters<typeof organizationOf>[0]) {
  const made = await organizationOf(t);
  await made.keep(project('proj_1'), project('proj_2'), project('proj_old', { archivedAt: NOON }));
  for (const id of ['ben', 'cleo'])
    await made.keep(...member(id), setting('project_member', id, { parentId: 'proj_1', role: 'member' }));
  await made.keep(keyIn('proj_1', 'ben'), keyIn('proj_1', 'cleo'), keyIn('proj_1', null));
  return made;
}

test('a person’s key is made, changed, rotated and ended by them, and by who may change members there', async (t) => {
  const { as, admin } = await company(t);
  const ben = as('ben', ['api.keys.write']);
  const there = as('ben', ['api.keys.write'], ['proj_1', 'api.members.write']);
  const withKey = { ...ben, by: { ...ben.by, actor: { type: 'api_key', keyId: 'key_1', userId: 'ben' } as const } };
  const nobody = { ...ben, by: { ...ben.by, actor: { type: 'api_key', keyId: 'key_1', userId: null } as const } };
  const may = async (by: Administration, id: string) => {
    const { key } = await createProjectKey(by, 'proj_1', ofUser(id));
    const at = { projectId: 'proj_1', id: key.id };
    await rotateProjectKey(by, at, 0);
    await updateProjectKey(by, at, { enabled: false });
    await deleteProjectKey(by, 'proj_1', key.id);
  };
  for (const by of [ben, withKey, there, as('ben', ['api.members.write']), admin]) await may(by, 'ben');
  for (const by of [there, as('ben', ['api.members.write']), admin]) await may(by, 'cleo');
  for (const by of [ben, withKey, nobody]) {
    await assert.rejects(createProjectKey(by, 'proj_1', ofUser('cleo')), { ...forbidden, param: 'user_id' });
    for (const id of ['cleo in proj_1', 'nobody in proj_1']) {
      await assert.rejects(rotateProjectKey(by, { projectId: 'proj_1', id }, 0), forbidden);
      await assert.rejects(updateProjectKey(by, { projectId: 'proj_1', id }, { enabled: false }), forbidden);
      await assert.rejects(deleteProjectKey(by, 'proj_1', id), forbidden);
    }
    const ofNobody = createProjectKey(by, 'proj_1', { name: 'ci', owner: null });
    await assert.rejects(ofNobody, { ...forbidden, param: 'user_id' });
  }
});

test('a page of many keys asks the settings as often as one of few, and tells of each whose it is', async (t) => {
  const { admin, keep } = await company(t);
  let asked = 0;
  const settings = new Proxy(admin.settings, {
    get(target, name) {
      asked += 1;
      return Reflect.get(target, name);
    },
  });
  const counted = async () => {
    asked = 0;
    const { items } = await listProjectKeys({ ...admin, settings }, 'proj_1', { wanted: 'any', limit: 100 });
    return { asked, items };
  };
  const few = await counted();
  const people = Array.from({ length: 40 }, (_, index) => `person-${index}`);
  for (const id of people)
    await keep(
      ...member(id),
      ...(id.endsWith('0') ? [] : [setting('project_member', id, { parentId: 'proj_1', role: 'member' })]),
      keyIn('proj_1', id),
    );
  const many = await counted();
  assert.equal(many.items.length, few.items.length + people.length);
  assert.equal(many.asked, few.asked);
  for (const { key, owner, isOwnerHere } of many.items) {
    assert.equal(owner?.id ?? null, key.owner?.id ?? null);
    assert.equal(isOwnerHere, owner === null || !owner.id.endsWith('0'));
  }
});

test('a key is made for who is in the project, and not where that ends at the same moment', async (t) => {
  const { admin, after } = await company(t);
  const invalid = { kind: 'invalid_request', param: 'user_id' };
  await assert.rejects(createProjectKey(admin, 'proj_2', ofUser('ben')), invalid);
  const account = { name: 'ci', owner: { type: 'service_account', id: 'svc_none' } } as const;
  await assert.rejects(createProjectKey(admin, 'proj_1', account), { ...invalid, param: 'service_account_id' });
  await assert.rejects(createProjectKey(admin, 'proj_old', { name: 'ci', owner: null }), { kind: 'conflict' });
  const left = { remove: { kind: 'project_member', id: 'ben', parentId: 'proj_1', version: 1 } } as const;
  await assert.rejects(createProjectKey(after(left), 'proj_1', ofUser('ben')), { kind: 'conflict' });
});

test('whose a key is that nobody is named for', async (t) => {
  const { as, admin } = await company(t);
  const ben = as('ben', ['api.keys.write']);
  const withKey = { ...ben, by: { ...ben.by, actor: { type: 'api_key', keyId: 'key_1', userId: 'ben' } as const } };
  const owners = [];
  for (const by of [ben, withKey, admin])
    owners.push((await createProjectKey(by, 'proj_1', { name: 'ci' })).key.owner?.id);
  assert.deepEqual(owners, ['ben', 'ben', undefined]);
  const elsewhere = { kind: 'invalid_request', param: 'user_id', message: /you are not in this project/ };
  const there = as('ben', [], ['proj_2', 'api.keys.write']);
  await assert.rejects(createProjectKey(there, 'proj_2', { name: 'ci' }), elsewhere);
  const everywhere = await createProjectKey(ben, 'proj_2', { name: 'ci' });
  assert.equal(everywhere.key.owner?.id, 'ben');
  await removeMember(admin, 'ben');
  await assert.rejects(findProjectKey(admin, 'proj_2', everywhere.key.id), noKey);
});

test('a product’s key is changed and ended by whoever may change products', async (t) => {
  const { as, keep } = await company(t);
  await keep(keyIn('proj_1', null, { id: 'key_product', product: 'helpdesk' }));
  const at = { projectId: 'proj_1', id: 'key_product' };
  const lead = as('ben', ['api.keys.write', 'api.members.write'], ['proj_1', 'api.products.write']);
  await assert.rejects(updateProjectKey(lead, at, { enabled: false }), forbidden);
  await assert.rejects(deleteProjectKey(lead, 'proj_1', at.id), forbidden);
  const mayProducts = as('ben', ['api.keys.write', 'api.products.write']);
  await updateProjectKey(mayProducts, at, { enabled: false });
  await deleteProjectKey(mayProducts, 'proj_1', at.id);
});

test('a key that administers is changed, rotated and ended by owners', async (t) => {
  const { as, admin, keep } = await company(t);
  await keep(keyIn('proj_1', null, { id: 'key_admin', admin: true }));
  const at = { projectId: 'proj_1', id: 'key_admin' };
  const ben = as('ben', PERMISSIONS.slice(1));
  for (const edit of [{ name: 'Mine' }, { enabled: true }, { enabled: false }])
    await assert.rejects(updateProjectKey(ben, at, edit), forbidden);
  await assert.rejects(rotateProjectKey(ben, at, 0), forbidden);
  await assert.rejects(deleteProjectKey(ben, 'proj_1', at.id), forbidden);
  const ada = as('ada', PERMISSIONS);
  assert.equal((await updateProjectKey(ada, at, { enabled: false })).disabledAt, NOON);
  await rotateProjectKey(admin, at, 0);
  await deleteProjectKey(ada, 'proj_1', at.id);
});

test('a key is found in its project until it is revoked, and changed as it was read', async (t) => {
  const { admin, keysLeft } = await company(t);
  const id = 'ben in proj_1';
  assert.equal((await findProjectKey(admin, 'proj_1', id)).id, id);
  await assert.rejects(findProjectKey(admin, 'proj_2', id), noKey);
  await assert.rejects(deleteProjectKey(admin, 'proj_2', id), noKey);
  const changed = await updateProjectKey(admin, { projectId: 'proj_1', id, ifVersion: 1 }, { name: 'Mine' });
  assert.deepEqual([changed.name, changed.version], ['Mine', 2]);
  await assert.rejects(updateProjectKey(admin, { projectId: 'proj_1', id, ifVersion: 1 }, { name: 'Other' }), {
    kind: 'conflict',
  });
  await deleteProjectKey(admin, 'proj_1', id);
  await assert.rejects(findProjectKey(admin, 'proj_1', id), noKey);
  assert.deepEqual((await keysLeft()).toSorted(), ['cleo in proj_1', 'nobody in proj_1']);
});

test('a secret that is replaced goes on for as long as was asked, and no more than five do', async (t) => {
  const { admin } = await company(t);
  const at = { projectId: 'proj_1', id: 'ben in proj_1' };
  assert.equal((await rotateProjectKey(admin, at, 0)).earlierUntil, NOON);
  for (let rotations = 0; rotations < 5; rotations += 1)
    assert.equal((await rotateProjectKey(admin, at, DAY_MS)).earlierUntil, NOON + DAY_MS);
  await assert.rejects(rotateProjectKey(admin, at, DAY_MS));
  await rotateProjectKey(admin, at, 0);
});

test('a admin key is of the person who has it made, also by a key of theirs', async (t) => {
  const { as, admin, keysLeft } = await company(t);
  const ben = as('ben', PERMISSIONS);
  const withKey = { ...ben, by: { ...ben.by, actor: { type: 'api_key', keyId: 'key_1', userId: 'ben' } as const } };
  const wanted = { name: 'admin', expiresAt: null };
  const owners = [];
  for (const by of [ben, withKey, admin]) owners.push((await createAdminKey(by, wanted)).key.owner);
  assert.deepEqual(owners, [{ type: 'user', id: 'ben' }, { type: 'user', id: 'ben' }, null]);
  const [one, ...others] = await keysLeft('administration');
  await deleteAdminKey(admin, one!);
  assert.deepEqual(await keysLeft('administration'), others);
  const gone = { kind: 'not_found', message: 'There is no admin key with this id.' };
  await assert.rejects(deleteAdminKey(admin, one!), gone);
  await assert.rejects(deleteAdminKey(admin, 'ben in proj_1'), gone);
});

test('keys are listed by whether their owner is in the project still', async (t) => {
  const { admin, keep } = await company(t);
  await keep({ remove: { kind: 'project_member', id: 'ben', parentId: 'proj_1', version: 1 } });
  const listed = async (wanted: 'active' | 'inactive' | 'any') =>
    (await listProjectKeys(admin, 'proj_1', { limit: 10, wanted })).items.map(({ id }) => id);
  assert.deepEqual(await listed('active'), ['cleo in proj_1', 'nobody in proj_1']);
  assert.deepEqual(await listed('inactive'), ['ben in proj_1']);
  assert.equal((await listed('any')).length, 3);
});

test('of all keys those are listed whose project is in use, and that the administrator may see', async (t) => {
  const { admin, keep } = await company(t);
  await keep(keyIn('proj_2', null), keyIn('proj_old', null));
  const listed = async (by: Administration) =>
    (await listAllKeys(by, { limit: 10 })).items.map(({ id, project }) => `${id}: ${project.name}`);
  const ofFirst = ['ben', 'cleo', 'nobody'].map((id) => `${id} in proj_1: proj_1`);
  assert.deepEqual(await listed(admin), [...ofFirst, 'nobody in proj_2: proj_2']);
  const onlyProjects = new Set(['proj_2']);
  const limited = { ...admin, by: { ...admin.by, onlyProjects } };
  assert.deepEqual(await listed(limited), ['nobody in proj_2: proj_2']);
  const found = await listAllKeys(limited, { limit: 10, search: 'proj_' });
  assert.ok(found.items.every(({ project: { id } }) => onlyProjects.has(id)));
  await assert.rejects(listAllKeys(admin, { limit: 10, search: 'ci', after: 'x' }), { param: 'after' });
});

test('a page of many keys asks the store no more than a page of one, by search too', async (t) => {
  const { admin, keep } = await company(t);
  const asked = async (limit: number, search?: string) => {
    let questions = 0;
    const counted = new Proxy(admin.settings, {
      get(settings, name) {
        questions += 1;
        return Reflect.get(settings, name) as unknown;
      },
    });
    const { items } = await listAllKeys({ ...admin, settings: counted }, { limit, search });
    return { items: items.length, questions };
  };
  await keep(...Array.from({ length: 5 }, (_, number) => keyIn(`proj_${1 + (number % 2)}`, `x${number}`)));
  for (const search of [undefined, 'ci']) {
    const [one, many] = [await asked(1, search), await asked(8, search)];
    assert.deepEqual([one.items, many.items], [1, 8]);
    assert.equal(many.questions, one.questions);
  }
});

test('the keys of a service account are made and ended by who may change members there', async (t) => {
  const { as, admin } = await company(t);
  const withKey = { expiresAt: null };
  const { account } = await createServiceAccount(admin, 'proj_1', { name: 'robot', withKey });
  const ben = as('ben', ['api.keys.write', 'api.service_accounts.write']);
  const asked = createServiceAccount(ben, 'proj_1', { name: 'mine', withKey });
  await assert.rejects(asked, { ...forbidden, param: 'create_service_account_only' });
  await createServiceAccount(ben, 'proj_1', { name: 'mine', withKey: null });
  await assert.rejects(createAccountKey(ben, { projectId: 'proj_1', id: account.id }, withKey), forbidden);
  await assert.rejects(deleteServiceAccount(ben, 'proj_1', account.id), forbidden);
  const lead = as('ben', ['api.keys.write'], ['proj_1', 'api.members.write']);
  await createAccountKey(lead, { projectId: 'proj_1', id: account.id }, withKey);
  await deleteServiceAccount(lead, 'proj_1', account.id);
});

test('the keys of a service account end with it', async (t) => {
  const { admin, keysLeft } = await company(t);
  const withKey = { expiresAt: null };
  const { account, made } = await createServiceAccount(admin, 'proj_1', { name: 'robot', withKey });
  const other = await createServiceAccount(admin, 'proj_1', { name: 'other', withKey });
  assert.equal(made!.key.owner?.id, account.id);
  await assert.rejects(createServiceAccount(admin, 'proj_old', { name: 'robot', withKey }), { kind: 'conflict' });
  await deleteServiceAccount(admin, 'proj_1', account.id);
  const left = await keysLeft();
  assert.deepEqual([left.includes(made!.key.id), left.includes(other.made!.key.id)], [false, true]);
});
