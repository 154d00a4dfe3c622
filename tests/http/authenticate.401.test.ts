import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';
import { type Answer, ask, errorOf, type Sent } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

/** A revoked key is refused within a second; the rest is for a machine that is busy. */
/** In form and checksum a key, but never made here. */
const UNKNOWN_KEY = `hg_live_${'A'.repeat(43)}`;

const models = (sent: Sent) => ask(`${server.url}/v1/models`, sent);

function assertRefused(answer: Answer, code: string): void {
  assert.equal(answer.status, 401, answer.text);
  assert.deepEqual(
    { ...errorOf(answer), message: '' },
    { message: '', type: 'invalid_request_error', param: null, code },
  );
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  assert.equal(answer.headers.get('service-organization'), null);
  assert.equal(answer.headers.get('x-ratelimit-limit-requests'), null);
}

test('no key', async () => {
  for (const headers of [{}, { authorization: '' }, { authorization: 'Bearer' }, { 'x-api-key': '' }]) {
    assertRefused(await models({ headers }), 'missing_api_key');
  }
});

test('a key that is malformed, has a wrong checksum, or was never made: nobody can tell which', async () => {
  const flipped = `${server.key.slice(0, -1)}${server.key.endsWith('0') ? '1' : '0'}`;
  const keys = [
    'x',
    'sk-proj-1234',
    `${UNKNOWN_KEY}000000`,
    flipped,
    `${server.key} x`,
    server.key.toLowerCase(),
    `Basic ${server.key}`,
  ];
  const answers = await Promise.all([
    ...keys.map((key) => models({ key })),
    models({ headers: { authorization: `Basic ${server.key}` } }),
    models({ headers: { 'x-api-key': 'x' } }),
    models({ key: await forgedKey() }),
  ]);
  for (const answer of answers) {
    assertRefused(answer, 'invalid_api_key');
    assert.equal(answer.text, answers[0]?.text);
    assert.deepEqual(namesOf(answer), namesOf(answers[0]!));
  }
});

test('a bearer and an x-api-key that differ, though both are good', async () => {
  const other = await server.createKey();
  assertRefused(await models({ key: server.key, headers: { 'x-api-key': other.key } }), 'invalid_api_key');
  assertRefused(await models({ key: server.key, headers: { 'x-api-key': 'x' } }), 'invalid_api_key');
});

test('a revoked key, told only to who holds the whole secret', async () => {
  const { id, key } = await server.createKey('--requests-per-minute', '1000000');
  assert.equal((await models({ key })).status, 200);
  assert.equal((await server.command('keys', 'revoke', id)).code, 0);
  const refused = await refusedAtLast(key);
  assertRefused(refused, 'revoked_api_key');
  assertRefused(await models({ key: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` }), 'invalid_api_key');
});

test('an expired key', async () => {
  const { key } = await server.createKey('--expires', '5s', '--requests-per-minute', '1000000');
  assertRefused(await refusedAtLast(key), 'expired_api_key');
});

test('a path that is written in another way needs its key all the same', async () => {
  for (const path of ['/%761/models', '/v1/%6dodels', '/v%31/usage', '/%76%31/models/catalog']) {
    assertRefused(await ask(`${server.url}${path}`), 'missing_api_key');
    assert.equal((await ask(`${server.url}${path}`, { key: server.key })).status, 200, path);
  }
});

test('the key is asked for before the body is looked at', async () => {
  assertRefused(await ask(`${server.url}/v1/chat/completions`, { body: '{' }), 'missing_api_key');
});

/** Asks until the key is refused. */
async function refusedAtLast(key: string): Promise<Answer> {
  const deadline = performance.now() + WAIT_MS;
  let answer = await models({ key });
  while (answer.status === 200 && performance.now() < deadline) answer = await models({ key });
  return answer;
}

/** A key of another gateway: its checksum is right, and it is unknown here. */
async function forgedKey(): Promise<string> {
  await using other = await startHeadgate();
  return other.key;
}

function namesOf({ headers }: Answer): string[] {
  return [...headers.keys()].filter((name) => name !== 'connection' && name !== 'keep-alive').sort();
}
