// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { VARIABLE_NAMES } from './environment.ts';
import { configSchema } from './schema.ts';
import { settings } from './setting-names.ts';

function file(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

const WRITE_SCHEMA =
  'headgate.schema.json is not what src/config/schema.ts says. Write it anew, in the root of the repository:\n' +
  `node -e "import('./src/config/schema.ts').then(({ configSchema }) => require('node:fs')` +
  `.writeFileSync('headgate.schema.json', JSON.stringify(configSchema(), null, 2) + '\\n'))"`;

test('headgate.schema.json is what the schema says', () => {
  assert.ok(file('headgate.schema.json') === `${JSON.stringify(configSchema(), null, 2)}\n`, WRITE_SCHEMA);
});

const SCHEMA = configSchema();
const isValid = new Ajv({ strict: false, validateFormats: false }).compile(SCHEMA);

const EDITED: [yaml: string, good: boolean][] = [
  [file('headgate.example.yaml'), true],
  ['server:\nproviders:\n  openai:\n', true],
  ['server: { port: "${PORT}", host: "${HOST}" }', true],
  ['timeouts: { idle: 5000, total: 15m }', true],
  ['retention: { usage: null }', true],
  ['retention: { usage: 400d }', true],
  ['timeouts: { idle: 3x }', false],
  ['server: { port: 70000 }', false],
  ['server: { prot: 80 }', false],
  ['providers: { a/b: {} }', false],
  ['providers: { x: { models: [{ name: x }] } }', false],
  ['providers: { x: { dialects: [openai] } }', false],
  ['providers: { x: { api_keys: [{ name: a, key: "${A}", weight: 2 }], queue: { length: 1 } } }', true],
  ['providers: { x: { api_keys: [{ name: a }] } }', false],
  [
    'routes: { r: { targets: [{ model: m, weight: "${W}" }], strategy: [fastest, { cheapest: { within: 0.1 } }] } }',
    true,
  ],
  [
    'routes: { r: { targets: [m], strategy: [{ rules: [{ when: { not: { any: [{ tag: a }] } }, use: [m] }] }] } }',
    true,
  ],
  ['routes: { r: { targets: [m], strategy: [{ rules: [{ when: { not: { tags: a } }, use: [m] }] }] } }', false],
  ['routes: { r: { targets: [m], strategy: [quickest] } }', false],
  ['routes: { r: {} }', false],
  ['system: { targets: [m], price: { input_per_1m: 1 } }', false],
  ['products: { p: { budget: { usd: 1, per: year } } }', false],
];

for (const [yaml, good] of EDITED) {
  test(`an editor finds ${JSON.stringify(yaml.slice(0, 60))} ${good ? 'good' : 'bad'}`, () => {
    assert.equal(isValid(parse(yaml)), good, JSON.stringify(isValid.errors));
  });
}

test('the example tells editors its schema', () => {
  assert.equal(file('headgate.example.yaml').split('\n')[0], '# yaml-language-server: $schema=./headgate.schema.json');
});

const DOCUMENTED = file('docs/configuration.md');

type JsonSchema = {
  description?: string;
  default?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
};

/** The setting at these steps, for those that lie in a section of fixed names. */
function schemaOf(steps: readonly string[]): JsonSchema | undefined {
  const within = (schema: JsonSchema | undefined, step: string): JsonSchema | undefined =>
    [schema, ...(schema?.anyOf ?? [])].map((each) => each?.properties?.[step]).find((each) => each !== undefined);
  return steps.reduce<JsonSchema | undefined>(within, SCHEMA);
}

for (const steps of settings()) {
  test(`docs/configuration.md has a row for ${steps.join('.')}, with its default`, () => {
    const rows = DOCUMENTED.split('\n').filter((line) => line.startsWith(`| \`${steps.at(-1)}\` |`));
    assert.notEqual(rows.length, 0);
    const standard = schemaOf(steps)?.default;
    if (standard === undefined) return;
    assert.ok(
      rows.some(
        (row) => row.split(' | ')[1] === `\`${Array.isArray(standard) ? JSON.stringify(standard) : standard}\``,
      ),
      `no row says ${standard}`,
    );
  });
}

test('every setting outside a free map describes itself', () => {
  const silent = settings().filter(
    (steps) => schemaOf(steps) !== undefined && schemaOf(steps)?.description === undefined,
  );
  assert.deepEqual(silent, []);
});

test('docs/configuration.md names every variable', () => {
  for (const name of [...VARIABLE_NAMES, 'HEADGATE_CONFIG']) assert.ok(DOCUMENTED.includes(`| \`${name}\` |`), name);
});
