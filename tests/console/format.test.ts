import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeText } from '../../console/src/parts/change.ts';
import { ago, decimalText, duration, money, percent, short } from '../../console/src/parts/format.ts';

test('amounts keep three figures under a cent, and nothing that is not nothing reads as nothing', () => {
  const amounts = [1204.17, 0.0231, 0.0000042, 0, null, 0.00999999, 0.99999, -0.5, 1e-9, 1_000_000];
  assert.deepEqual(amounts.map(money), [
    ...[
      '$1,204.17',
      '$0.0231',
      '$0.0000042',
      '$0.00',
      '—',
      '$0.01',
      '$1.00',
      '-$0.50',
      '$0.000000001',
      '$1,000,000.00',
    ],
  ]);
});

test('large numbers have three figures and the unit that fits them, at the edge of the next one too', () => {
  const counts = [9_999, 10_000, 999_499, 999_500, 999_999, 1_240_000, 999_499_999, 999_600_000, 1e12, 1.5e15, null];
  assert.deepEqual(counts.map(short), [
    ...['9,999', '10.0K', '999K', '1.00M', '1.00M', '1.24M', '999M', '1.00B', '1.00T', '1500.00T', '—'],
  ]);
});

test('times and parts have their units', () => {
  assert.deepEqual([812, 4_200, 12_345, null].map(duration), ['812 ms', '4.2 s', '12 s', '—']);
  assert.deepEqual([0.042, 0.5, 0.0001, 0, null, Number.NaN].map(percent), [
    ...['4.2 %', '50 %', '< 0.1 %', '0 %', '—', '—'],
  ]);
});

test('how long ago something was is no more exact than it is known', () => {
  const now = 1_796_000_000;
  const times = [0, -5, -40 * 3600, 40 * 3600, -59 * 86_400, -700 * 86_400];
  assert.deepEqual(
    times.map((past) => ago(now + past, now)),
    ['now', '5 sec. ago', '1 day ago', 'in 1 day', '1 mo. ago', '1 yr. ago'],
  );
});

test('an exact number has no exponent', () => {
  assert.deepEqual([1e-7, 0.0000042, 1204.17, 0, null].map(decimalText), [
    ...['0.0000001', '0.0000042', '1204.17', '0', ''],
  ]);
});

test('a change says per cent, and how many times as much it is where that says more', () => {
  const changes = [150, 50, 100, 1_234_567, 999];
  assert.deepEqual(
    changes.map((now) => changeText({ now, before: 100 })),
    ['+50 %', '−50 %', 'no change', '×12,346', '+899 %'],
  );
  assert.equal(changeText({ now: 5, before: 0 }), 'new');
});
