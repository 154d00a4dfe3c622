import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { USAGE_SCOPES, type UsageScope } from '../../src/core/records.ts';
import { defaultProjectId } from '../../src/core/settings.ts';
import { createKey } from '../../src/keys/keys.ts';
import { OPERATIONS } from '../../src/surfaces/openapi/document.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask, errorOf, type Sent } from '../http/client.ts';
import { watchUsage } from '../support/live.ts';
import { ACME, type Company, type Hired, startCompany } from './lab.ts';

/** Whose calls a key reads, over every operation that tells of calls. */
type Key = { id: string; value: string; project: string; scope: UsageScope };

let company: Company;
let owner: Hired;
const keys: Key[] = [];
/** The calls that were made, by their request. */
const calls: { request: string; by: Key }[] = [];

before(async () => {
  company = await startCompany({ config: 'routes: { watched: { targets: [echo] } }' });
  owner = await company.hire('olga', 'owner');
  const [near, far] = [await makeProject('near'), await makeProject('far')];
  for (const project of [near, far]) for (const scope of USAGE_SCOPES) keys.push(await operatorKey(project, scope));
  for (const key of keys) await call(key);
});
after(() => company[Symbol.asyncDispose]());

const asked = (path: string, options: Sent) => ask(`${company.headgate.url}/v1${path}`, options);
type Made = { id: string; value: string; usage: UsageScope; api_key: Made };

async function post(path: string, key: string, body: object): Promise<Made> {
  const { status, text, json } = await asked(path, { key, body });
  assert.equal(status, 200, `${path}: ${text}`);
  return json as Made;
}

async function makeProject(name: string): Promise<string> {
  return (await post('/organization/projects', owner.key, { name })).id;
}

/** A key that administers, so that no operation refuses it for another reason. */
async function operatorKey(projectId: string, usage: UsageScope): Promise<Key> {
  const { keys: store, pepper, clock, ids, random } = company.admin();
  const wanted = { organizationId: ACME, name: `${projectId} ${usage}`, admin: true, projectId, usage };
  const { key, secret } = await createKey({ store, pepper, clock, ids, random }, wanted);
  return { id: key.id, value: secret, project: projectId, scope: usage };
}

