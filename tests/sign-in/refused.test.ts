import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { ADA, firstOwner, linkIn, TestBrowser } from './browser.ts';

const MANY = IS_NIGHTLY ? 10_000 : 500;
const AT_ONCE = 50;

test(`of ${MANY} forged and stale cookies none is accepted`, async () => {
  await using headgate = await startHeadgate();
  const owner = await firstOwner(headgate);
  const valid = owner.cookie!.split('=')[1]!;
  const stale = new TestBrowser(headgate);
  const { email, password } = ADA;
  assert.equal((await stale.post('/auth/sign_in/password', { email, password })).status, 200);
  const ended = stale.cookie!.split('=')[1]!;
  assert.equal((await stale.post('/auth/sign_out')).status, 200);
  const forge = (index: number): string => {
    const place = index % valid.length;
    const bit = String.fromCharCode(valid.charCodeAt(place) ^ 1);
    const kinds = [
      () => randomBytes(32).toString('base64url'),
      () => valid.slice(0, place) + bit + valid.slice(place + 1),
      () => valid.slice(0, place),
      () => `${valid}${'A'.repeat(1 + place)}`,
      () => ended,
      () => `${valid}; __Host-headgate=${randomBytes(32).toString('base64url')}`,
      () => ["' or 1=1 --", '%00', '{}', 'null', '', '-1', '__proto__'][index % 7]!,
    ];
    return kinds[index % kinds.length]!();
  };
  for (let start = 0; start < MANY; start += AT_ONCE) {
    const tried = Array.from({ length: AT_ONCE }, (_, index) => forge(start + index)).filter((each) => each !== valid);
    const statuses = tried.map(async (secret) => {
      const browser = new TestBrowser(headgate);
      browser.cookie = `__Host-headgate=${secret}`;
      const { status } = await browser.get(start % 100 === 0 ? '/organization/projects' : '/auth/session');
      return { secret, status };
    });
    for (const { secret, status } of await Promise.all(statuses)) assert.equal(status, 401, secret);
  }
  assert.equal((await owner.get('/auth/session')).status, 200, 'the true one is');
});

test(`of ${MANY} forged links none is opened, whatever may be tried in a window`, async () => {
  const config = 'sign_in: { attempts_per_address: 1000000, attempts_per_email: 3 }';
  await using headgate = await startHeadgate({ config });
  const link = linkIn(headgate.stdout());
  const secret = link.slice('owner_'.length);
  const forge = (index: number): string =>
    [
      `owner_${randomBytes(32).toString('base64url')}`,
      `owner_${secret.slice(0, index % secret.length)}`,
      secret,
      `org_x.invite_${index}.${randomBytes(32).toString('base64url')}`,
      '..',
      `owner_${secret}=`,
    ][index % 6]!;
  for (let start = 0; start < MANY; start += AT_ONCE) {
    const tried = Array.from({ length: AT_ONCE }, async (_, index) => {
      const { status } = await new TestBrowser(headgate).post('/auth/link/open', {
        link: forge(start + index),
        ...ADA,
      });
      assert.equal(status, 404, forge(start + index));
    });
    await Promise.all(tried);
  }
  const browser = new TestBrowser(headgate);
  assert.equal((await browser.post('/auth/link/open', { link, ...ADA })).status, 200);

  const { email } = ADA;
  const attempts: number[] = [];
  for (let index = 0; index < 5; index += 1)
    attempts.push((await browser.post('/auth/sign_in/password', { email, password: 'wrong password' })).status);
  assert.deepEqual(attempts, [401, 401, 401, 429, 429]);
  const right = await browser.post('/auth/sign_in/password', { email, password: ADA.password });
  assert.equal(right.at('error.code'), 'too_many_attempts', 'also with the right password');
});

test('attempts to sign in are counted over all processes together', async () => {
  await using headgate = await startHeadgate({ args: ['--workers', '4'] });
  await firstOwner(headgate);
  const { email, password } = ADA;
  const tries = 24;
  const attempt = async (word: string) => {
    // A connection of its own: whichever process takes it.
    const headers = { connection: 'close' };
    const body = { email, password: word };
    return (await new TestBrowser(headgate).post('/auth/sign_in/password', body, headers)).status;
  };
  const statuses = await Promise.all(Array.from({ length: tries }, () => attempt('wrong password')));
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, tries - 10);
  assert.equal(await attempt(password), 429, 'also with the right password');
});

