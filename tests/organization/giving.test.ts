import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type OpenAI from 'openai';
import type { Permission } from '../../src/core/permissions.ts';
import { defaultProjectId } from '../../src/core/settings.ts';
import { createKey } from '../../src/keys/keys.ts';
import { assignRole } from '../../src/organization/roles/assignments.ts';
import { createRole } from '../../src/organization/roles/service.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { ACME, type Company, type Hired, startCompany, UMBRELLA } from './lab.ts';

let company: Company;
let owner: Hired;
before(async () => {
  company = await startCompany();
  owner = await company.hire('olga', 'owner');
});
after(() => company[Symbol.asyncDispose]());

/** A member who has a role of exactly these permissions. */
async function holder(name: string, permissions: readonly Permission[]): Promise<Hired> {
  const hired = await company.hire(name);
  const { id } = await createRole(company.admin(), { name, description: null, permissions }, null);
  await assignRole(company.admin(), { type: 'user', id: hired.id, projectId: null }, id);
  return hired;
}

const organization = ({ client }: Hired) => client.admin.organization;

async function refused(...requests: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(requests);
  const statuses = outcomes.map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.status));
  assert.deepEqual(statuses, Array(requests.length).fill(403));
}

test('who may change members makes and unmakes no owner, and invites none', async () => {
  const { users, invites, projects } = organization(await holder('mia', ['api.members.read', 'api.members.write']));
  const reader = await company.hire('rita');
  await users.update(reader.id, { role: 'reader', developer_persona: 'x' });
  await refused(
    users.update(reader.id, { role: 'owner' }),
    users.update(reader.id, { role_id: 'role_owner' }),
    users.update(owner.id, { role: 'reader' }),
    users.delete(owner.id),
    users.update(reader.id, { role_id: 'role_viewer' }),
    invites.create({ email: 'new@example.com', role: 'owner' }),
    invites.create({
      email: 'new@example.com',
      role: 'reader',
      projects: [{ id: defaultProjectId(ACME), role: 'owner' }],
    }),
    projects.users.create(defaultProjectId(ACME), { user_id: reader.id, role: 'owner' }),
    projects.users.create(defaultProjectId(ACME), { user_id: reader.id, role: 'member' }),
  );
  await invites.create({ email: 'new@example.com', role: 'reader' });
  await organization(owner).users.update(reader.id, { role_id: 'role_owner' });
  assert.equal((await users.retrieve(reader.id)).role, 'owner');
  await users.delete(reader.id).then(
    () => assert.fail('an owner was removed'),
    () => organization(owner).users.delete(reader.id),
  );
});

test('who may change roles gives nothing that they have not', async () => {
  const has: Permission[] = ['api.roles.read', 'api.roles.write', 'api.groups.read'];
  const by = await holder('rob', has);
  const { roles, users, groups } = organization(by);
  const own = await roles.create({ role_name: 'Small', permissions: ['api.groups.read'] });
  const large = await organization(owner).roles.create({ role_name: 'Large', permissions: ['api.keys.write'] });
  const group = await organization(owner).groups.create({ name: 'g' });
  await refused(
    roles.create({ role_name: 'Mine', permissions: [...has, 'api.members.write'] }),
    roles.update(own.id, { permissions: ['api.groups.write'] }),
    roles.update(large.id, { permissions: ['api.groups.read'] }),
    users.roles.create(by.id, { role_id: large.id }),
    users.roles.create(by.id, { role_id: 'role_admin' }),
    groups.roles.create(group.id, { role_id: large.id }),
  );
  await users.roles.create(by.id, { role_id: own.id });
  await assert.rejects(users.roles.create(by.id, { role_id: 'role_owner' }), { status: 400, param: 'role_id' });
  await assert.rejects(organization(owner).groups.roles.create(group.id, { role_id: 'role_owner' }), { status: 400 });
});

