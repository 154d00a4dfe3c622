import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { type Answer, ask } from '../http/client.ts';
import { firstOwner, TestBrowser } from '../sign-in/browser.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { watchUsage } from '../support/live.ts';
import { connectRaw, type RawClient, requestBytes } from '../support/raw-http.ts';

/** What ends for whoever is let in: while their body is on its way, and while they are answered. */
const vendor = await startFakeProvider();
after(() => vendor.close());

/** Enough connections that each of four processes has taken some. */
const ASKED_OF_ALL = 24;
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const STREAMED: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { ...CHAT, stream: true },
  '/v1/responses': { model: 'm', input: 'Hi', stream: true },
  '/v1/messages': { ...CHAT, max_tokens: 9, stream: true },
};

type Ids = Readonly<Record<'user' | 'role' | 'group' | 'project', string>>;
/** By what somebody may call models from the console and read usage, and how that is taken from them. */
const LOSSES: Readonly<
  Record<
    string,
    { give(of: Ids): [path: string, body: object][]; take(of: Ids): [method: string, path: string, body?: object] }
  >
> = {
  'loses their role': {
    give: ({ user, role }) => [[`/organization/users/${user}/roles`, { role_id: role }]],
    take: ({ user, role }) => ['DELETE', `/organization/users/${user}/roles/${role}`],
  },
  'has a role that is deleted': {
    give: ({ user, role }) => [[`/organization/users/${user}/roles`, { role_id: role }]],
    take: ({ role }) => ['DELETE', `/organization/roles/${role}`],
  },
  'has a role that allows it no more': {
    give: ({ user, role }) => [[`/organization/users/${user}/roles`, { role_id: role }]],
    take: ({ role }) => ['POST', `/organization/roles/${role}`, { permissions: ['api.projects.read'] }],
  },
  'leaves a group': {
    give: ({ user, role, group }) => [
      [`/organization/groups/${group}/users`, { user_id: user }],
      [`/organization/groups/${group}/roles`, { role_id: role }],
    ],
    take: ({ user, group }) => ['DELETE', `/organization/groups/${group}/users/${user}`],
  },
  'is in a group that loses its role': {
    give: ({ user, role, group }) => [
      [`/organization/groups/${group}/users`, { user_id: user }],
      [`/organization/groups/${group}/roles`, { role_id: role }],
    ],
    take: ({ role, group }) => ['DELETE', `/organization/groups/${group}/roles/${role}`],
  },
  'is taken out of the project': {
    give: ({ user, project }) => [[`/organization/projects/${project}/users`, { user_id: user, role: 'member' }]],
    take: ({ user, project }) => ['DELETE', `/organization/projects/${project}/users/${user}`],
  },
};

