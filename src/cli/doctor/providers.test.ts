import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKind, GatewayError } from '../../core/errors.ts';
import type { Probe } from '../toolbox.ts';
import { checkProvider, checkProviders } from './providers.ts';

function probe(result: Probe['result'], hasKey = true): Probe {
  return { provider: 'openai', hasKey, result, tookMs: 12.4, clockAheadMs: null };
}

function failed(kind: ErrorKind, cause?: Error): Probe['result'] {
  return { error: new GatewayError(kind, 'It said so.', { cause }) };
}

test('an answer is good, with how much and how fast', () => {
  const message = 'answers: 2 models in 12 ms';
  assert.deepEqual(checkProvider(probe({ models: 2 })), { name: 'provider openai', status: 'ok', message });
});

test('a refused key and one that is missing are told apart', () => {
  assert.match(checkProvider(probe(failed('upstream_unauthorized'))).message, /^refuses the key/);
  assert.match(checkProvider(probe(failed('upstream_unauthorized'), false)).message, /^wants a key, and none is set/);
});

test('a provider that is not there fails, with the system’s word for it', () => {
  const cause = Object.assign(new Error('connect with secrets'), { code: 'ECONNREFUSED' });
  const { status, message } = checkProvider(probe(failed('upstream_unreachable', cause)));
  assert.equal(status, 'fail');
  assert.equal(message, 'cannot be reached: It said so. (ECONNREFUSED)');
});

test('one that answers something else may work all the same', () => {
  assert.equal(checkProvider(probe(failed('upstream_error'))).status, 'warn');
  assert.equal(checkProvider(probe(failed('upstream_invalid_answer'))).status, 'warn');
});

test('no provider at all is a warning', () => {
  assert.deepEqual(
    checkProviders([]).map(({ status }) => status),
    ['warn'],
  );
});
