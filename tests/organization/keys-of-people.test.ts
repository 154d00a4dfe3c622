import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { defaultProjectId } from '../../src/core/settings.ts';
import { assignRole } from '../../src/organization/roles/assignments.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask, type Sent } from '../http/client.ts';
import { ACME, type Company, type Hired, startCompany, UMBRELLA } from './lab.ts';

/** What keys let people see and do is no more than what they may themselves. */
const vendor = await startFakeProvider();
let company: Company;
let owner: Hired;
before(async () => {
  company = await startCompany({
    config: `
system: { targets: [priced] }
providers: { lab: { base_url: "${vendor.url}", only: [{ id: priced, price: { input_per_1m: 1000, output_per_1m: 1000 } }] } }
routes: { acme/silent: { targets: [priced], disclose: false, price: { input_per_1m: 5000, output_per_1m: 5000 } } }
`,
  });
  owner = await company.hire('olga', 'owner');
});
after(async () => {
  await company[Symbol.asyncDispose]();
  await vendor.close();
});

const call = (path: string, options: Sent) => ask(`${company.headgate.url}/v1${path}`, options);
const body = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello' }] });
type Made = { id: string; api_key: { id: string; value: string }; value: string };

async function post(path: string, key: string, json: object): Promise<Made> {
  const { status, text } = await call(path, { key, body: json });
  assert.equal(status, 200, text);
  return JSON.parse(text) as Made;
}

/** Settings are in force within a second. */
async function until(wanted: number, key: string, model: string): Promise<void> {
  for (const deadline = performance.now() + WAIT_MS; ; ) {
    const { status, text } = await call('/chat/completions', { key, body: body(model) });
    if (status === wanted) return;
    assert.ok(performance.now() < deadline, `${status}: ${text}`);
  }
}

/** A project, and somebody who may in it what a member may, and nothing elsewhere. */
async function memberOf(name: string): Promise<{ project: string; member: Hired }> {
  const { id: project } = await post('/organization/projects', owner.key, { name });
  const member = await company.hire(`member-of-${name}`);
  await post(`/organization/projects/${project}/users`, owner.key, { user_id: member.id, role: 'member' });
  return { project, member };
}

test('a product’s key is changed and given another secret by those alone who may change products', async () => {
  const { project, member } = await memberOf('desk');
  const lead = await company.hire('lead');
  await post(`/organization/projects/${project}/users`, owner.key, { user_id: lead.id, role: 'owner' });
  const made = await post('/organization/products', owner.key, { id: 'desk', project_id: project });
  const path = `/organization/projects/${project}/api_keys/${made.api_key.id}`;
  for (const { key } of [member, lead]) {
    for (const [rest, json] of [
      ['/rotate', { overlap_seconds: 60 }],
      ['', { spend_limit: null }],
      ['', { enabled: true }],
      ['', { enabled: false }],
    ] as const) {
      const { status, text } = await call(path + rest, { key, body: json });
      assert.deepEqual([status, text.includes('api.products.write')], [403, true], text);
    }
  }
  const rotated = await post(`${path}/rotate`, owner.key, { overlap_seconds: 0 });
  await until(200, rotated.value, 'system');
  await post(path, owner.key, { enabled: false });
  await until(401, rotated.value, 'system');
});

test('a key that somebody makes who does not see usage sees its own calls alone', async () => {
  const { project, member } = await memberOf('garage');
  const other = await post(`/organization/projects/${project}/api_keys`, owner.key, { name: 'of an owner' });
  await call('/chat/completions', { key: other.value, body: body('priced') });
  const mine = await post(`/organization/projects/${project}/api_keys`, member.key, { name: 'mine' });
  const seen = await call('/usage', { key: mine.value });
  assert.deepEqual(JSON.parse(seen.text).data, [], seen.text);
  await call('/chat/completions', { key: mine.value, body: body('priced') });
  assert.equal(JSON.parse((await call('/usage', { key: mine.value })).text).data.length, 1);
  assert.ok(JSON.parse((await call('/usage', { key: other.value })).text).data.length > 1);
});

test('the keys of somebody who was an owner see no more than that person sees now', async () => {
  const former = await company.hire('former', 'owner');
  const paths = ['/usage', '/usage/summary?by=model', '/usage/first_tokens', '/usage/live', '/models/catalog'];
  await post(`/organization/users/${former.id}`, owner.key, { role: 'reader' });
  for (const path of paths) assert.equal((await call(path, { key: former.key })).status, 403, path);

  // Who stays in the project keeps the keys that call its models.
  const member = await company.hire('stays', 'owner');
  const people = `/organization/projects/${defaultProjectId(ACME)}/users`;
  await post(people, owner.key, { user_id: member.id, role: 'member' });
  const models = await company.keyOf({ userId: member.id, access: 'models' });
  assert.ok(JSON.parse((await call('/usage', { key: models })).text).data.length > 0);
  await post(`/organization/users/${member.id}`, owner.key, { role: 'reader' });
  const { text } = await call('/usage', { key: models });
  assert.deepEqual(JSON.parse(text).data, [], text);
  assert.equal((await call('/models/catalog', { key: models })).status, 200);
});

test('what is the operator’s is shown to nobody of another organization, whatever they may there', async () => {
  const customer = await company.hire('vic', 'reader', UMBRELLA);
  await assignRole(company.admin(UMBRELLA), { type: 'user', id: customer.id, projectId: null }, 'role_viewer');
  const theirs = await company.keyOf({ userId: null, organizationId: UMBRELLA, access: 'models' });
  await call('/chat/completions', { key: theirs, body: body('acme/silent') });
  const cookie = await company.cookieOf(customer, UMBRELLA);
  const origin = `http://localhost:${new URL(company.headgate.url).port}`;
  const asThem = (path: string) => call(path, { headers: { cookie, origin } });
  const { text } = await asThem('/usage');
  const [record] = JSON.parse(text).data;
  assert.deepEqual([record.model, record.provider, record.upstream_model], ['acme/silent', null, null], text);
  assert.equal(record.vendor_cost_usd ?? null, null);
  assert.doesNotMatch((await asThem(`/usage/${record.id}`)).text, /"lab"|"priced"/);
  assert.equal((await asThem('/status')).status, 403);
  const mine = await call('/usage?model=acme/silent', { key: company.headgate.key });
  assert.deepEqual(JSON.parse(mine.text).data, [], 'it is of the other organization');
});
