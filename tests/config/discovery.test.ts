import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openStorage } from '../../src/store/open.ts';
import { modelsReply } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { closedPort } from '../../src/testing/listen.ts';
import { errorReply, type VendorRequest } from '../../src/testing/reply.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask } from '../workers/ask.ts';
import { chat, get, post, served } from './ask.ts';

const ECHO = ['echo:echo', ...['3-small', '3-large', 'ada-002'].map((name) => `echo:echo/text-embedding-${name}`)];

function labAt(url: string): string {
  return `providers: { lab: { base_url: "${url}", api_key: "\${LAB_KEY}" } }`;
}

/** Asks the providers again now, as the gateway does by itself every few seconds. */
async function askAgain(headgate: Running, config: string): Promise<string[]> {
  assert.match(await headgate.reload(config), /was reloaded/);
  return (await served(headgate)).filter((name) => name.startsWith('lab:'));
}

test('a provider without a list of models is asked for it, with its key', async () => {
  await using vendor = await startFakeProvider({ models: ['small', 'org/large', 'mini-embed'] });
  await using headgate = await startHeadgate({ config: labAt(vendor.url), env: { LAB_KEY: 'lab-key-0123456789' } });
  assert.deepEqual(await served(headgate), ['lab:small', 'lab:org/large', 'lab:mini-embed', ...ECHO]);
  const [asked] = vendor.listRequests;
  assert.deepEqual(
    [asked?.method, asked?.path, asked?.headers.authorization],
    ['GET', '/v1/models', 'Bearer lab-key-0123456789'],
  );
  assert.equal((await chat(headgate, 'org/large')).status, 200);
  assert.equal((await chat(headgate, 'mini-embed')).status, 400, 'its name says that it embeds');
  for (const model of ['mini-embed', 'small']) {
    const { status } = await post(headgate, '/v1/embeddings', { model, input: 'Hi' });
    assert.equal(status, 200, model);
  }
});

test('a provider that is down at start is found once it is up; what it said holds while it is down', async () => {
  const port = await closedPort();
  const config = labAt(`http://127.0.0.1:${port}/v1`);
  await using headgate = await startHeadgate({ config, env: { LAB_KEY: 'lab-key-0123456789' } });
  assert.deepEqual(await served(headgate), ECHO);
  await headgate.waitForLine(/"provider":"lab".*did not say which models it has/);

  const vendor = await startFakeProvider({ port, models: ['small'] });
  assert.deepEqual(await askAgain(headgate, config), ['lab:small']);
  assert.equal((await chat(headgate, 'small')).status, 200);

  await vendor.close();
  assert.deepEqual(await askAgain(headgate, config), ['lab:small']);
  assert.equal((await chat(headgate, 'small')).status, 502);

  // What one address said is not true of another.
  assert.deepEqual(await askAgain(headgate, labAt(`http://127.0.0.1:${await closedPort()}/v1`)), []);
  assert.equal((await chat(headgate, 'small')).status, 404);

  await using other = await startFakeProvider({ port, models: ['large', 'small'] });
  assert.deepEqual(await askAgain(headgate, labAt(other.url)), ['lab:large', 'lab:small']);
});

test('a slow provider does not hold up the start', async () => {
  await using vendor = await startFakeProvider({ models: ['small'] });
  vendor.plan('slow-headers', { path: '/v1/models' });
  await using headgate = await startHeadgate({ config: labAt(vendor.url), env: { LAB_KEY: 'lab-key-0123456789' } });
  assert.deepEqual(await served(headgate), ECHO);
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  assert.deepEqual(await served(headgate), ECHO, 'it serves while the provider is still silent');
});

test('a provider whose models are in the catalog is asked in the background, and start waits for no answer', async () => {
  await using vendor = await startFakeProvider({ models: ['of-this-month'] });
  vendor.plan('slow-headers', { path: '/v1/models' });
  const config = `providers: { groq: { base_url: "${vendor.url}" } }`;
  await using headgate = await startHeadgate({ config, env: { GROQ_API_KEY: 'dummy-0123456789' } });
  assert.ok((await served(headgate)).filter((name) => name.startsWith('groq:')).length > 3);
  await vendor.waitFor(({ heldCalls }) => heldCalls() > 0);
  vendor.release();
});

