import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { documentedFetch } from './documented.ts';
import { startCompany } from './lab.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

let headgate: Running;
let client: OpenAI;
let receiver: WebhookReceiver;

before(async () => {
  receiver = await startReceiver();
  headgate = await startHeadgate({ config: 'server: { webhook_hosts: [127.0.0.1] }\n' });
  client = new OpenAI({
    adminAPIKey: headgate.key,
    apiKey: headgate.key,
    baseURL: `${headgate.url}/v1`,
    maxRetries: 0,
    fetch: await documentedFetch(headgate.url),
  });
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await receiver.close();
});

type Told = { type: string; data: { id: string; project_id: string | null } };
const wanted = (url: string) => ({ name: 'ours', url, event_types: ['project.archived'] as never });
const deliveries = async (id: string) =>
  (await ask(`${headgate.url}/v1/webhook_endpoints/${id}/deliveries`, { key: headgate.key })).json as {
    data: Record<string, unknown>[];
  };

test('an endpoint lives from its creation to its end', async () => {
  const made = await client.webhooks.create(wanted('https://example.com/hook'));
  assert.match(made.signing_secret, /^whsec_/);
  assert.equal('signing_secret' in (await client.webhooks.retrieve(made.id)), false);
  assert.equal((await client.webhooks.update(made.id, { name: 'theirs' })).name, 'theirs');
  const rotated = await client.webhooks.rotateSecret(made.id);
  assert.notEqual(rotated.signing_secret, made.signing_secret);
  const ids: string[] = [];
  for await (const each of client.webhooks.list({ limit: 1 })) ids.push(each.id);
  assert.ok(ids.includes(made.id));
  assert.ok((await client.webhooks.eventTypes.list()).data.includes('project.archived'));
  await client.webhooks.delete(made.id);
  await assert.rejects(client.webhooks.retrieve(made.id), { status: 404 });
});

test('what happens is told, signed so that the official client accepts it, and told again after a failure', async () => {
  const { id, signing_secret: secret } = await client.webhooks.create(wanted(receiver.url));
  const tested = await client.webhooks.test(id, { event_type: 'project.archived' as never });
  assert.equal(tested.status_code, 204);
  const { received } = receiver;
  const first = received.length;
  receiver.answers.push(500);
  const project = await client.admin.organization.projects.create({ name: 'search' });
  await client.admin.organization.projects.archive(project.id);
  await receiver.until(() => received.length >= first + 2, 'a second attempt');
  const [failed, second] = received.slice(first);
  assert.equal(failed?.headers['webhook-id'], second?.headers['webhook-id']);
  for (const { body, headers } of received) {
    const told = (await client.webhooks.unwrap(body, headers, secret)) as unknown as Told;
    assert.equal(told.type, 'project.archived');
  }
  assert.equal((JSON.parse(second!.body) as Told).data.id, project.id);
  const { data } = await deliveries(id);
  assert.equal(data.length, 1);
  assert.equal(data[0]?.event_type, 'project.archived');
  await client.webhooks.delete(id);
});

test('a key is told of also where it is made with something else, or a command changes its secret or ends it', async () => {
  const event_types = ['api_key.created', 'api_key.rotated', 'api_key.deleted'] as never;
  const { id } = await client.webhooks.create({ name: 'keys', url: receiver.url, event_types });
  const first = receiver.received.length;
  const { projects } = client.admin.organization;
  const project = await projects.create({ name: 'keys' });
  const account = await projects.serviceAccounts.create(project.id, { name: 'bot' });
  const product = await ask(`${headgate.url}/v1/organization/products`, { key: headgate.key, body: { id: 'desk' } });
  const made = await headgate.createKey('--project', project.id);
  for (const words of [
    ['rotate', made.id, '--overlap', '1h'],
    ['revoke', made.id],
    ['revoke', made.id],
  ])
    assert.equal((await headgate.command('keys', ...words)).code, 0);
  const wanted = [
    ['api_key.created', account.api_key?.id],
    ['api_key.created', (product.json as { api_key: { id: string } }).api_key.id],
    ['api_key.created', made.id],
    ['api_key.rotated', made.id],
    ['api_key.deleted', made.id],
  ];
  const told = () => receiver.received.slice(first).map(({ body }) => JSON.parse(body) as Told);
  const isTold = ([type, key]: (string | undefined)[]) =>
    told().some((each) => each.type === type && each.data.id === key);
  await receiver.until(() => wanted.every(isTold), 'every notice');
  assert.equal(told().length, wanted.length);
  await client.webhooks.delete(id);
});

test('each key that ends with something else is told of, and no other', async () => {
  const event_types = ['api_key.deleted'] as never;
  const { projects } = client.admin.organization;
  const project = await projects.create({ name: 'ending' });
  const account = (name: string) => projects.serviceAccounts.create(project.id, { name });
  const [gone, stays] = [await account('gone'), await account('stays')];
  const path = `${headgate.url}/v1/organization`;
  const done = async (method: string, to: string, body?: object) => {
    const { status, json, text } = await ask(`${path}${to}`, { method, key: headgate.key, ...(body && { body }) });
    assert.equal(status, 200, text);
    return json as { id: string; api_key: { id: string } };
  };
  const shop = await done('POST', '/products', { id: 'shop' });
  const { id: product } = await headgate.createKey('--product', 'shop');
  const { id: loose } = await headgate.createKey('--project', project.id);
  const { id } = await client.webhooks.create({ name: 'ends', url: receiver.url, event_types });
  const first = receiver.received.length;
  const told = () => receiver.received.slice(first).map(({ body }) => (JSON.parse(body) as Told).data);
  const areTold = async (ids: readonly (string | undefined)[], project_id: string | null) => {
    await receiver.until(() => ids.every((key) => told().some((each) => each.id === key)), 'every notice');
    for (const each of told().slice(-ids.length)) if (project_id !== null) assert.equal(each.project_id, project_id);
  };
  await projects.serviceAccounts.delete(gone.id, { project_id: project.id });
  await areTold([gone.api_key?.id], project.id);
  await done('DELETE', '/products/shop');
  await areTold([shop.api_key.id, product], null);
  await projects.archive(project.id);
  await areTold([stays.api_key?.id, loose], project.id);
  assert.equal(told().length, 5);
  await client.webhooks.delete(id);
});

