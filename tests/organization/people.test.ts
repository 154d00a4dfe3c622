import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { defaultProjectId } from '../../src/core/settings.ts';
import { acceptInvite } from '../../src/organization/invites/service.ts';
import { ACME, allOf, type Company, type Hired, startCompany, UMBRELLA } from './lab.ts';

let company: Company;
let owner: Hired;
before(async () => {
  company = await startCompany();
  owner = await company.hire('olga', 'owner');
});
after(() => company[Symbol.asyncDispose]());

const organization = ({ client }: Hired) => client.admin.organization;

/** The status that a request is refused with. */
async function refusal(request: Promise<unknown>): Promise<{ status: number; message: string; param: string | null }> {
  const error = await request.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OpenAI.APIError, String(error));
  return { status: error.status, message: error.message, param: error.param ?? null };
}

test('somebody is invited, accepts once, is listed and shown, and loses all when they are removed', async () => {
  const { invites, users } = organization(owner);
  const project = defaultProjectId(ACME);
  const made = await invites.create({
    email: 'Ines@Example.com',
    role: 'reader',
    projects: [{ id: project, role: 'owner' }],
  });
  assert.deepEqual(
    [made.object, made.email, made.role, made.status, made.projects],
    ['organization.invite', 'ines@example.com', 'reader', 'pending', [{ id: project, role: 'owner' }]],
  );
  const { invite_token: token } = made as unknown as { invite_token: string };
  const shown = await invites.retrieve(made.id);
  assert.ok(!JSON.stringify([shown, await allOf(invites.list())]).includes(token.split('.')[2]!));

  const person = { id: 'user_ines', email: 'ines@example.com', name: 'Ines' };
  const accept = (wanted = token, as = person) => acceptInvite(company.admin(), wanted, { person: as, request: null });
  await assert.rejects(accept(`${token}x`), { kind: 'not_found' });
  await assert.rejects(accept(token.replace(ACME, UMBRELLA)), { kind: 'not_found' });
  await assert.rejects(accept(token, { ...person, email: 'eve@example.com' }), { kind: 'forbidden' });
  const outcomes = await Promise.allSettled([accept(), accept()]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(accept(), { kind: 'not_found' });
  assert.equal((await invites.retrieve(made.id)).status, 'accepted');
  assert.equal((await refusal(invites.delete(made.id))).status, 409);
  assert.equal((await refusal(invites.create({ email: person.email, role: 'reader' }))).status, 409);

  const user = await users.retrieve(person.id);
  assert.deepEqual(
    [user.object, user.email, user.name, user.role, user.projects?.data],
    ['organization.user', person.email, 'Ines', 'reader', [{ id: project, name: 'Default project', role: 'owner' }]],
  );
  assert.deepEqual(
    (await allOf(users.list({ emails: ['INES@example.com'] }))).map(({ id }) => id),
    [person.id],
  );
  const asInes = await company.client({ userId: person.id });

  await asInes.admin.organization.projects.retrieve(project);

  const own = await organization(owner).groups.create({ name: 'Mine' });
  await organization(owner).groups.users.create(own.id, { user_id: person.id });
  await users.roles.create(person.id, { role_id: 'role_viewer' });
  assert.deepEqual(await users.delete(person.id), {
    id: person.id,
    object: 'organization.user.deleted',
    deleted: true,
  });
  const refused = await refusal(asInes.admin.organization.projects.retrieve(project));
  assert.ok([401, 403].includes(refused.status));
  assert.deepEqual(await allOf(organization(owner).groups.users.list(own.id)), []);
  assert.deepEqual(await allOf(organization(owner).projects.users.list(project)), []);
  assert.equal((await refusal(users.roles.list(person.id))).status, 404);
  assert.equal((await company.admin().settings.all(ACME, 'role_assignment', {})).length, 0);
});

test('an invite ends after a week, or when it is withdrawn', async () => {
  const { invites } = organization(owner);
  const made = await invites.create({ email: 'late@example.com', role: 'reader' });
  const { invite_token: token } = made as unknown as { invite_token: string };
  assert.equal(made.expires_at! - made.created_at, 7 * 86_400);
  const late = { now: () => made.expires_at! * 1000 + 1000, monotonic: () => 0 };
  const person = { id: 'user_late', email: 'late@example.com', name: null };
  const accept = (parts = company.admin()) => acceptInvite(parts, token, { person, request: null });
  await assert.rejects(accept({ ...company.admin(), clock: late }), { kind: 'not_found' });
  assert.deepEqual(await invites.delete(made.id), {
    id: made.id,
    object: 'organization.invite.deleted',
    deleted: true,
  });
  await assert.rejects(accept(), { kind: 'not_found' });
});

test('the last owner can neither leave nor become a reader, and of the last two one stays, whoever is faster', async () => {
  for (let round = 0; round < 5; round += 1) {
    const one = await company.hire(`one${round}`, 'owner', UMBRELLA);
    const outside = await company.client({ userId: null, organizationId: UMBRELLA });
    const { users } = outside.admin.organization;
    assert.equal((await refusal(users.delete(one.id))).status, 409);
    assert.equal((await refusal(users.update(one.id, { role: 'reader' }))).status, 409);

    const two = await company.hire(`two${round}`, 'owner', UMBRELLA);
    const outcomes = await Promise.allSettled([
      users.update(one.id, { role: 'reader' }),
      round % 2 === 0 ? users.delete(two.id) : users.update(two.id, { role: 'reader' }),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const owners = (await allOf(users.list())).filter(({ role }) => role === 'owner');
    assert.equal(owners.length, 1);
    const { settings } = company.admin(UMBRELLA);
    for (const { id, parentId, version } of await settings.all(UMBRELLA, 'member')) {
      await settings.change(UMBRELLA, [{ remove: { kind: 'member', id, parentId, version } }], null);
    }
  }
});

test('groups give those who are in them what they have, for as long as they are in', async () => {
  const { groups } = organization(owner);
  const reader = await company.hire('greta');
  const group = await groups.create({ name: 'Finance' });
  assert.deepEqual([group.name, group.group_type, group.is_scim_managed], ['Finance', 'group', false]);
  assert.equal((await groups.update(group.id, { name: 'Money' })).name, 'Money');
  assert.equal((await groups.retrieve(group.id)).name, 'Money');
  const reads = () => organization(reader).users.retrieve(owner.id);
  assert.equal((await refusal(reads())).status, 403);

  const given = await groups.roles.create(group.id, { role_id: 'role_billing' });
  assert.deepEqual([given.object, given.group.name, given.role.name], ['group.role', 'Money', 'Billing']);
  assert.equal((await refusal(groups.roles.create(group.id, { role_id: 'role_billing' }))).status, 409);
  const added = await groups.users.create(group.id, { user_id: reader.id });
  assert.deepEqual(added, { object: 'group.user', group_id: group.id, user_id: reader.id });
  assert.equal((await reads()).id, owner.id);
  assert.deepEqual(
    (await allOf(groups.users.list(group.id))).map(({ email }) => email),
    [reader.email],
  );
  assert.equal((await groups.users.retrieve(reader.id, { group_id: group.id })).email, reader.email);

  const told = (await groups.retrieve(group.id)) as unknown as { member_count: number; role_count: number };
  assert.deepEqual([told.member_count, told.role_count], [1, 1]);

  const [held] = await allOf(organization(owner).users.roles.list(reader.id));
  assert.deepEqual([held?.id, held?.predefined_role, held?.created_at], ['role_billing', true, null]);
  assert.deepEqual(held?.assignment_sources, [{ principal_id: group.id, principal_type: 'group' }]);
  assert.equal(
    (await refusal(organization(owner).users.roles.delete('role_billing', { user_id: reader.id }))).status,
    404,
  );

  await groups.users.delete(reader.id, { group_id: group.id });
  assert.equal((await refusal(reads())).status, 403);
  await groups.users.create(group.id, { user_id: reader.id });
  await reads();
  assert.deepEqual(await groups.delete(group.id), { id: group.id, object: 'group.deleted', deleted: true });
  assert.equal((await refusal(reads())).status, 403);
});

test('roles of the organization are made, given, changed for all who have them, and deleted', async () => {
  const { roles, users } = organization(owner);
  const reader = await company.hire('rolf');
  const role = await roles.create({
    role_name: 'Auditor',
    permissions: ['api.audit_logs.read', 'api.audit_logs.read'],
  });
  assert.deepEqual(
    [role.object, role.name, role.description, role.permissions, role.predefined_role, role.resource_type],
    ['role', 'Auditor', null, ['api.audit_logs.read'], false, 'api.organization'],
  );
  const given = await users.roles.create(reader.id, { role_id: role.id });
  assert.deepEqual([given.object, given.role.id, given.user.id], ['user.role', role.id, reader.id]);
  const reads = () => organization(reader).groups.list();
  assert.equal((await refusal(reads())).status, 403);
  await roles.update(role.id, { permissions: ['api.groups.read'], description: 'Reads groups' });
  await reads();
  assert.equal((await users.roles.retrieve(role.id, { user_id: reader.id })).description, 'Reads groups');
  assert.equal((await roles.retrieve(role.id)).permissions.length, 1);

  const names = (await allOf(roles.list({ limit: 2 }))).map(({ name }) => name);
  assert.deepEqual(names, ['Owner', 'Admin', 'Developer', 'Billing', 'Viewer', 'Auditor']);
  const back = (await allOf(roles.list({ limit: 2, order: 'desc' }))).map(({ name }) => name);
  assert.deepEqual(back, names.toReversed());
  assert.equal((await refusal(roles.update('role_viewer', { role_name: 'x' }))).status, 409);
  assert.equal((await refusal(roles.delete('role_viewer'))).status, 409);

  assert.deepEqual(await roles.delete(role.id), { id: role.id, object: 'role.deleted', deleted: true });
  assert.equal((await refusal(reads())).status, 403);
  assert.deepEqual(await allOf(users.roles.list(reader.id)), []);
});

test('what holds in a project holds in that project alone', async () => {
  const { projects } = organization(owner);
  const lead = await company.hire('lea');
  const [mine, other] = [await projects.create({ name: 'Mine' }), await projects.create({ name: 'Other' })];
  const asLead = organization(lead).projects;
  assert.equal((await refusal(asLead.retrieve(mine.id))).status, 403);

  const added = await projects.users.create(mine.id, { email: lead.email.toUpperCase(), role: 'member' });
  assert.deepEqual([added.object, added.id, added.role], ['organization.project.user', lead.id, 'member']);
  assert.equal((await refusal(projects.users.create(mine.id, { user_id: lead.id, role: 'member' }))).status, 409);
  await asLead.retrieve(mine.id);
  assert.equal((await refusal(asLead.retrieve(other.id))).status, 403);
  assert.equal((await refusal(asLead.update(mine.id, { name: 'New' }))).status, 403);

  await projects.users.update(lead.id, { project_id: mine.id, role: 'owner' });
  assert.equal((await asLead.update(mine.id, { name: 'New' })).name, 'New');
  assert.equal((await refusal(asLead.update(other.id, { name: 'New' }))).status, 403);
  assert.equal((await refusal(organization(lead).users.retrieve(owner.id))).status, 403);

  const ofProject = lead.client.admin.organization.projects;
  const role = await ofProject.roles.create(mine.id, { role_name: 'Reader', permissions: ['api.projects.read'] });
  assert.equal(role.resource_type, 'api.project');
  const friend = await company.hire('fred');
  await ofProject.users.create(mine.id, { user_id: friend.id, role: 'member' });
  await ofProject.users.roles.create(friend.id, { project_id: mine.id, role_id: role.id });
  const held = await allOf(ofProject.users.roles.list(friend.id, { project_id: mine.id }));
  assert.deepEqual(
    held.map(({ name }) => name),
    ['Reader'],
  );
  const names = (await allOf(ofProject.roles.list(mine.id))).map(({ name }) => name);
  assert.deepEqual(names, ['Project owner', 'Project member', 'Reader']);
  assert.equal(
    (await refusal(projects.users.roles.create(friend.id, { project_id: other.id, role_id: role.id }))).status,
    404,
  );
  assert.equal((await refusal(organization(owner).users.roles.create(friend.id, { role_id: role.id }))).status, 404);

  await ofProject.users.delete(friend.id, { project_id: mine.id });
  await ofProject.users.create(mine.id, { user_id: friend.id, role: 'member' });
  assert.deepEqual(await allOf(ofProject.users.roles.list(friend.id, { project_id: mine.id })), []);
});

test('a group comes into a project with a role there', async () => {
  const { projects, groups } = organization(owner);
  const project = await projects.create({ name: 'Team work' });
  const group = await groups.create({ name: 'Team' });
  const reader = await company.hire('tina');
  await groups.users.create(group.id, { user_id: reader.id });
  const rename = (name: string) => Promise.resolve(organization(reader).projects.update(project.id, { name }));
  assert.equal((await refusal(rename('a'))).status, 403);
  const added = await projects.groups.create(project.id, { group_id: group.id, role: 'role_project_owner' });
  assert.deepEqual([added.object, added.group_name, added.project_id], ['project.group', 'Team', project.id]);
  await rename('b');
  assert.equal((await projects.groups.retrieve(group.id, { project_id: project.id })).group_id, group.id);
  assert.equal((await allOf(projects.groups.list(project.id))).length, 1);
  const [held] = await allOf(projects.groups.roles.list(group.id, { project_id: project.id }));
  assert.equal(held?.name, 'Project owner');
  await projects.groups.roles.delete('role_project_owner', { project_id: project.id, group_id: group.id });
  assert.equal((await refusal(rename('c'))).status, 403);
  await projects.groups.roles.create(group.id, { project_id: project.id, role_id: 'role_admin' });
  await rename('d');
  await projects.groups.delete(group.id, { project_id: project.id });
  assert.equal((await refusal(rename('e'))).status, 403);
});
