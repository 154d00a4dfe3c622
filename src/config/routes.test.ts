import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition, Strategy } from '../core/route.ts';
import type { Config } from './config.ts';
import { type ReadConfig, readConfig } from './read.ts';
import { type RouteContext, readRoute } from './routes.ts';

/** As a newcomer copies it from the documents. */
const THREE = `
routes:
  acme/fast: { name: Acme Fast, strategy: [cheapest], targets: [lab-small, openai/gpt-4o-mini], price: { input_per_1m: 0.2, output_per_1m: 0.8 } }
  acme/auto: { name: Acme Auto, strategy: [smart], quality: 0.7, targets: [lab-small, { model: lab-large, credential: second }], fallbacks: [openai/gpt-4o] }
  acme/split: { strategy: [weighted], targets: [{ model: lab-small, weight: 9 }, { model: lab-large, weight: 1 }] }   # no price: the cost of what was used
system: { strategy: [priority], targets: [lab-large, lab-small] }
products: { helpdesk: { name: Helpdesk, routes: [system], budget: { usd: 500, per: month } } }
`;

const PROVIDERS = `
providers:
  lab: { base_url: http://lab, api_keys: [{ name: first, key: "\${A}" }, { name: second, key: "\${B}" }], only: [lab-small, lab-large] }
  openai: { base_url: http://openai, only: [gpt-4o, gpt-4o-mini] }
`;

const CONTEXT: RouteContext = { routes: [], aliases: new Map(), models: new Map(), maxTargets: 100 };

function read(text: string): ReadConfig {
  return readConfig({ text, file: 'headgate.yaml', env: { A: 'a', B: 'b' }, presets: [], built: ['openai-chat'] });
}

function config(text: string): Config {
  return read(text).config;
}

function target(model: string, more: { credential?: string; weight?: number } = {}) {
  return { model, credential: null, weight: 1, ...more };
}

const NO_LIMITS = {
  attempts: null,
  total: null,
  firstByte: null,
  maxPromptTokens: null,
  maxOutputTokens: null,
  maxInputRate: null,
  maxOutputRate: null,
};

const PLAIN = {
  origin: 'smart_route',
  brand: null,
  description: null,
  fallbacks: [],
  contextFallbacks: [],
  policyFallbacks: [],
  limits: NO_LIMITS,
  price: null,
  regions: null,
  unpriced: 'skip',
  affinity: true,
  disclose: true,
  smart: null,
};

test('three routes, the system route and a product, as a file says them', () => {
  const { routes, system, products, definitions } = config(THREE);
  assert.deepEqual(
    routes.map(({ version: _, ...route }) => route),
    [
      {
        ...PLAIN,
        id: 'acme/fast',
        name: 'Acme Fast',
        strategy: [{ kind: 'cheapest', within: 0 }],
        targets: [target('lab-small'), target('openai/gpt-4o-mini')],
        price: {
          rates: {
            ...{ input: 200_000n, cache_read: 200_000n, cache_write: 200_000n, cache_write_any: 200_000n },
            ...{ audio_input: 200_000n, output: 800_000n, audio_output: 800_000n },
          },
          tiers: [],
          source: 'route acme/fast',
          date: '',
        },
      },
      {
        ...PLAIN,
        id: 'acme/auto',
        name: 'Acme Auto',
        strategy: [{ kind: 'smart' }],
        targets: [target('lab-small'), target('lab-large', { credential: 'second' })],
        fallbacks: [target('openai/gpt-4o')],
        smart: { dial: { kind: 'quality', quality: 0.7 }, explore: 0.05 },
      },
      {
        ...PLAIN,
        id: 'acme/split',
        name: 'acme/split',
        strategy: [{ kind: 'weighted', sticky: false }],
        targets: [target('lab-small', { weight: 9 }), target('lab-large')],
      },
    ],
  );
  const { version, ...rest } = system!;
  assert.deepEqual(rest, {
    ...PLAIN,
    id: 'system',
    origin: 'system_route',
    name: 'System',
    strategy: [{ kind: 'priority' }],
    targets: [target('lab-large'), target('lab-small')],
  });
  const budget = { amount: 500_000_000_000n, per: 'month' };
  assert.deepEqual([...products], [['helpdesk', { name: 'Helpdesk', routes: ['system'], budget }]]);
  assert.equal(definitions.get(version), '{"strategy":["priority"],"targets":["lab-large","lab-small"]}');
  assert.deepEqual([...definitions.keys()], [...routes.map((route) => route.version), version]);
});

test('it is good with whatever providers there are, and says what they do not serve', () => {
  assert.deepEqual(read(THREE + PROVIDERS).notices, []);
  assert.deepEqual(
    read(`${THREE}echo: false\nproviders: { lab: { base_url: http://lab, only: [lab-large] } }`).notices,
    [
      'Route acme/fast names lab-small, openai/gpt-4o-mini, which no provider that is on is known to serve.',
      'Route acme/auto names lab-small, openai/gpt-4o, which no provider that is on is known to serve.',
      'Route acme/auto asks for lab-large with the credential second, which its provider does not have.',
      'Route acme/split names lab-small, which no provider that is on is known to serve.',
      'Route system names lab-small, which no provider that is on is known to serve.',
    ],
  );
});

