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

test('an item that cannot be embedded is named with what it must be', () => {
  const first = 'must be a string that is not empty, an object, a token, or a list of tokens.';
  for (const [input, index, words] of [
    [[null], 0, first],
    [[-1], 0, first],
    [[{}], 0, first],
    [['', 'a'], 0, first],
    [['a', 1], 1, 'must be a string that is not empty, or an object, like the items before it.'],
    [[1, 'a'], 1, 'must be a token, like the items before it.'],
    [[[1], 'a'], 1, 'must be a list of tokens, like the items before it.'],
  ] as const) {
    const wanted = { param: `input[${index}]`, message: `\`input[${index}]\` ${words}` };
    assert.throws(() => readEnvelope(bodyOf(input), LIMITS), wanted);
  }
});

test('objects with texts and images pass, beside strings or in `messages`; their texts are the words', () => {
  const mixed = ['a dog', { image: 'https://a.test/dog.png' }, { content: [{ type: 'text', text: 'big' }] }];
  for (const body of [bodyOf(mixed), bodyOf({ text: 'a' }), Buffer.from('{"model":"m","messages":[{"content":"a"}]}')])
    assert.equal(
      passCall(readEnvelope(body, LIMITS), { upstreamModel: 'm', provider: 'p', streamUsage: 'as-sent' }).body,
      body,
    );
  assert.equal(promptText(readEnvelope(bodyOf(mixed), LIMITS)), 'a dog x text big');
  assert.throws(() => readEnvelope(bodyOf([{ text: 'a' }, 7]), LIMITS), { param: 'input[1]' });
});
