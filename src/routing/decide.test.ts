import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import type { Served, Target } from '../core/provider.ts';
import type { CallTraits, Route, TargetHealth, Warm } from '../core/route.ts';
import { health, model, route, served, steering, target, traits } from '../testing/routes.ts';
import { candidatesOf } from './candidates.ts';
import { type Decided, decide, weigh } from './decide.ts';
import { buildDirectory } from './directory.ts';
import type { Scorer } from './policies/smart.ts';

const DIALECTS = ['openai-chat'] as const;
const FULL = { tools: true, reasoning: true, structuredOutput: true, attachment: true, temperature: true };

const SERVED = [
  served('lab', [model('small', [1, 2], { contextWindow: 8000 }), model('large', [10, 20])], { default: 1, second: 1 }),
  served('openai', [model('mini', [0.1, 0.4], { capabilities: { ...FULL, tools: false } }), model('free', null)]),
];

type More = {
  route?: Partial<Route>;
  traits?: Partial<CallTraits>;
  served?: readonly Served[];
  health?: (target: Target) => Partial<TargetHealth>;
  scorer?: Scorer;
  seed?: number;
  warm?: Warm;
};

function inputOf(targets: Parameters<typeof route>[0], more: More) {
  const asked = route(targets, more.route);
  const directory = buildDirectory(more.served ?? SERVED, { routes: [asked] });
  return {
    route: asked,
    candidates: candidatesOf(asked, directory, DIALECTS),
    traits: traits(more.traits),
    health: (place: Target) => health(more.health?.(place)),
    scorer: more.scorer ?? null,
    seed: more.seed ?? 7,
    warm: more.warm ?? null,
  };
}

function decided(targets: Parameters<typeof route>[0], more: More = {}): Decided {
  return decide(inputOf(targets, more));
}

/** The models in the order in which they are tried, each once. */
function order(targets: Parameters<typeof route>[0], more: More = {}): string[] {
  return [...new Set(decided(targets, more).targets.map(({ model: { id } }) => id))];
}

function refused(kind: ErrorKind, targets: Parameters<typeof route>[0], more: More): GatewayError {
  const { refusal } = weigh(inputOf(targets, more));
  assert.ok(refusal instanceof GatewayError);
  assert.equal(refusal.kind, kind, refusal.message);
  return refusal;
}

test('targets, then fallbacks; those for long prompts and for content stand apart', () => {
  const { targets, contextTargets, policyTargets, decision } = decided(['small'], {
    route: {
      fallbacks: [target('mini')],
      contextFallbacks: [target('large', { credential: 'second' })],
      policyFallbacks: [target('free')],
    },
  });
  assert.deepEqual([...new Set(targets.map((one) => one.model.id))], ['small', 'mini']);
  assert.deepEqual(
    contextTargets.map(({ provider, model: { id } }) => [id, provider.credentialName]),
    [['large', 'second']],
  );
  assert.deepEqual(
    policyTargets.map(({ model: { id } }) => id),
    ['free'],
  );
  assert.deepEqual(decision.because, ['priority: small first.']);
});

test('a prompt that is known to be too long for all goes to the fallbacks for that at once', () => {
  const more = { route: { contextFallbacks: [target('large')] }, traits: { promptTokens: 9000 } };
  assert.deepEqual(order(['small'], more), ['large']);
});

test('all credentials of one model, then the next; they share its calls by their weights', () => {
  const weights = [served('lab', [model('small'), model('large')], { default: 3, second: 1, spare: 0 })];
  let second = 0;
  for (let seed = 0; seed < 4000; seed += 1) {
    const { targets } = decided(['small', 'large'], { served: weights, seed });
    const names = targets.map(({ provider }) => provider.credentialName);
    assert.deepEqual(
      targets.map((one) => one.model.id),
      ['small', 'small', 'large', 'large'],
    );
    assert.ok(!names.includes('spare'));
    if (names[0] === 'second') second += 1;
  }
  isBinomial(second, 4000, 0.25);
});

test('a credential that is named is used, and no other, also where it has no part of other calls', () => {
  const weights = [served('lab', [model('small')], { default: 1, spare: 0 })];
  const { targets } = decided([target('small', { credential: 'spare' })], { served: weights });
  assert.deepEqual(
    targets.map(({ provider }) => provider.credentialName),
    ['spare'],
  );
  refused('no_target_available', [target('small', { credential: 'lost' })], { served: weights });
});

test('a route may have the name of a model that is behind it', () => {
  assert.deepEqual(order(['small'], { route: { id: 'small' } }), ['small']);
});