for (const { layer, workers } of [
  { layer: 'fast', workers: 1 },
  { layer: 'node', workers: 1 },
  { layer: 'fast', workers: 4 },
]) {
  describe(`on the layer ${layer}, in ${workers} processes`, async () => {
    const headgate = await startHeadgate({
      config: `
server: { http_layer: ${layer}, workers: ${workers} }
limits: { requests_per_minute: 100000 }
sign_in: { attempts_per_email: 100, attempts_per_address: 100 }
timeouts: { first_byte: 120000, idle: 120000, ping: 120000 }
providers:
  lab: { base_url: "${vendor.url}", models: [{ id: m, price: { input_per_1m: 1, output_per_1m: 1 } }] }
`,
    });
    after(() => headgate[Symbol.asyncDispose]());
    const owner = await firstOwner(headgate);
    const project = String((await owner.get('/organization/projects')).each('id')[0]);
    const keysOf = (id: string) => `/organization/projects/${id}/api_keys`;
    const make = async (body: object = {}, id = project) => {
      const made = await owner.post(keysOf(id), { name: 'test', ...body });
      assert.equal(made.status, 200, JSON.stringify(made.json));
      return { id: String(made.at('id')), key: String(made.at('value')) };
    };

    const ENDINGS: Record<string, { code: string; status?: number; end(id: string): Promise<unknown> }> = {
      'was deleted': { code: 'revoked_api_key', end: (id) => owner.delete(`${keysOf(project)}/${id}`) },
      'was switched off': {
        code: 'disabled_api_key',
        end: (id) => owner.post(`${keysOf(project)}/${id}`, { enabled: false }),
      },
      'was rotated away': {
        code: 'expired_api_key',
        end: (id) => owner.post(`${keysOf(project)}/${id}/rotate`, { overlap_seconds: 0 }),
      },
      'may not be used from there any more': {
        code: 'forbidden',
        status: 403,
        end: (id) => owner.post(`${keysOf(project)}/${id}`, { ip_ranges: ['203.0.113.0/24'] }),
      },
    };
    for (const [how, { code, status = 401, end }] of Object.entries(ENDINGS)) {
      test(`a call whose key ${how} while its body came is refused`, async () => {
        const { id, key } = await make();
        using slow = await slowly(headgate, '/v1/chat/completions', bearer(key), CHAT);
        await end(id);
        await untilAll(headgate, key, status);
        await slow.rest();
        const { status: answered, json } = await slow.answered();
        assert.deepEqual([answered, codeIn(json)], [status, code]);
      });
    }

    test('a call of a project that was archived while its body came is refused', async () => {
      const archived = String((await owner.post('/organization/projects', { name: 'Gone' })).at('id'));
      const { key } = await make({}, archived);
      using slow = await slowly(headgate, '/v1/chat/completions', bearer(key), CHAT);
      assert.equal((await owner.post(`/organization/projects/${archived}/archive`)).status, 200);
      await untilAll(headgate, key, 401);
      await slow.rest();
      assert.equal(codeIn((await slow.answered()).json), 'revoked_api_key');
    });

    test('a call whose body comes slowly is answered where nothing has ended', async () => {
      const { key } = await make();
      using slow = await slowly(headgate, '/v1/chat/completions', bearer(key), CHAT);
      await owner.post('/organization/groups', { name: 'A change that is none of the key' });
      await slow.rest();
      assert.equal((await slow.answered()).status, 200);
    });

    test('who has lost their key makes no keys and no owners with a body that was on its way', async () => {
      const admin = await owner.post('/organization/admin_api_keys', { name: 'admin' });
      const [id, key] = [admin.at('id'), String(admin.at('value'))];
      using keys = await slowly(headgate, `/v1${keysOf(project)}`, bearer(key), { name: 'late' });
      const guest = { email: 'late@example.com', role: 'owner' };
      using invites = await slowly(headgate, '/v1/organization/invites', bearer(key), guest);
      assert.equal((await owner.delete(`/organization/admin_api_keys/${id}`)).status, 200);
      await untilAll(headgate, key, 401, '/v1/organization/projects');
      for (const slow of [keys, invites]) {
        await slow.rest();
        assert.equal(codeIn((await slow.answered()).json), 'revoked_api_key');
      }
      const names = (await owner.get(`${keysOf(project)}?limit=100`)).each('name');
      assert.ok(!names.includes('late'));
      assert.ok(!(await owner.get('/organization/invites')).each('email').includes('late@example.com'));
    });

    test('who is signed in no more changes nothing with a body that was on its way', async () => {
      const { browser } = await secondOwner(owner, headgate, 'eve@example.com');
      const cookie = { cookie: browser.cookie!, origin: browser.origin };
      const asked = await Promise.all([
        slowly(headgate, '/v1/auth/password', cookie, { password: 'another sentence that nobody guesses' }),
        slowly(headgate, '/v1/organization/invites', cookie, { email: 'later@example.com', role: 'owner' }),
        slowly(headgate, `/v1${keysOf(project)}`, cookie, { name: 'later' }),
        slowly(headgate, '/v1/chat/completions', cookie, CHAT),
      ]);
      assert.equal((await browser.post('/auth/sign_out')).status, 200);
      for (const slow of asked) {
        await slow.rest();
        assert.deepEqual((await slow.answered()).status, 401);
        slow.leave();
      }
      assert.ok(!(await owner.get('/organization/invites')).each('email').includes('later@example.com'));
    });

    test('streams of a key that was deleted end with an error of their dialect, and the vendor is let go', async () => {
      const { id, key } = await make();
      const other = await make();
      vendor.plan(insert(normal(), 3, 'hold'), { times: 4 });
      const streams = await Promise.all(
        Object.entries(STREAMED).map(([path, body]) => streaming(headgate, path, bearer(key), body)),
      );
      using going = await streaming(
        headgate,
        '/v1/chat/completions',
        bearer(other.key),
        STREAMED['/v1/chat/completions']!,
      );
      await vendor.waitFor(({ heldCalls }) => heldCalls() === 4);
      assert.equal((await owner.delete(`${keysOf(project)}/${id}`)).status, 200);
      for (const stream of streams) {
        const { ending, body } = await stream.answer();
        assert.equal(ending, 'complete');
        assert.match(body().toString(), /This API key was revoked/);
        assert.doesNotMatch(body().toString(), /\[DONE\]|response\.completed|message_stop/);
        stream.leave();
      }
      await vendor.waitFor(({ openCalls }) => openCalls() === 1);
      const records = await recordsOf(headgate, id, 3);
      for (const { status, error, output_tokens, cost_usd } of records) {
        assert.deepEqual([status, error], ['failed', 'revoked_api_key']);
        assert.ok(Number(output_tokens) > 0 && Number(cost_usd) > 0, 'what was used is billed');
      }
      vendor.release();
      assert.match((await going.answer()).body().toString(), /\[DONE\]/, 'a stream of another key goes on');
    });

    test('a call that waits for its vendor is refused once its key is deleted', async () => {
      const { id, key } = await make();
      vendor.plan('slow-headers', { times: 1 });
      const asked = ask(`${headgate.url}/v1/chat/completions`, { key, body: CHAT });
      await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
      await owner.delete(`${keysOf(project)}/${id}`);
      const { status, json } = await asked;
      assert.deepEqual([status, codeIn(json)], [401, 'revoked_api_key']);
      await vendor.waitFor(({ openCalls }) => openCalls() === 0);
      assert.equal((await recordsOf(headgate, id, 1))[0]?.usage_source, 'estimated');
    });

    test('what streams to somebody who signs out, or may no more, ends', async () => {
      const { browser, id } = await secondOwner(owner, headgate, 'fay@example.com');
      const leaving = (await secondOwner(owner, headgate, 'gil@example.com')).browser;
      const headers = (of: TestBrowser) => ({ cookie: of.cookie!, origin: of.origin });
      vendor.plan(insert(normal(), 3, 'hold'), { times: 2 });
      const calls = [browser, leaving].map((of) =>
        streaming(headgate, '/v1/chat/completions', headers(of), STREAMED['/v1/chat/completions']!),
      );
      await using live = await watchUsage(headgate, null, { headers: headers(browser) });
      await using ended = await watchUsage(headgate, null, { headers: headers(leaving) });
      assert.deepEqual([live.status, ended.status], [200, 200], live.text);
      const streams = await Promise.all(calls);
      await vendor.waitFor(({ heldCalls }) => heldCalls() === 2);
      const startedAt = performance.now();
      assert.equal((await leaving.post('/auth/sign_out')).status, 200);
      assert.equal((await owner.delete(`/organization/users/${id}`)).status, 200);
      for (const stream of streams) {
        assert.match((await stream.answer()).body().toString(), /You are not signed in|revoked|not a member/);
        stream.leave();
      }
      await Promise.all([live.ended, ended.ended]);
      assert.ok(performance.now() - startedAt < WAIT_MS, 'long before a minute is over');
      await vendor.waitFor(({ openCalls }) => openCalls() === 0);
    });

    test('live usage ends for a key that is deleted', async () => {
      const { id, key } = await make();
      await using live = await watchUsage(headgate, key);
      assert.equal(live.status, 200, live.text);
      await owner.delete(`${keysOf(project)}/${id}`);
      await live.ended;
    });

    test('streams, waits and live usage of a key end when its time is over, though nothing changes then', async () => {
      const { id, key } = await make();
      vendor.plan(insert(normal(), 3, 'hold'), { times: 3 });
      await using live = await watchUsage(headgate, key);
      const streams = await Promise.all(
        Object.entries(STREAMED).map(([path, body]) => streaming(headgate, path, bearer(key), body)),
      );
      vendor.plan('slow-headers', { times: 1 });
      const asked = ask(`${headgate.url}/v1/chat/completions`, { key, body: CHAT });
      await vendor.waitFor(({ heldCalls }) => heldCalls() === 4);
      assert.equal((await owner.post(`${keysOf(project)}/${id}`, { expires_in_seconds: 2 })).status, 200);
      for (const stream of streams) {
        const { ending, body } = await stream.answer();
        assert.equal(ending, 'complete');
        assert.match(body().toString(), /This API key expired/);
        assert.doesNotMatch(body().toString(), /\[DONE\]|response\.completed|message_stop/);
        stream.leave();
      }
      const { status, json } = await asked;
      assert.deepEqual([status, codeIn(json)], [401, 'expired_api_key']);
      await live.ended;
      await vendor.waitFor(({ openCalls }) => openCalls() === 0);
      for (const { status, error } of await recordsOf(headgate, id, 4))
        assert.deepEqual([status, error], ['failed', 'expired_api_key']);
    });

    for (const [how, { give, take }] of Object.entries(LOSSES)) {
      test(`what streams to somebody ends who ${how}`, async () => {
        const email = `${how.replaceAll(/\W/g, '-')}@example.com`;
        const { browser, id } = await someoneNew(owner, headgate, { email, role: 'reader' });
        const there = String((await owner.post('/organization/projects', { name: how })).at('id'));
        const permissions = ['api.keys.write', 'api.usage.read'];
        const role = String((await owner.post('/organization/roles', { role_name: how, permissions })).at('id'));
        const group = String((await owner.post('/organization/groups', { name: how })).at('id'));
        const of = { user: id, role, group, project: there };
        for (const [path, body] of give(of)) assert.equal((await owner.post(path, body)).status, 200, path);
        const isThere = how === 'is taken out of the project';
        const made = await browser.post(keysOf(there), { name: 'own', usage: isThere ? 'project' : 'organization' });
        assert.equal(made.status, 200, JSON.stringify(made.json));
        const headers = { cookie: browser.cookie!, origin: browser.origin };
        vendor.plan(insert(normal(), 3, 'hold'), { times: 1 });
        using stream = await streaming(
          headgate,
          '/v1/messages',
          { ...headers, 'openai-project': there },
          STREAMED['/v1/messages']!,
        );
        await using byKey = await watchUsage(headgate, String(made.at('value')));
        await using live = await watchUsage(headgate, null, { headers });
        assert.deepEqual([byKey.status, live.status], [200, isThere ? 403 : 200], live.text);
        await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
        const [method, path, body] = take(of);
        assert.equal((await owner.send(method, path, body, { origin: owner.origin })).status, 200, path);
        const { body: words } = await stream.answer();
        assert.match(words().toString(), /This needs the permission|revoked/);
        assert.doesNotMatch(words().toString(), /message_stop/);
        await Promise.all([byKey.ended, live.ended]);
        await vendor.waitFor(({ openCalls }) => openCalls() === 0);
      });
    }
  });
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** A request of which the head was let in, and the last byte of the body is still to come. */
async function slowly(headgate: Running, path: string, headers: Readonly<Record<string, string>>, body: object) {
  const client = await connectRaw(headgate.url);
  const bytes = requestBytes('POST', path, headers, body);
  await client.send(bytes.subarray(0, -1));
  // Whatever process has the connection has read what came: it has answered what came behind it.
  await askAll(`${headgate.url}/healthz`);
  return {
    rest: () => client.send(bytes.subarray(-1)),
    async answered() {
      const answer = await client.answer();
      return { status: answer.status, json: JSON.parse(answer.body().toString()) as unknown };
    },
    leave: () => client.leave(),
    [Symbol.dispose]: () => client.leave(),
  };
}

async function streaming(
  headgate: Running,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<RawClient> {
  const client = await connectRaw(headgate.url);
  await client.send(requestBytes('POST', path, headers, body));
  const answer = await client.bodyHas('Hello');
  assert.equal(answer.status, 200);
  return client;
}

function askAll(url: string, key?: string): Promise<Answer[]> {
  const headers = { connection: 'close' };
  const sent = { headers, ...(key !== undefined && { key }) };
  return Promise.all(Array.from({ length: ASKED_OF_ALL }, () => ask(url, sent)));
}

/** Waits until every process answers a key so. */
async function untilAll(headgate: Running, key: string, status: number, path = '/v1/models'): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const answers = await askAll(`${headgate.url}${path}`, key);
    if (answers.every((each) => each.status === status)) return;
    assert.ok(performance.now() < deadline, `the key is answered ${answers.map((each) => each.status)}`);
    await nextPoll();
  }
}

