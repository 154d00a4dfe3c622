import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PASSKEYS } from '../../src/organization/sign-in/passkey-way.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';
import { watchUsage } from '../support/live.ts';
import { TestAuthenticator } from './authenticator.ts';
import { ADA, firstOwner, linkIn, TestBrowser } from './browser.ts';

test('the link of the first start makes an owner, once, who signs in with a password and out', async () => {
  await using headgate = await startHeadgate();
  const browser = new TestBrowser(headgate);
  const link = linkIn(headgate.stdout());
  const looked = await browser.post('/auth/link', { link });
  assert.deepEqual([looked.at('type'), looked.at('email')], ['owner', null]);
  assert.equal((await browser.get('/auth/session')).at('error.code'), 'not_signed_in');

  const weak = await browser.post('/auth/link/open', { link, ...ADA, password: 'aaaaaaaaaaaaaaa' });
  assert.deepEqual([weak.status, weak.at('error.param')], [400, 'password']);
  const opened = await browser.post('/auth/link/open', { link, ...ADA, email: 'Ada@Example.com' });
  assert.equal(opened.status, 200, JSON.stringify(opened.json));
  assert.equal(opened.at('person.email'), ADA.email);
  const again = await new TestBrowser(headgate).post('/auth/link/open', { link, email: 'eve@example.com' });
  assert.equal(again.status, 404);

  const account = await browser.get('/auth/session');
  const seen = ['person.name', 'has_password', 'passkeys', 'organizations.0.role'].map(account.at);
  assert.deepEqual(seen, ['Ada', true, 0, 'owner']);
  assert.ok((account.at('permissions') as string[]).includes('api.admin_keys.write'));
  const made = await browser.post('/organization/projects', { name: 'one' });
  assert.equal(made.status, 200, JSON.stringify(made.json));

  assert.equal((await browser.post('/auth/sign_out')).status, 200);
  assert.equal(browser.cookie, null);
  assert.equal((await browser.get('/organization/projects')).at('error.code'), 'missing_api_key');

  const wrong = await browser.post('/auth/sign_in/password', { email: ADA.email, password: 'another password' });
  assert.deepEqual([wrong.status, wrong.at('error.code')], [401, 'sign_in_failed']);
  const nobody = await browser.post('/auth/sign_in/password', { email: 'x@example.com', password: ADA.password });
  assert.deepEqual(nobody.json, wrong.json, 'who is not known is told the same');
  const right = await browser.post('/auth/sign_in/password', { email: 'ADA@example.com', password: ADA.password });
  assert.equal(right.status, 200);
  assert.equal((await browser.get('/organization/projects')).each('id').length, 2);
  await toldInTheLog(browser, ['user.added', 'login.succeeded', 'project.created', 'logout.succeeded', 'login.failed']);
});

async function toldInTheLog(browser: TestBrowser, types: readonly string[]): Promise<void> {
  const told = (await browser.get('/organization/audit_logs?limit=100')).each('type');
  for (const type of types) assert.ok(told.includes(type), `${type} in ${told}`);
}

test('a passkey is added, signs in, and cannot be used twice with one challenge', async () => {
  await using headgate = await startHeadgate();
  const browser = await firstOwner(headgate);
  const device = new TestAuthenticator(browser.origin);
  const creation = await browser.post('/auth/passkeys/options');
  assert.equal(creation.at('rp.id'), 'localhost');
  const answer = device.create(String(creation.at('challenge')));
  const added = await browser.post('/auth/passkeys', { name: 'laptop', response: answer });
  assert.equal(added.status, 200, JSON.stringify(added.json));
  assert.equal(added.at('id'), device.id.toString('base64url'));
  const replayed = await browser.post('/auth/passkeys', { name: 'laptop', response: answer });
  assert.notEqual(replayed.status, 200);

  const other = new TestBrowser(headgate);
  const response = device.get(await challengeFor(other));
  const signedIn = await other.post('/auth/sign_in/passkey', { response });
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.json));
  assert.equal((await other.get('/auth/session')).at('person.email'), ADA.email);

  const third = new TestBrowser(headgate);
  assert.notEqual((await third.post('/auth/sign_in/passkey', { response })).status, 200, 'the same answer again');
  const foreign = { ...response, response: device.get(String(creation.at('challenge'))).response };
  assert.equal((await third.post('/auth/sign_in/passkey', { response: foreign })).status, 401, 'another purpose');
  const forged = device.get(Buffer.alloc(54, 7).toString('base64url'));
  assert.equal((await third.post('/auth/sign_in/passkey', { response: forged })).status, 401, 'not of our making');
  const elsewhere = new TestAuthenticator('http://evil.example');
  const phished = { ...elsewhere.get(await challengeFor(third)), id: response.id, rawId: response.id };
  assert.equal((await third.post('/auth/sign_in/passkey', { response: phished })).status, 401, 'another origin');
  assert.equal(third.cookie, null);

  assert.deepEqual((await other.get('/auth/passkeys')).each('name'), ['laptop']);
  assert.equal((await other.delete(`/auth/passkeys/${response.id}`)).status, 200);
  assert.equal((await browser.get('/auth/session')).status, 401, 'other sessions end with a way to sign in');
});

