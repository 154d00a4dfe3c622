import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ask } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

const { key } = server;
const ACCEPTED: readonly [how: string, headers: Record<string, string>][] = [
  ['as a bearer', { authorization: `Bearer ${key}` }],
  ['as a bearer in lower case', { authorization: `bearer ${key}` }],
  ['as a bearer with more spaces', { authorization: `Bearer   ${key}` }],
  ['as x-api-key alone', { 'x-api-key': key }],
  ['as both, the same', { authorization: `Bearer ${key}`, 'x-api-key': key }],
  ['as x-api-key beside an empty bearer', { authorization: 'Bearer ', 'x-api-key': key }],
];

for (const [how, headers] of ACCEPTED) {
  test(`a key is taken ${how}`, async () => {
    const answer = await ask(`${server.url}/v1/models`, { headers });
    assert.equal(answer.status, 200, answer.text);
  });
}

test('a key that was just made works at once', async () => {
  const made = await server.createKey();
  assert.equal((await ask(`${server.url}/v1/models`, { key: made.key })).status, 200);
});

test('what is open needs no key, and looks at none', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
    assert.equal((await ask(`${server.url}${path}`)).status, 200, path);
    assert.equal((await ask(`${server.url}${path}`, { key: 'wrong' })).status, 200, path);
  }
});