test('a provider that is restricted is not asked for its models', async () => {
  await using vendor = await startFakeProvider({ models: ['small', 'large'] });
  const config = `providers: { lab: { base_url: "${vendor.url}", only: [small] } }`;
  await using headgate = await startHeadgate({ config });
  assert.deepEqual(await served(headgate), ['lab:small', ...ECHO]);
  assert.match(await headgate.reload(config), /was reloaded/);
  assert.equal(vendor.listRequests.length, 0);
  assert.equal((await chat(headgate, 'lab/large')).status, 404);
});

test('of several workers one asks, and the others know what it heard', async () => {
  await using vendor = await startFakeProvider({ models: ['small'] });
  await using headgate = await startHeadgate({
    config: labAt(vendor.url),
    env: { LAB_KEY: 'lab-key-0123456789' },
    args: ['--workers', '2'],
  });
  // Two requests in a row are of two workers.
  const know = async () => (await ask(headgate, '/v1/models')).text.includes('"small"');
  while (!((await know()) && (await know())));
  assert.equal(vendor.listRequests.length, 1);
});

/** A vendor that lists `small` for whoever has none of these keys. */
async function vendorRefusing(...refused: string[]) {
  const vendor = await startFakeProvider({ models: ['small'] });
  const isRefused = ({ headers }: VendorRequest) => refused.some((key) => headers.authorization === `Bearer ${key}`);
  vendor.plan(
    (request) =>
      isRefused(request)
        ? errorReply(401, { message: 'No.', type: 'invalid_api_key' })
        : modelsReply(request.path, ['small']),
    { path: '/v1/models' },
  );
  return vendor;
}

const TWO_KEYS = { ONE: 'first-0123456789', TWO: 'second-0123456789' };

/** A provider with two keys, the first of this weight. */
function twoKeysAt(url: string, weight: number, more = ''): string {
  const keys = `[{ name: one, key: "\${ONE}", weight: ${weight} }, { name: two, key: "\${TWO}" }]`;
  return `providers: { lab: { base_url: "${url}", api_keys: ${keys}${more} } }`;
}

async function toldRefused(headgate: Running): Promise<unknown[]> {
  const { level, provider, credential, msg } = JSON.parse(await headgate.waitForLine(/refuses its key/));
  return [level, provider, credential, msg];
}

test('each key of a provider that refuses one is told of at the start', async () => {
  await using vendor = await vendorRefusing(TWO_KEYS.TWO);
  await using headgate = await startHeadgate({ config: twoKeysAt(vendor.url, 1), env: TWO_KEYS });
  const told = [50, 'lab', 'two', 'lab refuses its key two: calls go with its others.'];
  assert.deepEqual(await toldRefused(headgate), told);
  assert.ok(!headgate.stderr().includes(TWO_KEYS.TWO));
});

test('a key that has no share of the calls is asked about too', async () => {
  await using vendor = await vendorRefusing(TWO_KEYS.ONE);
  await using headgate = await startHeadgate({ config: twoKeysAt(vendor.url, 0), env: TWO_KEYS });
  const told = [50, 'lab', 'one', 'lab refuses its key one: calls go with its others.'];
  assert.deepEqual(await toldRefused(headgate), told);
});

test('a provider that is restricted is asked about each of its keys, and its list is not looked at', async () => {
  await using vendor = await vendorRefusing(TWO_KEYS.ONE);
  const config = twoKeysAt(vendor.url, 1, ', only: [mine]');
  await using headgate = await startHeadgate({ config, env: TWO_KEYS });
  const told = [50, 'lab', 'one', 'lab refuses its key one: calls go with its others.'];
  assert.deepEqual(await toldRefused(headgate), told);
  assert.deepEqual(await served(headgate), ['lab:mine', ...ECHO]);
  const { json } = await get(headgate, '/v1/status');
  assert.deepEqual(json.providers, [{ provider: 'lab', list: 'key_refused', refused_credentials: ['one'] }]);
  const asked = () => new Set(vendor.listRequests.map(({ headers }) => headers.authorization));
  await vendor.waitFor(() => asked().has(`Bearer ${TWO_KEYS.TWO}`));
});

