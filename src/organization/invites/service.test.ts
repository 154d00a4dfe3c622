import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOON } from '../../store/fixtures.test.ts';
import type { Administration } from '../administration.ts';
import { DAY_MS, keyIn, member, ORGANIZATION, organizationOf, project, setting } from '../fixtures.test.ts';
import { acceptInvite, createInvite, deleteInvite, findInvite, INVITE_DAYS, inviteOf } from './service.ts';

const cleo = { id: 'cleo', email: 'cleo@example.com', name: null };
const plain = { email: cleo.email, role: 'reader', projects: [] } as const;
const closed = { kind: 'not_found', message: 'There is no open invite with this id.' };

const accept = (admin: Administration, token: string, person = cleo) =>
  acceptInvite(admin, token, { person, request: null });

test('an invite is open for a week, by the whole of its link, and is accepted once', async (t) => {
  const { admin, clock, idsOf } = await organizationOf(t);
  const { invite, token } = await createInvite(admin, plain);
  assert.equal(invite.value.expiresAt, NOON + INVITE_DAYS * DAY_MS);
  assert.equal(INVITE_DAYS, 7);
  const secret = token.split('.')[2]!;
  const start = `${ORGANIZATION}.${invite.id}`;
  for (const wrong of [
    '',
    start,
    `${start}.`,
    `${start}.${secret.slice(1)}`,
    `${token}.more`,
    `org_2.${invite.id}.${secret}`,
  ])
    await assert.rejects(inviteOf(admin, wrong), closed, wrong);
  clock.time = invite.value.expiresAt;
  await assert.rejects(accept(admin, token), closed);
  clock.time -= 1;
  await accept(admin, token);
  assert.deepEqual(await idsOf('member'), ['cleo']);
  await assert.rejects(accept(admin, token), closed);
  assert.equal((await findInvite(admin, invite.id)).status, 'accepted');
});

test('an invite is accepted by whoever has its email address alone', async (t) => {
  const { admin, idsOf } = await organizationOf(t);
  const { token } = await createInvite(admin, plain);
  const dan = { ...cleo, id: 'dan', email: 'dan@example.com' };
  await assert.rejects(accept(admin, token, dan), { kind: 'forbidden' });
  assert.deepEqual(await idsOf('member'), []);
});

test('who accepts comes into the projects and groups of the invite that are there still', async (t) => {
  const { admin, keep, storage } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_2'), setting('group', 'group_1', { name: 'One' }));
  await keep(setting('group', 'group_2', { name: 'Two' }));
  const projects = ['proj_1', 'proj_2'].map((id) => ({ id, role: 'owner' as const }));
  const { token } = await createInvite(admin, { ...plain, projects, groups: ['group_1', 'group_2'] });
  const archived = { ...(await storage.settings.find(ORGANIZATION, 'project', 'proj_2'))!, version: 2 };
  await keep({ put: { ...archived, value: { ...archived.value, archivedAt: NOON } } });
  await keep({ remove: { kind: 'group', id: 'group_2', parentId: null, version: 1 } });
  await accept(admin, token);
  const places = await storage.settings.all(ORGANIZATION, 'project_member');
  assert.deepEqual(
    places.map(({ id, parentId, value }) => [id, parentId, value.role]),
    [['cleo', 'proj_1', 'owner']],
  );
  const groups = await storage.settings.all(ORGANIZATION, 'group_member');
  assert.deepEqual(
    groups.map(({ id, parentId }) => [id, parentId]),
    [['cleo', 'group_1']],
  );
});

test('nobody comes into a group that is deleted at the same moment', async (t) => {
  const { admin, after, keep, idsOf } = await organizationOf(t);
  await keep(setting('group', 'group_1', { name: 'One' }));
  const { token } = await createInvite(admin, { ...plain, groups: ['group_1'] });
  const deleted = { remove: { kind: 'group', id: 'group_1', parentId: null, version: 1 } } as const;
  await accept(after(deleted), token);
  assert.deepEqual([await idsOf('member'), await idsOf('group_member')], [['cleo'], []]);
});

