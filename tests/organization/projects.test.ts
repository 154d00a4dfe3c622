import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { HTTP_LAYERS } from '../../src/config/config.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { documentedFetch } from './documented.ts';

let headgate: Running;
let client: OpenAI;
let documented: typeof fetch;

before(async () => {
  headgate = await startHeadgate();
  documented = await documentedFetch(headgate.url);
  client = administrator(headgate.key);
});
after(() => headgate[Symbol.asyncDispose]());

function administrator(adminAPIKey: string): OpenAI {
  return new OpenAI({ adminAPIKey, apiKey: null, baseURL: `${headgate.url}/v1`, maxRetries: 0, fetch: documented });
}

/** Headgate's own members of a project. */
type Counts = { member_count: number; group_count: number; key_count: number };

/** The status of a call by this key. */
async function call(key: string): Promise<number> {
  const body = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
  return (await ask(`${headgate.url}/v1/chat/completions`, { key, body })).status;
}

/** Waits until the change is in force, which takes a second at most. */
async function becomes(key: string, status: number): Promise<void> {
  const until = performance.now() + WAIT_MS;
  while ((await call(key)) !== status) {
    assert.ok(performance.now() < until, `its calls are answered ${status}`);
    await nextPoll();
  }
}

test('a project lives from its creation to its archive, and its keys with it', async () => {
  const { projects } = client.admin.organization;
  const made = await projects.create({ name: ' search ' });
  assert.equal(made.name, 'search');
  assert.equal(made.object, 'organization.project');
  assert.equal((await projects.retrieve(made.id)).id, made.id);
  assert.equal((await projects.update(made.id, { name: 'find' })).name, 'find');

  const account = await projects.serviceAccounts.create(made.id, { name: 'ci' });
  const key = account.api_key?.value ?? '';
  assert.equal(await call(key), 200);
  const counts = async () => {
    const { member_count, group_count, key_count } = (await projects.retrieve(made.id)) as unknown as Counts;
    return [member_count, group_count, key_count];
  };
  assert.deepEqual(await counts(), [0, 0, 1]);

  const names = async (include_archived: boolean) => {
    const found: (string | null | undefined)[] = [];
    for await (const project of projects.list({ limit: 1, include_archived })) found.push(project.name);
    return found;
  };
  assert.deepEqual(await names(false), ['Default project', 'find']);
  const archived = await projects.archive(made.id);
  assert.equal(archived.status, 'archived');
  assert.deepEqual(await names(false), ['Default project']);
  assert.deepEqual(await names(true), ['Default project', 'find']);
  await becomes(key, 401);
  assert.deepEqual(await counts(), [0, 0, 0], 'its keys were revoked');
  await assert.rejects(projects.update(made.id, { name: 'again' }), { status: 409 });
  await assert.rejects(projects.serviceAccounts.create(made.id, { name: 'late' }), { status: 409 });
});

test('a service account has keys, which go with it', async () => {
  const { projects } = client.admin.organization;
  const project = await projects.create({ name: 'jobs' });
  const account = await projects.serviceAccounts.create(project.id, { name: 'nightly' });
  const further = await projects.serviceAccounts.apiKeys.create(account.id, { project_id: project.id, name: 'two' });
  assert.equal(await call(further.value), 200);

  const keys = await projects.apiKeys.list(project.id);
  assert.deepEqual(
    keys.data.map(({ name, owner }) => [name, owner.type, owner.service_account?.name]),
    [
      ['nightly', 'service_account', 'nightly'],
      ['two', 'service_account', 'nightly'],
    ],
  );
  const first = keys.data[0]!;
  assert.equal(first.redacted_value.includes(account.api_key?.value ?? '-'), false);
  assert.equal((await projects.apiKeys.retrieve(first.id, { project_id: project.id })).id, first.id);
  await projects.apiKeys.delete(first.id, { project_id: project.id });
  await becomes(account.api_key?.value ?? '', 401);
  await assert.rejects(projects.apiKeys.retrieve(first.id, { project_id: project.id }), { status: 404 });

  const accounts = projects.serviceAccounts;
  assert.equal((await accounts.update(account.id, { project_id: project.id, name: 'daily' })).name, 'daily');
  assert.equal((await accounts.delete(account.id, { project_id: project.id })).deleted, true);
  await becomes(further.value, 401);
  assert.deepEqual((await accounts.list(project.id)).data, []);
});

