import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageOf } from '../core/usage.ts';
import { LAST_FIXED_PLACE, TOKEN_COLUMNS, tokensOfJson, tokensOfRow } from './token-columns.ts';
import { readUsage, writeUsage } from './usage-json.ts';

/** A count of its own for each member. */
const COUNTS = Object.fromEntries(TOKEN_COLUMNS.map(({ member }, index) => [member, index + 2]));

test('each count has a column and a place of its own, and none has one of what else is there', () => {
  const taken = [3, 8, LAST_FIXED_PLACE];
  const places = TOKEN_COLUMNS.map(({ place }) => place);
  assert.equal(new Set([...places, ...taken]).size, places.length + taken.length);
  assert.equal(new Set(TOKEN_COLUMNS.map(({ column }) => column)).size, TOKEN_COLUMNS.length);
});

test('what was written is read back, and stands where earlier versions read it', () => {
  const usage = usageOf({ ...COUNTS, cacheWritesByLife: { '1h': 1 }, serviceTier: 'flex', toolCalls: { search: 1 } });
  const json = writeUsage(usage);
  assert.deepEqual(json.slice(0, 10), [2, 3, 4, 1, 5, 6, 7, 8, 'flex', { tools: { search: 1 } }]);
  assert.deepEqual(readUsage(JSON.parse(JSON.stringify(json))), usage);
  assert.deepEqual(writeUsage(usageOf({ inputTokens: 1 })), [1, 0, 0, 0, 0, 0, 0, 0, null]);
});

test('a row is read by its columns, and none tokens where a row is older than a column', () => {
  const row = Object.fromEntries(TOKEN_COLUMNS.map(({ member, column }) => [column, BigInt(COUNTS[member]!)]));
  assert.deepEqual(tokensOfRow(row as Parameters<typeof tokensOfRow>[0]), COUNTS);
  assert.equal(tokensOfRow({ ...row, reasoning_tokens: null } as Parameters<typeof tokensOfRow>[0]).reasoningTokens, 0);
  assert.equal(tokensOfJson([1]).inputTokens, 1);
});