async function call(by: Key): Promise<void> {
  const body = { model: 'watched', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
  const { status, text, headers } = await asked('/chat/completions', { key: by.value, body });
  assert.equal(status, 200, text);
  calls.push({ request: headers.get('x-request-id')!, by });
}

const isWithin = (reader: Key) => (by: Key) =>
  ({ organization: true, project: by.project === reader.project, own: by.id === reader.id })[reader.scope];
/** Requests of the calls that a key may read. */
const readable = (key: Key) => calls.filter(({ by }) => isWithin(key)(by)).map(({ request }) => request);

/** How many calls an operation tells a key of. */
type Reader = (by: Key) => Promise<number>;

/** Of all calls together, or of nothing. */
const ofAll = (path: string, count: (json: never) => number): Reader => {
  return async ({ value, scope }) => {
    const { status, text, json } = await asked(path, { key: value });
    assert.equal(status, scope === 'organization' ? 200 : 403, text);
    return status === 200 ? count(json as never) : 0;
  };
};
type Bucketed = { data: { results: { num_model_requests: number; api_key_id: string }[] }[] };
const since = `start_time=${Math.floor(Date.now() / 1000)}&limit=2`;

/** Every operation that asks for the permission to read usage; `null`: it tells of no calls. */
const READERS: Readonly<Record<string, Reader | null>> = {
  listUsage: async ({ value }) => ((await asked('/usage', { key: value })).json as { data: unknown[] }).data.length,
  retrieveUsage: ({ value }) =>
    countOf(async (request) => Number((await asked(`/usage/${request}`, { key: value })).status === 200)),
  summarizeUsage: async ({ value }) => {
    const { json } = await asked('/usage/summary?by=model,key', { key: value });
    return (json as { totals: { calls: number } }).totals.calls;
  },
  retrieveFirstTokenTimes: ofAll('/usage/first_tokens', (json: { totals: { streams: number } }) => json.totals.streams),
  watchUsage: async (by) => {
    await using watching = await watchUsage(company.headgate, by.value, { query: '?last_event_id=0' });
    await call(by);
    const { request: last } = calls.at(-1)!;
    await watching.until(() => watching.events.some(({ data }) => data.request_id === last), 'the last call');
    return watching.ids.length;
  },
  listCosts: ofAll(`/organization/costs?${since}&group_by[]=api_key_id`, ({ data }: Bucketed) => {
    const shown = data.flatMap(({ results }) => results.map(({ api_key_id: id }) => id));
    return calls.filter(({ by }) => shown.includes(by.id)).length;
  }),
  listCompletionsUsage: ofAll(`/organization/usage/completions?${since}`, ({ data }: Bucketed) =>
    data.flatMap(({ results }) => results).reduce((sum, each) => sum + each.num_model_requests, 0),
  ),
  listEmbeddingsUsage: null,
  listAudioSpeechesUsage: null,
  listAudioTranscriptionsUsage: null,
  listCodeInterpreterSessionsUsage: null,
  listDecisionsUsage: null,
  listFileSearchCallsUsage: null,
  listImagesUsage: null,
  listModerationsUsage: null,
  listVectorStoresUsage: null,
  listWebSearchCallsUsage: null,
  getStatus: null,
};
/** These ask for no permission before they know what is asked for, or for another one first. */
const OTHERS: Readonly<Record<string, Reader>> = {
  replayRoute: async ({ value, scope }) => {
    const { status, text, json } = await asked('/organization/routes/watched/replay', { key: value, body: {} });
    assert.equal(status, scope === 'organization' ? 200 : 403, text);
    return status === 200 ? (json as { calls: number }).calls : 0;
  },
  searchOrganization: ({ value }) =>
    countOf(async (request) => {
      const { json } = await asked(`/organization/search?query=${request}&types=request`, { key: value });
      return (json as { data: unknown[] }).data.length;
    }),
};

/** One after the other: of reports a caller may have a few open. */
async function countOf(tell: (request: string) => Promise<number>): Promise<number> {
  let sum = 0;
  for (const { request } of calls) sum += await tell(request);
  return sum;
}

test('every operation that reads usage is here', () => {
  const reading = OPERATIONS.filter(({ access }) => {
    if (typeof access !== 'object') return false;
    const permission = 'people' in access ? access.people : 'permission' in access ? access.permission : null;
    return permission === 'api.usage.read';
  });
  assert.deepEqual(Object.keys(READERS).sort(), reading.map(({ id }) => id).sort());
});

describe('a key is told of the calls that its scope says, by every operation', () => {
  for (const [id, reader] of Object.entries({ ...READERS, ...OTHERS })) {
    if (reader === null) continue;
    test(id, async () => {
      for (const key of keys) {
        const told = await reader(key);
        // Search asks for the permission in the whole organization.
        const isRefused = key.scope !== 'organization' && /^(list(Costs|Com)|retrieveFirst|search|replay)/.test(id);
        assert.equal(told, isRefused ? 0 : readable(key).length, `${key.scope} of ${key.project}`);
      }
    });
  }
});

test('a key that reads its project is shown a key of it where it asks for one, and nothing of another', async () => {
  const [near] = keys.filter(({ scope }) => scope === 'project');
  for (const key of keys) {
    const { status, json } = await asked(`/usage?api_key_id=${key.id}`, { key: near!.value });
    const { data } = json as { data: { api_key_id: string }[] };
    const own = calls.filter(({ by }) => by.id === key.id && by.project === near!.project);
    assert.deepEqual([status, data.length], [200, own.length]);
    assert.ok(data.every(({ api_key_id: id }) => id === key.id));
  }
});

/** Who is in a project as a member: they read its usage, and not the organization's. */
async function memberOf(project: string, name: string, role = 'member'): Promise<Hired> {
  const member = await company.hire(name);
  await post(`/organization/projects/${project}/users`, owner.key, { user_id: member.id, role });
  return member;
}

const keysIn = (project: string) => `/organization/projects/${project}/api_keys`;

test('nobody makes or changes a key that reads more usage than they do, and the refusal names the field', async () => {
  const [{ project }] = keys as [Key];
  const lead = await memberOf(project, 'lead', 'owner');
  const accounts = `/organization/projects/${project}/service_accounts`;
  const account = (await post(accounts, owner.key, { name: 'ci', create_service_account_only: true })).id;
  const wide = await post(keysIn(project), owner.key, { name: 'wide', service_account_id: account });
  assert.equal(wide.usage, 'organization', 'whoever reads all of it gives all of it');
  const ways: [string, object][] = [
    [keysIn(project), { name: 'x', service_account_id: account }],
    [accounts, { name: 'x' }],
    [`${accounts}/${account}/api_keys`, { name: 'x' }],
    [`${keysIn(project)}/${wide.id}`, {}],
  ];
  for (const [path, body] of ways) {
    const refused = await asked(path, { key: lead.key, body: { ...body, usage: 'organization' } });
    assert.deepEqual([refused.status, errorOf(refused).param], [403, 'usage'], `${path}: ${refused.text}`);
    const unknown = await asked(path, { key: lead.key, body: { ...body, usage: 'everything' } });
    assert.deepEqual([unknown.status, errorOf(unknown).param], [400, 'usage'], `${path}: ${unknown.text}`);
    for (const usage of ['own', 'project']) {
      const made = await post(path, lead.key, { ...body, usage });
      assert.equal((made.api_key ?? made).usage, usage, path);
    }
    if (path.endsWith(wide.id)) continue;
    const made = await post(path, lead.key, body);
    assert.equal((made.api_key ?? made).usage, 'own', 'unless they ask for more');
  }
});

test('who is told another secret reads no more by it than they may themselves, and their own key stays as it is', async () => {
  const [{ project }] = keys as [Key];
  const lead = await memberOf(project, 'rotator', 'owner');
  const path = `/organization/projects/${project}/service_accounts`;
  const { id } = (await post(path, owner.key, { name: 'production' })).api_key;
  const shown = async () => ((await asked(`${keysIn(project)}/${id}`, { key: owner.key })).json as Made).usage;
  assert.equal(await shown(), 'organization');
  const rotated = await post(`${keysIn(project)}/${id}/rotate`, lead.key, { overlap_seconds: 60 });
  assert.deepEqual([rotated.usage, await shown()], ['project', 'project']);
  const { data } = (await asked('/usage', { key: rotated.value })).json as { data: unknown[] };
  assert.equal(data.length, readable({ ...keys[0]!, scope: 'project' }).length);
  const own = await post(keysIn(project), owner.key, { name: 'of the lead', user_id: lead.id });
  assert.equal((await post(`${keysIn(project)}/${own.id}/rotate`, lead.key, {})).usage, 'organization');
});

test('a person’s key reads as much as the person may now, whatever it was made with', async () => {
  const [{ project }] = keys as [Key];
  const person = await memberOf(project, 'pam');
  const { value } = await post(keysIn(project), owner.key, { name: 'pam', user_id: person.id, usage: 'organization' });
  const read = async () => {
    const { status, text, json } = await asked('/usage?limit=100', { key: value });
    assert.equal(status, 200, text);
    return (json as { data: unknown[] }).data.length;
  };
  const all = calls.length;
  const ofProject = readable({ ...keys[0]!, scope: 'project' }).length;
  assert.equal(await read(), ofProject);
  await post(`/organization/users/${person.id}/roles`, owner.key, { role_id: 'role_viewer' });
  assert.equal(await read(), all);
  const group = (await post('/organization/groups', owner.key, { name: 'keeps pam here' })).id;
  await post(`/organization/groups/${group}/users`, owner.key, { user_id: person.id });
  const weak = await post(`/projects/${project}/roles`, owner.key, {
    role_name: 'Weak',
    permissions: ['api.projects.read'],
  });
  await post(`/organization/projects/${project}/groups`, owner.key, { group_id: group, role: weak.id });
  const remove = (path: string) => asked(path, { key: owner.key, method: 'DELETE' });
  assert.equal((await remove(`/organization/projects/${project}/users/${person.id}`)).status, 200);
  assert.equal(await read(), all);
  assert.equal((await remove(`/organization/users/${person.id}/roles/role_viewer`)).status, 200);
  assert.equal(await read(), 0, 'she reads usage nowhere any more');
});

test('a product’s key reads no more usage than whoever has made the product', async () => {
  const maker = await company.hire('maker');
  const permissions = ['api.products.read', 'api.products.write'];
  const role = (await post('/organization/roles', owner.key, { role_name: 'Products', permissions })).id;
  await post(`/organization/users/${maker.id}/roles`, owner.key, { role_id: role });
  const made = await post('/organization/products', maker.key, { id: 'desk' });
  const total = async (key: string) => {
    const { json } = await asked('/usage/summary', { key });
    return (json as { totals: { calls: number } }).totals.calls;
  };
  assert.equal(await total(made.api_key.value), 0);
  const other = await post('/organization/products', owner.key, { id: 'shop' });
  assert.equal(await total(other.api_key.value), calls.length);
  // The body of a product has no `usage`: it is set at the key, as of any other.
  const path = `${keysIn(defaultProjectId(ACME))}/${other.api_key.id}`;
  assert.equal((await post(path, owner.key, { usage: 'own' })).usage, 'own');
  assert.equal((await post(path, owner.key, { usage: 'organization' })).usage, 'organization');
  const rotated = await post('/organization/products/shop/rotate', maker.key, { overlap_seconds: 60 });
  assert.equal(await total(rotated.api_key.value), 0);
});

test('who follows calls is ended where their key reads other usage than before', async () => {
  const [{ project }] = keys as [Key];
  const made = await post(keysIn(project), owner.key, { name: 'followed' });
  await using watching = await watchUsage(company.headgate, made.value);
  await post(`${keysIn(project)}/${made.id}`, owner.key, { usage: 'own' });
  await watching.ended;
  const deadline = performance.now() + WAIT_MS;
  for (let of = -1; of !== 0; ) {
    assert.ok(performance.now() < deadline, 'it is in force within a second');
    of = ((await asked('/usage', { key: made.value })).json as { data: unknown[] }).data.length;
  }
});

test('keys of before that read all usage are told of together, until what each reads is set', async () => {
  const [{ project }] = keys as [Key];
  const names = Array.from({ length: 7 }, (_, index) => `old ${index}`);
  const made: Made[] = [];
  for (const name of names) made.push(await post(keysIn(project), owner.key, { name, user_id: null }));
  await post(keysIn(project), owner.key, { name: 'a person’s', user_id: owner.id });
  const tables = new DatabaseSync(join(company.headgate.data, 'headgate.db'));
  // As a version before this one has left them.
  tables.exec(`update api_keys set usage_chosen = 0 where project_id = '${project}'`);
  tables.close();
  type Item = { kind: string; sentence: string; api_keys: { id: string; name: string }[] };
  const told = async (key = owner.key) => {
    const { data } = (await asked('/organization/attention', { key })).json as { data: Item[] };
    return data.filter(({ kind }) => kind === 'api_key_usage');
  };
  const [item, ...others] = await told();
  const known = item!.api_keys.filter(({ name }) => name.startsWith('old'));
  assert.deepEqual([others, known.map(({ name }) => name).sort()], [[], names]);
  assert.match(item!.sentence, /^\d+ keys read the usage of the whole organization, .* and \d+ more\.$/);
  assert.deepEqual(await told((await company.hire('reader')).key), []);
  const member = await memberOf(project, 'told');
  assert.deepEqual(await told(member.key), [item]);
  const rest = item!.api_keys.filter(({ name }) => !name.startsWith('old')).map(({ id }) => id);
  for (const id of [...made.slice(1).map(({ id }) => id), ...rest]) {
    await post(`${keysIn(project)}/${id}`, owner.key, { usage: 'organization' });
  }
  const [last] = await told();
  assert.equal(
    last!.sentence,
    'The key old 0 reads the usage of the whole organization, because nobody has set what it reads.',
  );
  await post(`${keysIn(project)}/${made[0]!.id}`, owner.key, { usage: 'own' });
  assert.deepEqual(await told(), []);
});

test('what tells of no calls of others asks for no permission to read usage: explanations, alerts and limits of spending', async () => {
  const own = keys.find(({ scope }) => scope === 'own')!;
  const call = { messages: [{ role: 'user', content: 'Hello' }] };
  for (const [path, body] of [
    ['/routes/watched/explain', call],
    ['/organization/routes/watched/explain', { call }],
    ['/organization/spend_alerts'],
    ['/organization/spend_limit'],
  ] as [string, object?][]) {
    const { status, text } = await asked(path, { key: own.value, ...(body !== undefined && { body }) });
    assert.ok(status === 200 || status === 404, `${path}: ${text}`);
    for (const { request } of calls) assert.ok(!text.includes(request), path);
    assert.doesNotMatch(text, /"(used|spent\w*|calls|num_model_requests)":/, path);
  }
});