test('another origin, or none, changes nothing', async () => {
  await using headgate = await startHeadgate();
  const owner = await firstOwner(headgate);
  for (const origin of [
    'http://evil.example',
    'null',
    headgate.url,
    'https://localhost',
    `${owner.origin}.evil.example`,
  ]) {
    const { status } = await owner.post('/organization/projects', { name: 'theirs' }, { origin });
    assert.equal(status, 403, origin);
  }
  const { status } = await owner.send('POST', '/organization/projects', { name: 'theirs' }, {});
  assert.equal(status, 403, 'no origin');
  const evil = new TestBrowser(headgate, 'http://evil.example');
  const { email, password } = ADA;
  assert.equal((await evil.post('/auth/sign_in/password', { email, password })).status, 403);
  assert.equal((await owner.get('/organization/projects')).each('name').length, 1);
});

test('behind a trusted proxy with TLS people sign in, and without nobody gets a cookie, and is told why', async () => {
  const server = 'host: 127.0.0.1, public_url: "https://gate.example.com"';
  const origin = 'https://gate.example.com';
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '6.6.6.6, 203.0.113.7' };
  await using untrusting = await startHeadgate({ config: `server: { ${server} }` });
  const refused = await new TestBrowser(untrusting, origin).post('/auth/sign_in/passkey/options', {}, forwarded);
  assert.equal(refused.status, 403);
  assert.match(String(refused.at('error.message')), /server\.trusted_proxies/);

  await using headgate = await startHeadgate({ config: `server: { ${server}, trusted_proxies: [127.0.0.0/8] }` });
  const browser = new TestBrowser(headgate, origin);
  const link = linkIn(headgate.stdout());
  assert.match(headgate.stdout(), /https:\/\/gate\.example\.com\/welcome#/);
  assert.match(String((await browser.post('/auth/link', { link })).at('error.message')), /X-Forwarded-Proto/);
  assert.equal((await browser.post('/auth/link/open', { link, ...ADA }, forwarded)).status, 200);
  const sessions = await browser.get('/organization/sessions', forwarded);
  assert.deepEqual(sessions.each('ip_address'), ['203.0.113.7']);
});

test('what is grave wants a recent sign-in, and a session that is not used ends', async () => {
  const config = (more: string) => `sign_in: { ${more} }`;
  await using headgate = await startHeadgate({ config: config('recent: 10m') });
  const owner = await firstOwner(headgate);
  assert.equal((await owner.post('/organization/admin_api_keys', { name: 'robot' })).status, 200);
  const storedAt = Date.now() - 11 * 60_000;
  await movedBack(headgate.data, storedAt);
  const refused = await owner.post('/organization/admin_api_keys', { name: 'robot' });
  assert.deepEqual([refused.status, refused.at('error.code')], [403, 'recent_sign_in_required']);
  assert.equal((await owner.post('/organization/projects', { name: 'no grave thing' })).status, 200);
  const { email, password } = ADA;
  assert.equal((await owner.post('/auth/sign_in/password', { email, password })).status, 200);
  assert.equal((await owner.post('/organization/admin_api_keys', { name: 'robot' })).status, 200);
  await movedBack(headgate.data, Date.now() - 25 * 3_600_000);
  assert.equal((await owner.get('/auth/session')).status, 401);
});

/** As if all sessions had begun, and were last used, then. */
async function movedBack(folder: string, at: number): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 5000 });
  database.prepare('update sessions set signed_in_at = ?, seen_at = ?').run(at, at);
  database.close();
}

test('no secret of anybody who signs in is in the log, or in what is kept', async () => {
  await using headgate = await startHeadgate({ env: { HEADGATE_LOG_LEVEL: 'trace' } });
  const link = linkIn(headgate.stdout());
  const owner = await firstOwner(headgate);
  const invited = await owner.post('/organization/invites', { email: 'bob@example.com', role: 'reader' });
  const secrets = [
    link.slice('owner_'.length),
    owner.cookie!.split('=')[1]!,
    ADA.password,
    String(invited.at('invite_token')).split('.')[2]!,
  ];
  await headgate.stop();
  const kept = readdirSync(headgate.data).map((name) => readFileSync(join(headgate.data, name), 'latin1'));
  for (const secret of secrets) {
    for (const text of [...kept, headgate.stderr()]) assert.ok(!text.includes(secret), 'a secret was kept');
  }
});
