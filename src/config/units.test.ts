import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNT, DURATION, SIZE } from './units.ts';

const PARSED = [
  [DURATION, '250ms', 250],
  [DURATION, '3s', 3000],
  [DURATION, '120s', 120_000],
  [DURATION, '15m', 900_000],
  [DURATION, '1h', 3_600_000],
  [DURATION, '400d', 34_560_000_000],
  [DURATION, '1500', 1500],
  [DURATION, '0', 0],
  [SIZE, '64KB', 65_536],
  [SIZE, '64MB', 67_108_864],
  [SIZE, '1GB', 1_073_741_824],
  [SIZE, '10B', 10],
  [SIZE, '4096', 4096],
  [COUNT, '600', 600],
] as const;

for (const [unit, text, amount] of PARSED) {
  test(`“${text}” is ${amount}, and is written so that it reads the same`, () => {
    assert.equal(unit.parse(text), amount);
    assert.equal(unit.parse(unit.format(amount)), amount);
  });
}

const REFUSED = [
  [DURATION, ['', 's', '3 s', '-3s', '1.5s', '3S', '3sec', '3s4', '3toString']],
  [SIZE, ['', 'MB', '64mb', '64M', '64MiB', '1.5GB', '-1KB', '0x10']],
  [COUNT, ['', '6e2', '-1', '1.0', '600s', '٣']],
] as const;

for (const [unit, texts] of REFUSED) {
  for (const text of texts) {
    test(`“${text}” is not ${unit.words}`, () => {
      assert.equal(unit.parse(text), null);
    });
  }
}

test('an amount is written with the largest unit that divides it', () => {
  assert.equal(DURATION.format(90_000), '90s');
  assert.equal(DURATION.format(86_400_000), '1d');
  assert.equal(SIZE.format(1536), '1536B');
  assert.equal(SIZE.format(500 * 1024 ** 2), '500MB');
  assert.equal(COUNT.format(1_000_000), '1000000');
});
