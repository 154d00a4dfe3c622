import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOON } from '../../store/fixtures.test.ts';
import { keyIn, member, organizationOf, project, setting, signIn } from '../fixtures.test.ts';
import { findMemberByEmail, removeMember, updateMember, withProjects } from './service.ts';

const invite = (id: string, invitedBy: string, acceptedAt: number | null = null) =>
  setting('invite', id, { email: `${id}@example.com`, role: 'reader', projects: [], invitedBy, acceptedAt });

test('a member who is removed takes with them all that they had by it, and nothing of anybody else', async (t) => {
  const { storage, admin, keep, idsOf, keysLeft } = await organizationOf(t);
  await storage.organizations.create({ id: 'org_2', name: 'Second', createdAt: NOON });
  await keep(project('proj_1'), setting('group', 'group_1', { name: 'One' }), ...member('ada'), ...member('ben'));
  for (const id of ['ada', 'ben']) {
    await keep(
      setting('project_member', id, { parentId: 'proj_1', role: 'member' }),
      setting('group_member', id, { parentId: 'group_1' }),
      setting('role_assignment', `role_${id}`, { parentId: `user:${id}`, roleId: `role_${id}`, projectId: null }),
      keyIn('proj_1', id),
      signIn(id, 'org_2'),
    );
  }
  await keep(invite('open', 'ada'), invite('accepted', 'ada', NOON), invite('other', 'ben'));
  await removeMember(admin, 'ada');
  assert.deepEqual(
    [await idsOf('member'), await idsOf('project_member'), await idsOf('group_member'), await idsOf('role_assignment')],
    [['ben'], ['ben'], ['ben'], ['role_ben']],
  );
  assert.deepEqual(await idsOf('invite'), ['accepted', 'other'], 'an invite that was accepted tells how somebody came');
  assert.deepEqual(await keysLeft(), ['ben in proj_1']);
  const sessionsOf = async (id: string) => (await storage.people.sessions(id)).map((each) => each.organizationId);
  assert.deepEqual((await sessionsOf('ada')).toSorted(), ['org_2']);
  assert.deepEqual((await sessionsOf('ben')).toSorted(), ['org_1', 'org_2']);
});

test('an organization keeps its last owner', async (t) => {
  const { admin, keep, idsOf } = await organizationOf(t);
  await keep(...member('ada', 'owner'), ...member('ben'));
  const last = { kind: 'conflict', message: 'This is the last owner. Make another member an owner first.' };
  await assert.rejects(updateMember(admin, 'ada', { role: 'reader' }), last);
  await assert.rejects(removeMember(admin, 'ada'), last);
  await updateMember(admin, 'ada', { role: 'owner', technicalLevel: 'high' });
  await updateMember(admin, 'ben', { role: 'owner' });
  await removeMember(admin, 'ada');
  assert.deepEqual(await idsOf('member'), ['ben']);
});

test('of two owners who leave at the same moment one stays', async (t) => {
  for (const leave of [
    (admin: Parameters<typeof removeMember>[0]) => removeMember(admin, 'ada'),
    (admin: Parameters<typeof removeMember>[0]) => updateMember(admin, 'ada', { role: 'reader' }),
  ]) {
    const { after, keep, idsOf } = await organizationOf(t);
    await keep(...member('ada', 'owner'), ...member('ben', 'owner'));
    const gone = { remove: { kind: 'member', id: 'ben', parentId: null, version: 1 } } as const;
    await assert.rejects(leave(after(gone)), { kind: 'conflict' });
    assert.deepEqual(await idsOf('member'), ['ada']);
  }
});

test('only an owner makes owners, and takes that from one', async (t) => {
  const { as, keep, storage } = await organizationOf(t);
  await keep(...member('ada', 'owner'), ...member('ben', 'owner'), ...member('cleo'));
  const admin = as('cleo', ['api.members.read', 'api.members.write']);
  const refused = { kind: 'forbidden', message: 'Only an owner can make or change owners.' };
  await assert.rejects(updateMember(admin, 'cleo', { role: 'owner' }), refused);
  await assert.rejects(updateMember(admin, 'cleo', { roleId: 'role_owner' }), refused);
  await assert.rejects(updateMember(admin, 'ada', { role: 'reader' }), refused);
  await assert.rejects(removeMember(admin, 'ada'), refused);
  await updateMember(admin, 'ada', { technicalLevel: 'high' });
  await removeMember(admin, 'cleo');
  const roles = (await storage.settings.all('org_1', 'member')).map(({ id, value }) => `${id} ${value.role}`);
  assert.deepEqual(roles, ['ada owner', 'ben owner']);
});

test('an owner who is one no more keeps the keys of projects that they were put into, and no open invite', async (t) => {
  const { admin, keep, keysLeft, idsOf } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_2'), ...member('ada', 'owner'), ...member('ben', 'owner'));
  await keep(setting('project_member', 'ada', { parentId: 'proj_2', role: 'member' }));
  await keep(keyIn('proj_1', 'ada'), keyIn('proj_2', 'ada'), keyIn('proj_1', 'ben'));
  await keep(invite('open', 'ada'), invite('other', 'ben'));
  await updateMember(admin, 'ada', { technicalLevel: 'high' });
  assert.equal((await keysLeft()).length, 3);
  await updateMember(admin, 'ada', { role: 'reader' });
  assert.deepEqual((await keysLeft()).toSorted(), ['ada in proj_2', 'ben in proj_1']);
  assert.deepEqual(await idsOf('invite'), ['other']);
});

test('whoever may do more or less than before gets another secret in their browsers, and nobody else', async (t) => {
  const { admin, keep, renewed } = await organizationOf(t);
  await keep(...member('ada', 'owner'), ...member('ben'), ...member('cleo'));
  await updateMember(admin, 'ben', { technicalLevel: 'high' });
  assert.deepEqual(await renewed('ada', 'ben', 'cleo'), []);
  await updateMember(admin, 'ben', { role: 'owner' });
  await updateMember(admin, 'cleo', { roleId: 'role_viewer' });
  assert.deepEqual(await renewed('ada', 'ben', 'cleo'), ['ben', 'cleo']);
});

test('a role is given beside what a member is, and a change of another version is refused', async (t) => {
  const { admin, as, keep, idsOf } = await organizationOf(t);
  await keep(...member('ada', 'owner'), ...member('ben'));
  await updateMember(admin, 'ben', { roleId: 'role_viewer' }, 1);
  await assert.rejects(updateMember(admin, 'ben', { technicalLevel: 'low' }, 1), { kind: 'conflict' });
  const viewer = as('ben', ['api.members.write']);
  await assert.rejects(updateMember(viewer, 'ben', { roleId: 'role_admin' }), { kind: 'forbidden' });
  assert.deepEqual(await idsOf('role_assignment'), ['role_viewer']);
});

test('a member is found by their email, with the projects that they are in and their role there', async (t) => {
  const { admin, keep } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_2'), ...member('ada'), ...member('ben'));
  await keep(setting('project_member', 'ben', { parentId: 'proj_2', role: 'owner' }));
  const ben = await findMemberByEmail(admin, 'ben@example.com');
  const [found] = await withProjects(admin, [ben]);
  assert.deepEqual([found!.id, found!.projects], ['ben', [{ id: 'proj_2', name: 'proj_2', role: 'owner' }]]);
  await assert.rejects(findMemberByEmail(admin, 'nobody@example.com'), { kind: 'not_found' });
});
