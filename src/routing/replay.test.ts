import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '../core/route.ts';
import { health, model, route, served, steering, traits } from '../testing/routes.ts';
import { candidatesOf } from './candidates.ts';
import { decide } from './decide.ts';
import { buildDirectory } from './directory.ts';
import { replayWith } from './replay.ts';

const DIALECTS = ['openai-chat'] as const;
const DIRECTORY = buildDirectory([
  served('lab', [model('small', [1, 2], { contextWindow: 8000 }), model('large', [10, 20]), model('new', [2, 2])]),
]);

function decided(asked: Route, more: Parameters<typeof traits>[0] = {}) {
  const { decision } = decide({
    route: asked,
    candidates: candidatesOf(asked, DIRECTORY, DIALECTS),
    traits: traits(more),
    health: ({ model: { id } }) => health(id === 'small' ? { circuit: 'open', openUntil: 9 } : {}),
    scorer: null,
    seed: 1,
    warm: null,
  });
  return decision;
}

const draft = (asked: Route) => ({ route: asked, directory: DIRECTORY, dialects: DIALECTS, scorer: null });

test('the route itself changes nothing; a draft is told with what it would cost', () => {
  const present = route(['small', 'large']);
  const decision = decided(present);
  assert.equal(replayWith(decision, draft(present)).moved, false);
  const change = replayWith(decision, draft(route(['small', 'new'], { version: 'v2' })));
  // `small` was down then, and is in the replay.
  assert.deepEqual(
    [change.before?.model, change.after?.model, change.moved, change.refusal],
    ['large', 'new', true, null],
  );
  assert.deepEqual([change.before?.expectedCost, change.after?.expectedCost], [18_000_000, 2_800_000]);
});

test('a draft that could not serve a call is told', () => {
  const decision = decided(route(['large']), { promptTokens: 9000 });
  const { after, moved, refusal } = replayWith(decision, draft(route(['small'])));
  assert.deepEqual([after, moved, refusal?.kind], [null, true, 'context_length_exceeded']);
});

test('models that the caller named and a draft does not have are as good as not named', () => {
  const decision = decided(route(['large', 'new']), { steering: steering({ models: ['new', 'large'] }) });
  const { before, after } = replayWith(decision, draft(route(['small', 'large'])));
  assert.deepEqual([before?.model, after?.model], ['new', 'large']);
});
