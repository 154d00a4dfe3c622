import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ADA, linkIn, TestBrowser } from './browser.ts';

const ORIGIN = 'https://gate.example.com';
const HOME = '203.0.113.7';
/** Requests of a flood: each is counted by three networks, which were more than 10,000 things. */
const FLOOD = 3_600;
const FLOOD_AT_ONCE = 60;

/** A gateway behind a proxy with TLS that is trusted, and Ada, who has signed in from home. */
async function behindProxy(signIn: string, args: string[] = []): Promise<Running> {
  const server = `server: { host: 127.0.0.1, public_url: "${ORIGIN}", trusted_proxies: [127.0.0.0/8] }`;
  const headgate = await startHeadgate({ config: `${server}\nsign_in: { ${signIn} }`, args });
  const { status } = await new TestBrowser(headgate, ORIGIN).post(
    '/auth/link/open',
    { link: linkIn(headgate.stdout()), ...ADA },
    from(HOME),
  );
  assert.equal(status, 200);
  return headgate;
}

function from(address: string): Record<string, string> {
  return { 'x-forwarded-proto': 'https', 'x-forwarded-for': address, connection: 'close' };
}

async function attempt(headgate: Running, email: string, password: string, address: string): Promise<number> {
  const browser = new TestBrowser(headgate, ORIGIN);
  return (await browser.post('/auth/sign_in/password', { email, password }, from(address))).status;
}

test('an account is tried so many times from all networks together, known or not, and its person comes in from their own', async () => {
  await using headgate = await behindProxy('attempts_per_email: 3', ['--workers', '2']);
  for (const email of [ADA.email, 'nobody@example.com']) {
    const statuses: number[] = [];
    for (let network = 0; network < 5; network += 1)
      statuses.push(await attempt(headgate, email, 'wrong password', `2001:db8:${network}::1`));
    assert.deepEqual(statuses, [401, 401, 401, 429, 429], email);
  }
  assert.equal(await attempt(headgate, ADA.email, ADA.password, '198.51.100.1'), 429, 'from where nobody knows her');
  assert.equal(await attempt(headgate, ADA.email, ADA.password, `${HOME}:4711`), 200, 'from home');
});

test('one address counts as one, however it is written, and the networks of one customer together', async () => {
  await using headgate = await behindProxy('attempts_per_address: 2, attempts_per_email: 1000');
  let person = 0;
  const statusesFrom = async (...addresses: string[]) => {
    const statuses: number[] = [];
    for (const address of addresses)
      statuses.push(await attempt(headgate, `p${++person}@example.com`, 'wrong password', address));
    return statuses;
  };
  const spelled = ['198.51.100.9', '198.51.100.9:55', '::ffff:198.51.100.9', '[::FFFF:c633:6409]:80', '198.51.100.9:1'];
  assert.deepEqual(await statusesFrom(...spelled), [401, 401, 429, 429, 429]);
  const ofOne = ['2001:db8:a:1::1', '[2001:DB8:A:1::2]:55', '2001:0db8:000a:0001::3', '2001:db8:a:1:0::4%eth0'];
  assert.deepEqual(await statusesFrom(...ofOne), [401, 401, 429, 429]);
  const in56 = ['2001:db8:a:2::1', '2001:db8:a:3::1', '2001:db8:a:4::1', '2001:db8:a:100::1'];
  assert.deepEqual(await statusesFrom(...in56), [401, 401, 429, 401]);
  const in48 = ['2001:db8:a:200::1', '2001:db8:a:300::1', '2001:db8:a:400::1', '2001:db8:a:500::1', '2001:db8:b::1'];
  assert.deepEqual(await statusesFrom(...in48), [401, 401, 401, 429, 401]);
  assert.deepEqual(await statusesFrom('unknown', '_hidden', 'nonsense'), [401, 401, 429]);
});

test('a flood from thousands of networks has no guess forgotten', async () => {
  await using headgate = await behindProxy('attempts_per_email: 3');
  const guess = (network: number) => attempt(headgate, ADA.email, 'wrong password', `2001:db8:${network}::1`);
  for (let network = 1; network <= 3; network += 1) assert.equal(await guess(network), 401);
  await flood(headgate);
  assert.equal(await guess(4), 429);
});

/** Links that are none, each from a network of its own: they are counted, and cost no check of a password. */
async function flood({ url }: Running): Promise<void> {
  const headers = (network: number) => ({
    'content-type': 'application/json',
    origin: ORIGIN,
    'x-forwarded-proto': 'https',
    'x-forwarded-for': `2a00:${network.toString(16)}::1`,
  });
  const body = JSON.stringify({ link: 'none' });
  for (let sent = 0; sent < FLOOD; sent += FLOOD_AT_ONCE) {
    const asked = Array.from({ length: FLOOD_AT_ONCE }, async (_, each) => {
      const answer = await fetch(`${url}/v1/auth/link`, { method: 'POST', headers: headers(sent + each), body });
      await answer.arrayBuffer();
      return answer.status;
    });
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([404]));
  }
}

test('an easy password is refused, with the field', async () => {
  await using headgate = await startHeadgate();
  const link = linkIn(headgate.stdout());
  const browser = new TestBrowser(headgate);
  for (const password of [
    'password1234',
    'qwertyuiop12',
    'Headgate2026!',
    'ada@example.com',
    'adaadaadaada',
    'abcdefghijkl',
  ]) {
    const refused = await browser.post('/auth/link/open', { link, ...ADA, password });
    assert.deepEqual([refused.status, refused.at('error.param')], [400, 'password'], password);
  }
  assert.equal((await browser.post('/auth/link/open', { link, ...ADA })).status, 200);
  const changed = await browser.post('/auth/password', { password: 'Password1234' });
  assert.deepEqual([changed.status, changed.at('error.param')], [400, 'password']);
});
