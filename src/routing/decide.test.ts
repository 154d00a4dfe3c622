import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallTraits, Route } from '../core/route.ts';
import type { Scorer } from '../learning/scorer.ts';
import { model, route, served, steering, target, traits } from '../testing/routes.ts';
import { decided, order, refused } from './fixtures.test.ts';

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
  const lost = refused('no_target_available', [target('small', { credential: 'lost' })], { served: weights });
  assert.ok(!lost.message.includes('lost'), 'the operator’s names for its credentials are not for callers');
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

test('a refusal tells of the first eight targets why they do not serve, and how many more there are', () => {
  const models = Array.from({ length: 10 }, (_, index) => model(`m${index}`, null));
  const lost = refused(
    'model_unpriced',
    models.map(({ id }) => id),
    { traits: { demandsPrice: true }, served: [served('lab', models)] },
  );
  assert.match(lost.message, /`m7`: .*\. And 2 more\.$/);
  assert.ok(!lost.message.includes('`m8`'));
});

test('a key that may call the route may use all behind it; without, only what its list names', () => {
  assert.deepEqual(order(['small', 'large'], { traits: { allowedModels: ['acme/auto', 'large'] } }), [
    'small',
    'large',
  ]);
  assert.deepEqual(order(['small', 'large'], { traits: { allowedModels: ['lab/large'] } }), ['large']);
});

test('where the route has a price of its own, a target without one may serve whoever has a limit', () => {
  const demanding = { traits: { demandsPrice: true } };
  assert.deepEqual(order(['free', 'small'], demanding), ['small']);
  assert.deepEqual(order(['free', 'small'], { ...demanding, route: { price: model('x', [1, 2]).price } }), [
    'free',
    'small',
  ]);
  const { price } = model('x', [1, 2]);
  const half = { ...price!, rates: { input: price!.rates.input! } };
  const told = refused('model_unpriced', ['small'], { ...demanding, route: { price: half } });
  assert.match(told.message, /the route has no price to hold against a spend limit/);
});

test('a limit on answers names the field where the caller’s dialect has one word for it', () => {
  const asked = (surface: CallTraits['surface']) =>
    refused('invalid_request', ['small'], {
      traits: { surface, maxOutputTokens: 500 },
      route: { limits: { ...route([]).limits, maxOutputTokens: 400 } },
    });
  assert.equal(asked('openai-responses').param, 'max_output_tokens');
  assert.equal(asked('anthropic-messages').param, 'max_tokens');
  assert.deepEqual([asked('openai-chat').param, asked('openai-chat').code], [null, 'integer_above_max_value']);
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