test('who may change groups puts nobody into one that may more than they, there or in a project', async () => {
  const by = await holder('gus', ['api.groups.read', 'api.groups.write']);
  const asOwner = organization(owner);
  const [plain, strong, inProject] = [
    await asOwner.groups.create({ name: 'plain' }),
    await asOwner.groups.create({ name: 'strong' }),
    await asOwner.groups.create({ name: 'in a project' }),
  ];
  await asOwner.groups.roles.create(strong.id, { role_id: 'role_admin' });
  await asOwner.projects.groups.create(defaultProjectId(ACME), { group_id: inProject.id, role: 'owner' });
  const { groups, projects } = organization(by);
  await groups.users.create(plain.id, { user_id: by.id });
  await refused(
    groups.users.create(strong.id, { user_id: by.id }),
    groups.users.create(inProject.id, { user_id: by.id }),
    projects.groups.create(defaultProjectId(ACME), { group_id: plain.id, role: 'member' }),
  );
});

test('in a project an owner gives what holds in it, and somebody with less does not unmake them', async () => {
  const project = await organization(owner).projects.create({ name: 'p' });
  const [lead, helper, other] = [await company.hire('lead'), await company.hire('helper'), await company.hire('other')];
  const { projects } = organization(owner);
  await projects.users.create(project.id, { user_id: lead.id, role: 'owner' });
  await projects.users.create(project.id, { user_id: helper.id, role: 'member' });
  const { id: manages } = await projects.roles.create(project.id, {
    role_name: 'Manages people',
    permissions: ['api.members.write', 'api.roles.write'],
  });
  await projects.users.roles.create(helper.id, { project_id: project.id, role_id: manages });
  const asHelper = organization(helper).projects;
  await refused(
    asHelper.users.create(project.id, { user_id: other.id, role: 'owner' }),
    asHelper.users.update(lead.id, { project_id: project.id, role: 'member' }),
    asHelper.users.delete(lead.id, { project_id: project.id }),
    asHelper.users.roles.create(helper.id, { project_id: project.id, role_id: 'role_project_owner' }),
    asHelper.users.roles.create(helper.id, { project_id: project.id, role_id: 'role_admin' }),
    asHelper.roles.create(project.id, { role_name: 'x', permissions: ['api.budgets.write'] }),
  );
  await asHelper.users.create(project.id, { user_id: other.id, role: 'member' });
  await organization(lead).projects.users.update(other.id, { project_id: project.id, role: 'owner' });
  await organization(lead).projects.users.roles.create(other.id, { project_id: project.id, role_id: 'role_admin' });
  await assert.rejects(
    organization(lead).projects.users.roles.create(other.id, { project_id: project.id, role_id: 'role_owner' }),
    { status: 400 },
  );
  await refused(organization(other).users.list().then(), organization(other).projects.create({ name: 'x' }));
});

test('whoever is named in a body is of this organization', async () => {
  const theirs = await company.hire('ugo', 'reader', UMBRELLA);
  const umbrella = (await company.client({ userId: null, organizationId: UMBRELLA })).admin.organization;
  const [group, role] = [
    await umbrella.groups.create({ name: 'g' }),
    await umbrella.roles.create({ role_name: 'r', permissions: [] }),
  ];
  const { groups, projects, users, invites } = organization(owner);
  const own = await groups.create({ name: 'own' });
  const project = defaultProjectId(ACME);
  const tries: ((ids: { user: string; group: string; role: string; project: string }) => Promise<unknown>)[] = [
    ({ user }) => groups.users.create(own.id, { user_id: user }),
    ({ user }) => projects.users.create(project, { user_id: user, role: 'member' }),
    ({ user }) => projects.users.create(project, { email: `${user.slice(0, 4)}@example.com`, role: 'member' }),
    ({ group: id }) => projects.groups.create(project, { group_id: id, role: 'member' }),
    ({ role: id }) => projects.groups.create(project, { group_id: own.id, role: id }),
    ({ role: role_id }) => users.roles.create(owner.id, { role_id }),
    ({ role: role_id }) => users.update(owner.id, { role_id }),
    ({ project: id }) => invites.create({ email: 'x@example.com', role: 'reader', projects: [{ id, role: 'member' }] }),
  ];
  const nowhere = { user: 'user_none', group: 'group_none', role: 'role_none', project: 'proj_none' };
  for (const [index, attempt] of tries.entries()) {
    const words = [];
    for (const ids of [
      { user: theirs.id, group: group.id, role: role.id, project: defaultProjectId(UMBRELLA) },
      nowhere,
    ]) {
      const error = (await attempt(ids).then(
        () => assert.fail(`${index} was done`),
        (thrown: unknown) => thrown,
      )) as InstanceType<typeof OpenAI.APIError>;
      words.push([error.status, error.message]);
    }
    assert.deepEqual(words[0], words[1], `${index}`);
    assert.equal(words[0]?.[0], 404, `${index}`);
  }
});

