import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS, PREDEFINED_ROLES } from '../../core/permissions.ts';
import { NOON } from '../../store/fixtures.test.ts';
import type { Administration } from '../administration.ts';
import { keyIn, member, ORGANIZATION, organizationOf, project, setting, signIn } from '../fixtures.test.ts';
import { addToGroup, removeFromGroup } from '../groups/service.ts';
import { demandPermission, permissionsInProjects, whereMay } from '../permissions.ts';
import { addGroupToProject, addToProject, removeFromProject, updateProjectPerson } from '../projects/people.ts';
import { assignRole, listHeldRoles, unassignRole } from './assignments.ts';
import { createRole, deleteRole, updateRole } from './service.ts';

const forbidden = { kind: 'forbidden' };
const user = (id: string, projectId: string | null = null) => ({ type: 'user' as const, id, projectId });

/** Two projects, a group in the first, three people, of whom `ada` is an owner, and custom roles. */
async function company(t: Parameters<typeof organizationOf>[0]) {
  const made = await organizationOf(t);
  await made.keep(project('proj_1'), project('proj_2'), setting('group', 'group_1', { name: 'One' }));
  await made.keep(...member('ada', 'owner'), ...member('ben'), ...member('cleo'));
  await made.keep(role('role_keys', 'api.keys.write'), role('role_routes', 'api.routes.write'));
  await made.keep(setting('project_group', 'group_1', { parentId: 'proj_1' }));
  return made;
}

function role(id: string, ...permissions: string[]) {
  return setting('role', id, { name: id, description: null, permissions, resourceType: 'api.organization' });
}

test('what a member may is what they, and groups that they are in, were given: in the organization, and in a project', async (t) => {
  const { asMember, keep } = await company(t);
  const may = async (id: string, projectId: string | null = null) => {
    const { permissions, project } = (await asMember(id, projectId)).by;
    return [[...permissions].sort(), [...(project?.permissions ?? [])].sort()];
  };
  assert.deepEqual(await may('ada'), [[...PERMISSIONS].sort(), []]);
  assert.deepEqual(await may('ben', 'proj_1'), [[], []]);
  const give = (id: string, parentId: string) => keep(setting('role_assignment', id, { parentId }));
  await give('role_keys', 'user:ben');
  await give('role_routes', 'group:group_1/proj_1');
  await give('role_routes', 'user:cleo/proj_1');
  assert.deepEqual(await may('ben', 'proj_1'), [['api.keys.write'], ['api.keys.write']]);
  await keep(setting('group_member', 'ben', { parentId: 'group_1' }));
  assert.deepEqual(await may('ben', 'proj_1'), [['api.keys.write'], ['api.keys.write', 'api.routes.write']]);
  assert.deepEqual(await may('ben', 'proj_2'), [['api.keys.write'], ['api.keys.write']]);
  assert.deepEqual(await may('cleo', 'proj_1'), [[], ['api.routes.write']]);
  await keep(setting('project_member', 'cleo', { parentId: 'proj_2', role: 'owner' }));
  assert.ok((await may('cleo', 'proj_2'))[1]!.includes('api.keys.write'));
  assert.ok(!(await may('cleo', 'proj_2'))[1]!.includes('api.admin_keys.write'));
  await assert.rejects(asMember('dan'), { ...forbidden, message: 'You are not a member of this organization.' });
});

test('a role of a project is given there, and nowhere else', async (t) => {
  const { admin, asMember, keep } = await company(t);
  const wanted = { name: 'Usage', description: null, permissions: ['api.usage.read'] as const };
  const { id } = await createRole(admin, wanted, 'proj_1');
  for (const projectId of ['proj_1', 'proj_2'])
    await keep(setting('project_member', 'ben', { parentId: projectId, role: 'member' }));
  await assignRole(admin, user('ben', 'proj_1'), id);
  for (const projectId of ['proj_2', null])
    await assert.rejects(assignRole(admin, user('ben', projectId), id), { kind: 'not_found' });
  await keep({ remove: { kind: 'project_member', id: 'ben', parentId: 'proj_1', version: 1 } });
  assert.deepEqual([...(await asMember('ben', 'proj_1')).by.project!.permissions], ['api.usage.read']);
});

test('where somebody may something is asked of the organization first, then of each project', async (t) => {
  const { asMember, keep, storage } = await company(t);
  await keep(setting('project_member', 'ben', { parentId: 'proj_2', role: 'member' }));
  const { by } = await asMember('ben');
  const ben = { organizationId: ORGANIZATION, userId: 'ben' };
  const inProjects = () => permissionsInProjects(storage.settings, ben);
  assert.deepEqual(await whereMay({ ...by, inProjects }, 'api.keys.write'), { ofProjects: new Set(['proj_2']) });
  assert.equal(await whereMay({ ...by, inProjects }, 'api.admin_keys.write'), null);
  assert.equal(await whereMay(by, 'api.keys.write'), null);
  assert.deepEqual(await whereMay((await asMember('ada')).by, 'api.keys.write'), {});
  assert.equal(by.project, undefined);
  const there = (await asMember('ben', 'proj_2')).by;
  demandPermission(there, 'api.keys.write');
  assert.throws(() => demandPermission(there, 'api.admin_keys.write'), forbidden);
  assert.throws(() => demandPermission(by, 'api.keys.write'), forbidden);
});

