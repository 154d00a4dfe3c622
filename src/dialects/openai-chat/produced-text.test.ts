import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectWords } from './produced-text.ts';

test('words are found in content nested up to 32 deep', () => {
  const found = (depth: number) => {
    let content: unknown = 'word';
    for (let level = 0; level < depth; level += 1) content = [content];
    const words: string[] = [];
    collectWords({ content }, words);
    return words;
  };
  assert.deepEqual([found(32), found(33)], [['word'], []]);
});