test('a key that is made while its project is archived, or its service account deleted, is not there afterwards', async () => {
  const { projects } = client.admin.organization;
  const post = (path: string, body: object) =>
    ask(`${headgate.url}/v1/organization/projects/${path}`, { key: headgate.key, body });
  for (let round = 0; round < 10; round += 1) {
    const { id } = await projects.create({ name: 'brief' });
    const account = await projects.serviceAccounts.create(id, { name: 'a', create_service_account_only: true });
    const [further, removed] = await Promise.all([
      post(`${id}/service_accounts/${account.id}/api_keys`, {}),
      projects.serviceAccounts.delete(account.id, { project_id: id }),
    ]);
    assert.ok(removed.deleted);
    assert.ok([200, 404, 409].includes(further.status), further.text);
    assert.deepEqual((await projects.apiKeys.list(id)).data, [], 'of a deleted service account');

    const { id: other } = await projects.serviceAccounts.create(id, { name: 'b', create_service_account_only: true });
    const [archived, ...made] = await Promise.all([
      projects.archive(id),
      post(`${id}/api_keys`, { name: 'x' }),
      post(`${id}/service_accounts`, { name: 'c' }),
      post(`${id}/service_accounts/${other}/api_keys`, {}),
    ]);
    assert.equal(archived.status, 'archived');
    for (const { status, text } of made) assert.ok([200, 409].includes(status), text);
    assert.deepEqual((await projects.apiKeys.list(id)).data, [], 'of an archived project');
  }
});

test('a key of a project is made, limited, switched off and on, rotated and revoked', async () => {
  const project = await client.admin.organization.projects.create({ name: 'web' });
  const at = `/organization/projects/${project.id}/api_keys`;
  type Made = { id: string; value: string; version?: number } & Record<string, unknown>;
  const made: Made = await client.post(at, {
    body: { name: 'shop', spend_limit: { amount_usd: '12.345678901', interval: 'day' }, allowed_models: ['echo'] },
    __security: { adminAPIKeyAuth: true },
  } as object);
  assert.deepEqual(made.spend_limit, { amount_usd: 12.345678901, amount_decimal: '12.345678901', interval: 'day' });
  assert.equal(await call(made.value), 200);

  const update = (body: object): Promise<Made> =>
    client.post(`${at}/${made.id}`, { body, __security: { adminAPIKeyAuth: true } } as object);
  await update({ enabled: false });
  await becomes(made.value, 401);
  assert.equal((await update({ enabled: true, spend_limit: null })).spend_limit, null);
  await becomes(made.value, 200);
  await update({ allowed_models: ['other'] });
  await becomes(made.value, 403);
  await update({ allowed_models: null });
  await becomes(made.value, 200);

  const rotated: Made = await client.post(`${at}/${made.id}/rotate`, {
    body: { overlap_seconds: 3600 },
    __security: { adminAPIKeyAuth: true },
  } as object);
  assert.equal(await call(rotated.value), 200);
  assert.equal(await call(made.value), 200);
  await client.admin.organization.projects.apiKeys.delete(made.id, { project_id: project.id });
  await becomes(rotated.value, 401);
  await becomes(made.value, 401);
});

test('keys of administration administer and call nothing; keys of models administer nothing', async () => {
  const { adminAPIKeys, projects } = client.admin.organization;
  const made = await adminAPIKeys.create({ name: 'terraform' });
  assert.equal(await call(made.value), 403);
  assert.equal((await adminAPIKeys.retrieve(made.id)).last_used_at, null);
  const before = Math.floor(Date.now() / 1000);
  const other = administrator(made.value).admin.organization;
  assert.ok((await other.projects.list()).data.length > 0);
  assert.ok((await other.adminAPIKeys.list()).data.some(({ id }) => id === made.id));
  assert.equal((await other.adminAPIKeys.retrieve(made.id)).redacted_value.startsWith('hg_live_'), true);
  let used = await adminAPIKeys.retrieve(made.id);
  for (const end = performance.now() + WAIT_MS; used.last_used_at === null && performance.now() < end; )
    used = await adminAPIKeys.retrieve(made.id);
  assert.ok(Number(used.last_used_at) >= before && Number(used.last_used_at) <= Date.now() / 1000);

  const { api_key: key } = await projects.serviceAccounts.create((await projects.create({ name: 'a' })).id, {
    name: 'b',
  });
  const models = administrator(key?.value ?? '').admin.organization;
  await assert.rejects(models.projects.list(), { status: 403, message: /need an admin key/ });
  assert.equal((await adminAPIKeys.delete(made.id)).deleted, true);
  await assert.rejects(adminAPIKeys.retrieve(made.id), { status: 404 });
});

