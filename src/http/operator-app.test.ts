import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { OperatorRequest } from '../core/operator.ts';
import type { ApiReply, ApiRequest } from './api-request.ts';
import { OperatorApp } from './operator-app.ts';

const clock = { now: () => 0, monotonic: () => 0 };
const asked: OperatorRequest = { method: 'GET', path: '/', body: '', organizationId: 'acme' };

function appWith(...urls: string[]) {
  const app = new OperatorApp({ clock, ids: { requestId: () => 'req_1' } });
  for (const url of urls) {
    const handler = async ({ params, query, body, operator }: ApiRequest, reply: ApiReply) =>
      reply.send(JSON.stringify({ url, params, query, body: (body as Buffer | undefined)?.toString(), operator }));
    app.route({ method: 'GET', url, config: {}, handler });
  }
  return app;
}

async function answerOf(app: OperatorApp, path: string, more: Partial<OperatorRequest> = {}) {
  const { status, body } = await app.ask({ ...asked, path, ...more });
  return { status, json: JSON.parse(body) as Record<string, unknown> };
}

test('names and queries are decoded, and the handler learns that the operator asks', async () => {
  const { status, json } = await answerOf(appWith('/v1/a/:id/b/:name'), '/v1/a/x%2Fy/b/z?q=1&many=1&many=2', {
    body: '{}',
  });
  assert.equal(status, 200);
  assert.deepEqual(json.params, { id: 'x/y', name: 'z' });
  assert.deepEqual(json.query, { q: '1', many: ['1', '2'] });
  assert.deepEqual([json.body, json.operator], ['{}', { organizationId: 'acme' }]);
});

test('a word of a path takes precedence over a name, wherever they were registered', async () => {
  for (const urls of [
    ['/v1/a/:id', '/v1/a/test'],
    ['/v1/a/test', '/v1/a/:id'],
  ]) {
    assert.equal((await answerOf(appWith(...urls), '/v1/a/test')).json.url, '/v1/a/test');
    assert.equal((await answerOf(appWith(...urls), '/v1/a/other')).json.url, '/v1/a/:id');
  }
});

test('a path that nothing is at, or that is not encoded correctly, is a 404', async () => {
  for (const path of ['/v1/b', '/v1/a', '/v1/a/', '/v1/a/%E0%A4%A']) {
    assert.equal((await answerOf(appWith('/v1/a/:id'), path)).status, 404, path);
  }
});

test('a refusal is answered with its member, and a fault is thrown', async () => {
  const app = appWith();
  const refuse = (kind: 'conflict' | 'internal') => async () => {
    throw new GatewayError(kind, 'No.', { param: 'name' });
  };
  app.route({ method: 'GET', url: '/v1/taken', config: {}, handler: refuse('conflict') });
  app.route({ method: 'GET', url: '/v1/broken', config: {}, handler: refuse('internal') });
  const { status, json } = await answerOf(app, '/v1/taken');
  const { message, param } = json.error as { message: string; param: string };
  assert.deepEqual([status, message, param], [409, 'No.', 'name']);
  await assert.rejects(app.ask({ ...asked, path: '/v1/broken' }), GatewayError);
});