test('nobody invites into more than they have', async (t) => {
  const { as, admin, keep } = await organizationOf(t);
  await keep(
    project('proj_1'),
    setting('group', 'group_1', { name: 'One' }),
    setting('group', 'group_2', { name: 'Two' }),
  );
  const given = { parentId: 'group:group_1', roleId: 'role_admin', projectId: null };
  await keep(setting('role_assignment', 'role_admin', given));
  const ada = as('ada', ['api.members.write']);
  const inProject = [{ id: 'proj_1', role: 'member' as const }];
  for (const more of [{ role: 'owner' }, { projects: inProject }, { groups: ['group_1'] }] as const)
    await assert.rejects(createInvite(ada, { ...plain, ...more }), { kind: 'forbidden' });
  await createInvite(ada, { ...plain, groups: ['group_2'] });
  await createInvite(admin, { ...plain, role: 'owner', projects: inProject, groups: ['group_1'] });
});

test('nobody is invited into what is not there, or where they are', async (t) => {
  const { admin, keep } = await organizationOf(t);
  await keep(project('proj_1', { archivedAt: NOON }), ...member('cleo'));
  await assert.rejects(createInvite(admin, plain), { kind: 'conflict', param: 'email' });
  const wanted = { ...plain, email: 'dan@example.com' };
  await assert.rejects(createInvite(admin, { ...wanted, projects: [{ id: 'proj_1', role: 'member' }] }), {
    kind: 'conflict',
  });
  await assert.rejects(createInvite(admin, { ...wanted, groups: ['group_1'] }), { kind: 'not_found' });
});

test('what somebody has sent is of no use once they could not send it any more', async (t) => {
  const { asMember, admin, keep } = await organizationOf(t);
  await keep(...member('ada', 'owner'), ...member('ben', 'owner'));
  const asOwner = await createInvite(await asMember('ada'), { ...plain, role: 'owner' });
  const asReader = await createInvite(await asMember('ada'), plain);
  await inviteOf(admin, asOwner.token);
  const demote = { email: 'ada@example.com', name: null, role: 'reader' as const };
  const ada = { kind: 'member', id: 'ada', parentId: null, createdAt: NOON } as const;
  await keep({ put: { ...ada, version: 2, value: demote } });
  for (const { token } of [asOwner, asReader]) await assert.rejects(inviteOf(admin, token), closed);
  await keep(setting('role_assignment', 'role_admin', { parentId: 'user:ada', roleId: 'role_admin', projectId: null }));
  await assert.rejects(inviteOf(admin, asOwner.token), closed);
  await inviteOf(admin, asReader.token);
  await keep({ remove: { kind: 'member', id: 'ada', parentId: null, version: 2 } });
  await assert.rejects(accept(admin, asReader.token), closed);
});

test('what a key of nobody has sent is of use as long as the key is', async (t) => {
  const { admin, keep } = await organizationOf(t);
  const access = { access: 'administration' } as const;
  await keep(keyIn('proj_1', null, { id: 'key_off', ...access }), keyIn('proj_1', null, { id: 'key_gone', ...access }));
  const sentBy = async (keyId: string) => {
    const actor = { type: 'api_key', keyId, userId: null } as const;
    return (await createInvite({ ...admin, by: { ...admin.by, actor } }, plain)).token;
  };
  const [off, gone] = [await sentBy('key_off'), await sentBy('key_gone')];
  await inviteOf(admin, off);
  await inviteOf(admin, gone);
  await keep({ changeKey: { id: 'key_off', changes: { disabledAt: NOON } } });
  await keep({ revokeKeys: { of: 'id', id: 'key_gone', at: NOON } });
  for (const token of [off, gone]) await assert.rejects(inviteOf(admin, token), closed);
});

test('an invite is taken back until it is accepted', async (t) => {
  const { admin, idsOf } = await organizationOf(t);
  const [one, other] = [await createInvite(admin, plain), await createInvite(admin, plain)];
  await deleteInvite(admin, one.invite.id);
  await assert.rejects(accept(admin, one.token), closed);
  await accept(admin, other.token);
  await assert.rejects(deleteInvite(admin, other.invite.id), { kind: 'conflict' });
  assert.deepEqual(await idsOf('invite'), [other.invite.id]);
});
