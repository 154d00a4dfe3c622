import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inShares } from './random.ts';

const WEIGHTS: Readonly<Record<string, number>> = { a: 3, b: 1, never: 0 };
const NAMES = Object.keys(WEIGHTS);
const weightOf = (name: string) => WEIGHTS[name]!;

test('each comes first with its share of the weights, and one without a weight never', () => {
  const rounds = 20_000;
  const first = new Map<string, number>();
  for (let seed = 0; seed < rounds; seed += 1) {
    const order = inShares(NAMES, weightOf, seed);
    assert.equal(order.length, 2);
    first.set(order[0]!, (first.get(order[0]!) ?? 0) + 1);
  }
  // Five standard deviations of a binomial count.
  assert.ok(Math.abs(first.get('a')! - rounds * 0.75) < 5 * Math.sqrt(rounds * 0.75 * 0.25));
});

test('the same seed gives the same order', () => {
  assert.deepEqual(inShares(NAMES, weightOf, 7), inShares(NAMES, weightOf, 7));
});

test('where all have a weight of 0 they stand as they are', () => {
  assert.deepEqual(
    inShares(NAMES, () => 0, 1),
    NAMES,
  );
});
