// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from './problems.ts';
import { readConfig } from './read.ts';

function refusal(text: string): ConfigError {
  try {
    readConfig({ text, file: 'headgate.yaml', env: {}, presets: [], built: ['openai-chat'] });
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error;
  }
  return assert.fail('was not refused');
}

/** A route `r` with the targets `a` and `b`, and more: what follows begins in column 33. */
const route = (more: string) => `routes: { r: { targets: [a, b], ${more} } }`;
/** A rule of its: the condition begins in column 64. */
const when = (condition: string) => route(`strategy: [{ rules: [{ when: { ${condition} }, use: [a] }] }]`);

const AT = '1:33 routes.r';
const WHEN = '1:64 routes.r.strategy[0].rules[0].when';
const USD = 'must be dollars above 0, up to 1000000000, with at most nine decimals';
const PART = 'must be a number from 0 to 1';
const TIMES = 'must be two times of day (UTC) such as 22:00-06:00';

/** The file, and the line it is refused with, less the name of the file. */
const REFUSED: [text: string, line: string][] = [
  // Parameters
  [route('force: { temperature: 3 }'), `${AT}.force.temperature: must be a number from 0 to 2`.replace('33', '42')],
  [
    route('defaults: { body: { messages: [] } }'),
    `${AT}.defaults.body.messages: cannot be set here: the gateway reads it itself`.replace('33', '53'),
  ],
  [
    route('force: { body: { thinking: { budget_tokens: 9 } } }'),
    `${AT}.force.body.thinking: cannot hold budget_tokens here: use max_output_tokens or thinking_budget`.replace(
      '33',
      '50',
    ),
  ],
  [
    route('force: { reasoning_effort: high, thinking_budget: 5 }'),
    `${AT}.force.thinking_budget: cannot be combined with reasoning_effort`.replace('33', '66'),
  ],
  // Names
  [
    'routes: { "a b": { targets: [a] } }',
    '1:11 routes.a b: must be a name of 1 to 256 characters of ASCII, without spaces and *',
  ],
  [
    'routes: { system: { targets: [a] } }',
    '1:11 routes.system: is the route for products: write it as “system” at the top of the file',
  ],
  ['aliases: { r: a }\nroutes: { r: { targets: [a] } }', '1:12 aliases.r: is the name of a route'],
  ['aliases: { system: a }', '1:12 aliases.system: is the name of a route'],
  [route('strtegy: [priority]'), `${AT}.strtegy: is not a setting (did you mean “strategy”?)`],
  ['system: { targets: [a], price: {} }', '1:25 system.price: is not a setting'],
  ['system: { targets: [a], nmae: x }', '1:25 system.nmae: is not a setting (did you mean “name”?)'],
  [
    route('description: "a\\nb"'),
    `${AT}.description: must not contain U+000A, which is not seen, or changes how other text is seen`,
  ],
  [
    route(String.raw`name: "a\u202eb"`),
    `${AT}.name: must not contain U+202E, which is not seen, or changes how other text is seen`,
  ],
  [
    route('price: { input_per_1m: -1 }'),
    '1:42 routes.r.price.input_per_1m: must be dollars per million tokens, from 0 to 1000000, with at most six decimals',
  ],
  // Targets
  ['routes: { r: {} }', '1:11 routes.r.targets: must be given'],
  ['routes: { r: { targets: [] } }', '1:16 routes.r.targets: must name at least one target'],
  ['routes: { r: { targets: a } }', '1:16 routes.r.targets: must be a list, not text'],
  ['routes: { r: { targets: [5] } }', '1:26 routes.r.targets[0]: must be a name, or a map of settings, not a number'],
  [
    'routes: { r: { targets: [{ modle: a }] } }',
    '1:28 routes.r.targets[0].modle: is not a setting (did you mean “model”?)',
  ],
  ['routes: { r: { targets: [{ weight: 1 }] } }', '1:26 routes.r.targets[0].model: must be given'],
  [
    'routes: { r: { targets: [{ model: a, weight: -1 }] } }',
    '1:38 routes.r.targets[0].weight: must be a whole number, from 0 to 1000000',
  ],
  [
    'routes: { r: { targets: [{ model: a, weight: 0.5 }] } }',
    '1:38 routes.r.targets[0].weight: must be a whole number, from 0 to 1000000',
  ],
  [
    'routes: { r: { targets: [{ model: a, credential: a b }] } }',
    '1:38 routes.r.targets[0].credential: must be a name of letters, digits, “.”, “_” and “-” (at most 64)',
  ],
  ['routes: { r: { targets: [a, b, { model: a }] } }', '1:32 routes.r.targets[2]: lists a a second time'],
  [
    'routes: { r: { targets: [{ model: a, credential: c }, { model: a, credential: c }] } }',
    '1:55 routes.r.targets[1]: lists a with the credential c a second time',
  ],
  ['routes: { r: { targets: [a], fallbacks: [b, b] } }', '1:45 routes.r.fallbacks[1]: lists b a second time'],
  ['routes: { r: { targets: [r] } }', '1:26 routes.r.targets[0]: names the route r; it must name a model'],
  ['routes: { r: { targets: [system] } }', '1:26 routes.r.targets[0]: names the route system; it must name a model'],
  [
    'routes: { r: { targets: [a] }, s: { targets: [a], context_window_fallbacks: [r] } }',
    '1:78 routes.s.context_window_fallbacks[0]: names the route r; it must name a model',
  ],
  [
    'routes: { r: { targets: [a] } }\nsystem: { targets: [r] }',
    '2:21 system.targets[0]: names the route r; it must name a model',
  ],
  [
    'aliases: { m: a }\nroutes: { r: { targets: [m] } }',
    '2:26 routes.r.targets[0]: names the alias m; it must name a model, such as a',
  ],
  [
    'aliases: { m: r }\nroutes: { r: { targets: [a] }, s: { targets: [m] } }',
    '2:47 routes.s.targets[0]: names an alias of the route r; it must name a model',
  ],
  [
    'providers: { x: { base_url: http://x, only: [a, b] } }\nroutes: { r: { targets: [a, b, x/a] } }',
    '2:32 routes.r.targets[2]: lists x/a a second time, before as a',
  ],
  [
    'providers: { x: { base_url: http://x, only: [a] } }\nsystem: { targets: [b], fallbacks: [x/a, a] }',
    '2:42 system.fallbacks[1]: lists a a second time, before as x/a',
  ],
  [
    'limits: { max_route_targets: 2 }\nroutes: { r: { targets: [a, b], content_policy_fallbacks: [c] } }',
    '2:16 routes.r.targets: has 3 items with all fallbacks; at most 2 are allowed',
  ],
  [
    'routes: { r: { targets: [{ model: a, weight: 0 }] } }',
    '1:16 routes.r.targets: must have one with a weight above 0',
  ],
  // Strategies
  [route('strategy: cheapest'), `${AT}.strategy: must be a list, not text`],
  [route('strategy: []'), `${AT}.strategy: must name at least one strategy`],
  [
    route('strategy: [cheap]'),
    '1:44 routes.r.strategy[0]: must be one of priority, weighted, cheapest, fastest, smart',
  ],
  [route('strategy: [fastest, fastest]'), '1:53 routes.r.strategy[1]: names fastest a second time'],
  [route('strategy: [{}]'), '1:44 routes.r.strategy[0]: must be one strategy: weighted, cheapest or rules'],
  [
    route('strategy: [{ weighted: {}, cheapest: {} }]'),
    '1:44 routes.r.strategy[0]: must be one strategy: weighted, cheapest or rules',
  ],
  [
    route('strategy: [{ wieghted: { sticky: true } }]'),
    '1:46 routes.r.strategy[0].wieghted: is not a setting (did you mean “weighted”?)',
  ],
  [
    route('strategy: [{ weighted: { sticky: 1 } }]'),
    '1:58 routes.r.strategy[0].weighted.sticky: must be true or false',
  ],
  [route('strategy: [{ cheapest: { within: 2 } }]'), `1:58 routes.r.strategy[0].cheapest.within: ${PART}`],
  [route('strategy: [{ rules: [] }]'), '1:46 routes.r.strategy[0].rules: must have at least one rule'],
  [route('strategy: [{ rules: [{ use: [a] }] }]'), '1:54 routes.r.strategy[0].rules[0].when: must be given'],
  [
    route('strategy: [{ rules: [{ when: {}, use: [] }] }]'),
    '1:66 routes.r.strategy[0].rules[0].use: must name at least one target',
  ],
  [
    route('strategy: [{ rules: [{ when: {}, use: [a, large] }] }]').replace('[a, b]', '[a, lrge]'),
    '1:78 routes.r.strategy[0].rules[0].use[1]: is not a target of this route (did you mean “lrge”?)',
  ],
  // Conditions
  [when('tool: true'), `${WHEN}.tool: is not a setting (did you mean “tools”?)`],
  [when('tools: 1'), `${WHEN}.tools: must be true or false`],
  [
    when('not: { any: [{ tagg: x }] }'),
    '1:79 routes.r.strategy[0].rules[0].when.not.any[0].tagg: is not a setting (did you mean “tag”?)',
  ],
  [when('not: {}'), `${WHEN}.not: must have at least one member`],
  [when('any: []'), `${WHEN}.any: must name at least one condition`],
  [when('any: [{ tools: true }, {}]'), '1:87 routes.r.strategy[0].rules[0].when.any[1]: must have at least one member'],
  [when('prompt_tokens: {}'), `${WHEN}.prompt_tokens: must set above, below or both`],
  [when('turns: { above: 2, below: 3 }'), `${WHEN}.turns: must leave a number between above and below`],
  [
    when('turns: { above: x }'),
    '1:73 routes.r.strategy[0].rules[0].when.turns.above: must be a whole number, from 0 to 1000000000',
  ],
  [when('surface: chatt'), `${WHEN}.surface: must be one of chat, responses, messages, embeddings`],
  [
    when('surface: [chat, x]'),
    '1:80 routes.r.strategy[0].rules[0].when.surface[1]: must be one of chat, responses, messages, embeddings',
  ],
  [when('surface: []'), `${WHEN}.surface: must name at least one`],
  [when('source: browser'), `${WHEN}.source: must be one of api_key, product, developer_tool, console`],
  [when('key: 5'), `${WHEN}.key: must be text, or a list of texts`],
  [
    when('metadata: { tier: 1 }'),
    '1:76 routes.r.strategy[0].rules[0].when.metadata.tier: must be text, or a list of texts',
  ],
  [when('time_of_day: "22-6"'), `${WHEN}.time_of_day: ${TIMES}`],
  [when('time_of_day: 24:00-01:00'), `${WHEN}.time_of_day: ${TIMES}`],
  [when('time_of_day: 06:00-06:00'), `${WHEN}.time_of_day: must begin and end at different times`],
  [when('weekday: monday'), `${WHEN}.weekday: must be one of sun, mon, tue, wed, thu, fri, sat`],
  // Dials
  [route('quality: 0.5'), `${AT}.quality: needs the strategy smart, which this route does not use`],
  [route('explore: 0.5'), `${AT}.explore: needs the strategy smart, which this route does not use`],
  [
    route('strategy: [smart], quality: 0.5, strong_share: 0.5'),
    '1:66 routes.r.strong_share: cannot be combined with quality',
  ],
  [route('strategy: [smart], quality: 1.5'), `1:52 routes.r.quality: ${PART}`],
  [route('strategy: [smart], max_cost_per_call: 0'), `1:52 routes.r.max_cost_per_call: ${USD}`],
  [route('strategy: [smart], max_cost_per_call: 0.0000000001'), `1:52 routes.r.max_cost_per_call: ${USD}`],
  // Limits
  [route('limits: { attempts: 11 }'), '1:43 routes.r.limits.attempts: must be a whole number, from 1 to 10'],
  [
    route('limits: { max_price: { input: 1 } }'),
    '1:56 routes.r.limits.max_price.input: is not a setting (did you mean “input_per_1m”?)',
  ],
  [
    route('regions: [EU]'),
    '1:43 routes.r.regions[0]: must be a name of lower-case letters, digits and “-” (at most 64)',
  ],
  // Products
  ['products: { "a b": {} }', '1:13 products.a b: must be a name of letters, digits, “_” and “-” (at most 64)'],
  ['products: { p: { routes: [] } }', '1:18 products.p.routes: must name at least one route'],
  ['products: { p: { budget: { usd: 5 } } }', '1:18 products.p.budget.per: must be given'],
  ['products: { p: { budget: { usd: 0, per: day } } }', `1:28 products.p.budget.usd: ${USD}`],
  [
    'products: { p: { budget: { usd: 5, per: year } } }',
    '1:36 products.p.budget.per: must be one of month, week, day, life',
  ],
  // Keys of providers
  ['providers: { x: { base_url: http://x, api_keys: [] } }', '1:39 providers.x.api_keys: must name at least one key'],
  [
    'providers: { x: { base_url: http://x, api_keys: [{ key: k }] } }',
    '1:50 providers.x.api_keys[0].name: must be given',
  ],
  [
    'providers: { x: { base_url: http://x, api_keys: [{ name: k }] } }',
    '1:50 providers.x.api_keys[0].key: must be given',
  ],
  [
    'providers: { x: { base_url: http://x, api_keys: [{ name: k, key: "${" }] } }',
    '1:61 providers.x.api_keys[0].key: has a “${” that does not name a variable; write “$${” for a literal “${”',
  ],
  [
    'providers: { x: { base_url: http://x, api_keys: [{ name: k, key: a }, { name: k, key: b }] } }',
    '1:73 providers.x.api_keys[1].name: names k a second time',
  ],
  [
    'providers: { x: { base_url: http://x, api_key: a, api_keys: [{ name: default, key: b }] } }',
    '1:64 providers.x.api_keys[0].name: is reserved for the api_key',
  ],
  [
    'providers: { x: { base_url: http://x, api_keys: [{ name: k, key: a, weight: 0 }] } }',
    '1:39 providers.x.api_keys: must have one with a weight above 0',
  ],
  [
    'providers: { x: { base_url: http://x, queue: { length: 1 } } }',
    '1:39 providers.x.queue: needs max_concurrency beside it',
  ],
  [
    'providers: { x: { base_url: http://x, max_concurrency: 0 } }',
    '1:39 providers.x.max_concurrency: must be a whole number, from 1 to 1000000',
  ],
];

for (const [text, line] of REFUSED) {
  test(`${JSON.stringify(text)} is refused`, () => {
    const error = refusal(text);
    assert.ok(error.message.split('\n').includes(`headgate.yaml:${line}`), error.message);
  });
}
