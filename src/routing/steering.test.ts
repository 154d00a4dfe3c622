import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { steering } from '../testing/routes.ts';
import { pick, seeded } from '../testing/seeded.ts';
import { readSteering } from './steering.ts';

const NOTHING = { models: undefined, provider: undefined };

test('nothing sent, or null, steers nothing', () => {
  assert.equal(readSteering(NOTHING), null);
  assert.equal(readSteering({ models: null, provider: null }), null);
  assert.equal(readSteering({ ...NOTHING, models: [] }), null);
  assert.deepEqual(readSteering({ models: [], provider: { order: [], only: [], ignore: [] } }), steering());
});

test('members are read as OpenRouter’s clients send them', () => {
  const provider = {
    order: ['OpenAI', 'azure'],
    only: null,
    ignore: ['Lab'],
    sort: 'latency',
    max_price: { prompt: 1.5, completion: '2' },
    allow_fallbacks: false,
  };
  assert.deepEqual(readSteering({ models: ['a', 'Lab/b'], provider }), {
    models: ['a', 'Lab/b'],
    order: ['openai', 'azure'],
    only: null,
    ignore: ['lab'],
    sort: 'latency',
    maxPrice: { input: 1_500_000, output: 2_000_000 },
    allowFallbacks: false,
  });
  assert.deepEqual(readSteering({ ...NOTHING, provider: {} })?.allowFallbacks, true);
});

test('what is not known, or of the wrong type, is refused by name', () => {
  const cases: readonly [said: { models?: unknown; provider?: unknown }, param: string][] = [
    [{ models: 'a' }, 'models'],
    [{ models: ['a', 1] }, 'models[1]'],
    [{ models: Array(101).fill('a') }, 'models'],
    [{ provider: [] }, 'provider'],
    [{ provider: 'openai' }, 'provider'],
    [{ provider: { zdr: true } }, 'provider.zdr'],
    [{ provider: { quantizations: null } }, 'provider.quantizations'],
    [{ provider: { order: 'openai' } }, 'provider.order'],
    [{ provider: { only: [{}] } }, 'provider.only[0]'],
    [{ provider: { ignore: {} } }, 'provider.ignore'],
    [{ provider: { sort: 'speed' } }, 'provider.sort'],
    [{ provider: { sort: { by: 'price' } } }, 'provider.sort'],
    [{ provider: { max_price: 1 } }, 'provider.max_price'],
    [{ provider: { max_price: { image: 1 } } }, 'provider.max_price.image'],
    [{ provider: { max_price: { prompt: -1 } } }, 'provider.max_price.prompt'],
    [{ provider: { max_price: { prompt: '' } } }, 'provider.max_price.prompt'],
    [{ provider: { max_price: { completion: 'cheap' } } }, 'provider.max_price.completion'],
    [{ provider: { allow_fallbacks: 'no' } }, 'provider.allow_fallbacks'],
  ];
  for (const [said, param] of cases) {
    assert.throws(
      () => readSteering({ ...NOTHING, ...said }),
      (error) =>
        error instanceof GatewayError && error.status === 400 && error.param === param && error.message.includes(param),
      param,
    );
  }
});

test('whatever is sent is read or refused, never a fault of ours', () => {
  const random = seeded(9);
  const anything = (depth: number): unknown => {
    const names = ['order', 'only', 'ignore', 'sort', 'max_price', 'allow_fallbacks', 'prompt', '__proto__', 'x'];
    const leaf = pick<unknown>(random, [null, true, 0, -1, 'price', '', 'ä', undefined]);
    if (depth === 0 || random() < 0.3) return leaf;
    if (random() < 0.4) return Array.from({ length: Math.floor(random() * 4) }, () => anything(depth - 1));
    return Object.fromEntries(names.filter(() => random() < 0.25).map((name) => [name, anything(depth - 1)]));
  };
  let refused = 0;
  for (let round = 0; round < 3000; round += 1) {
    try {
      readSteering({ models: anything(2), provider: anything(3) });
    } catch (error) {
      assert.ok(error instanceof GatewayError && error.kind === 'invalid_request');
      refused += 1;
    }
  }
  assert.ok(refused > 100);
});

test('of a long name the first 200 characters are read, and told where it is not known', () => {
  const long = 'x'.repeat(201);
  const kept = 'x'.repeat(200);
  assert.deepEqual(readSteering({ models: [long], provider: { only: [long] } })?.models, [kept]);
  assert.throws(() => readSteering({ ...NOTHING, provider: { [long]: 1 } }), { param: `provider.${kept}` });
});
