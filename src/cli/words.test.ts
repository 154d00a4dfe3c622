import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText, dayText, durationText, moneyText, rateText, roundedText, timeText, unixSeconds } from './words.ts';

test('money shows every digit that is kept, and at least the cents', () => {
  const shown = [0n, 1n, 127_500n, 1_500_000_000n, 25_000_000_000n, 12_345_678_901n].map(moneyText);
  assert.deepEqual(shown, ['$0.00', '$0.000000001', '$0.0001275', '$1.50', '$25.00', '$12.345678901']);
  assert.equal(moneyText(null), '-');
});

test('in tables money has cents from a dollar on, and four digits that count below', () => {
  const shown = [0n, 1n, 127_549n, 999_999_999n, 1_005_000_000n, 12_345_678_901n, null].map(roundedText);
  assert.deepEqual(shown, ['$0.00', '$0.000000001', '$0.0001275', '$1.00', '$1.01', '$12.35', '-']);
});

test('prices are dollars per million tokens', () => {
  assert.equal(rateText(150_000n), '$0.15');
  assert.equal(rateText(0n), '$0');
  assert.equal(rateText(undefined), '-');
});

test('times are UTC', () => {
  const ms = Date.UTC(2026, 10, 21, 12, 2, 59, 999);
  assert.equal(timeText(ms), '2026-11-21 12:02:59');
  assert.equal(dayText(ms), '2026-11-21');
  assert.equal(unixSeconds(ms), 1_795_262_579);
  assert.equal(unixSeconds(null), null);
});

test('one thing is no things', () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => countText(count, 'model')),
    ['0 models', '1 model', '2 models'],
  );
});

test('a duration has its two largest units', () => {
  const shown = [0, 45, 720, 11_100, 187_200, 86_400].map(durationText);
  assert.deepEqual(shown, ['0 s', '45 s', '12 min', '3 h 5 min', '2 d 4 h', '1 d']);
});
