import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import { model, route, steering, target, traits } from '../testing/routes.ts';
import { order, refused } from './fixtures.test.ts';

test('models: those that a caller names go first, in its order; then the others, unless it allows none', () => {
  const more = (said: Parameters<typeof steering>[0]) => ({
    route: { fallbacks: [target('mini')] },
    traits: { steering: steering(said) },
  });
  const targets = ['small', 'large'];
  assert.deepEqual(order(targets, more({ models: ['openai/mini', 'large'] })), ['mini', 'large', 'small']);
  assert.deepEqual(order(targets, more({ models: ['large-upstream'], allowFallbacks: false })), ['large']);
  assert.deepEqual(order(targets, more({ models: ['acme/auto'] })), ['small', 'large', 'mini']);
  assert.deepEqual(order(targets, more({ allowFallbacks: false })), ['small']);
  assert.throws(
    () => order(targets, more({ models: ['large', 'free'] })),
    (error) =>
      error instanceof GatewayError && error.param === 'models[1]' && /`free` is not in this route/.test(error.message),
  );
});

test('provider: order puts providers first, sort takes the place of the route’s order', () => {
  const said = (more: Parameters<typeof steering>[0]) => ({ traits: { steering: steering(more) } });
  const targets = ['large', 'small', 'mini'];
  assert.deepEqual(order(targets, said({ order: ['openai'] })), ['mini', 'large', 'small']);
  assert.deepEqual(order(targets, said({ sort: 'price' })), ['mini', 'small', 'large']);
  const slow = (place: Target) => ({ wholeMs: place.model.id === 'small' ? 100 : 500 });
  assert.deepEqual(order(targets, { ...said({ sort: 'throughput' }), health: slow }), ['small', 'large', 'mini']);
});

test('an order that allows no fallbacks names all who may serve', () => {
  const said = (more: Parameters<typeof steering>[0]) => ({
    traits: { steering: steering({ allowFallbacks: false, ...more }) },
  });
  const targets = ['mini', 'large', 'small'];
  assert.deepEqual(order(targets, said({ order: ['lab'] })), ['large', 'small']);
  assert.deepEqual(order(targets, said({ order: ['lab', 'openai'] })), ['large', 'small', 'mini']);
  assert.deepEqual(order(targets, said({ order: ['nosuch', 'lab'], models: ['small', 'mini'] })), ['small']);
  const lost = refused('invalid_request', targets, said({ order: ['nosuch'] }));
  assert.deepEqual([lost.status, lost.param], [400, 'provider.order']);
  assert.match(lost.message, /`mini`: the caller’s `provider\.order` \(nosuch\) leaves it out/);
  const { at } = traits();
  const down = refused('no_target_available', targets, {
    ...said({ order: ['openai'] }),
    health: () => ({ circuit: 'open', openUntil: at + 4000 }),
  });
  assert.equal(down.retryAfterMs, 4000);
});

test('a caller’s highest price is held against what it pays, the route’s own against what its targets cost', () => {
  const priced = (dollars: [number, number], limit: bigint | null = null) => ({
    price: model('priced', dollars).price,
    limits: { ...route([]).limits, maxInputRate: limit },
  });
  const most = { traits: { steering: steering({ maxPrice: { input: 5_000_000, output: null } }) } };
  assert.deepEqual(order(['large', 'small'], { ...most, route: priced([4, 8]) }), ['large', 'small']);
  const dear = refused('invalid_request', ['small'], { ...most, route: priced([100, 100]) });
  assert.equal(dear.param, 'provider.max_price');
  assert.match(dear.message, /the route costs 100\/100 dollars .*; the highest is 5\/any/);
  assert.deepEqual(order(['large', 'small'], { route: priced([100, 100], 5_000_000n) }), ['small']);
});
