import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ask, errorOf } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

for (const [query, param] of [
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=abc', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=1e1', 'limit'],
  ['limit=%2010', 'limit'],
  ['limit=99999999999999999999', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['after=nonsense', 'after'],
  ['after=usage_01M7YZR4KD6NV870PX017W594F', 'after'],
  ['after=a&after=b', 'after'],
  ['model=a&model=b', 'model'],
] as const) {
  test(`${query} is refused, and named`, async () => {
    const answer = await ask(`${server.url}/v1/usage?${query}`, { key: server.key });
    assert.equal(answer.status, 400, answer.text);
    const { message, ...rest } = errorOf(answer);
    assert.deepEqual(rest, { type: 'invalid_request_error', param, code: 'invalid_value' });
    assert.ok(String(message).includes(`\`${param}\``), String(message));
  });
}
