import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey, MAX_EARLIER_SECRETS } from '../../src/keys/keys.ts';
import { assignRole } from '../../src/organization/roles/assignments.ts';
import { type Answer, ask } from '../http/client.ts';
import { ACME, type Company, type Hired, startCompany } from './lab.ts';

/** Who makes, changes, rotates and ends which key: each kind of key by each kind of administrator, in every way there is. */
const KINDS = ['own', 'of another', 'of a service account', 'of nobody', 'of a product', 'that administers'] as const;
type Kind = (typeof KINDS)[number];

type Asker = { name: string; may: readonly Kind[]; key?: string; cookie?: string; userId: string | null };
type Made = { id: string; value: string };
type Way = [method: string, path: string, body?: object];

let company: Company;
let owner: Hired;
let other: Hired;
let project: string;
const askers: Asker[] = [];

before(async () => {
  company = await startCompany({ args: ['--workers', '4'], config: 'limits: { requests_per_minute: 1000000 }' });
  owner = await company.hire('olga', 'owner');
  project = (await post('/projects', owner.key, { name: 'Search' })).id;
  const hired = async (name: string, inProject: 'owner' | 'member') => {
    const person = await company.hire(name);
    await post(`/projects/${project}/users`, owner.key, { user_id: person.id, role: inProject });
    return person;
  };
  other = await hired('other', 'member');
  const ofPeople: readonly Kind[] = ['own', 'of another', 'of a service account', 'of nobody'];
  const add = async (name: string, person: Hired, may: readonly Kind[]) => {
    askers.push({ name, may, key: person.key, userId: person.id });
    askers.push({ name: `${name}, signed in`, may, cookie: await company.cookieOf(person), userId: person.id });
  };
  await add('a member of the project', await hired('member', 'member'), ['own']);
  await add('an owner of the project', await hired('lead', 'owner'), ofPeople);
  for (const [role, may] of [
    ['role_developer', ['own']],
    ['role_admin', [...ofPeople, 'of a product']],
  ] as const) {
    const person = await hired(role, 'member');
    await assignRole(company.admin(), { type: 'user', id: person.id, projectId: null }, role);
    await add(role, person, may);
  }
  await add('an owner', owner, KINDS);
  askers.push({ name: 'a key of nobody', may: KINDS, key: await company.keyOf({ userId: null }), userId: null });
});
after(() => company[Symbol.asyncDispose]());

async function post(path: string, key: string, body: object): Promise<Made & { api_key: Made }> {
  const { status, text, json } = await ask(`${company.headgate.url}/v1/organization${path}`, { key, body });
  assert.equal(status, 200, text);
  return json as Made & { api_key: Made };
}

async function as(asker: Asker, method: string, path: string, body?: object): Promise<Answer> {
  const { url } = company.headgate;
  const { key, cookie } = asker;
  return ask(`${url}/v1/organization${path}`, {
    method,
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
    ...(cookie !== undefined && { headers: { cookie, origin: `http://localhost:${new URL(url).port}` } }),
  });
}

let made = 0;

/** A key of this kind, as this asker sees it, and the ways to its secret and its end by what it belongs to. */
async function keyOf(kind: Kind, { userId }: Asker): Promise<Made & { account: string; ways: Way[] }> {
  made += 1;
  const name = `key ${made}`;
  const plain = async (user_id: string | null) => {
    const { id, value } = await post(`/projects/${project}/api_keys`, owner.key, { name, user_id });
    return { id, value, account: '', ways: [] };
  };
  if (kind === 'own') return plain(userId);
  if (kind === 'of another') return plain(other.id);
  if (kind === 'of nobody') return plain(null);
  if (kind === 'of a service account') {
    const { id: account, api_key: key } = await post(`/projects/${project}/service_accounts`, owner.key, { name });
    const path = `/projects/${project}/service_accounts/${account}`;
    return {
      ...key,
      account,
      ways: [
        ['POST', `${path}/api_keys`, { name: 'further' }],
        ['DELETE', path],
      ],
    };
  }
  if (kind === 'of a product') {
    const id = `product-${made}`;
    const { api_key: key } = await post('/products', owner.key, { id, project_id: project });
    return { ...key, account: '', ways: [['POST', `/products/${id}/rotate`, { api_key_id: key.id }]] };
  }
  const { keys: store, pepper, clock, ids, random } = company.admin();
  const wanted = { organizationId: ACME, projectId: project, name, admin: true };
  const { key, secret } = await createKey({ store, pepper, clock, ids, random }, wanted);
  return { id: key.id, value: secret, account: '', ways: [] };
}

const EDITS: readonly object[] = [
  { enabled: false },
  { enabled: true },
  { name: 'mine' },
  { scopes: ['api.model.read'] },
  { expires_in_seconds: 1 },
  { expires_in_seconds: null },
  { ip_ranges: ['10.0.0.0/8'] },
  { allowed_models: ['echo'] },
  { max_requests_per_1_minute: 1 },
  { max_tokens_per_1_minute: 1 },
  { spend_limit: { amount_usd: 1, interval: 'day' } },
  { spend_limit: null },
  { enabled: false, name: 'mine', if_version: 1 },
];

