import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PREDEFINED_ROLES } from '../../src/core/permissions.ts';
import { ask } from '../http/client.ts';
import { documentedFetch } from './documented.ts';
import { type Company, type Hired, startCompany, UMBRELLA } from './lab.ts';

let company: Company;
let documented: typeof fetch;
let owner: Hired;

before(async () => {
  company = await startCompany({
    config: `
echo: true
providers: { rocketlab: { base_url: "http://127.0.0.1:9", api_key: lab-key, models: [{ id: rocket-large }, { id: rocket-small }] } }
routes: { acme/rocket: { name: Fast rockets, targets: [rocket-small] } }
`,
  });
  documented = await documentedFetch(company.headgate.url);
  owner = await company.hire('rocketeer', 'owner');
});
after(() => company[Symbol.asyncDispose]());

type Result = { type: string; id: string; name: string; about: string | null; project: { name: string } | null };

async function post(path: string, body: object, key = owner.key): Promise<{ id: string; value: string }> {
  const { status, text, json } = await ask(`${company.headgate.url}/v1/organization${path}`, { key, body });
  assert.equal(status, 200, text);
  return json as { id: string; value: string };
}

async function find(query: string, by: { key?: string; cookie?: string } = owner, more = '') {
  const answer = await documented(
    `${company.headgate.url}/v1/organization/search?query=${encodeURIComponent(query)}${more}`,
    { headers: by.cookie === undefined ? { authorization: `Bearer ${by.key}` } : { cookie: by.cookie } },
  );
  assert.equal(answer.status, 200);
  return (await answer.json()) as { data: Result[]; has_more: boolean; more_of: string[] };
}

async function names(...args: Parameters<typeof find>): Promise<string[]> {
  return (await find(...args)).data.map(({ type, name }) => `${type} ${name}`);
}

test('whatever has the words in its name is found, by kind, and what begins with them first', async () => {
  const project = await post('/projects', { name: 'Rocket science' });
  const other = await post('/projects', { name: 'Our rockets' });
  const gone = await post('/projects', { name: 'Rocket, archived' });
  await post(`/projects/${gone.id}/api_keys`, { name: 'rocket of the past' });
  await post(`/projects/${gone.id}/archive`, {});
  const key = await post(`/projects/${project.id}/api_keys`, { name: 'ROCKET bot' });
  await post(`/projects/${project.id}/api_keys`, { name: 'other' });
  await post('/groups', { name: 'Rocketeers' });
  await post('/admin_api_keys', { name: 'rocket deploy' });
  await post('/budgets', { name: 'For rockets', holders: [{ type: 'organization' }], amount_usd: 5 });
  await company.hire('rocket-thief', 'owner', UMBRELLA);
  assert.deepEqual(await names('rocket'), [
    'model rocket-large',
    'model rocket-small',
    'route acme/rocket',
    'provider rocketlab',
    'api_key ROCKET bot',
    'admin_api_key rocket deploy',
    'user rocketeer',
    'project Rocket science',
    'project Our rockets',
    'group Rocketeers',
    'budget For rockets',
  ]);
  const { data } = await find('rocket bot');
  assert.deepEqual(
    data.map(({ id, about, project: of }) => [id, about, of?.name]),
    [[key.id, null, 'Rocket science']],
  );
  assert.deepEqual(await names('OUR ROCKETS'), ['project Our rockets']);
  assert.deepEqual(await names('rocketeer@exam'), ['user rocketeer']);
  assert.deepEqual(await names('fast rock'), ['route acme/rocket']);
  assert.deepEqual(await names(key.id), ['api_key ROCKET bot']);
  assert.deepEqual(await names(key.value.slice(-4)), ['api_key ROCKET bot']);
  assert.deepEqual(await names(other.id.slice(0, -2)), ['project Our rockets']);
  assert.deepEqual(await names('%'), []);
  assert.deepEqual(await names("' or 1=1 --"), []);
});

test('of each kind so many at most are told, with which there are more of, and only those that are asked for', async () => {
  for (let number = 0; number < 5; number += 1) await post('/groups', { name: `crew ${number}` });
  const some = await find('crew', owner, '&limit=3&types=group,project');
  assert.deepEqual(
    some.data.map(({ name }) => name),
    ['crew 0', 'crew 1', 'crew 2'],
  );
  assert.deepEqual([some.has_more, some.more_of], [true, ['group']]);
  assert.deepEqual(await names('crew', owner, '&types=project,model'), []);
  const all = await find('crew', owner, '&limit=5');
  assert.deepEqual([all.data.length, all.has_more, all.more_of], [5, false, []]);
});

