import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '../bench/week/simulate.ts';
import { MODELS } from '../bench/week/vendors.ts';
import type { Scorer } from '../src/learning/scorer.ts';
import { route } from '../src/testing/routes.ts';

const CALLS = 5_000;
const NOBODY: Scorer = {
  version: 'none',
  rank: (_features, options) => ({ chances: options.map(() => null), order: options.map((_, at) => at) }),
};

const PLAN = { scorer: NOBODY, calls: CALLS, seed: 7, survives: true };

test('a simulated week is the same for the same seed', () => {
  const lived = () => ({ ...simulate({ ...PLAN, route: route(MODELS) }), seconds: 0 });
  assert.deepEqual(lived(), lived());
});

test('a route outlives outages that one vendor alone does not, and the cheapest costs least', () => {
  const alone = simulate({ ...PLAN, route: route(['large-a']), survives: false });
  const priority = simulate({ ...PLAN, route: route(MODELS) });
  const cheapest = simulate({ ...PLAN, route: route(MODELS, { strategy: [{ kind: 'cheapest', within: 0 }] }) });
  assert.ok(alone.answered < priority.answered);
  assert.ok(cheapest.cost < priority.cost);
});
