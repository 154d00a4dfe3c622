import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryBudget } from './retry-budget.ts';

const SETTINGS = { share: 0.2, least: 3 };

function taken(budget: RetryBudget, callsInFlight: number): number {
  let count = 0;
  while (budget.take(callsInFlight, SETTINGS)) count += 1;
  return count;
}

test('for five calls in flight there may be one repeat, and three in any case', () => {
  assert.equal(taken(new RetryBudget(), 1), 3);
  assert.equal(taken(new RetryBudget(), 15), 3);
  assert.equal(taken(new RetryBudget(), 120), 20);
});

test('a repeat that is over makes room for another', () => {
  const budget = new RetryBudget();
  assert.equal(taken(budget, 10), 3);
  budget.giveBack();
  assert.equal(taken(budget, 10), 1);
});
