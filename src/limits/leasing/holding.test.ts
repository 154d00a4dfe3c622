import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget } from '../../core/budget.ts';
import { createBudgetHolding, presentShare, settleSpend } from './holding.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

test('a call that a limit came upon counts in the period that it began in, and in no other', () => {
  const holding = createBudgetHolding('budget_day');
  const budget: Budget = {
    id: 'budget_day',
    name: 'the budget of a day',
    amount: 100n,
    per: 'day',
    overrides: [],
    isHard: true,
    instead: null,
    models: null,
  };
  holding.money = budget;
  holding.spend = presentShare(holding, NOON);
  const { spend } = holding;
  assert.ok(spend !== null);
  spend.left = 50n;
  settleSpend(holding, null, { at: NOON - DAY_MS, held: 0n, counted: 7n });
  assert.deepEqual([spend.share.used, spend.left], [0n, 50n]);
  settleSpend(holding, null, { at: NOON, held: 0n, counted: 7n });
  assert.deepEqual([spend.share.used, spend.left], [7n, 43n]);
  assert.notEqual(presentShare(holding, NOON + DAY_MS), spend);
  assert.equal(presentShare(holding, NOON + 1), spend);
});
