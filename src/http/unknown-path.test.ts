import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodsOf, unknownPath } from './unknown-path.ts';

const ROUTES = [
  { method: 'POST', path: '/v1/chat' },
  { method: 'GET', path: '/v1/models/catalog' },
  { method: 'GET', path: '/v1/models' },
  { method: 'GET', path: '/v1/models/*' },
  { method: 'POST', path: '/v1/routes/*/explain' },
  { method: 'GET', path: '/healthz' },
];

test('the methods of a path are told once each, whatever follows it', () => {
  for (const [url, methods] of [
    ['/v1/chat', ['POST']],
    ['/v1/chat/', ['POST']],
    ['/v1/chat?a=/b', ['POST']],
    ['/v1/models/catalog', ['GET']],
    ['/v1/models/a/b', ['GET']],
    ['/v1/models/', ['GET']],
    ['/v1/routes/a/b/explain', ['POST']],
    ['/v1/routes//explain', []],
    ['/v1/routes/a/b', []],
    ['/v1/chats', []],
    ['/', []],
    ['', []],
  ] as const) {
    assert.deepEqual(methodsOf(ROUTES, url), methods, url);
  }
});

test('the wrong method is a 405 that names the right one', () => {
  const error = unknownPath(ROUTES, 'GET', '/v1/chat?x=1');
  assert.deepEqual([error.kind, error.message], ['method_not_allowed', '/v1/chat answers POST, not GET.']);
});

test('a path without /v1 is a 404 that says what was meant, with all that exists', () => {
  const error = unknownPath(ROUTES, 'POST', '/chat');
  assert.equal(error.kind, 'not_found');
  assert.match(error.message, /^There is nothing at POST \/chat\. Did you mean POST \/v1\/chat\? /);
  assert.match(
    error.message,
    /serves POST \/v1\/chat, GET .*GET \/v1\/models\/\{id\}, POST \/v1\/routes\/\{id\}\/explain, GET \/healthz\.$/,
  );
});

test('a path with /v1 twice is one that a client has added to an address that had it', () => {
  assert.match(unknownPath(ROUTES, 'POST', '/v1/v1/chat').message, /Did you mean POST \/v1\/chat\? /);
  assert.match(unknownPath(ROUTES, 'GET', '/v1/v1/v1/models?x=1').message, /Did you mean GET \/v1\/models\? /);
  assert.doesNotMatch(unknownPath(ROUTES, 'POST', '/v1/v1/nothing').message, /Did you mean/);
});

test('a path of any length is quoted in part', () => {
  assert.ok(unknownPath(ROUTES, 'GET', `/${'x'.repeat(100_000)}`).message.length < 500);
});