async function recordsOf(headgate: Running, keyId: string, count: number): Promise<Record<string, unknown>[]> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const { data } = await headgate.usage({ api_key_id: keyId });
    if (data.length === count) return data;
    assert.ok(performance.now() < deadline, `there are ${data.length} records`);
    await nextPoll();
  }
}

/** Another owner, in a browser of theirs. */
const secondOwner = (owner: TestBrowser, headgate: Running, email: string) =>
  someoneNew(owner, headgate, { email, role: 'owner' });

async function someoneNew(owner: TestBrowser, headgate: Running, who: { email: string; role: 'owner' | 'reader' }) {
  const { email } = who;
  const invited = await owner.post('/organization/invites', who);
  assert.equal(invited.status, 200, JSON.stringify(invited.json));
  const browser = new TestBrowser(headgate);
  const link = String(invited.at('invite_token'));
  const opened = await browser.post('/auth/link/open', {
    link,
    name: email,
    password: 'a sentence that nobody guesses',
  });
  assert.equal(opened.status, 200, JSON.stringify(opened.json));
  const members = await owner.get('/organization/users?limit=100');
  const id = members.each('id')[members.each('email').indexOf(email)];
  return { browser, id: String(id) };
}

function codeIn(json: unknown): unknown {
  return (json as { error: { code: unknown } }).error.code;
}