test('models, rates, spend limits and alerts of a project are kept and shown', async () => {
  const { projects } = client.admin.organization;
  const { id } = await projects.create({ name: 'limited' });
  assert.deepEqual((await projects.modelPermissions.retrieve(id)).model_ids, []);
  await projects.modelPermissions.update(id, { mode: 'allow_list', model_ids: ['echo'] });
  assert.equal((await projects.modelPermissions.retrieve(id)).mode, 'allow_list');
  assert.equal((await projects.modelPermissions.delete(id)).deleted, true);

  const rates = (await projects.rateLimits.listRateLimits(id)).data;
  const echo = rates.find(({ model }) => model === 'echo')!;
  const set = { project_id: id, max_requests_per_1_minute: 5 };
  assert.equal((await projects.rateLimits.updateRateLimit(echo.id, set)).max_requests_per_1_minute, 5);

  const money = { currency: 'USD', interval: 'month', threshold_amount: 5000 } as const;
  await assert.rejects(projects.spendLimit.retrieve(id), { status: 404 });
  assert.equal((await projects.spendLimit.update(id, money)).enforcement.status, 'enforcing');
  assert.equal((await projects.spendLimit.retrieve(id)).threshold_amount, 5000);
  assert.equal((await projects.spendLimit.delete(id)).deleted, true);

  const notification_channel = { type: 'email', recipients: ['ops@example.com'] } as const;
  const alert = await projects.spendAlerts.create(id, {
    ...money,
    notification_channel: { ...notification_channel, recipients: ['ops@example.com'] },
  });
  assert.deepEqual(
    (await projects.spendAlerts.list(id)).data.map((each) => each.id),
    [alert.id],
  );
  assert.equal((await projects.spendAlerts.delete(alert.id, { project_id: id })).deleted, true);
  assert.equal((await client.admin.organization.dataRetention.retrieve()).type, 'zero_data_retention');
  assert.equal((await projects.dataRetention.retrieve(id)).type, 'organization_default');
});

test('the models of a project hold for all its keys, and a key’s addresses for itself', async () => {
  const { projects } = client.admin.organization;
  const { id } = await projects.create({ name: 'held' });
  const key = (await projects.serviceAccounts.create(id, { name: 'a' })).api_key?.value ?? '';
  assert.equal(await call(key), 200);
  await projects.modelPermissions.update(id, { mode: 'deny_list', model_ids: ['echo'] });
  await becomes(key, 403);
  const models = await new OpenAI({ apiKey: key, baseURL: `${headgate.url}/v1` }).models.list();
  assert.equal(
    models.data.some((model) => model.id === 'echo'),
    false,
  );
  await projects.modelPermissions.update(id, { mode: 'allow_list', model_ids: ['echo'] });
  await becomes(key, 200);
  await projects.modelPermissions.update(id, { mode: 'allow_list', model_ids: ['other'] });
  await becomes(key, 403);
  await projects.modelPermissions.delete(id);
  await becomes(key, 200);

  const keyId = (await projects.apiKeys.list(id)).data[0]?.id;
  const limit = (ip_ranges: string[] | null) =>
    client.post(`/organization/projects/${id}/api_keys/${keyId}`, {
      body: { ip_ranges },
      __security: { adminAPIKeyAuth: true },
    } as object);
  await limit(['10.0.0.0/8', '2001:db8::/32']);
  await becomes(key, 403);
  await limit(['127.0.0.0/8']);
  await becomes(key, 200);
  await assert.rejects(limit(['10.0.0.0/99']), { status: 400, param: 'ip_ranges.0' });
});

async function firstProject({ url, key }: Running): Promise<string> {
  const { json } = await ask(`${url}/v1/organization/projects`, { key });
  return (json as { data: { id: string }[] }).data[0]!.id;
}

