// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { PresetNames } from './config.ts';
import { type ReadConfig, readConfig } from './read.ts';

const OPENAI: PresetNames = {
  id: 'openai',
  keyEnv: ['OPENAI_API_KEY'],
  needsKey: true,
  needsBaseUrl: false,
  baseUrlEnv: [],
};

const ENV = { OPENAI_API_KEY: 'preset', A: 'one', B: 'two', BAD: 'a b' };

function read(entry: string, env: Record<string, string> = ENV): ReadConfig {
  const text = `providers: { ${entry} }`;
  return readConfig({ text, file: 'headgate.yaml', env, presets: [OPENAI], built: ['openai-chat'] });
}

type Row = [entry: string, keys: [name: string, key: string, weight: number][], off: string | null, notices: string[]];

const LEFT_OUT = 'Credential b of provider openai is left out: ';

const ROWS: Row[] = [
  ['openai: {}', [['default', 'preset', 1]], null, []],
  ['openai: { api_key: "${A}" }', [['default', 'one', 1]], null, []],
  [
    'openai: { api_key: "${A}", api_keys: [{ name: b, key: "${B}", weight: 3 }] }',
    [
      ['default', 'one', 1],
      ['b', 'two', 3],
    ],
    null,
    [],
  ],
  // Whoever names keys has named all of them.
  ['openai: { api_keys: [{ name: b, key: "${B}" }] }', [['b', 'two', 1]], null, []],
  ['openai: { api_keys: [{ name: default, key: "${B}" }] }', [['default', 'two', 1]], null, []],
  [
    'openai: { api_keys: [{ name: a, key: "${A}", weight: 0 }, { name: b, key: "${B}" }] }',
    [
      ['a', 'one', 0],
      ['b', 'two', 1],
    ],
    null,
    [],
  ],
  // One that cannot be had is left out.
  [
    'openai: { api_keys: [{ name: a, key: "${A}" }, { name: b, key: "${NOPE}" }] }',
    [['a', 'one', 1]],
    null,
    [`${LEFT_OUT}NOPE is not set.`],
  ],
  [
    'openai: { api_keys: [{ name: a, key: "${A}" }, { name: b, key: "${BAD}" }] }',
    [['a', 'one', 1]],
    null,
    [`${LEFT_OUT}its key contains characters that are not allowed in a header.`],
  ],
  [
    'openai: { api_key: "${NOPE}", api_keys: [{ name: a, key: "${A}" }] }',
    [['a', 'one', 1]],
    null,
    ['Credential default of provider openai is left out: NOPE is not set.'],
  ],
  [
    'openai: { api_keys: [{ name: a, key: "${A}", weight: 0 }, { name: b, key: "${NOPE}" }] }',
    [['a', 'one', 0]],
    null,
    [`${LEFT_OUT}NOPE is not set.`, 'Provider openai has no usable credential with a weight above 0.'],
  ],
  // The provider is off where none is left.
  [
    'openai: { api_key: "${NOPE}", api_keys: [{ name: a, key: "${NOT_THIS}" }] }',
    [],
    'NOPE is not set; NOT_THIS is not set',
    ['Provider openai is off: NOPE is not set; NOT_THIS is not set.'],
  ],
  [
    'lab: { base_url: http://x, api_keys: [{ name: a, key: "${NOPE}" }] }',
    [],
    'NOPE is not set',
    ['Provider lab is off: NOPE is not set.'],
  ],
  ['lab: { base_url: http://x }', [], null, []],
];

for (const [entry, keys, off, notices] of ROWS) {
  test(`keys: ${entry}`, () => {
    const found = read(entry);
    const [provider] = found.config.providers;
    const given = found.secrets.providerKeys.get(provider!.id) ?? [];
    assert.deepEqual(
      given.map(({ name, secret, weight }) => [name, secret.reveal(), weight]),
      keys,
    );
    assert.deepEqual(
      provider!.credentials,
      keys.map(([name]) => name),
    );
    assert.equal(provider!.off, off);
    assert.deepEqual(found.notices, notices);
  });
}

test('a key that stands in the file itself is told of by its path, and never shown', () => {
  const found = read('openai: { api_keys: [{ name: a, key: "${A}" }, { name: b, key: hidden }] }');
  assert.deepEqual(found.notices, [
    'providers.openai.api_keys[1].key is a secret in the file: keep it in the environment and write ${NAME}.',
  ]);
  assert.doesNotMatch(inspect(found, { depth: null }), /hidden|one/);
});

test('a region, a number of calls and a queue are taken from the file', () => {
  const of = (more: string) => read(`lab: { base_url: http://x${more} }`).config.providers[0];
  assert.partialDeepStrictEqual(of(''), { region: null, concurrency: null });
  assert.partialDeepStrictEqual(of(', region: eu-west-1, max_concurrency: 8'), {
    region: 'eu-west-1',
    concurrency: { max: 8, queue: 100, wait: 10_000 },
  });
  assert.partialDeepStrictEqual(of(', max_concurrency: 1, queue: { length: 0 }'), {
    concurrency: { max: 1, queue: 0, wait: 10_000 },
  });
  assert.partialDeepStrictEqual(of(', max_concurrency: 1, queue: { wait: 2s }'), {
    concurrency: { max: 1, queue: 100, wait: 2000 },
  });
});
