import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
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
  ['source=phone', 'source'],
  ['source=product&source=product', 'source'],
  ['product=a&product=b', 'product'],
  ['tool=a&tool=b', 'tool'],
  ['api_key_id=a&api_key_id=b', 'api_key_id'],
  ['start_time=yesterday', 'start_time'],
  ['start_time=-1', 'start_time'],
  ['start_time=1.5', 'start_time'],
  ['start_time=1795262517000000', 'start_time'],
  ['end_time=2026-11-21', 'end_time'],
  ['end_time=1&end_time=2', 'end_time'],
  ['start_time=5&end_time=5', 'end_time'],
  ['start_time=5&end_time=4', 'end_time'],
  ['modle=echo', 'modle'],
  ['model[]=echo', 'model'],
  ['models[]=echo', 'models'],
  ['__proto__[model]=echo', '__proto__'],
] as const) {
  test(`${query} is refused, and named`, async () => {
    const answer = await ask(`${server.url}/v1/usage?${query}`, { key: server.key });
    assert.equal(answer.status, 400, answer.text);
    const { message, ...rest } = errorOf(answer);
    assert.deepEqual(rest, { type: 'invalid_request_error', param, code: 'invalid_value' });
    assert.ok(String(message).includes(`\`${param}\``), String(message));
  });
}

for (const path of ['/v1/usage/summary', '/v1/usage/first_tokens', '/v1/usage/live']) {
  test(`${path}: a filter that is not known is refused, and named`, async () => {
    const { status, json } = await ask(`${server.url}${path}?modle=echo`, { key: server.key });
    assert.deepEqual([status, field(json, 'error', 'param')], [400, 'modle']);
  });
}
