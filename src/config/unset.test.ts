// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetNames } from '../providers/resolve.ts';
import type { Environment } from './interpolate.ts';
import { readConfig } from './read.ts';

const PROVIDERS = 'providers: { lab: { base_url: http://lab, only: [a, b, c] } }\n';

function read(text: string, env: Environment = {}) {
  return readConfig({ text, file: 'headgate.yaml', env, presets: presetNames(), built: ['openai-chat'] });
}

const LEFT_OUT: [text: string, notice: string][] = [
  ['providers: { lab: { base_url: "${A}" } }', 'Provider lab is off: A is not set.'],
  [
    'providers: { lab: { base_url: "http://${A}:${B}/v1", headers: { x: "${A}" } } }',
    'Provider lab is off: A and B are not set.',
  ],
  ['providers: { lab: { base_url: http://x, queue: { length: "${A}" } } }', 'Provider lab is off: A is not set.'],
  [
    'providers: { lab: { base_url: http://x, api_keys: [{ name: "${A}", key: "${A}" }] } }',
    'Provider lab is off: A is not set.',
  ],
  [
    'providers: { lab: { base_url: http://x, models: [m, { id: "${A}" }] } }',
    'The second of the models of provider lab is left out: A is not set.',
  ],
  [
    `${PROVIDERS}routes: { r: { targets: ["\${A}", b] } }`,
    'The first of the targets of route r is left out: A is not set.',
  ],
  [`${PROVIDERS}routes: { r: { targets: ["\${A}"] }, s: { targets: [a] } }`, 'Route r is left out: A is not set.'],
  [`${PROVIDERS}routes: { r: { targets: [a], regions: ["\${A}"] } }`, 'Route r is left out: A is not set.'],
  [
    `${PROVIDERS}routes: { r: { targets: [a, "\${A}"], strategy: [{ rules: [{ if: { tools: true }, use: [a] }] }] } }`,
    'Route r is left out: A is not set.',
  ],
  ['mail: { smtp_url: "smtp://u:${A}@mail", from: a@b.c }', 'The mail server is left out: A is not set.'],
  [`${PROVIDERS}system: { targets: ["\${A}"] }`, 'Route system is left out: A is not set.'],
  [`${PROVIDERS}aliases: { x: "\${A}", y: a }`, 'Alias x is left out: A is not set.'],
  [`${PROVIDERS}products: { p: { name: "\${A}" } }`, 'Product p is left out: A is not set.'],
  [
    `${PROVIDERS}models: { lab/a: { context_window: "\${A}" } }`,
    'The entry of the model lab/a is left out: A is not set.',
  ],
  ['catalog: { refresh: 1h, source: "${A}" }', 'The section catalog is left out: A is not set.'],
  ['server: { metrics_token: "${A}" }', 'The metrics token is left out: A is not set.'],
  [
    `providers: { openai: {} }\naliases: { x: openai/gpt-5, y: "\${A}" }`,
    'Alias y is left out: A is not set; provider openai is off: OPENAI_API_KEY is not set; so nothing serves alias x.',
  ],
];

for (const [text, notice] of LEFT_OUT) {
  test(`a variable that is not set leaves out what needs it, and one line says so: ${text.replace(PROVIDERS, '')}`, () => {
    assert.deepEqual(read(text).notices, [notice]);
  });
}

test('what is left is as if the rest had never stood there', () => {
  const { config } = read(
    `${PROVIDERS}routes: { r: { targets: [a, "\${A}", b] } }\naliases: { x: "\${A}", y: a }\nproducts: { p: { name: "\${A}" } }`,
  );
  const [route] = config.routes;
  assert.deepEqual(
    route?.targets.map(({ model }) => model),
    ['a', 'b'],
  );
  assert.equal(route?.version, read(`${PROVIDERS}routes: { r: { targets: [a, b] } }`).config.routes[0]?.version);
  assert.deepEqual([[...config.aliases.keys()], config.products.size], [['y'], 0]);
});

test('a provider that is off for it is known, with why', () => {
  const { config, secrets } = read('providers: { lab: { base_url: "${A}", api_key: "${B}", models: [m] } }', {
    B: 'k',
  });
  assert.deepEqual([config.providers[0]?.off, secrets.providerKeys.size], ['A is not set', 0]);
});

test('what cannot be done without is an error with its place, behind what was left out of the same list too', () => {
  const refused = (text: string) => {
    try {
      read(text);
    } catch (error) {
      return (error as Error).message;
    }
    return 'not refused';
  };
  assert.equal(
    refused('server: { data: "${A}" }'),
    'headgate.yaml:1:11 server.data: names A, which is not set in the environment',
  );
  assert.equal(
    refused('organizations: { o: { name: "${A}" } }'),
    'headgate.yaml:1:23 organizations.o.name: names A, which is not set in the environment',
  );
  assert.match(
    refused(
      `${PROVIDERS}routes:\n  r:\n    targets:\n      - "\${A}"\n      - a\n      - "\${A}"\n      - { model: b, weight: -1 }\n`,
    ),
    /^headgate\.yaml:8:\d+ routes\.r\.targets\[3\]\.weight: /,
  );
  assert.match(
    refused(`${PROVIDERS}routes:\n  r:\n    targets:\n      - "\${A}"\n      - a\n      - a\n`),
    /^headgate\.yaml:7:9 routes\.r\.targets\[2\]/,
  );
});