test('a restricted provider that refuses its only key is told of at the start, and by `headgate status`', async () => {
  await using vendor = await vendorRefusing(TWO_KEYS.ONE);
  const config = `providers: { lab: { base_url: "${vendor.url}", api_key: "\${ONE}", only: [mine] } }`;
  await using headgate = await startHeadgate({ config, env: TWO_KEYS });
  const sentence = 'lab refuses its key: its models cannot be called until it has another.';
  assert.deepEqual(await toldRefused(headgate), [50, 'lab', 'default', sentence]);
  assert.match((await headgate.command('status')).stderr, /lab refuses its key, so its models cannot be called\./);
});

test('where discovery is off nobody is asked, neither for models nor whether it takes a key', async () => {
  await using vendor = await startFakeProvider({ models: ['small'] });
  const env = { LAB_KEY: 'lab-key-0123456789' };
  await using off = await startHeadgate({ config: `${labAt(vendor.url)}\ncatalog: { discovery: false }`, env });
  await using overruled = await startHeadgate({
    config: labAt(vendor.url),
    env: { ...env, HEADGATE_DISCOVERY: 'false' },
  });
  for (const headgate of [off, overruled]) {
    assert.deepEqual(await served(headgate), ECHO);
    assert.equal((await chat(headgate, 'lab/small')).status, 200);
  }
  assert.deepEqual(vendor.listRequests, []);
});

test('a provider that a reload brings is asked also where the settings change in the middle of the reload', async () => {
  await using vendor = await startFakeProvider({ models: ['small'] });
  vendor.plan('slow-headers', { path: '/v1/models', times: 1 });
  const limits = 'limits: { requests_per_minute: 1000000 }';
  await using headgate = await startHeadgate({ config: limits, env: { LAB_KEY: 'lab-key-0123456789' } });
  const reloaded = headgate.reload(`${limits}\n${labAt(vendor.url)}`);
  await vendor.waitFor(({ heldCalls }) => heldCalls() > 0);
  const { status } = await post(headgate, '/v1/organization/aliases', { id: 'fast', target: 'echo' });
  assert.equal(status, 200);
  await until(async () => (await chat(headgate, 'fast')).status === 200, 'the alias is in force');
  assert.match(await reloaded, /was reloaded/);
  await until(async () => (await served(headgate)).includes('lab:small'), 'the provider’s models are known');
});

test('a provider that the settings bring while the start waits for another is asked, too', async () => {
  await using slow = await startFakeProvider({ models: ['small'] });
  await using late = await startFakeProvider({ models: ['large'] });
  const hosts = 'server: { provider_hosts: [127.0.0.1] }';
  await using headgate = await startHeadgate({ config: hosts, env: { LAB_KEY: 'lab-key-0123456789' } });
  const made = { id: 'late', base_url: late.url, credentials: [{ key: 'late-key-0123456789' }] };
  assert.equal((await post(headgate, '/v1/organization/providers', made)).status, 200);
  await late.waitFor(({ listRequests }) => listRequests.length > 0);
  const storage = await openStorage({ folder: headgate.data, instanceId: 'instance_test', durability: 'normal' });
  const organization = (await storage.organizations.list())[0]!.id;
  const { version, ...setting } = (await storage.settings.find(organization, 'provider', 'late'))!;
  const place = { kind: 'provider', id: 'late', parentId: null } as const;
  await storage.settings.change(organization, [{ remove: { ...place, version } }], null);
  slow.plan('slow-headers', { path: '/v1/models', times: 1 });
  const asked = late.listRequests.length;
  const restarted = headgate.restart(`${hosts}\n${labAt(slow.url)}`);
  await slow.waitFor(({ heldCalls }) => heldCalls() > 0);
  await storage.settings.change(organization, [{ put: { ...setting, version: 1 } }], null);
  await restarted;
  await late.waitFor(({ listRequests }) => listRequests.length > asked);
  await storage.close();
});

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < end, what);
    await turn();
  }
}
