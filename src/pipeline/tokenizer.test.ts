import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTokenCounter } from './tokenizer.ts';

const noFault = (error: unknown) => assert.ifError(error);

test('counts like the tokenizer, and takes its marks for text', async () => {
  const tokens = createTokenCounter(noFault);
  assert.equal(await tokens.count(''), 0);
  assert.equal(await tokens.count('hello world'), 2);
  assert.ok((await tokens.count('<|endoftext|>')) > 1);
});

test('counting in pieces changes the count by less than one in a hundred', async () => {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const text = 'The quick brown fox jumps over the lazy dog, and then rests. '.repeat(500);
  const counted = await createTokenCounter(noFault).count(text);
  assert.ok(Math.abs(counted - countTokens(text)) < countTokens(text) / 100, `${counted}`);
});

test('scales what is longer than it counts', async () => {
  const tokens = createTokenCounter(noFault);
  const once = await tokens.count('word '.repeat(13_000));
  const thrice = await tokens.count('word '.repeat(39_000));
  assert.ok(Math.abs(thrice / once - 3) < 0.02, `${thrice} ${once}`);
});

test('of a long text the first 64 KB are counted, and the rest is taken to be like them', async () => {
  const pieces: string[] = [];
  const tokens = createTokenCounter(noFault, async () => (piece) => {
    pieces.push(piece);
    return piece.length;
  });
  assert.equal(await tokens.count('x'.repeat(64 * 1024 + 1)), 64 * 1024 + 1);
  assert.equal(pieces.join('').length, 64 * 1024);
});

test('a tokenizer that cannot be loaded is told once, and no count is made up', async () => {
  const told: unknown[] = [];
  const missing = new Error('There is no such package.');
  const tokens = createTokenCounter(
    (error) => told.push(error),
    () => Promise.reject(missing),
  );
  for (const text of ['one', 'two']) await assert.rejects(tokens.count(text), missing);
  assert.deepEqual(told, [missing]);
});
