import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pick, seeded } from '../testing/seeded.ts';
import { ConfigError } from './problems.ts';
import { readConfig } from './read.ts';
import { canonicalJson, type RouteContext, readRoute } from './routes.ts';

const SEED = 20261121;
const ROUNDS = 3000;
const CONTEXT: RouteContext = { routes: ['other'], aliases: new Map([['me', 'a']]), models: new Map(), maxTargets: 6 };

/** Values that settings of routes have, good and bad. */
const LEAVES = [
  'a',
  'b',
  'me',
  'other',
  'system',
  '',
  'eu',
  '22:00-06:00',
  'mon',
  0,
  1,
  0.5,
  -1,
  1e300,
  true,
  null,
  {},
  [],
];
const MEMBERS = [
  ...['name', 'brand', 'description', 'targets', 'strategy', 'fallbacks', 'limits', 'price', 'regions', 'affinity'],
  ...[
    'quality',
    'strong_share',
    'max_cost_per_call',
    'explore',
    'model',
    'weight',
    'credential',
    'rules',
    'when',
    'use',
  ],
  ...[
    'weighted',
    'cheapest',
    'sticky',
    'within',
    'not',
    'any',
    'tools',
    'turns',
    'above',
    'below',
    'metadata',
    'wrong',
  ],
];
const STRATEGIES = ['priority', 'weighted', 'cheapest', 'fastest', 'smart', { weighted: { sticky: true } }];

function randomValue(random: () => number, depth: number): unknown {
  if (depth === 0 || random() < 0.4) return pick(random, LEAVES);
  const count = Math.floor(random() * 4);
  if (random() < 0.4) return Array.from({ length: count }, () => randomValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: count }, () => [pick(random, MEMBERS), randomValue(random, depth - 1)]),
  );
}

/** One that is mostly good: what makes it bad is one member at most. */
function randomDefinition(random: () => number): Record<string, unknown> {
  const models = ['a', 'b', { model: 'c', weight: 2 }, { model: 'a', credential: 'k' }, { model: 'd', weight: 0 }];
  const targets = models.filter(() => random() < 0.6);
  const bad = random() < 0.3 ? { [pick(random, MEMBERS)]: randomValue(random, 4) } : {};
  return {
    targets: [...targets, 'e'],
    ...(random() < 0.7 ? { strategy: [pick(random, STRATEGIES)] } : {}),
    ...(random() < 0.3 ? { limits: { attempts: 1 + Math.floor(random() * 9), total: '5s' } } : {}),
    ...(random() < 0.3 ? { price: { input_per_1m: Math.floor(random() * 1e6) / 1e6 } } : {}),
    ...bad,
  };
}

test(`whatever a definition is, it is read or refused in sentences (seed ${SEED})`, () => {
  const random = seeded(SEED);
  let good = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const definition = random() < 0.5 ? randomDefinition(random) : randomValue(random, 5);
    const problems: string[] = [];
    const read = readRoute('r', definition, CONTEXT, (_path, message) => problems.push(message));
    assert.equal(read === null, problems.length > 0, canonicalJson(definition));
    assert.ok(
      problems.every((sentence) => /^\S.{3,}[^.]$/.test(sentence)),
      problems.join('\n'),
    );
    if (read === null) continue;
    good += 1;
    const again = readRoute('r', JSON.parse(read.definition), CONTEXT, (_path, message) => assert.fail(message));
    assert.deepEqual(again, read);
  }
  assert.ok(good > ROUNDS / 10 && good < ROUNDS, `${good} were good`);
});

test(`a file says of a route what its definition says alone (seed ${SEED})`, () => {
  const random = seeded(SEED);
  for (let round = 0; round < ROUNDS / 10; round += 1) {
    const definition = randomDefinition(random);
    const alone: string[] = [];
    const read = readRoute('r', definition, { ...CONTEXT, routes: ['r', 'other'] }, (path, message) =>
      alone.push(JSON.stringify([['routes', 'r', ...path].join(' '), message])),
    );
    const file = {
      aliases: { me: 'a' },
      limits: { max_route_targets: CONTEXT.maxTargets },
      routes: { r: definition, other: { targets: ['a'] } },
    };
    const given = { text: JSON.stringify(file), file: null, env: {}, presets: [], built: [] };
    if (read !== null) {
      assert.deepEqual(readConfig(given).config.routes[0], read.route);
      continue;
    }
    assert.throws(
      () => readConfig(given),
      (error) => error instanceof ConfigError && error.problems.length === new Set(alone).size,
      alone.join('\n'),
    );
  }
});
