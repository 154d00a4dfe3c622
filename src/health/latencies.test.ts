import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pick, seeded } from '../testing/seeded.ts';
import { Latest, PeakAverage, Window } from './latencies.ts';

test('the average jumps up at once, comes down slowly, and is forgotten', () => {
  const average = new PeakAverage();
  assert.equal(average.value(0), null);
  average.note(100, 0);
  average.note(900, 0);
  assert.equal(average.value(0), 900);
  average.note(100, 1000);
  assert.ok(Math.abs(average.value(1000)! - (100 + 800 * Math.exp(-0.1))) < 1e-9);
  average.note(100, 51_000);
  assert.ok(average.value(51_000)! < 110);
  assert.notEqual(average.value(111_000), null);
  assert.equal(average.value(111_001), null);
});

test('percentiles are of the last 200 times', () => {
  const latest = new Latest();
  assert.deepEqual(latest.percentiles([0.5]), [null]);
  latest.note(7);
  assert.deepEqual(latest.percentiles([0, 0.5, 0.95, 1]), [7, 7, 7, 7]);
  for (let ms = 1; ms <= 517; ms += 1) latest.note(ms);
  assert.deepEqual(latest.percentiles([0.5, 0.95, 1]), [417, 507, 517]);
});

test('a window counts what ended within it, to a tenth of it', () => {
  const random = seeded(12);
  const window = new Window(1000);
  const all: { at: number; failed: boolean }[] = [];
  let now = 5000;
  for (let step = 0; step < 3000; step += 1) {
    now += pick(random, [0, 1, 30, 99, 100, 500, random() < 0.05 ? 5000 : 10]);
    const failed = random() < 0.3;
    window.note(failed, now);
    all.push({ at: now, failed });
    const since = (Math.floor(now / 100) - 9) * 100;
    const within = all.filter(({ at }) => at >= since);
    assert.equal(window.calls, within.length);
    assert.equal(window.failures, within.filter((one) => one.failed).length);
  }
});
