import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKind, GatewayError } from '../../core/errors.ts';
import { readVendorError } from '../vendor-errors.ts';
import { errorBody, errorFrame } from './errors.ts';

test('an error has the type of its status', () => {
  const expected: readonly [ErrorKind, number | undefined, string][] = [
    ['invalid_request', undefined, 'invalid_request_error'],
    ['missing_api_key', undefined, 'authentication_error'],
    ['upstream_rejected', 402, 'billing_error'],
    ['model_not_allowed', undefined, 'permission_error'],
    ['model_not_found', undefined, 'not_found_error'],
    ['method_not_allowed', undefined, 'invalid_request_error'],
    ['body_too_large', undefined, 'request_too_large'],
    ['rate_limit_exceeded', undefined, 'rate_limit_error'],
    ['internal', undefined, 'api_error'],
    ['upstream_unauthorized', undefined, 'api_error'],
    ['overloaded', undefined, 'overloaded_error'],
    ['provider_busy', undefined, 'overloaded_error'],
    ['no_target_available', undefined, 'overloaded_error'],
    ['upstream_timeout', undefined, 'timeout_error'],
    ['upstream_error', 529, 'overloaded_error'],
  ];
  for (const [kind, status, type] of expected) {
    const body = errorBody(new GatewayError(kind, 'Why.', status === undefined ? {} : { status }), 'req_1');
    assert.equal(body, JSON.stringify({ type: 'error', error: { type, message: 'Why.' }, request_id: 'req_1' }));
  }
});

test('a prompt that is too long is told in the words by which agents know it', () => {
  const told = (message: string, code: string) => {
    const error = new GatewayError('upstream_rejected', message, { code });
    return (JSON.parse(errorBody(error, null)) as { error: { message: string } }).error.message;
  };
  assert.equal(told('Your input exceeds it.', 'context_length_exceeded'), 'Prompt is too long: Your input exceeds it.');
  assert.equal(told('Your input exceeds it.', 'other'), 'Your input exceeds it.');
  const anthropic = 'prompt is too long: 200001 tokens > 200000 maximum';
  assert.equal(told(anthropic, 'context_length_exceeded'), anthropic);
  const vllm = "This model's maximum context length is 8 tokens. However, you requested 9 tokens.";
  const error = readVendorError(400, {}, JSON.stringify({ object: 'error', message: vllm, code: 400 }));
  assert.equal(told(error.message, error.code ?? ''), `Prompt is too long: ${vllm}`);
});

test('Anthropic’s own errors are read: status, words and wait', () => {
  const body = (type: string, message: string) => JSON.stringify({ type: 'error', error: { type, message } });
  const limited = readVendorError(429, { 'retry-after': '7' }, body('rate_limit_error', 'Slow down.'));
  assert.deepEqual(
    [limited.kind, limited.status, limited.message, limited.retryAfterMs],
    ['upstream_rate_limited', 429, 'Slow down.', 7000],
  );
  const overloaded = readVendorError(529, {}, body('overloaded_error', 'Overloaded'));
  assert.deepEqual([overloaded.status, overloaded.retryable], [529, true]);
  for (const status of [401, 402, 403]) {
    const error = readVendorError(status, {}, body('authentication_error', 'invalid x-api-key'));
    assert.deepEqual([error.kind, error.status], ['upstream_unauthorized', 502]);
  }
  const long = readVendorError(400, {}, body('invalid_request_error', 'prompt is too long: 2 tokens > 1 maximum'));
  assert.equal(long.code, 'context_length_exceeded');
});

test('an error in a stream is one frame with a name', () => {
  assert.equal(
    errorFrame(new GatewayError('upstream_disconnected', 'Cut.')),
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Cut."},"request_id":null}\n\n',
  );
});