test('a later strategy orders only what an earlier one left equal', () => {
  const cheap = [served('one', [model('a', [1, 1]), model('b', [1, 1]), model('c', [9, 9]), model('d', [9, 9])])];
  const strategy: Route['strategy'] = [
    { kind: 'cheapest', within: 0.1 },
    { kind: 'weighted', sticky: false },
  ];
  const firsts = new Set<string>();
  for (let seed = 0; seed < 200; seed += 1) {
    const found = order(['d', 'c', 'b', 'a'], { served: cheap, route: { strategy }, seed });
    assert.deepEqual(found.slice(0, 2).sort(), ['a', 'b']);
    firsts.add(found.join(''));
  }
  assert.deepEqual([...firsts].sort(), ['abcd', 'abdc', 'bacd', 'badc']);
});

test('why nobody can serve decides the error', () => {
  const long = refused('context_length_exceeded', ['small'], { traits: { promptTokens: 9000 } });
  assert.match(long.message, /^No target of `acme\/auto` can serve this call\. `small`: its context window has 8000/);
  const tools = refused('invalid_request', ['mini'], { traits: { tools: 1 } });
  assert.deepEqual([tools.status, tools.param, tools.code], [400, 'tools', 'unsupported_value']);
  refused('model_unpriced', ['free'], { traits: { demandsPrice: true } });
  refused('model_not_allowed', ['small'], { traits: { allowedModels: ['large'] } });
  refused('no_target_available', ['gone', target('large', { weight: 0 })], {});
  refused('context_length_exceeded', ['large'], {
    traits: { promptTokens: 500 },
    route: { limits: { ...route([]).limits, maxPromptTokens: 400 } },
  });
  const only = refused('invalid_request', ['small'], { traits: { steering: steering({ only: ['openai'] }) } });
  assert.equal(only.param, 'provider.only');
  const ignore = refused('invalid_request', ['small'], { traits: { steering: steering({ ignore: ['lab'] }) } });
  assert.equal(ignore.param, 'provider.ignore');
  const dear = refused('invalid_request', ['large'], {
    traits: { steering: steering({ maxPrice: { input: 9_000_000, output: null } }) },
  });
  assert.equal(dear.param, 'provider.max_price');
  assert.match(dear.message, /costs 10\/20 dollars per million tokens \(input\/output\); the highest is 9\/any/);
});

test('where all are down, the error says when the first may be asked again', () => {
  const { at } = traits();
  const down = refused('no_target_available', ['small', 'large', 'mini'], {
    traits: { tools: 1 },
    health: ({ model: { id } }) =>
      id === 'small' ? { circuit: 'open', openUntil: at + 4000 } : { credentialOutUntil: at + 2500 },
  });
  // `mini` calls no tools whenever it is asked.
  assert.deepEqual([down.status, down.retryAfterMs], [503, 2500]);
});

test('a key that may call the route may use all behind it; without, only what its list names', () => {
  assert.deepEqual(order(['small', 'large'], { traits: { allowedModels: ['acme/auto', 'large'] } }), [
    'small',
    'large',
  ]);
  assert.deepEqual(order(['small', 'large'], { traits: { allowedModels: ['lab/large'] } }), ['large']);
});

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

test('exploring: the part that is asked for is drawn evenly, and its chance is told', () => {
  const scorer: Scorer = {
    version: 's1',
    rank: (_, options) => ({ chances: options.map(() => 0.5), order: [1, 0, 2] }),
  };
  const smart = { dial: { kind: 'quality', quality: 0.5 }, explore: 0.3 } as const;
  const more = { scorer, route: { strategy: [{ kind: 'smart' }] as const, smart } };
  const rounds = 6000;
  let explored = 0;
  const firsts: Record<string, number> = { small: 0, large: 0, mini: 0 };
  for (let seed = 0; seed < rounds; seed += 1) {
    const { decision, targets } = decided(['small', 'large', 'mini'], { ...more, seed });
    const first = targets[0].model.id;
    firsts[first]! += 1;
    if (decision.explored) explored += 1;
    assert.equal(decision.modelVersion, 's1');
    assert.ok(Math.abs(decision.propensity - (first === 'large' ? 0.8 : 0.1)) < 1e-9);
  }
  isBinomial(explored, rounds, 0.3);
  isBinomial(firsts.large!, rounds, 0.8);
  isBinomial(firsts.small!, rounds, 0.1);
  const steered = decided(['small', 'large'], {
    ...more,
    scorer: { ...scorer, rank: () => ({ chances: [], order: [1, 0] }) },
    route: { ...more.route, smart: { ...smart, explore: 1 } },
    traits: { steering: steering({ models: ['small'] }) },
  });
  assert.deepEqual([steered.decision.explored, steered.decision.propensity], [false, 1]);
});

/** Within five standard deviations of what is expected. */
function isBinomial(count: number, of: number, part: number): void {
  const deviation = Math.sqrt(of * part * (1 - part));
  assert.ok(Math.abs(count - of * part) < 5 * deviation, `${count} of ${of}, where ${of * part} are expected`);
}