test('each key is told of that a person loses with a project, a group or the organization', async () => {
  await using company = await startCompany({ config: 'server: { webhook_hosts: [127.0.0.1] }\n' });
  const owner = await company.hire('owner', 'owner');
  const leaver = await company.hire('leaver');
  const { projects, users } = owner.client.admin.organization;
  const project = (await projects.create({ name: 'left' })).id;
  await projects.users.create(project, { user_id: leaver.id, role: 'member' });
  const keys = `${company.headgate.url}/v1/organization/projects/${project}/api_keys`;
  const own = (await ask(keys, { key: leaver.key, body: { name: 'own', user_id: leaver.id } })).json as { id: string };
  const endpoint = { name: 'ends', url: receiver.url, event_types: ['api_key.deleted'] };
  await ask(`${company.headgate.url}/v1/webhook_endpoints`, { key: owner.key, body: endpoint });
  const first = receiver.received.length;
  const told = () => receiver.received.slice(first).map(({ body }) => (JSON.parse(body) as Told).data);
  await projects.users.delete(leaver.id, { project_id: project });
  await receiver.until(() => told().length > 0, 'the key of the project');
  assert.deepEqual(told(), [{ id: own.id, project_id: project }]);

  const { groups } = owner.client.admin.organization;
  const group = (await groups.create({ name: 'team' })).id;
  await groups.users.create(group, { user_id: leaver.id });
  await projects.groups.create(project, { group_id: group, role: 'member' });
  const held = (await ask(keys, { key: leaver.key, body: { name: 'held', user_id: leaver.id } })).json as {
    id: string;
  };
  await groups.delete(group);
  await receiver.until(() => told().length > 1, 'the key that the group held');
  assert.deepEqual(told().slice(1), [{ id: held.id, project_id: project }]);

  await users.delete(leaver.id);
  await receiver.until(() => told().length > 2, 'the admin key');
  assert.equal(told().length, 3);
  assert.equal(told()[2]?.project_id, null);
});

test('a receiver that never answers holds up no other', async (t) => {
  const silent = await startReceiver();
  t.after(() => silent.close());
  silent.answers.push(...Array.from({ length: 100 }, () => 'never' as const));
  const hung = await client.webhooks.create({
    name: 'hung',
    url: silent.url,
    event_types: ['api_key.created'] as never,
  });
  const project = await client.admin.organization.projects.create({ name: 'many keys' });
  const path = `${headgate.url}/v1/organization/projects/${project.id}/service_accounts`;
  for (let made = 0; made < 25; made += 1) await ask(path, { key: headgate.key, body: { name: `bot ${made}` } });
  await silent.until(() => silent.received.length > 0, 'the first request that is not answered');
  const { id } = await client.webhooks.create(wanted(receiver.url));
  const first = receiver.received.length;
  await client.admin.organization.projects.archive(project.id);
  await receiver.until(() => receiver.received.length > first, 'the other is told');
  // Five requests are on their way to it at once, for ten seconds each.
  assert.ok(silent.received.length <= 5, `${silent.received.length} requests`);
  await client.webhooks.delete(hung.id);
  await client.webhooks.delete(id);
});

test('values in the query of an address are shown to nobody, and kept by an update', async () => {
  const secret = 'sesame-of-receiver';
  const { id, url } = await client.webhooks.create(wanted(`${receiver.url}?token=${secret}`));
  assert.ok(url.endsWith('?token=***'), url);
  const { version } = (await client.webhooks.update(id, { url, name: 'theirs' })) as unknown as { version: number };
  assert.equal(version, 2);
  const before = receiver.received.length;
  await client.webhooks.test(id, { event_type: 'project.archived' as never });
  assert.ok(receiver.received[before]?.url.endsWith(`?token=${secret}`), 'it is told at the whole address');
  for (const path of [`/webhook_endpoints/${id}`, '/webhook_endpoints', '/organization/audit_logs?limit=100']) {
    const { text } = await ask(`${headgate.url}/v1${path}`, { key: headgate.key });
    assert.ok(!text.includes(secret), path);
  }
  await assert.rejects(client.webhooks.update(id, { url: `${url}&more=1` }), { status: 400, message: /hidden values/ });
  await client.webhooks.delete(id);
});

test('addresses that are not public get nothing', async () => {
  await assert.rejects(client.webhooks.create(wanted('http://example.com/')), { status: 400, message: /https/ });
  await assert.rejects(client.webhooks.create(wanted('file:///etc/passwd')), { status: 400, message: /`url`/ });
  for (const account of ['ada@', ':secret@', 'ada:secret@'])
    await assert.rejects(client.webhooks.create(wanted(`https://${account}example.com/`)), { message: /no password/ });
  for (const host of ['169.254.169.254', '[::1]', 'localhost', '10.0.0.1']) {
    const { id } = await client.webhooks.create(wanted(`https://${host}/`));
    const sent = client.webhooks.test(id, { event_type: 'project.archived' as never });
    await assert.rejects(sent, { status: 400, message: /not public/ });
    await client.webhooks.delete(id);
  }
});