async function challengeFor(browser: TestBrowser): Promise<string> {
  return String((await browser.post('/auth/sign_in/passkey/options')).at('challenge'));
}

test('a person has 50 passkeys at most, also where what devices need was asked for before', async () => {
  await using headgate = await startHeadgate();
  const browser = await firstOwner(headgate);
  const challenges: string[] = [];
  for (let count = 0; count < MAX_PASSKEYS + 2; count += 1)
    challenges.push(String((await browser.post('/auth/passkeys/options')).at('challenge')));
  const add = (challenge: string) =>
    browser.post('/auth/passkeys', {
      name: 'one of many',
      response: new TestAuthenticator(browser.origin).create(challenge),
    });
  for (const challenge of challenges.splice(3)) assert.equal((await add(challenge)).status, 200);
  const [last, ...more] = challenges as [string, ...string[]];
  const atOnce = await Promise.all([add(last), add(more[0]!)]);
  assert.deepEqual(atOnce.map(({ status }) => status).sort(), [200, 409]);
  const beyond = await add(more[1]!);
  assert.deepEqual([beyond.status, beyond.at('error.code')], [409, 'conflict']);
  assert.match(String(beyond.at('error.message')), /at most 50 passkeys/);
  assert.equal((await browser.get('/auth/passkeys')).each('id').length, MAX_PASSKEYS);
  assert.equal((await browser.post('/auth/passkeys/options')).status, 409);
});

test('sessions are listed and ended by their owner, and end with a new password', async () => {
  await using headgate = await startHeadgate();
  const [one, two] = [await firstOwner(headgate), new TestBrowser(headgate)];
  const { email, password } = ADA;
  assert.equal((await two.post('/auth/sign_in/password', { email, password })).status, 200);
  const list = await one.get('/organization/sessions');
  assert.deepEqual(list.each('way'), ['password', 'link']);
  assert.deepEqual(list.each('is_current'), [false, true]);
  assert.ok(!JSON.stringify(list.json).includes(one.cookie!.split('=')[1]!));
  assert.equal((await one.delete('/organization/sessions/sess_none')).status, 404);
  assert.equal((await one.delete(`/organization/sessions/${list.each('id')[0]}`)).status, 200);
  assert.equal((await two.get('/auth/session')).status, 401);

  assert.equal((await two.post('/auth/sign_in/password', { email, password })).status, 200);
  assert.equal((await one.post('/auth/password', { password: 'another good password' })).status, 200);
  assert.equal((await two.get('/auth/session')).status, 401);
  assert.equal((await two.post('/auth/sign_in/password', { email, password })).status, 401);
});

test('who runs the gateway sees where members are signed in, and ends it', async () => {
  await using headgate = await startHeadgate();
  const [one, two] = [await firstOwner(headgate), new TestBrowser(headgate)];
  const { email, password } = ADA;
  assert.equal((await two.post('/auth/sign_in/password', { email, password })).status, 200);
  const run = async (...args: string[]) => {
    const { code, json, stderr } = await headgate.command('sessions', ...args, '--json');
    return { code, stderr, data: (json as { data?: Record<string, string>[] }).data ?? [] };
  };
  const { data: list } = await run('list');
  assert.deepEqual(
    list.map(({ way, email: whose, ip_address: from }) => [way, whose, from]),
    [
      ['password', email, '127.0.0.1'],
      ['link', email, '127.0.0.1'],
    ],
  );
  for (const { cookie } of [one, two]) assert.ok(!JSON.stringify(list).includes(cookie!.split('=')[1]!));
  assert.equal((await run('list', '--member', 'nobody@example.com')).code, 1);

  assert.equal((await run('end', list[0]!.id!)).data.length, 1);
  assert.equal((await two.get('/auth/session')).status, 401);
  assert.equal((await one.get('/auth/session')).status, 200, 'another one goes on');
  assert.equal((await run('end', list[0]!.id!)).code, 1, 'it has ended');
  assert.equal((await run('end')).code, 2);
  assert.equal((await two.post('/auth/sign_in/password', { email, password })).status, 200);
  assert.equal((await run('end', '--member', 'ADA@example.com')).data.length, 2);
  for (const browser of [one, two]) assert.equal((await browser.get('/auth/session')).status, 401);

  const { json } = await headgate.command('audit', 'list', '--json');
  const { data } = json as { data: { type: string; actor: { type: string } }[] };
  const byOperator = data.filter(({ type, actor }) => type === 'logout.succeeded' && actor.type === 'operator');
  assert.equal(byOperator.length, 3);
});

