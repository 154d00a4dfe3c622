import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decision } from '../store/fixtures.test.ts';
import { decisionJson } from './decision.ts';

test('a decision is shown member by member, in snake case; what callers named keeps its names', () => {
  const kept = decision({ traits: { ...decision().traits, metadata: { userTier: 'gold', credential: 'mine' } } });
  const shown = decisionJson(kept, true);
  assert.deepEqual(Object.keys(shown).length, Object.keys(kept).length);
  assert.deepEqual(
    [shown.route, shown.route_version, shown.model_version, shown.order, shown.because],
    [kept.route, kept.routeVersion, null, [1], kept.because],
  );
  const { prompt_tokens, metadata } = shown.traits as Record<string, unknown>;
  assert.deepEqual([prompt_tokens, metadata], [1_000, { userTier: 'gold', credential: 'mine' }]);
  assert.deepEqual((shown.candidates as unknown[])[1], {
    model: 'spare/spare-large',
    provider: 'spare',
    upstream_model: 'spare-large',
    credential: 'second',
    role: 'fallback',
    health: {
      circuit: 'closed',
      open_until: null,
      credential_out_until: null,
      first_token_ms: 180.5,
      whole_ms: null,
      in_flight: 3,
    },
    expected_cost_usd: null,
    chance: 0.75,
    left_out: null,
  });
});

test('the operator’s names for its credentials are for administrators', () => {
  const shown = JSON.stringify(decisionJson(decision(), false));
  assert.ok(shown.includes('"provider":"spare"'));
  assert.ok(!shown.includes('credential":') && !shown.includes('second'));
});
