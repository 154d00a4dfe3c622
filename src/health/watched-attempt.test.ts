import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_KINDS, type ErrorKind, GatewayError } from '../core/errors.ts';
import { blameOf } from './watched-attempt.ts';

test('what never came, broke, was late, was cut, was refused for load or was the vendor’s fault is the target’s', () => {
  const blamed = (Object.keys(ERROR_KINDS) as ErrorKind[]).filter(
    (kind) => blameOf(new GatewayError(kind, 'x')) === 'target',
  );
  assert.deepEqual(blamed, [
    'upstream_rate_limited',
    'upstream_account_empty',
    'upstream_error',
    'upstream_unreachable',
    'upstream_disconnected',
    'upstream_invalid_answer',
    'upstream_timeout',
  ]);
  assert.equal(blameOf(new GatewayError('upstream_error', 'x', { status: 451 })), 'nobody');
});

test('a refused credential is the credential’s; all else is nobody’s', () => {
  assert.equal(blameOf(new GatewayError('upstream_unauthorized', 'x', { status: 402 })), 'credential');
  for (const kind of ['upstream_rejected', 'client_closed_request', 'internal', 'storage_unavailable'] as const) {
    assert.equal(blameOf(new GatewayError(kind, 'x')), 'nobody');
  }
});