test('every setting of a route is taken from the file', () => {
  const [route] = config(`
routes:
  mine:
    { name: N, brand: B, description: "D, d.", targets: [a, { model: b, weight: 0 }], fallbacks: [{ model: a, credential: c }],
      context_window_fallbacks: [long], content_policy_fallbacks: [free], affinity: false, disclose: false, unpriced: refuse,
      regions: [eu, us-east-1],
      strategy: [{ weighted: { sticky: true } }, { cheapest: { within: 0.1 } }, fastest, priority],
      limits: { attempts: 2, total: 1s, first_byte: 2s, max_prompt_tokens: 3, max_output_tokens: 4,
        max_price: { input_per_1m: 1, output_per_1m: 0.5 } } }
`).routes;
  assert.deepEqual(
    { ...route, version: '' },
    {
      ...PLAIN,
      version: '',
      id: 'mine',
      name: 'N',
      brand: 'B',
      description: 'D, d.',
      targets: [target('a'), target('b', { weight: 0 })],
      fallbacks: [target('a', { credential: 'c' })],
      contextFallbacks: [target('long')],
      policyFallbacks: [target('free')],
      affinity: false,
      unpriced: 'refuse',
      disclose: false,
      regions: ['eu', 'us-east-1'],
      strategy: [
        { kind: 'weighted', sticky: true },
        { kind: 'cheapest', within: 0.1 },
        { kind: 'fastest' },
        { kind: 'priority' },
      ],
      limits: {
        attempts: 2,
        total: 1000,
        firstByte: 2000,
        maxPromptTokens: 3,
        maxOutputTokens: 4,
        maxInputRate: 1_000_000n,
        maxOutputRate: 500_000n,
      },
    },
  );
});

const STRATEGIES: [yaml: string, strategy: readonly Strategy[]][] = [
  ['[priority]', [{ kind: 'priority' }]],
  ['[weighted]', [{ kind: 'weighted', sticky: false }]],
  ['[{ weighted: {} }]', [{ kind: 'weighted', sticky: false }]],
  ['[{ cheapest: {} }, fastest]', [{ kind: 'cheapest', within: 0 }, { kind: 'fastest' }]],
  [
    '[{ rules: [{ when: {}, use: [a] }, { when: { tools: true }, use: [b, a], only: true }] }]',
    [
      {
        kind: 'rules',
        rules: [
          { when: {}, use: ['a'], only: false },
          { when: { tools: true }, use: ['b', 'a'], only: true },
        ],
      },
    ],
  ],
];

for (const [yaml, strategy] of STRATEGIES) {
  test(`the strategy ${yaml}`, () => {
    assert.deepEqual(config(`routes: { r: { targets: [a, b], strategy: ${yaml} } }`).routes[0]?.strategy, strategy);
  });
}

test('a route with no strategy tries its targets in their order', () => {
  assert.deepEqual(config('routes: { r: { targets: [a, b] } }').routes[0]?.strategy, [{ kind: 'priority' }]);
});

const CONDITIONS: [yaml: string, condition: Condition][] = [
  ['{}', {}],
  ['{ tools: true, images: false, stream: true }', { tools: true, images: false, stream: true }],
  ['{ audio: true, files: true, structured_output: false }', { audio: true, files: true, structuredOutput: false }],
  ['{ prompt_tokens: { above: 4000, below: 10000 } }', { promptTokens: { above: 4000, below: 10_000 } }],
  ['{ turns: { above: 0 } }', { turns: { above: 0 } }],
  ['{ surface: chat }', { surface: ['openai-chat'] }],
  [
    '{ surface: [responses, messages, embeddings] }',
    { surface: ['openai-responses', 'anthropic-messages', 'openai-embeddings'] },
  ],
  ['{ key: key_1, source: [api_key, product] }', { key: ['key_1'], source: ['api_key', 'product'] }],
  ['{ product: helpdesk, project: [a, b], tag: t }', { product: ['helpdesk'], project: ['a', 'b'], tag: ['t'] }],
  ['{ metadata: { tier: gold, team: [x, y] } }', { metadata: { tier: ['gold'], team: ['x', 'y'] } }],
  ['{ time_of_day: "22:00-06:30" }', { timeOfDay: { from: 1320, to: 390 } }],
  ['{ time_of_day: 00:00-24:00 }', { timeOfDay: { from: 0, to: 1440 } }],
  ['{ weekday: [sun, mon, sat] }', { weekday: [0, 1, 6] }],
  [
    '{ not: { any: [{ tools: true }, { not: { tag: t } }] } }',
    { not: { any: [{ tools: true }, { not: { tag: ['t'] } }] } },
  ],
];

