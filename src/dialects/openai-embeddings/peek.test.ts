import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peekAnswer } from './peek.ts';

const usageIn = (usage: object) => peekAnswer(Buffer.from(JSON.stringify({ data: [], usage }))).usage;

test('the total counts where nothing else does, and a usage of nothing tells nothing', () => {
  assert.equal(usageIn({ prompt_tokens: 5, total_tokens: 7 })?.inputTokens, 5);
  assert.equal(usageIn({ total_tokens: 7 })?.inputTokens, 7);
  assert.equal(usageIn({ prompt_tokens: 0, total_tokens: 7 })?.inputTokens, 7);
  for (const nothing of [{}, { prompt_tokens: 0, total_tokens: 0 }, { total_tokens: '7' }, { total_tokens: 0 }])
    assert.equal(usageIn(nothing), null, JSON.stringify(nothing));
  assert.equal(usageIn({ prompt_tokens: 0, cost: 0.5 })?.reportedCost, '0.5');
});
