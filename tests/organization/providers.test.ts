import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { answer, modelsReply } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { errorReply, type Plan } from '../../src/testing/reply.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { documentedFetch } from './documented.ts';

/** Long enough that no text has one by chance. */
const [FIRST, SECOND, WRONG] = ['one', 'two', 'not'].map((word) => `sk-${word}-${'k3Yq'.repeat(8)}-${word}`) as [
  string,
  string,
  string,
];
const CONFIG = (vendor: string) => `server: { provider_hosts: [127.0.0.1] }
providers:
  # a line of its own
  of-file: { base_url: ${vendor}, api_key: sk-of-the-file-0001, only: [file-model] }
`;

let vendor: FakeProvider;
let headgate: Running;
let admin: OpenAI;
/** Keys that the vendor takes. */
const good = new Set([FIRST, SECOND, 'sk-of-the-file-0001']);

before(async () => {
  vendor = await startFakeProvider();
  const guarded =
    (plan: Plan): Plan =>
    (request) =>
      good.has(request.headers.authorization?.replace('Bearer ', '') ?? '')
        ? plan(request)
        : errorReply(401, { message: 'No.', type: 'invalid_request_error', code: 'invalid_api_key' });
  vendor.plan(
    guarded((request) => modelsReply(request.path, ['m-1', 'm-2'])),
    { path: '/v1/models' },
  );
  vendor.plan(guarded(answer()), { path: '/v1/chat/completions' });
  headgate = await startHeadgate({ config: CONFIG(vendor.url) });
  await connect();
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

/** A gateway that was started again listens elsewhere. */
async function connect(): Promise<void> {
  const documented = await documentedFetch(headgate.url);
  admin = new OpenAI({
    adminAPIKey: headgate.key,
    apiKey: headgate.key,
    baseURL: `${headgate.url}/v1`,
    maxRetries: 0,
    fetch: documented,
  });
}

type Credential = { id: string; name: string; hint: string; state: string; weight: number };
type Provider = {
  id: string;
  version: number;
  origin: string;
  set_in: unknown;
  off: string | null;
  list: string | null;
  models: number;
  credentials: Credential[];
  last_error: unknown;
};
const PROVIDERS = '/organization/providers';
const post = <T>(path: string, body: object) => admin.post<T>(path, { body });
const get = <T>(path: string) => admin.get<T>(path);

const call = (model: string) =>
  ask(`${headgate.url}/v1/chat/completions`, {
    key: headgate.key,
    body: { model, messages: [{ role: 'user', content: 'hi' }] },
  });

/** Asks again until an answer is as it should be: settings are in force within a second. */
async function until<T>(question: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const answered = await question();
    if (isRight(answered)) return answered;
    assert.ok(performance.now() < end, JSON.stringify(answered));
    await nextPoll();
  }
}

const last = () => vendor.requests.at(-1)?.headers.authorization;

test('a provider is tried, added, called, given other keys, and deleted; its keys are nowhere to be read', async () => {
  const draft = { base_url: vendor.url, label: 'A lab' };
  const refused = await post<Record<string, unknown>>(`${PROVIDERS}/test`, { ...draft, key: WRONG });
  assert.deepEqual([refused.ok, refused.key, refused.models], [false, 'refused', null]);
  const tried = await post<Record<string, unknown>>(`${PROVIDERS}/test`, { ...draft, key: FIRST });
  assert.deepEqual([tried.ok, tried.key, tried.models, tried.error], [true, 'accepted', 2, null]);

  const made = await post<Provider>(PROVIDERS, { id: 'lab', ...draft, credentials: [{ key: FIRST, name: 'one' }] });
  assert.deepEqual([made.origin, made.version, made.credentials[0]?.hint], ['settings', 1, FIRST.slice(-4)]);
  await until(
    () => call('lab/m-1'),
    ({ status }) => status === 200,
  );
  assert.equal(last(), `Bearer ${FIRST}`);
  const heard = await until(
    () => get<Provider>(`${PROVIDERS}/lab`),
    ({ list }) => list === 'listed',
  );
  assert.equal(heard.models, 2);
  assert.equal((await post<{ ok: boolean }>(`${PROVIDERS}/test`, { provider_id: 'lab' })).ok, true);

  const second = await post<Credential>(`${PROVIDERS}/lab/credentials`, { name: 'two', key: SECOND });
  await admin.delete(`${PROVIDERS}/lab/credentials/${made.credentials[0]!.id}`);
  await until(
    () => call('lab/m-1'),
    () => last() === `Bearer ${SECOND}`,
  );
  good.delete(SECOND);
  const seen = await until(
    async () => {
      await call('lab/m-1');
      return get<Provider>(`${PROVIDERS}/lab`);
    },
    ({ credentials }) => credentials[0]?.state === 'refused',
  );
  assert.notEqual(seen.last_error, null);
  good.add(SECOND);
  const rotated = await post<Credential>(`${PROVIDERS}/lab/credentials/${second.id}`, { key: FIRST, weight: 5 });
  assert.deepEqual([rotated.hint, rotated.weight], [FIRST.slice(-4), 5]);
  await until(
    () => call('lab/m-2'),
    ({ status }) => status === 200 && last() === `Bearer ${FIRST}`,
  );

  const { data } = await admin.admin.organization.auditLogs.list();
  assert.deepEqual(
    data.map(({ type }) => type as string).filter((type) => type.startsWith('provider')),
    ['provider_credential.updated', 'provider_credential.deleted', 'provider_credential.created', 'provider.created'],
  );
  const audit = JSON.stringify(data);
  await headgate.kill9();
  const places = readdirSync(headgate.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  const outputs = [audit, headgate.stdout(), headgate.stderr(), JSON.stringify([made, heard, seen, rotated, refused])];
  for (const secret of [FIRST, SECOND, WRONG]) {
    for (const text of [...places, ...outputs]) assert.ok(!text.includes(secret), 'a key can be read');
  }
  await headgate.restart();
  await connect();
  await until(
    () => call('lab/m-2'),
    ({ status }) => status === 200,
  );
  await admin.delete(`${PROVIDERS}/lab`);
  const gone = await until(
    () => call('lab/m-2'),
    ({ status }) => status !== 200,
  );
  assert.equal(gone.status, 404);
  await assert.rejects(get(`${PROVIDERS}/lab`), { status: 404 });
});

test('providers of the file are listed with their line, and changed there', async () => {
  const { data } = await get<{ data: Provider[] }>(PROVIDERS);
  const ofFile = data.find(({ id }) => id === 'of-file');
  assert.deepEqual([ofFile?.origin, ofFile?.set_in], ['file', { file: 'headgate.yaml', line: 4 }]);
  assert.equal(ofFile?.credentials[0]?.hint, '0001');
  assert.equal((await post<{ ok: boolean }>(`${PROVIDERS}/test`, { provider_id: 'of-file' })).ok, true);
  const where = /set in headgate.yaml, line 4/;
  await assert.rejects(post(PROVIDERS, { id: 'of-file', preset: 'openai' }), { status: 400, message: where });
  await assert.rejects(post(`${PROVIDERS}/of-file`, { label: 'x' }), { status: 400, message: where });
  await assert.rejects(admin.delete(`${PROVIDERS}/of-file`), { status: 400, message: where });
});

test('another address asks for the keys again; who was slower is told', async () => {
  const made = await post<Provider>(PROVIDERS, { id: 'moved', base_url: vendor.url, credentials: [{ key: FIRST }] });
  const elsewhere = { base_url: 'https://example.com/v1' };
  await assert.rejects(post(`${PROVIDERS}/moved`, elsewhere), { status: 400, param: 'credentials' });
  await assert.rejects(post(`${PROVIDERS}/test`, { provider_id: 'moved', ...elsewhere }), {
    status: 400,
    param: 'key',
  });
  const moved = await post<Provider>(`${PROVIDERS}/moved`, { ...elsewhere, credentials: [{ key: SECOND }] });
  assert.equal(moved.version, 2);
  await assert.rejects(post(`${PROVIDERS}/moved`, { label: 'x', if_version: made.version }), { status: 409 });
  await admin.delete(`${PROVIDERS}/moved`);
});

test('what cannot be is refused with the member’s name', async () => {
  const cases: readonly [object, string][] = [
    [{ id: 'echo' }, 'id'],
    [{ id: 'test', preset: 'openai' }, 'id'],
    [{ id: 'x' }, 'base_url'],
    [{ id: 'x', preset: 'no-such-vendor' }, 'preset'],
    [{ id: 'x', preset: '__proto__' }, 'preset'],
    [{ id: 'x', base_url: 'http://example.com' }, 'base_url'],
    [{ id: 'x', base_url: 'file:///etc/passwd' }, 'base_url'],
    [{ id: 'x', preset: 'openai', headers: { a: 'b' } }, 'headers'],
    [{ id: 'x', preset: 'openai', credentials: [{ key: 'a b' }] }, 'credentials.0.key'],
    [{ id: 'x', preset: 'openai', credentials: [{ key: FIRST, weight: 0 }] }, 'credentials'],
    [
      { id: 'x', preset: 'openai', models: [{ id: 'm', price: { input_per_1m: 'much' } }] },
      'models.0.price.input_per_1m',
    ],
    [{ id: 'x', preset: 'openai', models: [{ id: 'm' }], only: [{ id: 'm' }] }, 'models'],
  ];
  for (const [body, param] of cases) {
    await assert.rejects(post(PROVIDERS, body), { status: 400, param }, JSON.stringify(body));
  }
});

test('a test of what cannot be names the member, too', async () => {
  for (const preset of ['__proto__', 'constructor', 'no-such-vendor']) {
    await assert.rejects(post(`${PROVIDERS}/test`, { preset, key: FIRST }), { status: 400, param: 'preset' }, preset);
  }
});

test('addresses that are not public are not connected to', async () => {
  for (const host of ['169.254.169.254', '[::1]', 'localhost', '10.0.0.1', '[::ffff:127.0.0.1]']) {
    const asked = { base_url: `https://${host}/v1`, key: FIRST };
    const tried = await post<{ ok: boolean; error: string }>(`${PROVIDERS}/test`, asked);
    assert.deepEqual([tried.ok, /not public/.test(tried.error)], [false, true], `${host}: ${tried.error}`);
  }
});

test('lists are paged, and say which vendors there are', async () => {
  const page = await get<{ data: Provider[]; has_more: boolean }>(`${PROVIDERS}?limit=1`);
  assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [['of-file'], false]);
  const presets = await get<{ data: { id: string }[] }>('/organization/provider_presets');
  assert.ok(presets.data.some(({ id }) => id === 'openai'));
});

test('all of several processes serve what one was told', async () => {
  await using company = await startHeadgate({ config: CONFIG(vendor.url), args: ['--workers', '2'] });
  const key = company.key;
  const body = { id: 'lab', base_url: vendor.url, credentials: [{ key: FIRST }] };
  assert.equal((await ask(`${company.url}/v1${PROVIDERS}`, { key, body })).status, 200);
  const question = { model: 'lab/m-1', messages: [{ role: 'user', content: 'hi' }] };
  // Each is asked on a connection of its own, which is any process's.
  const asked = () =>
    ask(`${company.url}/v1/chat/completions`, { key, body: question, headers: { connection: 'close' } });
  await until(
    () => Promise.all(Array.from({ length: 20 }, asked)),
    (answers) => answers.every(({ status }) => status === 200),
  );
  assert.equal((await ask(`${company.url}/v1${PROVIDERS}/lab`, { key, method: 'DELETE' })).status, 200);
  await until(
    () => Promise.all(Array.from({ length: 20 }, asked)),
    (answers) => answers.every(({ status }) => status === 404),
  );
});

test('of twenty keys that two processes are given at the same moment all are kept', async () => {
  await using company = await startHeadgate({ config: CONFIG(vendor.url), args: ['--workers', '2'] });
  const key = company.key;
  const of = `${company.url}/v1${PROVIDERS}`;
  const lab = { id: 'lab', base_url: vendor.url, credentials: [{ key: FIRST }] };
  assert.equal((await ask(of, { key, body: lab })).status, 200);
  const names = Array.from({ length: 20 }, (_, number) => `key-${number}`);
  const given = (name: string) =>
    ask(`${of}/lab/credentials`, { key, body: { name, key: SECOND }, headers: { connection: 'close' } });
  const answers = await Promise.all(names.map(given));
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200).map(({ text }) => text),
    [],
  );
  const kept = JSON.parse((await ask(`${of}/lab`, { key })).text) as Provider;
  assert.deepEqual(kept.credentials.map(({ name }) => name).sort(), ['default', ...names].sort());

  // Changed together, too; but who has said which version they mean is told that there is another.
  const weighed = await Promise.all(
    kept.credentials.map(({ id }) => ask(`${of}/lab/credentials/${id}`, { key, body: { weight: 2 } })),
  );
  assert.deepEqual([...new Set(weighed.map(({ status }) => status))], [200]);
  const late = { name: 'late', key: SECOND, if_version: kept.version };
  assert.equal((await ask(`${of}/lab/credentials`, { key, body: late })).status, 409);
});