test('a request is found by its id or that of its record, and by no part of one', async () => {
  const project = await post('/projects', { name: 'callers' });
  const { value: key } = await post(`/projects/${project.id}/api_keys`, { name: 'caller' });
  const body = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
  const answer = await ask(`${company.headgate.url}/v1/chat/completions`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  const requestId = answer.headers.get('x-request-id')!;
  const { data } = await find(requestId);
  assert.deepEqual(
    data.map(({ type, name, about }) => [type, name, about]),
    [['request', requestId, 'echo']],
  );
  assert.deepEqual(await names(data[0]!.id), [`request ${requestId}`]);
  assert.deepEqual(await names(requestId.slice(0, -1)), []);
  const stranger = await company.hire('stranger', 'owner', UMBRELLA);
  for (const id of [requestId, data[0]!.id]) assert.deepEqual(await names(id, stranger), []);
});

test('each kind is found by those alone who may read it', async () => {
  const needs = {
    'api.projects.read': ['model', 'route', 'project'],
    'api.providers.read': ['provider'],
    'api.keys.read': ['api_key'],
    'api.admin_keys.read': ['admin_api_key'],
    'api.members.read': ['user'],
    'api.groups.read': ['group'],
    'api.budgets.read': ['budget'],
    'api.audit_logs.read': [],
  };
  for (const [permission, types] of Object.entries(needs)) {
    const role = await post('/roles', { role_name: permission, permissions: [permission] });
    const { id, key } = await company.hire(permission.split('.')[1]!.replace('_', '-'));
    await post(`/users/${id}/roles`, { role_id: role.id });
    const { data } = await find('rocket', { key });
    assert.deepEqual([...new Set(data.map(({ type }) => type))], types, permission);
  }
  const nobody = await company.hire('nobody');
  assert.deepEqual(await names('rocket', nobody), []);
});

test('who is in some projects alone finds these and their keys, by key and signed in', async () => {
  const mine = await post('/projects', { name: 'Rocket garage' });
  await post(`/projects/${mine.id}/api_keys`, { name: 'rocket wrench' });
  const hired = await company.hire('mechanic');
  await post(`/projects/${mine.id}/users`, { user_id: hired.id, role: 'member' });
  assert.ok(PREDEFINED_ROLES.get('role_project_member')!.permissions.includes('api.members.read'));
  const told = [
    'model rocket-large',
    'model rocket-small',
    'route acme/rocket',
    'api_key rocket wrench',
    'project Rocket garage',
  ];
  assert.deepEqual(await names('rocket', hired), told);
  assert.deepEqual(await names('rocket', { cookie: await company.cookieOf(hired) }), told);
});

test('keys are found in their list, too, as it shows them, by those who may list them', async () => {
  const [mine, other] = [await post('/projects', { name: 'Listed' }), await post('/projects', { name: 'Not listed' })];
  const made = await post(`/projects/${mine.id}/api_keys`, { name: 'lister one' });
  await post(`/projects/${other.id}/api_keys`, { name: 'my lister two' });
  const listed = async (search: string, key = owner.key, more = '') => {
    const path = `/v1/organization/api_keys?search=${encodeURIComponent(search)}${more}`;
    const answer = await documented(company.headgate.url + path, { headers: { authorization: `Bearer ${key}` } });
    const { data, has_more } = (await answer.json()) as { data: Result[]; has_more: boolean };
    assert.equal(has_more, false);
    return data.map(({ name, project }) => `${name} in ${project?.name}`);
  };
  assert.deepEqual(await listed('lister'), ['lister one in Listed', 'my lister two in Not listed']);
  assert.deepEqual(await listed('lister', owner.key, '&limit=1'), ['lister one in Listed']);
  assert.deepEqual(await listed(made.id), ['lister one in Listed']);
  const hired = await company.hire('keeper');
  await post(`/projects/${mine.id}/users`, { user_id: hired.id, role: 'member' });
  assert.deepEqual(await listed('lister', hired.key), ['lister one in Listed']);
});

test('a list of keys that is searched has one page, and refuses a place to go on from', async () => {
  for (const param of ['after', 'before']) {
    const path = `/v1/organization/api_keys?search=lister&${param}=key_1`;
    const { status, text } = await ask(company.headgate.url + path, { key: owner.key });
    assert.deepEqual([status, JSON.parse(text).error.param], [400, param]);
  }
});

test('a query that is none is refused, with its name', async () => {
  for (const [query, param] of [
    ['', 'query'],
    ['query=%20', 'query'],
    [`query=${'x'.repeat(201)}`, 'query'],
    ['query=a&limit=0', 'limit'],
    ['query=a&types=secret', 'types'],
  ] as const) {
    const { status, text } = await ask(`${company.headgate.url}/v1/organization/search?${query}`, { key: owner.key });
    assert.equal(status, 400, query);
    assert.match(text, new RegExp(`\`${param}`));
  }
});
