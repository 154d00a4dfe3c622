import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route, Warm } from '../core/route.ts';
import { model, served, target } from '../testing/routes.ts';
import { decided, type More, order } from './fixtures.test.ts';

test('nothing is kept where nothing is cached, nor at a fallback, but in the middle of a turn', () => {
  const warmAt = (name: string, cachedTokens: number): Warm => ({
    provider: 'lab',
    upstreamModel: `${name}-upstream`,
    credential: 'second',
    cachedTokens,
  });
  const fallbacks = { fallbacks: [target('large')] };
  const twins = [served('lab', [model('small', [1, 1]), model('large', [1, 1])], { default: 1, second: 1 })];
  const first = (warm: Warm, more: More = {}) => decided(['small'], { served: twins, route: fallbacks, warm, ...more });
  assert.equal(first(warmAt('large', 900)).targets[0].model.id, 'small');
  assert.equal(first(warmAt('large', 0), { traits: { midTurn: true } }).targets[0].model.id, 'large');
  const sideBySide = (cached: number, more: More = {}) =>
    decided(['small', 'large'], { served: twins, warm: warmAt('large', cached), ...more }).targets[0].model.id;
  assert.deepEqual(
    [sideBySide(0), sideBySide(1), sideBySide(0, { traits: { midTurn: true } })],
    ['small', 'large', 'large'],
  );
  // Nor with a credential.
  const credentials = new Set<string>();
  for (let seed = 0; seed < 40; seed += 1) {
    credentials.add(first(warmAt('small', 0), { seed }).targets[0].provider.credentialName);
    assert.equal(first(warmAt('small', 1), { seed }).targets[0].provider.credentialName, 'second');
  }
  assert.equal(credentials.size, 2);
});

test('a conversation stays where its cache is warm, and changes between turns where the saving is more than the lost cache', () => {
  const strategy: Route['strategy'] = [{ kind: 'cheapest', within: 0 }];
  const warmAt = (cachedTokens: number): Warm => ({
    provider: 'lab',
    upstreamModel: 'large-upstream',
    credential: 'second',
    cachedTokens,
  });
  const from = (cachedTokens: number, more: More = {}) =>
    decided(['small', 'large'], {
      route: { strategy, ...more.route },
      warm: warmAt(cachedTokens),
      traits: more.traits ?? {},
    });
  // 7000 tokens and an answer of 400: 7.8 on `small`; on `large` 78, and 15 where all is cached.
  const moved = from(7000, { traits: { promptTokens: 7000 } });
  assert.deepEqual([moved.targets[0].model.id, moved.decision.kept], ['small', false]);
  const midTurn = from(7000, { traits: { promptTokens: 7000, midTurn: true } });
  assert.deepEqual([midTurn.targets[0].model.id, midTurn.decision.kept], ['large', true]);
  assert.equal(midTurn.targets[0].provider.credentialName, 'second');
  // Both cost the same without a cache: what is cached keeps it.
  const twins = [served('lab', [model('small', [10, 20]), model('large', [10, 20])], { default: 1, second: 1 })];
  const kept = decided(['small', 'large'], { served: twins, route: { strategy }, warm: warmAt(500) });
  assert.deepEqual([kept.targets[0].model.id, kept.decision.kept], ['large', true]);
  assert.match(kept.decision.because.at(-1)!, /cheapest: large first/);
  const off = decided(['small', 'large'], { served: twins, route: { affinity: false }, warm: warmAt(500) });
  assert.deepEqual([off.targets[0].model.id, off.decision.kept], ['small', false]);
  const elsewhere = decided(['small', 'large'], {
    served: twins,
    warm: warmAt(500),
    health: ({ model: { id } }) => (id === 'large' ? { circuit: 'open', openUntil: 1 } : {}),
  });
  assert.equal(elsewhere.targets[0].model.id, 'small');
});

test('a rule goes before a warm cache', () => {
  const strategy: Route['strategy'] = [
    { kind: 'rules', rules: [{ when: { images: true }, use: ['large'], only: false }] },
  ];
  const warm: Warm = {
    provider: 'lab',
    upstreamModel: 'small-upstream',
    credential: 'default',
    cachedTokens: 900,
  };
  assert.deepEqual(order(['small', 'large'], { route: { strategy }, warm, traits: { images: true, midTurn: true } }), [
    'large',
    'small',
  ]);
  assert.deepEqual(order(['large', 'small'], { route: { strategy }, warm }), ['small', 'large']);
});
