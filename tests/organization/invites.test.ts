import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Permission } from '../../src/core/permissions.ts';
import { acceptInvite } from '../../src/organization/invites/service.ts';
import { ask } from '../http/client.ts';
import { TestBrowser } from '../sign-in/browser.ts';
import { ACME, type Company, type Hired, startCompany } from './lab.ts';

let company: Company;
let owner: Hired;
before(async () => {
  company = await startCompany();
  owner = await company.hire('olga', 'owner');
});
after(() => company[Symbol.asyncDispose]());

const organization = ({ client }: Hired) => client.admin.organization;

test('an invite brings nobody in whose sender has lost the role that they sent it by, and does again once they have it', async () => {
  const { users, groups, roles } = organization(owner);
  const permissions: Permission[] = ['api.members.read', 'api.members.write'];
  const role = await roles.create({ role_name: 'Inviting', permissions });
  const [own, ofGroup] = [await company.hire('inviter'), await company.hire('inviter-by-group')];
  await users.roles.create(own.id, { role_id: role.id });
  const { id: group } = await groups.create({ name: 'inviters' });
  await groups.roles.create(group, { role_id: role.id });
  await groups.users.create(group, { user_id: ofGroup.id });
  const browser = new TestBrowser(company.headgate);
  const look = async (link: unknown) => (await browser.post('/auth/link', { link })).status;
  const sent: string[] = [];
  for (const [index, each] of [own, ofGroup].entries()) {
    const made = await organization(each).invites.create({ email: `guest-${index}@example.com`, role: 'reader' });
    sent.push((made as unknown as { invite_token: string }).invite_token);
  }
  const looked = async () => [await look(sent[0]), await look(sent[1])];
  assert.deepEqual(await looked(), [200, 200]);
  await users.roles.delete(role.id, { user_id: own.id });
  assert.deepEqual(await looked(), [404, 200]);
  await groups.users.delete(ofGroup.id, { group_id: group });
  assert.deepEqual(await looked(), [404, 404]);
  const person = { id: 'user_guest', email: 'guest-1@example.com', name: null };
  await assert.rejects(acceptInvite(company.admin(), sent[1]!, { person, request: null }), { kind: 'not_found' });
  await users.roles.create(own.id, { role_id: role.id });
  assert.deepEqual(await looked(), [200, 404]);
});

test('an invite brings nobody in that a key of nobody has sent, once it is turned off or revoked, nor one of who was removed meanwhile', async () => {
  const browser = new TestBrowser(company.headgate);
  const look = async (link: unknown) => (await browser.post('/auth/link', { link })).status;
  const { adminAPIKeys } = (await company.client({ userId: null })).admin.organization;
  const { id, value } = await adminAPIKeys.create({ name: 'provisioning' });
  const asked = async (body: object) =>
    (await ask(`${company.headgate.url}/v1/organization/invites`, { key: value, body })).json;
  const { invite_token: link } = (await asked({ email: 'new@example.com', role: 'owner' })) as Record<string, string>;
  assert.equal(await look(link), 200);
  const { keys, settings } = company.admin();
  await keys.change(id, { disabledAt: 1 });
  assert.equal(await look(link), 404);
  await keys.change(id, { disabledAt: null });
  assert.equal(await look(link), 200);
  await adminAPIKeys.delete(id);
  assert.equal(await look(link), 404);

  const gone = await company.hire('gone', 'owner');
  const sent = await organization(gone).invites.create({ email: 'friend-of-gone@example.com', role: 'owner' });
  const invite = await settings.find(ACME, 'invite', sent.id);
  await organization(owner).users.delete(gone.id);
  // As of a request that was under way while they were removed.
  await settings.change(ACME, [{ put: { ...invite!, version: 1 } }], null);
  assert.equal(await look((sent as unknown as { invite_token: string }).invite_token), 404);
});