for (const [yaml, condition] of CONDITIONS) {
  test(`the condition ${yaml}`, () => {
    const { routes } = config(`routes: { r: { targets: [a], strategy: [{ rules: [{ when: ${yaml}, use: [a] }] }] } }`);
    assert.deepEqual(routes[0]?.strategy, [{ kind: 'rules', rules: [{ when: condition, use: ['a'], only: false }] }]);
  });
}

const DIALS: [yaml: string, smart: unknown][] = [
  ['', { dial: { kind: 'quality', quality: 0.7 }, explore: 0.05 }],
  ['quality: 0', { dial: { kind: 'quality', quality: 0 }, explore: 0.05 }],
  ['strong_share: 0.25, explore: 0', { dial: { kind: 'strong_share', share: 0.25 }, explore: 0 }],
  ['max_cost_per_call: 0.002', { dial: { kind: 'max_cost', perCall: 2_000_000n }, explore: 0.05 }],
];

for (const [yaml, smart] of DIALS) {
  test(`smart with ${yaml === '' ? 'no dial' : yaml}`, () => {
    const { routes } = config(`routes: { r: { targets: [a], strategy: [smart], ${yaml} } }`);
    assert.deepEqual(routes[0]?.smart, smart);
  });
}

test('a version follows from what a definition says, not from how it is written', () => {
  const version = (text: string) => config(text).routes[0]?.version;
  const first = version('routes: { r: { targets: [a], limits: { attempts: 1, total: 2 } } }');
  assert.match(first!, /^[0-9a-f]{16}$/);
  assert.equal(version('# x\nroutes:\n  r:\n    limits: { total: 2, attempts: 1 }\n    targets: ["a"]\n'), first);
  assert.notEqual(version('routes: { r: { targets: [b], limits: { attempts: 1, total: 2 } } }'), first);
});

test('a route is read again from its kept definition, and is the same', () => {
  const { routes, system, definitions } = config(THREE);
  for (const route of [...routes, system!]) {
    const kept = definitions.get(route.version)!;
    const read = readRoute(route.id, JSON.parse(kept), CONTEXT, (path, message) => assert.fail(`${path}: ${message}`));
    assert.deepEqual(read, { route, definition: kept });
  }
});

test('what of a kept definition is wrong is told by its path within it', () => {
  const problems: string[] = [];
  const definition = { targets: ['acme/fast', 'x'], strategy: [{ rules: [{ when: { tool: true }, use: ['y'] }] }] };
  const context = { ...CONTEXT, routes: ['acme/fast'] };
  const told = (id: string, given: unknown) =>
    readRoute(id, given, context, (at, words) => problems.push(`${at.join('.')} ${words}`));
  assert.equal(told('r', definition), null);
  assert.equal(told('r', { ...definition, strategy: ['priority'] }), null);
  assert.equal(told('system', { targets: ['x'], price: {} }), null);
  assert.equal(told('r', 7), null);
  assert.equal(told('my route', { targets: ['x'] }), null);
  assert.deepEqual(problems, [
    'strategy.0.rules.0.when.tool is not a setting (did you mean “tools”?)',
    'targets.0 names the route acme/fast; it must name a model',
    'price is not a setting',
    ' must be a map of settings, not a number',
    ' must be a name of 1 to 256 characters of ASCII, without spaces and *',
  ]);
});

test('aliases lead to routes, and to the system route', () => {
  const { config: found, notices } = read(
    `${THREE}${PROVIDERS}aliases: { a: acme/fast, b: c, c: system, d: acme/fst }`,
  );
  assert.deepEqual(Object.fromEntries(found.aliases), { a: 'acme/fast', b: 'system', c: 'system', d: 'acme/fst' });
  assert.deepEqual(
    notices.filter((notice) => notice.startsWith('Alias')),
    ['Alias d leads to acme/fst, which no provider that is on is known to serve.'],
  );
});

test('a product may call the system route where it says nothing else, and nothing that is not there', () => {
  const { config: found, notices } = read(
    'products: { a: {}, b: { routes: [acme/fst, echo], budget: { usd: 0.5, per: life } } }\nroutes: { acme/fast: { targets: [echo] } }',
  );
  assert.deepEqual(found.products.get('a'), { name: 'a', routes: ['system'], budget: null });
  assert.deepEqual(found.products.get('b')?.budget, { amount: 500_000_000n, per: 'life' });
  assert.deepEqual(notices, [
    'Product a may call system, which is not a route of this configuration.',
    'Product b may call acme/fst, which is not a route of this configuration (did you mean “acme/fast”?).',
  ]);
});

test('a route that asks for a region which no provider is in is told of', () => {
  const lab = 'providers: { lab: { base_url: http://lab, region: eu, only: [a] } }';
  assert.deepEqual(read(`${lab}\nroutes: { r: { targets: [a], regions: [eu] } }`).notices, []);
  assert.deepEqual(read(`${lab}\nroutes: { r: { targets: [a], regions: [us, eu] } }`).notices, [
    'Route r asks for the region us, which no provider is in.',
  ]);
});
