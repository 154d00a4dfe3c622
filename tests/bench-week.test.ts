import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '../bench/week/simulate.ts';
import { MODELS } from '../bench/week/vendors.ts';
import type { Scorer } from '../src/routing/policies/smart.ts';
import { route } from '../src/testing/routes.ts';

const CALLS = 5_000;
const NOBODY: Scorer = {
  version: 'none',
  rank: (_features, options) => ({ chances: options.map(() => null), order: options.map((_, at) => at) }),
};

test('a simulated week is the same for the same seed', () => {
  const lived = () => ({ ...simulate(route(MODELS), NOBODY, CALLS, 7), seconds: 0 });
  assert.deepEqual(lived(), lived());
});

test('a route outlives outages that one vendor alone does not, and the cheapest costs least', () => {
  const alone = simulate(route(['large-a']), NOBODY, CALLS, 7, false);
  const priority = simulate(route(MODELS), NOBODY, CALLS, 7);
  const cheapest = simulate(route(MODELS, { strategy: [{ kind: 'cheapest', within: 0 }] }), NOBODY, CALLS, 7);
  assert.ok(alone.answered < priority.answered);
  assert.ok(cheapest.cost < priority.cost);
});
