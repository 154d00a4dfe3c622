import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExactly } from './exact-json.ts';

const LONG = '12345678901234567891';

test('long numbers keep their digits in a text of up to 100,000 separators and brackets', () => {
  const text = (signs: number) => `[${LONG}${',0'.repeat(signs - 1)}]`;
  assert.ok(JSON.stringify(parseExactly(text(100_000))).startsWith(`[${LONG},`));
  assert.ok(JSON.stringify(parseExactly(text(100_001))).startsWith('[12345678901234567000,'));
});