test('an owner who is one no more loses what they sent out, and what their keys could do', async () => {
  const second = await company.hire('second', 'owner');
  const sent = await organization(second).invites.create({ email: 'friend@example.com', role: 'owner' });
  await organization(owner).users.update(second.id, { role: 'reader' });
  await assert.rejects(organization(owner).invites.retrieve(sent.id), { status: 404 });
  await refused(organization(second).invites.create({ email: 'friend@example.com', role: 'reader' }));
});

test('an owner who is one no more keeps the keys in projects that they were put into, and loses those in others', async () => {
  const { projects, users, groups } = organization(owner);
  const third = await company.hire('third', 'owner');
  const group = (await groups.create({ name: 'third and others' })).id;
  await groups.users.create(group, { user_id: third.id });
  const made = [];
  for (const name of ['as an owner', 'as a member', 'by a group']) {
    const { id: project } = await projects.create({ name });
    if (name === 'as a member') await projects.users.create(project, { user_id: third.id, role: 'member' });
    if (name === 'by a group') await projects.groups.create(project, { group_id: group, role: 'member' });
    const keys = `${company.headgate.url}/v1/organization/projects/${project}/api_keys`;
    const { json } = await ask(keys, { key: third.key, body: { name, user_id: third.id } });
    made.push({ name, project, ...(json as { id: string; value: string }) });
  }
  await users.update(third.id, { role: 'reader' });
  const left = [];
  for (const { name, project, id } of made) {
    const asked = projects.apiKeys.retrieve(id, { project_id: project });
    if (await asked.then(Boolean, ({ status }) => status !== 404)) left.push(name);
  }
  assert.deepEqual(left, ['as a member', 'by a group']);
  const { apiKeys } = organization(third).projects;
  assert.equal((await apiKeys.list(made[1]!.project)).data.length, 1, 'their admin key is theirs still');
  const call = async ({ value }: { value: string }) =>
    (await ask(`${company.headgate.url}/v1/models`, { key: value })).status;
  const until = performance.now() + WAIT_MS;
  while ((await call(made[0]!)) !== 401) {
    assert.ok(performance.now() < until, 'it is refused within a second');
    await nextPoll();
  }
  assert.deepEqual([await call(made[1]!), await call(made[2]!)], [200, 200]);
});

