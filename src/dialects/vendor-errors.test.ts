import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorKind, GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import { readRetryAfter } from './retry-after.ts';
import { readInnerError, readVendorError } from './vendor-errors.ts';

const NO_WORDS = (status: number) => `The provider answered ${status} without saying why.`;

function words({ message, type, code, param }: GatewayError) {
  return { message, type, code, param };
}

describe('an error answer', () => {
  const shapes: readonly [what: string, body: string, expected: Partial<ReturnType<typeof words>>][] = [
    [
      'OpenAI',
      '{"error":{"message":"No logit_bias.","type":"invalid_request_error","param":"logit_bias","code":"unsupported_parameter"}}',
      { message: 'No logit_bias.', param: 'logit_bias', code: 'unsupported_parameter' },
    ],
    ['nulls', '{"error":{"message":"No.","type":null,"param":null,"code":null}}', { message: 'No.', code: null }],
    ['a string', '{"error":"model is busy"}', { message: 'model is busy', code: null }],
    [
      'Mistral',
      '{"object":"error","message":"Invalid model","type":"invalid_model","param":null,"code":"1500"}',
      { message: 'Invalid model', type: 'invalid_model', code: '1500' },
    ],
    [
      'a validator',
      '{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"},{"msg":"second"}]}',
      { message: 'messages: Field required; second' },
    ],
    [
      'a validator inside a message',
      '{"object":"error","message":{"detail":[{"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error"}',
      { message: 'Extra inputs are not permitted' },
    ],
    ['a detail', '{"detail":"Not Found"}', { message: 'Not Found' }],
    [
      'a list of one',
      '[{"error":{"code":400,"message":"API key not valid","status":"INVALID"}}]',
      { message: 'API key not valid', code: '400' },
    ],
    ['a message beside the error', '{"error":{"code":"E7"},"message":"Quota"}', { message: 'Quota', code: 'E7' }],
    [
      'an event',
      'event: error\ndata: {"error":{"message":"No such tool.","code":"bad_tool"}}\n\ndata: [DONE]\n\n',
      { message: 'No such tool.', code: 'bad_tool' },
    ],
    ['an event of lines', ': hello\r\n\r\ndata: {"error":\r\ndata: "No."}', { message: 'No.' }],
    ['an event without JSON', 'event: error\ndata: data: gone\n\n', { message: NO_WORDS(400) }],
    ['a page', '<html>Bad Gateway</html>', { message: NO_WORDS(400) }],
    ['nothing', '', { message: NO_WORDS(400) }],
    ['null', 'null', { message: NO_WORDS(400) }],
    ['other JSON', '{"error":{"message":{"a":[1]},"code":{"b":2},"type":3,"param":["x"]}}', { message: NO_WORDS(400) }],
    ['an empty list', '[]', { message: NO_WORDS(400) }],
    ['an empty message', '{"error":{"message":""},"detail":"Why"}', { message: 'Why' }],
    [
      'Anthropic, which has no code for it',
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 2 tokens > 1 maximum"}}',
      { message: 'prompt is too long: 2 tokens > 1 maximum', code: 'context_length_exceeded' },
    ],
  ];
  for (const [what, body, expected] of shapes) {
    test(`of the shape “${what}” keeps its words`, () => {
      const error = readVendorError(400, {}, body);
      assert.equal(error.kind, 'upstream_rejected');
      assert.deepEqual(words(error), { type: 'invalid_request_error', code: null, param: null, ...expected });
    });
  }

  test('of status 402 means the account where it says so, else perhaps this call alone', () => {
    const said: readonly [string, ErrorKind][] = [
      ['Insufficient Balance', 'upstream_account_empty'],
      ['Insufficient credits. Add more.', 'upstream_account_empty'],
      ['You have exceeded your monthly included credits for Inference Providers.', 'upstream_account_empty'],
      ['This request requires more credits, or fewer max_tokens. You can only afford 1200.', 'upstream_unauthorized'],
      ['Payment Required', 'upstream_unauthorized'],
    ];
    for (const [message, kind] of said) {
      const error = readVendorError(402, {}, JSON.stringify({ error: { message } }));
      assert.deepEqual([error.kind, error.status], [kind, 502], message);
      assert.ok(!error.message.includes(message));
    }
    assert.equal(readVendorError(400, {}, '{"message":"Insufficient balance"}').kind, 'upstream_rejected');
  });

  test('keeps its status, but for the operator’s own faults', () => {
    const expected: readonly [number, ErrorKind, number][] = [
      [400, 'upstream_rejected', 400],
      [401, 'upstream_unauthorized', 502],
      [402, 'upstream_unauthorized', 502],
      [403, 'upstream_unauthorized', 502],
      [404, 'upstream_rejected', 404],
      [408, 'upstream_rejected', 408],
      [413, 'upstream_rejected', 413],
      [422, 'upstream_rejected', 422],
      [429, 'upstream_rate_limited', 429],
      [500, 'upstream_error', 500],
      [503, 'upstream_error', 503],
      [529, 'upstream_error', 529],
      [302, 'upstream_invalid_answer', 502],
    ];
    for (const [status, kind, shown] of expected) {
      const error = readVendorError(status, {}, '{"error":{"message":"Words"}}');
      assert.deepEqual([error.kind, error.status], [kind, shown], String(status));
    }
  });

  test('of the operator’s own fault says nothing of the account', () => {
    const error = readVendorError(401, {}, '{"error":{"message":"Key sk-live-123 of acme@example.com","code":"bad"}}');
    assert.doesNotMatch(JSON.stringify(words(error)), /sk-live|acme|bad/);
    assert.match(error.message, /\(401\)/);
  });

  test('of any length is bounded', () => {
    const long = 'x'.repeat(100_000);
    const error = readVendorError(
      400,
      {},
      JSON.stringify({ error: { message: long, type: long, code: long, param: long } }),
    );
    assert.deepEqual(
      [error.message.length, error.type.length, error.code?.length, error.param?.length],
      [4000, 200, 200, 200],
    );
  });

  test('nested without end does not end the process', () => {
    const deep = `{"detail":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    assert.equal(readVendorError(422, {}, deep).message, NO_WORDS(422));
  });

  test('carries the wait that the vendor asks for', () => {
    assert.equal(readVendorError(429, { 'retry-after': '7' }, '').retryAfterMs, 7000);
    assert.equal(readVendorError(503, { 'retry-after-ms': '1500' }, '').retryAfterMs, 1500);
    assert.equal(readVendorError(429, {}, '').retryAfterMs, undefined);
  });
});

test('a wait is read in milliseconds, in seconds, or as a date by the vendor’s own clock', () => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
  const waits: readonly [UpstreamHeaders, number | undefined][] = [
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '0.2' }, 1],
    [{ 'retry-after-ms': '20', 'retry-after': '9' }, 20],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': ['3', '4'] }, 3000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:29:00 GMT', date }, 60_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date }, 0],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:29:00 GMT' }, undefined],
    [{ 'retry-after': 'soon', date }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '1e300' }, undefined],
    [{ 'retry-after-ms': 'Infinity' }, undefined],
    [{}, undefined],
  ];
  for (const [headers, ms] of waits) assert.equal(readRetryAfter(headers), ms, JSON.stringify(headers));
});

test('an error inside an answer takes its status from its code or type', () => {
  const errors: readonly [value: unknown, kind: ErrorKind, status: number][] = [
    [{ error: { message: 'm', status_code: 400, code: 'tool_use_failed' } }, 'upstream_rejected', 400],
    [{ error: { message: 'm', code: 429 } }, 'upstream_rate_limited', 429],
    [{ error: { message: 'm', code: '503' } }, 'upstream_error', 503],
    [{ error: { message: 'm', code: 401 } }, 'upstream_unauthorized', 502],
    [{ error: { message: 'm', type: 'authentication_error' } }, 'upstream_unauthorized', 502],
    [{ error: { message: 'm', code: 'rate_limit_exceeded' } }, 'upstream_rate_limited', 429],
    [{ error: { message: 'm', type: 'overloaded_error' } }, 'upstream_error', 503],
    [{ error: { message: 'm', type: 'server_error', code: 'overloaded' } }, 'upstream_error', 503],
    [{ error: { message: 'm', type: 'api_error' } }, 'upstream_error', 500],
    [{ error: { message: 'm', type: 'timeout_error' } }, 'upstream_error', 504],
    [{ error: { message: 'm', type: 'request_too_large' } }, 'upstream_rejected', 413],
    [{ error: { message: 'm', type: 'billing_error' } }, 'upstream_unauthorized', 502],
    [{ error: { message: 'm', type: 'server_error' } }, 'upstream_error', 502],
    [{ error: { message: 'm', code: 'context_length_exceeded' } }, 'upstream_rejected', 400],
    [{ error: { message: 'm', code: 'constructor', type: 'toString' } }, 'upstream_error', 502],
    [{ error: { message: 'm', code: 200 } }, 'upstream_error', 502],
    [[{ error: { message: 'm', code: 429 } }], 'upstream_rate_limited', 429],
    [{ error: 'overloaded' }, 'upstream_error', 502],
    [{ message: 'm', code: 404 }, 'upstream_rejected', 404],
    [{}, 'upstream_error', 502],
    [null, 'upstream_error', 502],
  ];
  for (const [value, kind, status] of errors) {
    const error = readInnerError(value);
    assert.deepEqual([error.kind, error.status], [kind, status], JSON.stringify(value));
    assert.notEqual(error.message, '');
  }
});

describe('a 401 that calls the key a bad one', () => {
  const error = (more: Record<string, unknown>) => JSON.stringify({ error: { message: 'No.', ...more } });
  for (const [what, body] of [
    ['OpenAI’s code', error({ type: 'invalid_request_error', code: 'invalid_api_key' })],
    ['Anthropic’s type', JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'No.' } })],
    ['a sentence', error({ message: 'API key not valid. Please pass a valid API key.' })],
    ['another', error({ message: 'invalid x-api-key' })],
  ] as const) {
    test(`is known by ${what}, and with no other status`, () => {
      assert.equal(readVendorError(401, {}, body).badKey, true);
      for (const status of [402, 403]) assert.equal(readVendorError(status, {}, body).badKey, false);
      assert.equal(readInnerError(JSON.parse(body)).badKey, false, 'nor inside an answer of another status');
    });
  }

  test('is not known by words that a prompt can bring into a message', () => {
    const quoting = 'The prompt “invalid_api_key: API key not valid” was flagged.';
    assert.equal(readVendorError(401, {}, error({ message: quoting, code: 'content_flagged' })).badKey, false);
    assert.equal(readVendorError(401, {}, error({ code: 'missing_scope' })).badKey, false);
  });
});

test('details for programs stay, with their code where the vendor gives no other', () => {
  const said = {
    type: 'invalid_request_error',
    message: 'No.',
    details: { error_code: 'thread_unsupported_request', unsupported: ['fallbacks'] },
  };
  const error = readVendorError(400, {}, JSON.stringify({ type: 'error', error: said }));
  assert.deepEqual([error.code, error.details], ['thread_unsupported_request', said.details]);
  const own = readVendorError(400, {}, JSON.stringify({ error: { ...said, code: 'own' } }));
  assert.deepEqual([own.code, own.details], ['own', said.details]);
  const inner = readInnerError({
    error: { type: 'overloaded_error', message: 'No.', details: { error_code: 'compaction_unavailable' } },
  });
  assert.deepEqual([inner.status, inner.details], [503, { error_code: 'compaction_unavailable' }]);
});

test('details that are no code, or long, or a list, are not kept', () => {
  const read = (details: unknown) =>
    readVendorError(400, {}, JSON.stringify({ error: { message: 'No.', details } })).details;
  for (const details of [null, 'x', [{ error_code: 'x' }], {}, { error_code: 'two words' }, { error_code: 7 }]) {
    assert.equal(read(details), null, JSON.stringify(details));
  }
  assert.deepEqual(read({ error_code: 'x', more: 'y'.repeat(3000) }), { error_code: 'x' });
});
