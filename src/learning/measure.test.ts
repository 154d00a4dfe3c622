import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../testing/seeded.ts';
import { gapOf, qualityOf } from './measure.ts';

test('chances are measured against scores', () => {
  const quality = qualityOf([0.9, 0.8, 0.3, 0.1], [1, 1, 0, 0]);
  assert.deepEqual([quality.rows, quality.baseRate, quality.auc], [4, 0.5, 1]);
  assert.ok(Math.abs(quality.brier - (0.01 + 0.04 + 0.09 + 0.01) / 4) < 1e-12);
  assert.ok(Math.abs(quality.baseLogLoss - Math.LN2) < 1e-12);
  assert.ok(quality.logLoss < quality.baseLogLoss);
  assert.equal(qualityOf([0.5, 0.5], [1, 0]).auc, 0.5);
  assert.equal(qualityOf([0.1, 0.9], [1, 0]).auc, 0);
  assert.equal(qualityOf([0.1, 0.9], [1, 1]).auc, null);
  assert.ok(Number.isFinite(qualityOf([0, 1], [1, 0]).logLoss));
  assert.throws(() => qualityOf([], []), RangeError);
});

test('the gap recovered is that of the order: known, unknown and upside down', () => {
  // Two of four rows gain; the gap is theirs.
  const rows = [1, 1, 0, 0].map((strong) => ({ strong, weak: 0 }));
  const known = gapOf(rows.map((row) => ({ ...row, gain: row.strong })))!;
  assert.deepEqual(
    [0, 25, 50, 75, 100].map((share) => known.recovered[share]),
    [0, 0.5, 1, 1, 1],
  );
  assert.equal(known.apgr, known.oracle);
  const reversed = gapOf(rows.map((row) => ({ ...row, gain: -row.strong })))!;
  assert.ok(Math.abs(known.apgr + reversed.apgr - 1) < 1e-9);
  const equal = gapOf(rows.map((row) => ({ ...row, gain: 7 })))!;
  assert.ok(Math.abs(equal.apgr - 0.5) < 1e-9, 'rows of equal gain are in no order');
});

test('chance recovers half, and where the strong target is not better there is no gap', () => {
  const random = seeded(3);
  const rows = Array.from({ length: 20_000 }, () => ({
    gain: random(),
    strong: random() < 0.8 ? 1 : 0,
    weak: random() < 0.5 ? 1 : 0,
  }));
  assert.ok(Math.abs(gapOf(rows)!.apgr - 0.5) < 0.02);
  assert.equal(gapOf(rows.map(({ gain, strong, weak }) => ({ gain, strong: weak, weak: strong }))), null);
  assert.equal(gapOf([]), null);
});
