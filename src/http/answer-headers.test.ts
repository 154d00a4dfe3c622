import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_KINDS, type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Caller, LimitState } from '../core/ports.ts';
import { commonHeaders, errorHeaders, type Front, OPENAI_STYLE, type RequestContext } from './answer-headers.ts';

const LIMITS: LimitState = {
  limitRequests: 600,
  limitTokens: 2_000_000,
  remainingRequests: 599,
  remainingTokens: 1_999_000,
  resetRequestsMs: 100,
  resetTokensMs: 360_000,
};

const front: Front = {
  headerPrefix: 'acme',
  keys: { check: () => assert.fail('headers need no key'), again: () => assert.fail(), version: 0 },
  limiter: { reserve: () => assert.fail('headers reserve nothing'), state: () => LIMITS },
  clock: { now: () => 0, monotonic: () => 1234.6 },
  ids: { requestId: () => '', recordId: () => '', token: () => '', keyId: () => '', organizationId: () => '' },
};
const context: RequestContext = {
  requestId: 'req_1',
  style: OPENAI_STYLE,
  clientRequestId: null,
  isPrivate: false,
  startedAt: 1000,
  caller: null,
};
const caller = { key: {}, organization: { id: 'org_é', name: '', createdAt: 0 } } as Caller;

function named(headers: readonly string[]): Record<string, string> {
  assert.equal(headers.length % 2, 0);
  return Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])));
}

test('every answer has an id, a version and a time, under the operator’s word', () => {
  assert.deepEqual(named(commonHeaders(front, context)), {
    'x-request-id': 'req_1',
    'acme-version': 'v1',
    'acme-processing-ms': '235',
  });
});

test('an answer that gives a browser another secret of its session is kept by nobody', () => {
  const headers = named(commonHeaders(front, { ...context, isPrivate: true, setCookie: 'a=b' }));
  assert.deepEqual([headers['set-cookie'], headers['cache-control']], ['a=b', 'no-store']);
});

test('an answer to a known caller has the organization and the six limits, one from a provider says who', () => {
  const served = { provider: 'lab', model: 'm/é', attempts: 2, dropped: ['stop', 'tools.é'], route: null };
  const headers = named(commonHeaders(front, { ...context, caller }, served));
  assert.deepEqual(Object.keys(headers).length, 3 + 7 + 4);
  assert.equal(headers['acme-organization'], 'org_%C3%A9');
  assert.equal(headers['x-ratelimit-limit-requests'], '600');
  assert.equal(headers['x-ratelimit-limit-tokens'], '2000000');
  assert.equal(headers['x-ratelimit-remaining-requests'], '599');
  assert.equal(headers['x-ratelimit-remaining-tokens'], '1999000');
  assert.equal(headers['x-ratelimit-reset-requests'], '100ms');
  assert.equal(headers['x-ratelimit-reset-tokens'], '6m0s');
  assert.deepEqual(
    [headers['acme-provider'], headers['acme-model'], headers['acme-attempts']],
    ['lab', 'm/%C3%A9', '2'],
  );
  assert.equal(headers['acme-dropped'], 'stop, tools.%C3%A9');
  const lossless = named(commonHeaders(front, context, { ...served, dropped: [], route: null }));
  assert.equal(lossless['acme-dropped'], undefined);
  const costOf = (cost: bigint | null) => named(commonHeaders(front, context, { ...served, cost }))['acme-cost-usd'];
  assert.deepEqual([costOf(127_500n), costOf(0n), costOf(null)], ['0.0001275', '0', undefined]);
  const undisclosed = named(commonHeaders(front, context, { ...served, provider: null, model: null }));
  assert.deepEqual(
    [undisclosed['acme-provider'], undisclosed['acme-model'], undisclosed['acme-attempts']],
    [undefined, undefined, '2'],
  );
});

test('a route may give the request’s id a second name', () => {
  const style = { ...OPENAI_STYLE, idHeader: 'request-id' };
  assert.equal(named(commonHeaders(front, { ...context, style }))['request-id'], 'req_1');
  assert.equal(named(commonHeaders(front, context))['request-id'], undefined);
});

test('errors say whether and when to come back', () => {
  const of = (kind: ErrorKind, details = {}) => named(errorHeaders(new GatewayError(kind, '', details)));
  assert.deepEqual(of('invalid_request'), {});
  assert.deepEqual(of('missing_api_key'), { 'www-authenticate': 'Bearer' });
  assert.deepEqual(of('internal'), { 'x-should-retry': 'true' });
  assert.deepEqual(of('upstream_unauthorized'), { 'x-should-retry': 'false' });
  assert.deepEqual(of('insufficient_quota', { retryAfterMs: 86_400_000 }), {
    'retry-after': '86400',
    'retry-after-ms': '86400000',
    'x-should-retry': 'false',
  });
  assert.deepEqual(of('rate_limit_exceeded'), {
    'retry-after': '1',
    'retry-after-ms': '1000',
    'x-should-retry': 'true',
  });
  assert.deepEqual(of('overloaded', { retryAfterMs: 1500.2 }), {
    'retry-after': '2',
    'retry-after-ms': '1501',
    'x-should-retry': 'true',
  });
});

test('every 409, 429 and 5xx says whether to come back, and every 429 when', () => {
  for (const [kind, { status, retryable }] of Object.entries(ERROR_KINDS)) {
    const said = named(errorHeaders(new GatewayError(kind as ErrorKind, '')));
    assert.equal(
      said['x-should-retry'],
      [409, 429].includes(status) || status >= 500 ? String(retryable) : undefined,
      kind,
    );
    for (const name of ['retry-after', 'retry-after-ms']) assert.equal(name in said, status === 429, kind);
  }
});