test('whoever comes into a group, or whose group may more, gets another secret', async () => {
  await using headgate = await startHeadgate();
  const owner = await firstOwner(headgate);
  const invited = await owner.post('/organization/invites', { email: 'bob@example.com', role: 'reader' });
  const bob = new TestBrowser(headgate);
  const link = linkIn(String(invited.at('invite_link')));
  assert.equal((await bob.post('/auth/link/open', { link, name: 'Bob', password: 'a password of Bob' })).status, 200);
  const userId = String((await bob.get('/auth/session')).at('person.id'));
  const group = String((await owner.post('/organization/groups', { name: 'Admins' })).at('id'));
  const renews = async (change: Promise<{ status: number }>, why: string) => {
    const before = bob.cookie;
    assert.equal((await change).status, 200, why);
    assert.equal((await bob.get('/auth/session')).status, 200);
    assert.notEqual(bob.cookie, before, why);
    assert.equal((await bob.get('/auth/session')).status, 200);
  };
  await renews(owner.post(`/organization/groups/${group}/users`, { user_id: userId }), 'into a group');
  await renews(owner.post(`/organization/groups/${group}/roles`, { role_id: 'role_viewer' }), 'a role of the group');
  await renews(owner.delete(`/organization/groups/${group}/roles/role_viewer`), 'no role of the group');
  await renews(owner.delete(`/organization/groups/${group}/users/${userId}`), 'out of a group');
  await owner.post(`/organization/groups/${group}/users`, { user_id: userId });
  const wanted = { role_name: 'Watcher', permissions: ['api.usage.read'] };
  const role = String((await owner.post('/organization/roles', wanted)).at('id'));
  await owner.post(`/organization/groups/${group}/roles`, { role_id: role });
  await bob.get('/auth/session');
  const more = { permissions: ['api.usage.read', 'api.keys.read'] };
  await renews(owner.post(`/organization/roles/${role}`, more), 'a role of the group may more');
  await renews(owner.delete(`/organization/roles/${role}`), 'a role of the group is gone');
  const project = String((await owner.post('/organization/projects', { name: 'Search' })).at('id'));
  const people = `/organization/projects/${project}/users`;
  await renews(owner.post(people, { user_id: userId, role: 'member' }), 'into a project');
  await renews(owner.post(`${people}/${userId}`, { role: 'owner' }), 'another role in it');
  await renews(owner.delete(`${people}/${userId}`), 'out of it');
  await renews(owner.delete(`/organization/groups/${group}`), 'no group');
});

for (const layer of ['fast', 'node']) {
  test(`streams and calls of models hand over another secret, too, with the layer ${layer}`, async () => {
    await using headgate = await startHeadgate({ config: `echo: true\nserver: { http_layer: ${layer} }` });
    const owner = await firstOwner(headgate);
    const group = String((await owner.post('/organization/groups', { name: 'Admins' })).at('id'));
    const userId = String((await owner.get('/auth/session')).at('person.id'));
    const people = `/organization/groups/${group}/users`;
    const call = async (more: object) => {
      const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }], ...more };
      return (await ask(`${headgate.url}/v1/chat/completions`, { headers: headersOf(), body })).headers;
    };
    const headersOf = () => ({ cookie: owner.cookie!, origin: owner.origin });
    const ways: Record<string, () => Promise<Headers>> = {
      'a call': () => call({}),
      'a streamed call': () => call({ stream: true }),
      'a call that is refused': () => call({ model: 'none' }),
      'live usage': async () => {
        await using live = await watchUsage(headgate, null, { headers: headersOf() });
        return live.headers;
      },
    };
    for (const [what, use] of Object.entries(ways)) {
      assert.equal((await owner.post(people, { user_id: userId })).status, 200);
      const [line = '', ...others] = (await use()).getSetCookie();
      const [before, secret] = [owner.cookie, line.split('; ')[0]!];
      assert.match(secret, /^__Host-headgate=./, what);
      assert.deepEqual(others, [], what);
      assert.notEqual(secret, before, what);
      owner.cookie = secret;
      assert.equal((await owner.delete(`${people}/${userId}`)).status, 200, what);
    }
  });
}