test('what somebody may in all their projects is what they may in each', async (t) => {
  const { admin, asMember, keep, storage } = await company(t);
  const wanted = { name: 'Usage', description: null, permissions: ['api.webhooks.write'] as const };
  const { id: ofProject } = await createRole(admin, wanted, 'proj_2');
  const give = (id: string, parentId: string) => keep(setting('role_assignment', id, { parentId }));
  await keep(setting('group_member', 'ben', { parentId: 'group_1' }));
  await keep(setting('project_member', 'ben', { parentId: 'proj_2', role: 'member' }));
  await give('role_keys', 'user:ben');
  await give('role_routes', 'group:group_1/proj_1');
  await give('role_billing', 'user:ben/proj_1');
  await give(ofProject, 'user:ben/proj_2');
  // A role of another project does not exist here.
  await give(ofProject, 'user:ben/proj_1');
  const ben = await permissionsInProjects(storage.settings, { organizationId: ORGANIZATION, userId: 'ben' });
  assert.deepEqual(
    ben.map(({ id }) => id),
    ['proj_1', 'proj_2'],
  );
  for (const { id, permissions } of ben) {
    const { by } = await asMember('ben', id);
    assert.deepEqual(
      [...permissions].sort(),
      [...by.project!.permissions].filter((each) => !by.permissions.has(each)).sort(),
    );
  }
  assert(!ben[0]!.permissions.includes('api.webhooks.write') && ben[1]!.permissions.includes('api.webhooks.write'));
  assert(ben[0]!.permissions.includes('api.routes.write') && !ben[1]!.permissions.includes('api.routes.write'));
  for (const userId of ['ada', 'cleo'])
    assert.deepEqual(await permissionsInProjects(storage.settings, { organizationId: ORGANIZATION, userId }), []);
});

test('nobody gives or takes away what they do not have, or have in another project', async (t) => {
  const { as, admin, keep } = await company(t);
  await keep(setting('group', 'group_2', { name: 'Two' }), setting('project_group', 'group_2', { parentId: 'proj_2' }));
  await keep(setting('role_assignment', 'role_routes', { parentId: 'group:group_2/proj_2' }));
  await keep(setting('project_member', 'cleo', { parentId: 'proj_1', role: 'owner' }));
  const ben = as('ben', ['api.keys.write'], ['proj_1', 'api.routes.write']);
  const [keys, routes] = ['keys', 'routes'].map((name) => ({
    name,
    description: null,
    permissions: [`api.${name}.write` as 'api.keys.write'],
  }));
  const tries: ((by: Administration) => Promise<unknown>)[] = [
    (by) => createRole(by, routes!, null),
    (by) => createRole(by, routes!, 'proj_2'),
    (by) => updateRole(by, { id: 'role_routes', projectId: null }, { permissions: [] }),
    (by) => updateRole(by, { id: 'role_keys', projectId: null }, { permissions: ['api.keys.write', 'api.keys.read'] }),
    (by) => assignRole(by, user('cleo'), 'role_routes'),
    (by) => addToGroup(by, 'group_2', 'cleo'),
    (by) => addToProject(by, 'proj_1', { userId: 'ada' }, 'member'),
    (by) => updateProjectPerson(by, { projectId: 'proj_1', userId: 'cleo' }, null),
    (by) => removeFromProject(by, 'proj_1', 'cleo'),
    (by) => addGroupToProject(by, 'proj_2', 'group_1', 'member'),
  ];
  for (const attempt of tries) await assert.rejects(attempt(ben), forbidden, String(attempt));
  for (const attempt of tries) await attempt(admin);
  await createRole(ben, keys!, null);
  await createRole(ben, routes!, 'proj_1');
});

test('whoever is changed in a project must have, before and after, no more than who changes them', async (t) => {
  const { as, keep } = await company(t);
  for (const [id, role] of [
    ['ben', 'member'],
    ['cleo', 'owner'],
  ] as const)
    await keep(setting('project_member', id, { parentId: 'proj_1', role }));
  const developer = as('ben', [], ['proj_1', ...PREDEFINED_ROLES.get('role_project_member')!.permissions]);
  const change = (userId: string, wanted: 'owner' | 'member', ifVersion?: number) =>
    updateProjectPerson(developer, { projectId: 'proj_1', userId }, wanted, ifVersion);
  await assert.rejects(change('cleo', 'member'), forbidden);
  await assert.rejects(change('ben', 'owner'), forbidden);
  await change('ben', 'member', 1);
  await assert.rejects(change('ben', 'member', 1), { kind: 'conflict' });
});

