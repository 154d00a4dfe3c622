import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Anthropic, { NotFoundError } from '@anthropic-ai/sdk';
import { rejection } from '../sdk/lab.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask, errorOf } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

const PATHS = [
  '/v1',
  '/v1/',
  '/v2/models',
  '/v1/chat',
  '/v1/chat/completions/x',
  '/V1/models',
  '//v1/models',
  '/v1/usages',
];

for (const path of PATHS) {
  test(`${path}: OpenAI’s body, with all that is served`, async () => {
    const answer = await ask(`${server.url}${path}`, { key: server.key });
    assert.equal(answer.status, 404);
    const { message, ...rest } = errorOf(answer);
    assert.deepEqual(rest, { type: 'invalid_request_error', param: null, code: 'not_found' });
    for (const served of ['POST /v1/chat/completions', 'GET /v1/models/{id}', 'GET /v1/usage', 'GET /openapi.json']) {
      assert.ok(String(message).includes(served), String(message));
    }
  });
}

test('a known path without /v1 is told with it', async () => {
  for (const [method, path] of [
    ['POST', '/chat/completions'],
    ['POST', '/embeddings'],
    ['GET', '/models'],
    ['GET', '/models/echo'],
    ['GET', '/models/catalog'],
    ['GET', '/usage'],
  ] as const) {
    const answer = await ask(`${server.url}${path}`, { method });
    assert.equal(answer.status, 404);
    assert.ok(String(errorOf(answer).message).includes(`Did you mean ${method} /v1${path}?`), answer.text);
  }
});

test('below Anthropic’s messages it is told as Anthropic tells it, and so is a method that they do not answer', async () => {
  const client = new Anthropic({ baseURL: server.url, apiKey: server.key, maxRetries: 0 });
  const error = await rejection<NotFoundError>(client.messages.batches.retrieve('msgbatch_1'), NotFoundError);
  assert.equal(error.type, 'not_found_error');
  assert.match(error.requestID ?? '', /^req_/);
  const { status, json } = await ask(`${server.url}/v1/messages`, { method: 'GET', key: server.key });
  assert.deepEqual([status, (json as { type?: unknown }).type], [405, 'error']);
});

test('a client that says that it is Anthropic’s is told so at every path', async () => {
  const client = new Anthropic({ baseURL: server.url, apiKey: server.key, maxRetries: 0 });
  const error = await rejection<NotFoundError>(client.beta.files.list(), NotFoundError);
  assert.equal(error.type, 'not_found_error');
  assert.match(error.requestID ?? '', /^req_/);
});

test('nobody has to send a key or a body, or a body of the right kind, to hear it', async () => {
  const answer = await ask(`${server.url}/nothing`, { body: 'x', headers: { 'content-type': 'text/plain' } });
  assert.deepEqual([answer.status, errorOf(answer).code], [404, 'not_found']);
});