test('who is taken out of a project keeps their keys there while a group, or being an owner, has them in it', async () => {
  const { projects, users, groups } = organization(owner);
  const [{ id: group }, { id: project }] = [
    await groups.create({ name: 'held' }),
    await projects.create({ name: 'held' }),
  ];
  await projects.groups.create(project, { group_id: group, role: 'member' });
  const [byGroup, boss, alone] = [
    await company.hire('by-group'),
    await company.hire('by-rank', 'owner'),
    await company.hire('by-place'),
  ];
  await groups.users.create(group, { user_id: byGroup.id });
  const keys = `${company.headgate.url}/v1/organization/projects/${project}/api_keys`;
  for (const { id, email } of [byGroup, boss, alone]) {
    await projects.users.create(project, { user_id: id, role: 'member' });
    assert.equal((await ask(keys, { key: owner.key, body: { name: email, user_id: id } })).status, 200);
  }
  const left = async () => (await projects.apiKeys.list(project)).data.map(({ name }) => name);
  for (const { id } of [byGroup, boss, alone]) await projects.users.delete(id, { project_id: project });
  assert.deepEqual(await left(), [byGroup.email, boss.email]);
  await groups.users.delete(byGroup.id, { group_id: group });
  await users.update(boss.id, { role: 'reader' });
  assert.deepEqual(await left(), [], 'the last of what held them there');
});

test('a key ends also where all that held its owner in the project is taken away at once', async () => {
  const { projects, users, groups } = organization(owner);
  const pair = await company.hire('pair', 'owner');
  const waysOut = [
    (group: string, project: string) => projects.groups.delete(group, { project_id: project }),
    (group: string) => groups.users.delete(pair.id, { group_id: group }),
    (group: string) => groups.delete(group),
  ];
  for (const [index, leave] of [...waysOut, ...waysOut].entries()) {
    if (index > 0) await users.update(pair.id, { role: 'owner' });
    const [{ id: group }, { id: project }] = [await groups.create({ name: 'g' }), await projects.create({ name: 'p' })];
    await groups.users.create(group, { user_id: pair.id });
    await projects.groups.create(project, { group_id: group, role: 'member' });
    const keys = `${company.headgate.url}/v1/organization/projects/${project}/api_keys`;
    assert.equal((await ask(keys, { key: owner.key, body: { name: 'x', user_id: pair.id } })).status, 200);
    await Promise.all([users.update(pair.id, { role: 'reader' }), leave(group, project)]);
    assert.deepEqual((await projects.apiKeys.list(project)).data, [], `${index}`);
  }
});

test('nobody makes or rotates a key in another person’s name who may not change members', async () => {
  const [dora, boss] = [await company.hire('dora'), await company.hire('boss')];
  const project = defaultProjectId(ACME);
  for (const { id } of [dora, boss])
    await organization(owner).projects.users.create(project, { user_id: id, role: 'member' });
  const keys = `${company.headgate.url}/v1/organization/projects/${project}/api_keys`;
  const make = async (by: Hired, user: object) => {
    const { status, json } = await ask(keys, { key: by.key, body: { name: 'x', ...user } });
    return { status, id: (json as { id: string }).id };
  };
  const rotate = async (by: Hired, { id }: { id: string }) =>
    (await ask(`${keys}/${id}/rotate`, { key: by.key, body: {} })).status;
  const own = await make(dora, { user_id: dora.id });
  assert.deepEqual([own.status, await rotate(dora, own)], [200, 200]);
  assert.equal((await make(dora, {})).status, 200, 'it is hers');
  assert.equal((await make(dora, { user_id: null })).status, 403);
  const bosses = await make(owner, { user_id: boss.id });
  assert.equal((await make(dora, { user_id: boss.id })).status, 403);
  assert.equal(await rotate(dora, bosses), 403);
  assert.deepEqual([await rotate(owner, bosses), await rotate(boss, bosses)], [200, 200]);
});

test('an admin key that a person’s key makes may no more than the person, and ends with them', async () => {
  const by = await holder('alma', ['api.admin_keys.read', 'api.admin_keys.write']);
  const made = await organization(by).adminAPIKeys.create({ name: 'second' });
  assert.deepEqual([made.owner.type, made.owner.id], ['user', by.id]);
  const asked = async (path: string) =>
    (await ask(`${company.headgate.url}/v1/organization/${path}`, { key: made.value })).status;
  assert.deepEqual([await asked('admin_api_keys'), await asked('users'), await asked('audit_logs')], [200, 403, 403]);
  await organization(owner).users.delete(by.id);
  assert.notEqual(await asked('admin_api_keys'), 200);
  const nobodys = await company.client({ userId: null });
  const { owner: of } = await nobodys.admin.organization.adminAPIKeys.create({ name: 'third' });
  assert.equal(of.type, 'operator', 'of a key that is nobody’s it is nobody’s');
});