test('where a key may be used from goes by the trusted proxies before the gateway, on both layers', async () => {
  const config = 'server: { trusted_proxies: [127.0.0.1, 10.1.0.0/16] }\n';
  for (const layer of HTTP_LAYERS) {
    await using behind = await startHeadgate({ config: config.replace(' }', `, http_layer: ${layer} }`) });
    const { id, key } = await behind.createKey();
    const keys = `${behind.url}/v1/organization/projects/${await firstProject(behind)}/api_keys/${id}`;
    const limited = await ask(keys, { key: behind.key, body: { ip_ranges: ['203.0.113.0/24', '10.1.0.0/16'] } });
    assert.equal(limited.status, 200, limited.text);
    const body = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
    const from = async (forwarded: string | null) => {
      const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
      return (await ask(`${behind.url}/v1/chat/completions`, { key, body, headers })).status;
    };
    const until = performance.now() + WAIT_MS;
    while ((await from('198.51.100.1')) !== 403) assert.ok(performance.now() < until, 'the ranges are not in force');
    const cases: [string | null, number][] = [
      ['203.0.113.9', 200],
      ['198.51.100.1, 203.0.113.9', 200],
      ['203.0.113.9, 10.1.2.3', 200],
      ['203.0.113.9, 198.51.100.1', 403],
      ['198.51.100.1, 10.1.2.3', 403],
      ['nowhere', 403],
      [null, 403],
    ];
    for (const [forwarded, status] of cases) assert.equal(await from(forwarded), status, `${layer}: ${forwarded}`);
  }
});

test('the audit log tells of every change, and of who made it', async () => {
  const { projects, auditLogs } = client.admin.organization;
  const { id } = await projects.create({ name: 'told' });
  await projects.update(id, { name: 'retold' });
  const found = [];
  for await (const entry of auditLogs.list({ limit: 1, resource_ids: [id] })) found.push(entry);
  assert.deepEqual(
    found.map(({ type }) => type),
    ['project.updated', 'project.created'],
  );
  assert.equal(found[0]?.actor?.type, 'api_key');
  assert.deepEqual(found[0]?.['project.updated'], {
    id,
    changes_requested: { name: 'retold', title: 'retold' },
    before: { name: 'told' },
  });
  const since = await auditLogs.list({ effective_at: { gt: 4_000_000_000 } });
  assert.deepEqual(since.data, []);
});

test('what is not known is refused by name, another version with 409, another organization’s with 404', async () => {
  const { projects } = client.admin.organization;
  const { id } = await projects.create({ name: 'versions' });
  const update = (body: object) => projects.update(id, body as { name: string });
  await assert.rejects(update({ nam: 'x' }), { status: 400, param: 'nam' });
  await update({ name: 'two', if_version: 1 });
  await assert.rejects(update({ name: 'three', if_version: 1 }), { status: 409, code: 'conflict' });
  await assert.rejects(projects.retrieve('proj_of_another'), { status: 404 });
  await assert.rejects(projects.create({ name: 'a\u0007b' }), { status: 400, param: 'name' });
  const { text } = await ask(`${headgate.url}/v1/organization/certificates`, { key: headgate.key });
  assert.match(text, /Certificates of callers are not offered/);
});

test('the keys of all projects are one list, page by page, each with its project; those of archived ones are not in it', async () => {
  const { projects } = client.admin.organization;
  const auth = { authorization: `Bearer ${headgate.key}` };
  const made: [project: string, name: string][] = [];
  const add = async (project: { id: string }, name: string) => {
    const place = `${headgate.url}/v1/organization/projects/${project.id}/api_keys`;
    const answer = await documented(place, {
      ...{ method: 'POST', body: JSON.stringify({ name }) },
      headers: { ...auth, 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 200);
  };
  for (const name of ['north', 'south', 'gone']) {
    const project = await projects.create({ name });
    for (const number of [1, 2]) {
      await add(project, `${name} ${number}`);
      if (name !== 'gone') made.push([name, `${name} ${number}`]);
    }
    if (name === 'gone') await projects.archive(project.id);
  }
  type Listed = { data: { name: string; project: { name: string } }[]; next: string | null };
  const found: [project: string, name: string][] = [];
  let pages = 0;
  for (let after: string | null = ''; after !== null; pages += 1) {
    const query = after === '' ? '' : `&after=${after}`;
    const answer = await documented(`${headgate.url}/v1/organization/api_keys?limit=3${query}`, { headers: auth });
    assert.equal(answer.status, 200);
    const { data, next } = (await answer.json()) as Listed;
    found.push(...data.map(({ name, project }): [string, string] => [project.name, name]));
    after = next;
  }
  assert.ok(pages > 1);
  assert.deepEqual(
    found.filter(([project]) => ['north', 'south', 'gone'].includes(project)),
    made,
  );
});
