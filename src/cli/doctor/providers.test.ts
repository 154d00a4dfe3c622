import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorKind } from '../../core/errors.ts';
import type { Probe } from '../../core/operator.ts';

import { checkProvider, checkProviders } from './providers.ts';

function probe(result: Probe['result'], hasKey = true): Probe {
  return {
    provider: 'openai',
    credential: null,
    has_key: hasKey,
    result,
    gone: [],
    took_ms: 12.4,
    clock_ahead_ms: null,
  };
}

function failed(kind: ErrorKind, code: string | null = null): Probe['result'] {
  return { failure: { kind, message: 'It said so.', code } };
}

test('an answer is good, with how much and how fast', () => {
  const message = 'answers: 2 models in 12 ms';
  assert.deepEqual(checkProvider(probe({ models: 2 })), { name: 'provider openai', status: 'ok', message });
});

test('a refused key and one that is missing are told apart', () => {
  assert.match(checkProvider(probe(failed('upstream_unauthorized'))).message, /^refuses the key/);
  assert.match(checkProvider(probe(failed('upstream_unauthorized'), false)).message, /^needs a key, and none is set/);
});

test('a provider that is not there fails, with the system’s word for it', () => {
  const { status, message } = checkProvider(probe(failed('upstream_unreachable', 'ECONNREFUSED')));
  assert.equal(status, 'fail');
  assert.equal(message, 'cannot be reached: ECONNREFUSED');
  assert.equal(checkProvider(probe(failed('upstream_unreachable'))).message, 'cannot be reached: It said so.');
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

test('of several keys each is told by its name, and so are names that lead nowhere any more', () => {
  const refused = { ...probe(failed('upstream_unauthorized')), credential: 'second' };
  const gone = { ...probe({ models: 9 }), gone: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] };
  assert.deepEqual(
    checkProviders([refused, gone]).map(({ name, status }) => [name, status]),
    [
      ['provider openai/second', 'fail'],
      ['provider openai', 'ok'],
      ['models openai', 'warn'],
    ],
  );
  assert.match(checkProviders([gone])[1]?.message ?? '', /uses a, b, c, d, e and 2 more, which openai does not list/);
});