describe('a key is changed, rotated and ended by whoever may, in every way, and by nobody else', () => {
  for (const kind of KINDS) {
    test(`a key ${kind}`, async () => {
      for (const asker of askers) {
        const key = await keyOf(kind, asker);
        const path = `/projects/${project}/api_keys/${key.id}`;
        const ways: Way[] = [
          ...EDITS.map((edit): Way => ['POST', path, edit]),
          ['POST', `${path}/rotate`, {}],
          ['POST', `${path}/rotate`, { overlap_seconds: 60 }],
        ];
        const may = asker.may.includes(kind);
        // What ends the key comes last.
        const ends: Way[] = [...key.ways.slice(0, 1), ['DELETE', path], ...key.ways.slice(1)];
        for (const [method, at, body] of [...ways, ...ends]) {
          const { status, text } = await as(asker, method, at, may && body ? withoutVersion(body) : body);
          assert.equal(status, may ? 200 : 403, `${asker.name}: ${method} ${at} ${JSON.stringify(body)}: ${text}`);
        }
        const opens = (await ask(`${company.headgate.url}/v1/models`, { key: key.value })).status === 200;
        if (!may) assert.ok(opens, `${asker.name}: it goes on as it was`);
      }
    });
  }
});

/** What may be done is done one after the other, each time to another version. */
function withoutVersion(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'if_version'));
}

test('a key is made for oneself, and for a service account, another or nobody by whoever may change members', async () => {
  for (const asker of askers) {
    const { account } = await keyOf('of a service account', asker);
    const owners: [kind: Kind, of: object][] = [
      ['of another', { user_id: other.id }],
      ['of a service account', { service_account_id: account }],
      ['of nobody', { user_id: null }],
      ...(asker.userId === null ? [] : [['own', { user_id: asker.userId }] as [Kind, object]]),
    ];
    for (const [kind, of] of owners) {
      const { status, text } = await as(asker, 'POST', `/projects/${project}/api_keys`, { name: 'x', ...of });
      assert.equal(status, asker.may.includes(kind) ? 200 : 403, `${asker.name}, ${kind}: ${text}`);
    }
    const may = asker.may.includes('of a service account');
    const accounts = `/projects/${project}/service_accounts`;
    assert.equal((await as(asker, 'POST', accounts, { name: 'x' })).status, may ? 200 : 403, asker.name);
    const alone = await as(asker, 'POST', accounts, { name: 'x', create_service_account_only: true });
    assert.equal(alone.status, 200, `${asker.name}: ${alone.text}`);
    const { id } = alone.json as Made;
    assert.equal((await as(asker, 'DELETE', `${accounts}/${id}`)).status, may ? 200 : 403, asker.name);
  }
});

test('a key that would end with a group is ended by nobody who only manages groups', async () => {
  const keeper = await company.hire('group-keeper');
  const permissions = ['api.groups.read', 'api.groups.write', 'api.projects.read'];
  const { id: role } = await post('/roles', owner.key, { role_name: 'Groups', permissions });
  await post(`/users/${keeper.id}/roles`, owner.key, { role_id: role });
  const leaver = await company.hire('leaver');
  const { id: group } = await post('/groups', owner.key, { name: 'Guests' });
  await post(`/groups/${group}/users`, owner.key, { user_id: leaver.id });
  await post(`/projects/${project}/groups`, owner.key, { group_id: group, role: 'member' });
  const key = await post(`/projects/${project}/api_keys`, owner.key, { name: 'x', user_id: leaver.id });
  const url = `${company.headgate.url}/v1`;
  const path = `${url}/projects/${project}/groups/${group}/roles/role_project_member`;
  assert.equal((await ask(path, { method: 'DELETE', key: owner.key })).status, 200, 'the group gives nothing');
  const ways = [`/groups/${group}/users/${leaver.id}`, `/projects/${project}/groups/${group}`, `/groups/${group}`];
  for (const way of ways) {
    const { status, text } = await ask(`${url}/organization${way}`, { method: 'DELETE', key: keeper.key });
    assert.equal(status, 403, `${way}: ${text}`);
  }
  assert.equal((await ask(`${url}/organization${ways[0]}`, { method: 'DELETE', key: owner.key })).status, 200);
  const { client } = owner;
  const left = await client.admin.organization.projects.apiKeys
    .retrieve(key.id, { project_id: project })
    .catch(() => null);
  assert.equal(left, null, 'whoever may change members ends it');
});

test('an admin key is ended by whoever has it, and by owners', async () => {
  const keeper = await company.hire('keeper');
  const permissions = ['api.admin_keys.read', 'api.admin_keys.write', 'api.roles.read'];
  const { id: role } = await post('/roles', owner.key, { role_name: 'Keeper', permissions });
  await post(`/users/${keeper.id}/roles`, owner.key, { role_id: role });
  const [own, owners] = [
    await post('/admin_api_keys', keeper.key, { name: 'own' }),
    await post('/admin_api_keys', owner.key, { name: 'of an owner' }),
  ];
  const end = async (key: string, { id }: Made) =>
    (await ask(`${company.headgate.url}/v1/organization/admin_api_keys/${id}`, { method: 'DELETE', key })).status;
  assert.deepEqual([await end(keeper.key, owners), await end(keeper.key, own)], [403, 200]);
  assert.equal(await end(owner.key, owners), 200);
});

test('rotations at once leave no more earlier secrets than may go on', async () => {
  const { id } = await post(`/projects/${project}/api_keys`, owner.key, { name: 'x' });
  const path = `${company.headgate.url}/v1/organization/projects/${project}/api_keys/${id}/rotate`;
  const rotations = await Promise.all(
    Array.from({ length: 20 }, () => ask(path, { key: owner.key, body: { overlap_seconds: 600 } })),
  );
  assert.ok(rotations.every(({ status }) => [200, 400, 409].includes(status)));
  const secrets = rotations.filter(({ status }) => status === 200).map(({ json }) => (json as Made).value);
  // The one that the key was made with is accepted, too, and the newest is no earlier one.
  assert.equal(secrets.length, MAX_EARLIER_SECRETS);
  for (const key of secrets) assert.equal((await ask(`${company.headgate.url}/v1/models`, { key })).status, 200);
});
