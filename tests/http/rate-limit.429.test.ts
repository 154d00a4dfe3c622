import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { type Answer, ask, errorOf } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

const chat = (key: string, fields: object = {}) =>
  ask(`${server.url}/v1/chat/completions`, {
    key,
    body: { model: 'echo', messages: [{ role: 'user', content: 'Hi' }], ...fields },
  });

test('a key with two requests a minute: the third is told when to come back', async () => {
  const { key } = await server.createKey('--requests-per-minute', '2');
  const [first, second, third] = [await chat(key), await chat(key), await chat(key)];
  assert.deepEqual([first.status, second.status, third.status], [200, 200, 429]);
  assert.deepEqual(
    [first, second, third].map((answer) => [limitOf(answer, 'limit-requests'), limitOf(answer, 'remaining-requests')]),
    [
      ['2', '1'],
      ['2', '0'],
      ['2', '0'],
    ],
  );
  assert.deepEqual(
    { ...errorOf(third), message: '' },
    { message: '', type: 'requests', param: null, code: 'rate_limit_exceeded' },
  );
  assertRetry(third);
  assert.match(limitOf(third, 'reset-requests') ?? '', /^(\d+(\.\d+)?s|1m0s)$/);
});

test('a stream is refused in the same way, before it begins', async () => {
  const { key } = await server.createKey('--requests-per-minute', '1');
  assert.equal((await chat(key)).status, 200);
  const refused = await chat(key, { stream: true });
  assert.equal(refused.status, 429);
  assertRetry(refused);
});

test('a key that may make no request may not ask what there is either, nor what it used', async () => {
  const { key } = await server.createKey('--requests-per-minute', '1');
  await chat(key);
  for (const path of ['/v1/models', '/v1/models/catalog', '/v1/usage']) {
    assert.equal((await ask(`${server.url}${path}`, { key })).status, 429);
  }
});

test('a key over its tokens waits; one that needs more than a minute has is told not to send it again', async () => {
  const { key } = await server.createKey('--tokens-per-minute', '100');
  assert.equal((await chat(key, { max_tokens: 60 })).status, 200);
  const over = await chat(key, { max_tokens: 80 });
  assert.deepEqual([over.status, errorOf(over).type, errorOf(over).code], [429, 'tokens', 'rate_limit_exceeded']);
  assertRetry(over);
  const never = await chat(key, { max_tokens: 101 });
  assert.deepEqual([never.status, errorOf(never).type], [429, 'tokens']);
  assert.equal(never.headers.get('x-should-retry'), 'false');
  assert.deepEqual([never.headers.get('retry-after'), never.headers.get('retry-after-ms')], ['60', '60000']);
});

test('one key’s limit is not another’s', async () => {
  const [one, other] = await Promise.all([
    server.createKey('--requests-per-minute', '1'),
    server.createKey('--requests-per-minute', '1'),
  ]);
  assert.deepEqual([(await chat(one.key)).status, (await chat(one.key)).status], [200, 429]);
  assert.equal((await chat(other.key)).status, 200);
});

function assertRetry({ headers }: Answer): void {
  const ms = Number(headers.get('retry-after-ms'));
  assert.ok(ms > 0 && ms <= 60_000, String(ms));
  assert.equal(headers.get('retry-after'), String(Math.ceil(ms / 1000)));
  assert.equal(headers.get('x-should-retry'), 'true');
}

function limitOf({ headers }: Answer, name: string): string | null {
  return headers.get(`x-ratelimit-${name}`);
}
