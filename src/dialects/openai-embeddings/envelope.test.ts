import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { passCall, promptText, readEnvelope } from './envelope.ts';

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 3 };

function bodyOf(input: unknown): Buffer {
  return Buffer.from(JSON.stringify({ model: 'm', input }));
}

test('a call has no output, no choices and no stream, whatever it says', () => {
  const body = Buffer.from('{"model":"m","input":"Hi","stream":true,"max_tokens":9,"n":4}');
  const { model, stream, maxOutputTokens, choices, wantsUsage } = readEnvelope(body, LIMITS);
  assert.deepEqual(
    { model, stream, maxOutputTokens, choices, wantsUsage },
    { model: 'm', stream: false, maxOutputTokens: 0, choices: 1, wantsUsage: false },
  );
});

test('a text, texts, tokens and lists of tokens are taken, and pass as they are', () => {
  for (const input of ['Hi', ['a', 'b'], [1, 2, 3, 4, 5], [[1, 2], [3]]]) {
    const body = bodyOf(input);
    assert.equal(
      passCall(readEnvelope(body, LIMITS), { upstreamModel: 'm', provider: 'p', streamUsage: 'as-sent' }).body,
      body,
    );
  }
});

test('as many inputs as the limit says are taken, and one more is refused; tokens of one input are not inputs', () => {
  readEnvelope(bodyOf(['a', 'b', 'c']), LIMITS);
  readEnvelope(bodyOf([1, 2, 3, 4]), LIMITS);
  for (const input of [
    ['a', 'b', 'c', 'd'],
    [[1], [2], [3], [4]],
  ]) {
    assert.throws(
      () => readEnvelope(bodyOf(input), LIMITS),
      (error) => error instanceof GatewayError && error.param === 'input' && /4 items; at most 3/.test(error.message),
    );
  }
});

test('the words to embed are the texts; a token counts as a word', () => {
  const words = (input: unknown) => promptText(readEnvelope(bodyOf(input), LIMITS));
  assert.equal(words('Hello there'), 'Hello there');
  assert.equal(words(['Hello', 'there']), 'Hello there');
  assert.equal(words([7, 8, 9]), 'x x x');
  assert.equal(words([[7, 8], [9]]), 'x x x');
});