test('a key that administers is changed and ended by owners alone, whatever somebody may in its project', async () => {
  const [dev, admin] = [await company.hire('dev'), await company.hire('ada')];
  const project = defaultProjectId(ACME);
  await organization(owner).projects.users.create(project, { user_id: dev.id, role: 'member' });
  await organization(owner).users.roles.create(admin.id, { role_id: 'role_admin' });
  const { keys: store, pepper, clock, ids, random } = company.admin();
  const wanted = { organizationId: ACME, name: 'of the operator', admin: true };
  const { key } = await createKey({ store, pepper, clock, ids, random }, wanted);
  const path = `${company.headgate.url}/v1/organization/projects/${project}/api_keys/${key.id}`;
  for (const by of [dev, admin]) {
    assert.equal((await ask(`${path}/rotate`, { key: by.key, body: {} })).status, 403, by.email);
    const edits = [{ enabled: false }, { ip_ranges: null }, { expires_in_seconds: null }, { enabled: true, name: 'x' }];
    for (const body of edits) assert.equal((await ask(path, { key: by.key, body })).status, 403, JSON.stringify(body));
    assert.equal((await ask(path, { key: by.key, method: 'DELETE' })).status, 403, by.email);
  }
  assert.equal((await ask(path, { key: owner.key, body: { enabled: true } })).status, 200);
  const { json } = await ask(`${path}/rotate`, { key: owner.key, body: {} });
  const administers = await ask(`${company.headgate.url}/v1/organization/admin_api_keys`, {
    key: (json as { value: string }).value,
  });
  assert.equal(administers.status, 200, 'it is why its secret is for owners');
});

test('who is in a project by a group makes keys of their own there, which end with the last of what put them there', async () => {
  const { projects, groups } = organization(owner);
  const gina = await company.hire('gina');
  const project = (await projects.create({ name: 'By groups' })).id;
  const keys = `${company.headgate.url}/v1/organization/projects/${project}/api_keys`;
  const make = async () => {
    const body = { name: 'mine', user_id: gina.id };
    const { status, json } = await ask(keys, { key: gina.key, body });
    const { id, owner_project_access: access } = json as { id: string; owner_project_access: string };
    return { status, id, access };
  };
  const alive = async (id: string) => (await ask(`${keys}/${id}`, { key: owner.key })).status === 200;
  const team = async (name: string) => {
    const { id } = await groups.create({ name });
    await groups.users.create(id, { user_id: gina.id });
    await projects.groups.create(project, { group_id: id, role: 'member' });
    return id;
  };
  assert.equal((await make()).status, 403);
  const [one, two] = [await team('one'), await team('two')];
  const made = await make();
  assert.deepEqual([made.status, made.access], [200, 'active']);
  const seen = (await organization(gina).projects.list()).data.map(({ id }) => id);
  assert.deepEqual(seen, [project], 'of the projects, those that she is in');

  await groups.users.delete(gina.id, { group_id: one });
  assert.ok(await alive(made.id), 'the other group has her there still');
  await projects.groups.delete(two, { project_id: project });
  assert.ok(!(await alive(made.id)));
  assert.equal((await make()).status, 403);
  await refused(organization(gina).projects.list());

  const three = await team('three');
  const again = await make();
  assert.equal(again.status, 200);
  await groups.delete(three);
  assert.ok(!(await alive(again.id)));

  const four = await team('four');
  const last = await make();
  await projects.users.create(project, { user_id: gina.id, role: 'member' });
  await groups.users.delete(gina.id, { group_id: four });
  assert.ok(await alive(last.id), 'she is there herself');
});
