import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText, durationText, rateText, timeText, unixSeconds } from './phrases.ts';

test('prices are dollars per million tokens', () => {
  assert.equal(rateText(150_000n), '$0.15');
  assert.equal(rateText(0n), '$0');
  assert.equal(rateText(undefined), '-');
});

test('times are UTC', () => {
  const ms = Date.UTC(2026, 10, 21, 12, 2, 59, 999);
  assert.equal(timeText(ms), '2026-11-21 12:02:59');
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