test('an owner is made by no role, and a role of projects is not given in the organization', async (t) => {
  const { admin, keep } = await company(t);
  const owner = { kind: 'invalid_request', param: 'role_id' };
  await assert.rejects(assignRole(admin, user('ben'), 'role_owner'), owner);
  await assert.rejects(assignRole(admin, user('ben'), 'role_project_owner'), { kind: 'not_found' });
  await assert.rejects(assignRole(admin, user('ben', 'proj_1'), 'role_project_owner'), { kind: 'not_found' });
  await keep(setting('project_member', 'ben', { parentId: 'proj_1', role: 'member' }));
  await assignRole(admin, user('ben', 'proj_1'), 'role_project_owner');
  await assert.rejects(assignRole(admin, user('ben', 'proj_1'), 'role_project_owner'), { kind: 'conflict' });
  const there = { id: 'role_viewer', projectId: null };
  await assert.rejects(updateRole(admin, there, { name: 'Mine' }), { kind: 'conflict' });
  await assert.rejects(deleteRole(admin, there), { kind: 'conflict' });
});

test('a role that goes is nobody’s any more, and who had it gets another secret in their browsers', async (t) => {
  const { admin, keep, idsOf, renewed } = await company(t);
  await keep(setting('group_member', 'cleo', { parentId: 'group_1' }));
  await keep(setting('role_assignment', 'role_keys', { parentId: 'user:ben/proj_1' }));
  await keep(setting('role_assignment', 'role_keys', { parentId: 'group:group_1' }));
  await keep(setting('role_assignment', 'role_routes', { parentId: 'user:ada' }));
  const at = { id: 'role_keys', projectId: null };
  await updateRole(admin, at, { name: 'Mine' });
  assert.deepEqual(await renewed('ada', 'ben', 'cleo'), []);
  await deleteRole(admin, at);
  assert.deepEqual(await idsOf('role_assignment'), ['role_routes']);
  assert.deepEqual(await renewed('ada', 'ben', 'cleo'), ['ben', 'cleo']);
});

for (const [what, give, take] of [
  [
    'a role',
    (admin: Administration) => assignRole(admin, user('ben'), 'role_keys'),
    (admin: Administration) => unassignRole(admin, user('ben'), 'role_keys'),
  ],
  [
    'a place in a group',
    (admin: Administration) => addToGroup(admin, 'group_1', 'ben'),
    (admin: Administration) => removeFromGroup(admin, 'group_1', 'ben'),
  ],
  [
    'a place in a project',
    (admin: Administration) => addToProject(admin, 'proj_2', { email: 'ben@example.com' }, 'member'),
    (admin: Administration) => removeFromProject(admin, 'proj_2', 'ben'),
  ],
] as const) {
  for (const [is, does] of [
    ['given', (admin: Administration) => give(admin)],
    ['taken away', (admin: Administration) => take(admin)],
  ] as const) {
    test(`whoever is ${is} ${what} gets another secret in their browsers`, async (t) => {
      const { admin, keep, renewed, storage } = await company(t);
      if (is === 'taken away') await give(admin);
      for (const { id } of await storage.people.sessions('ben')) await keep({ endSession: { id, userId: 'ben' } });
      await keep(signIn('ben', ORGANIZATION));
      await does(admin);
      assert.deepEqual(await renewed('ada', 'ben', 'cleo'), ['ben']);
    });
  }
}

test('who leaves a project loses their roles there, and their keys where nothing else holds them there', async (t) => {
  const { admin, keep, keysLeft, storage } = await company(t);
  for (const id of ['ben', 'cleo']) {
    await keep(setting('project_member', id, { parentId: 'proj_1', role: 'member' }), keyIn('proj_1', id));
    await keep(setting('role_assignment', 'role_keys', { parentId: `user:${id}/proj_1` }));
  }
  await keep(setting('project_member', 'ben', { parentId: 'proj_2', role: 'member' }), keyIn('proj_2', 'ben'));
  await keep(setting('role_assignment', 'role_keys', { parentId: 'user:ben/proj_2' }));
  await keep(setting('group_member', 'cleo', { parentId: 'group_1' }));
  for (const id of ['ben', 'cleo']) await removeFromProject(admin, 'proj_1', id);
  assert.deepEqual((await keysLeft()).toSorted(), ['ben in proj_2', 'cleo in proj_1']);
  const given = await storage.settings.all(ORGANIZATION, 'role_assignment');
  assert.deepEqual(
    given.map(({ parentId }) => parentId),
    ['user:ben/proj_2'],
  );
});

test('the roles that somebody has are told with whom they have them from', async (t) => {
  const { admin, keep } = await company(t);
  await keep(setting('group_member', 'ben', { parentId: 'group_1' }));
  for (const [id, parentId] of [
    ['role_keys', 'user:ben'],
    ['role_keys', 'group:group_1'],
    ['role_routes', 'group:group_1'],
    ['role_gone', 'user:ben'],
  ] as const)
    await keep(setting('role_assignment', id, { parentId }));
  const held = await listHeldRoles(admin, user('ben'), { limit: 10 });
  const [ofUser, ofGroup] = [
    { type: 'user', id: 'ben' },
    { type: 'group', id: 'group_1' },
  ];
  assert.deepEqual(
    held.items.map(({ id, since, from }) => ({ id, since, from })),
    [
      { id: 'role_keys', since: NOON, from: [ofUser, ofGroup] },
      { id: 'role_routes', since: null, from: [ofGroup] },
    ],
  );
});
