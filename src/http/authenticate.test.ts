import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Caller, KeyChecker } from '../core/ports.ts';
import { authenticate, type RequestHead, readRequestHead } from './authenticate.ts';

describe('a head', () => {
  const read = (headers: readonly string[], httpVersion = '1.1') =>
    readRequestHead({ rawHeaders: [...headers], httpVersion });
  const NOTHING: RequestHead = { authorization: null, apiKey: null, clientRequestId: null, hasCookie: false };

  test('is read whatever the case of its names', () => {
    assert.deepEqual(read(['Host', 'a', 'AUTHORIZATION', 'Bearer x', 'X-Api-Key', 'y', 'X-Request-ID', 'mine']), {
      authorization: 'Bearer x',
      apiKey: 'y',
      clientRequestId: 'mine',
      hasCookie: false,
    });
    assert.deepEqual(read(['host', 'a', 'accept', '*/*', 'some', 'x', 'x-other-header', 'z']), NOTHING);
  });

  test('may have Host, Authorization and x-api-key once', () => {
    for (const name of ['Host', 'Authorization', 'x-api-key']) {
      const refusal = read(['host', 'a', 'authorization', 'x', 'x-api-key', 'y', name.toUpperCase(), 'again']);
      assert.ok(refusal instanceof GatewayError);
      assert.equal(refusal.kind, 'invalid_http');
      assert.match(refusal.message, new RegExp(name));
    }
  });

  test('must have Host, but for HTTP 1.0', () => {
    assert.ok(read(['accept', '*/*']) instanceof GatewayError);
    assert.deepEqual(read(['accept', '*/*'], '1.0'), NOTHING);
  });

  test('keeps the caller’s own request id only where it can stand in a record', () => {
    const keptOf = (id: string) => (read(['host', 'a', 'x-request-id', id]) as RequestHead).clientRequestId;
    for (const id of ['a', 'trace/1:2', '~'.repeat(128)]) assert.equal(keptOf(id), id);
    for (const id of ['', 'two words', 'é', 'x'.repeat(129), 'tab\t']) assert.equal(keptOf(id), null, id);
  });
});

describe('who calls', () => {
  const CALLER = {} as Caller;
  const asked: string[] = [];
  const keys: KeyChecker = {
    check: (secret) => {
      asked.push(secret);
      return CALLER;
    },
    again: () => assert.fail(),
    version: 0,
  };
  const who = (authorization: string | null, apiKey: string | null = null) =>
    authenticate({ authorization, apiKey, clientRequestId: null, hasCookie: false }, keys);

  test('is told by the bearer, the x-api-key, or both if they agree', () => {
    for (const [authorization, apiKey] of [
      ['Bearer k', null],
      ['bearer k', null],
      ['  Bearer   k  ', null],
      ['k', null],
      [null, 'k'],
      ['', 'k'],
      ['Bearer ', 'k'],
      ['Bearer k', 'k'],
    ] as const) {
      asked.length = 0;
      assert.equal(who(authorization, apiKey), CALLER);
      assert.deepEqual(asked, ['k'], String(authorization));
    }
  });

  test('is not told by a key of another scheme', () => {
    asked.length = 0;
    void who('Basic k');
    assert.deepEqual(asked, ['Basic k']);
  });

  test('is unknown without a key, and where two keys differ', () => {
    const refused = (authorization: string | null, apiKey: string | null, kind: ErrorKind) =>
      assert.throws(
        () => who(authorization, apiKey),
        (error) => error instanceof GatewayError && error.kind === kind,
      );
    refused(null, null, 'missing_api_key');
    refused('', '', 'missing_api_key');
    refused('Bearer', null, 'missing_api_key');
    refused('Bearer k', 'other', 'invalid_api_key');
    refused('Basic k', 'k', 'invalid_api_key');
  });
});