test('the first key loses administration once somebody has signed in, and goes on to call', async () => {
  await using headgate = await startHeadgate();
  const asKey = (path: string) =>
    fetch(`${headgate.url}/v1${path}`, { headers: { authorization: `Bearer ${headgate.key}` } });
  assert.equal((await asKey('/organization/projects')).status, 200);
  await firstOwner(headgate);
  await untilRefused(() => asKey('/organization/projects'));
  assert.equal((await asKey('/models')).status, 200);
});

/** A running gateway hears of a change of keys within a second. */
async function untilRefused(ask: () => Promise<Response>): Promise<void> {
  for (;;) {
    const { status } = await ask();
    if (status === 403) return;
    assert.equal(status, 200);
  }
}

test('headgate owner-link makes a link for somebody in particular, who comes back by it', async () => {
  await using headgate = await startHeadgate();
  const before = await firstOwner(headgate);
  const { code, json, stderr } = await headgate.command('owner-link', '--email', 'ADA@example.com', '--json');
  assert.equal(code, 0, stderr);
  const link = linkIn((json as { url: string }).url);
  const browser = new TestBrowser(headgate);
  const opened = await browser.post('/auth/link/open', { link, password: 'a new good password' });
  assert.equal(opened.status, 200, JSON.stringify(opened.json));
  assert.equal((await before.get('/auth/session')).status, 401, 'what was signed in before has ended');
  const { email } = ADA;
  assert.equal((await before.post('/auth/sign_in/password', { email, password: 'a new good password' })).status, 200);

  const made = (await before.get('/organization/audit_logs?event_types[]=owner_link.created')).each('actor.type');
  assert.deepEqual(made, ['operator'], 'the log tells of the link');

  const forAnybody = linkIn((await headgate.command('owner-link')).stdout);
  const claimed = await new TestBrowser(headgate).post('/auth/link/open', { link: forAnybody, email });
  assert.equal(claimed.status, 409, 'a link for anybody makes nobody out to be Ada');
});

test('an invitation makes a member, and nobody out to be somebody who is there already', async () => {
  await using headgate = await startHeadgate();
  const owner = await firstOwner(headgate);
  const invited = await owner.post('/organization/invites', { email: 'bob@example.com', role: 'reader' });
  assert.equal(invited.status, 200, JSON.stringify(invited.json));
  const link = linkIn(String(invited.at('invite_link')));
  const bob = new TestBrowser(headgate);
  const opened = await bob.post('/auth/link/open', { link, name: 'Bob', password: 'a password of Bob' });
  assert.equal(opened.status, 200, JSON.stringify(opened.json));
  assert.equal((await bob.post('/organization/projects', { name: 'mine' })).status, 403);
  assert.equal((await new TestBrowser(headgate).post('/auth/link/open', { link })).status, 404);
  const account = await bob.get('/auth/session');
  assert.deepEqual(['person.name', 'organizations.0.role'].map(account.at), ['Bob', 'reader']);
  const user = `/organization/users/${account.at('person.id')}`;

  assert.equal((await owner.post(user, { role: 'owner' })).status, 200);
  const earlier = bob.cookie;
  assert.equal((await bob.post('/organization/projects', { name: 'mine' })).status, 200);
  assert.notEqual(bob.cookie, earlier, 'whoever may more gets another secret');
  assert.equal((await owner.delete(user)).status, 200);
  assert.equal((await bob.get('/auth/session')).status, 401, 'a removed member’s sessions end at once');
});

test('a person reads what their organization costs and used, as holders of keys of administration do', async () => {
  await using headgate = await startHeadgate();
  const owner = await firstOwner(headgate);
  const since = Math.floor(Date.now() / 1000) - 86_400;
  for (const what of ['costs', 'usage/completions', 'usage/embeddings', 'usage/images']) {
    const { status, json } = await owner.get(`/organization/${what}?start_time=${since}&group_by[]=project_id`);
    assert.equal(status, 200, what);
    assert.equal((json as { object: string }).object, 'page');
  }
});
