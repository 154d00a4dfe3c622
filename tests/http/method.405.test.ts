import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ask, errorOf } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

for (const [method, path, allowed] of [
  ['GET', '/v1/chat/completions', 'POST'],
  ['PUT', '/v1/embeddings', 'POST'],
  ['POST', '/v1/models', 'GET'],
  ['DELETE', '/v1/models/echo', 'GET'],
  ['POST', '/v1/models/catalog', 'GET'],
  ['PATCH', '/v1/usage', 'GET'],
  ['OPTIONS', '/v1/usage', 'GET'],
  ['PROPFIND', '/v1/usage', 'GET'],
  ['POST', '/healthz', 'GET'],
] as const) {
  test(`${method} ${path} is told that it answers ${allowed}`, async () => {
    const answer = await ask(`${server.url}${path}`, { method, key: server.key });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allowed]);
    assert.deepEqual(errorOf(answer), {
      message: `${path} answers ${allowed}, not ${method}.`,
      type: 'invalid_request_error',
      param: null,
      code: 'method_not_allowed',
    });
  });
}

test('HEAD where only POST is answered gets the head of a 405', async () => {
  const answer = await ask(`${server.url}/v1/embeddings`, { method: 'HEAD', key: server.key });
  assert.deepEqual([answer.status, answer.text, answer.headers.get('allow')], [405, '', 'POST']);
});
