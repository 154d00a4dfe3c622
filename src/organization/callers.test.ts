import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Permission } from '../core/permissions.ts';
import { type ApiKey, USAGE_SCOPES } from '../core/records.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { key } from '../store/fixtures.test.ts';
import { type CallerParts, callerFinder } from './callers.ts';
import { member, organizationOf, project, setting } from './fixtures.test.ts';

const READ = 'api.usage.read';
const FORBIDDEN = { kind: 'forbidden' };

/** Ada is an owner. Ben owns one of two projects and may read settings of the organization. Cleo has no permissions. */
async function companyOf(t: TestContext) {
  const { storage, keep } = await organizationOf(t);
  await storage.organizations.create({ id: 'org_2', name: 'Second', createdAt: Date.now() });
  await keep(project('proj_1'), project('proj_2'), ...member('ada', 'owner'), ...member('ben'), ...member('cleo'));
  assert.equal(await storage.settings.change('org_2', member('dora', 'owner'), null), 'done');
  await keep(setting('project_member', 'ben', { parentId: 'proj_1', role: 'owner' }));
  const site = { isTrustedProxy: () => false } as unknown as CallerParts['site'];
  const find = callerFinder({ ...storage, site });
  const raw = { socket: { remoteAddress: '192.0.2.1' }, headers: {} };
  const asked = (by: object, params: object) => ({ raw, params, ...by }) as unknown as ApiRequest;
  const signedIn = (id: string, organizationId: string | null = 'org_1') => ({
    context: { requestId: 'req_1', caller: null },
    browser: {
      signedIn: { person: { id, email: `${id}@example.com`, createdAt: 0 }, session: { organizationId } },
    },
  });
  const withKey = (changes: Partial<ApiKey>) => ({
    context: { requestId: 'req_1', caller: { key: key(changes), organization: { id: 'org_1' } } },
    browser: null,
  });
  const ofPerson = (id: string, changes: Partial<ApiKey> = {}) =>
    withKey({ owner: { type: 'user', id }, access: 'administration', projectId: null, ...changes });
  return {
    signedIn,
    withKey,
    ofPerson,
    find: (by: object, access: Parameters<typeof find>[1]) => find(asked(by, {}), access),
    async caller(by: object, people: Permission, somewhere?: true) {
      return (await find(asked(by, {}), { people, ...(somewhere && { somewhere }) })).caller!;
    },
    async administrator(by: object, permission: Permission | null, { in: project_id, somewhere }: Place = {}) {
      const access = { permission, ...(somewhere && { somewhere }) };
      return (await find(asked(by, { project_id }), access)).administrator!;
    },
  };
}

type Place = { in?: string; somewhere?: true };

test('a person reads as a key of theirs where they may, and is refused where they may not', async (t) => {
  const { signedIn, caller } = await companyOf(t);
  const { key: seen } = await caller(signedIn('ada'), READ);
  assert.deepEqual([seen.id, seen.usage, seen.admin], ['ada', 'organization', true]);
  for (const who of ['ben', 'cleo', 'nobody']) await assert.rejects(caller(signedIn(who), READ), FORBIDDEN, who);
  await assert.rejects(caller(signedIn('ada', null), READ), FORBIDDEN);
  const { key: ofBen } = await caller(signedIn('ben'), READ, true);
  assert.deepEqual([ofBen.usage, ofBen.admin], ['own', false]);
  await assert.rejects(caller(signedIn('cleo'), READ, true), FORBIDDEN);
});

test('who reads the settings of another organization sees nothing behind routes', async (t) => {
  const { signedIn, caller } = await companyOf(t);
  const { key: seen } = await caller(signedIn('dora', 'org_2'), READ);
  assert.deepEqual([seen.usage, seen.admin], ['organization', false]);
});

test('a person’s key may no more than the person may now, and no more than it was given', async (t) => {
  const { caller, ofPerson, withKey } = await companyOf(t);
  const scopeOf = async (by: object, people: Permission = READ) => (await caller(by, people)).key.usage;
  for (const usage of USAGE_SCOPES) {
    const models = { access: 'models', projectId: 'proj_1', usage } as const;
    assert.equal(await scopeOf(ofPerson('ada', models)), usage);
    assert.equal(await scopeOf(ofPerson('ben', models)), usage === 'organization' ? 'project' : usage);
    assert.equal(await scopeOf(ofPerson('ben', { ...models, projectId: 'proj_2' })), 'own');
    assert.equal(await scopeOf(ofPerson('cleo', models)), 'own');
    assert.equal(await scopeOf(withKey(models)), usage, 'one of nobody reads what it was given');
    assert.equal(await scopeOf(ofPerson('ada', { usage })), usage);
  }
  for (const who of ['ben', 'cleo', 'nobody']) await assert.rejects(caller(ofPerson(who), READ), FORBIDDEN, who);
  await assert.rejects(caller(ofPerson('nobody', { access: 'models' }), READ), FORBIDDEN);
});

test('whoever administers, signed in or by a key of theirs, has the permission there', async (t) => {
  const { administrator, ofPerson, signedIn, withKey } = await companyOf(t);
  const WRITE = 'api.keys.write';
  for (const by of [signedIn, ofPerson]) {
    assert.equal((await administrator(by('ada'), WRITE)).onlyProjects, undefined);
    await administrator(by('ben'), WRITE, { in: 'proj_1' });
    await assert.rejects(administrator(by('ben'), WRITE, { in: 'proj_2' }), FORBIDDEN);
    await assert.rejects(administrator(by('ben'), WRITE), FORBIDDEN);
    await assert.rejects(administrator(by('cleo'), WRITE, { in: 'proj_1' }), FORBIDDEN);
    const { onlyProjects } = await administrator(by('ben'), WRITE, { somewhere: true });
    assert.deepEqual(onlyProjects, new Set(['proj_1']));
    await assert.rejects(administrator(by('cleo'), WRITE, { somewhere: true }), FORBIDDEN);
    const there = await (await administrator(by('ben'), null)).inProjects!();
    assert.deepEqual(
      there.map(({ id }) => id),
      ['proj_1'],
    );
  }
  const nobodys = withKey({ access: 'administration', usage: 'own' });
  await administrator(nobodys, WRITE);
  await assert.rejects(administrator(nobodys, READ), FORBIDDEN);
  await assert.rejects(administrator(withKey({ access: 'models' }), null), FORBIDDEN);
});

test('nobody on a network may call what is the operator’s alone', async (t) => {
  const { find, signedIn, withKey } = await companyOf(t);
  for (const access of ['operator', 'storeless'] as const) {
    for (const by of [signedIn('ada'), withKey({ access: 'administration', admin: true })]) {
      await assert.rejects(find({ ...by, method: 'GET', url: '/v1/operator/gateway' }, access), { kind: 'not_found' });
    }
  }
});
