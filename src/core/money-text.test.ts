import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moneyText, roundedText } from './money-text.ts';

test('money shows every digit that is kept, and at least the cents', () => {
  const shown = [0n, 1n, 127_500n, 1_500_000_000n, 25_000_000_000n, 12_345_678_901n].map(moneyText);
  assert.deepEqual(shown, ['$0.00', '$0.000000001', '$0.0001275', '$1.50', '$25.00', '$12.345678901']);
  assert.equal(moneyText(null), '-');
});

test('in tables money has cents from a dollar on, and four digits that count below', () => {
  const shown = [0n, 1n, 127_549n, 999_999_999n, 1_005_000_000n, 12_345_678_901n, null].map(roundedText);
  assert.deepEqual(shown, ['$0.00', '$0.000000001', '$0.0001275', '$1.00', '$1.01', '$12.35', '-']);
});
