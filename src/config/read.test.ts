// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { PresetNames } from './config.ts';
import { changedServerSettings } from './config.ts';
import { type ConfigInput, type ReadConfig, readConfig } from './read.ts';

const OPENAI: PresetNames = {
  id: 'openai',
  keyEnv: ['OPENAI_API_KEY'],
  needsKey: true,
  needsBaseUrl: false,
  baseUrlEnv: [],
};

function read(text: string | null, env: ConfigInput['env'] = {}, file = 'headgate.yaml'): ReadConfig {
  return readConfig({ text, file, env, presets: [OPENAI], built: ['openai-chat', 'openai-embeddings'] });
}

const EXAMPLE = readFileSync(new URL('../../headgate.example.yaml', import.meta.url), 'utf8');

test('the example works as it stands; what lacks its secret is off and says so', () => {
  const { config, secrets, notices } = read(EXAMPLE);
  assert.deepEqual(
    config.providers.map(({ id, off }) => [id, off]),
    [
      ['openai', 'OPENAI_API_KEY is not set'],
      ['lab', 'LAB_KEY is not set'],
    ],
  );
  assert.deepEqual(notices, [
    'Provider openai is off: OPENAI_API_KEY is not set; provider lab is off: LAB_KEY is not set; so nothing serves ' +
      'alias default, route acme/fast, route acme/split, route system.',
  ]);
  assert.equal(secrets.providerKeys.size, 0);
});

test('the example with its secrets is on', () => {
  const { config, secrets, notices } = read(EXAMPLE, { OPENAI_API_KEY: 'sk-o', LAB_KEY: 'lab-k' });
  assert.deepEqual(notices, []);
  assert.equal(config.file, 'headgate.yaml');
  assert.equal(config.echo, true);
  assert.deepEqual([...config.aliases], [['default', 'lab-small']]);
  assert.deepEqual(config.providers, [
    {
      id: 'openai',
      preset: 'openai',
      baseUrl: null,
      label: null,
      dialects: null,
      models: [],
      only: null,
      unknownModels: 'pass',
      headers: {},
      credentials: ['default'],
      region: null,
      sharedIds: 'refuse',
      concurrency: null,
      off: null,
    },
    {
      id: 'lab',
      preset: null,
      baseUrl: 'http://127.0.0.1:9000/v1',
      label: null,
      dialects: ['openai-chat', 'openai-embeddings'],
      models: [
        { id: 'lab-small', upstream: 'lab-small' },
        {
          id: 'lab-large',
          upstream: 'lab-large-2026',
          contextWindow: 128_000,
          price: {
            rates: { input: 150_000n, output: 600_000n, cache_read: 75_000n },
            tiers: [],
            source: 'headgate.yaml',
            date: '',
          },
        },
        { id: 'text-embedding-3-small', upstream: 'text-embedding-3-small', dimensions: 1536 },
      ],
      only: null,
      unknownModels: 'pass',
      headers: {},
      credentials: ['default'],
      region: null,
      sharedIds: 'refuse',
      concurrency: null,
      off: null,
    },
  ]);
  assert.equal(secrets.providerKeys.get('openai')?.[0]?.secret.reveal(), 'sk-o');
  assert.equal(secrets.providerKeys.get('lab')?.[0]?.secret.reveal(), 'lab-k');
});

test('no secret is in the config, and none shows when the secrets are printed', () => {
  const env = {
    LAB_KEY: 'hidden-1',
    HEADGATE_METRICS_TOKEN: 'hidden-2',
    HEADGATE_PEPPER: 'hidden-3-hidden-3-hidden-3-hidden-3',
    HEADGATE_WRAPPING_KEY: 'hidden-4-hidden-4-hidden-4-hidden-4',
    HEADGATE_WRAPPING_KEY_BEFORE: 'hidden-5-hidden-5-hidden-5-hidden-5',
  };
  const { config, secrets } = read('providers: { lab: { base_url: http://lab, api_key: "${LAB_KEY}" } }', env);
  assert.doesNotMatch(inspect({ config, secrets }, { depth: null }), /hidden/);
  assert.equal(secrets.providerKeys.get('lab')?.[0]?.secret.reveal(), 'hidden-1');
  assert.equal(secrets.metricsToken?.reveal(), 'hidden-2');
  assert.equal(secrets.pepper?.reveal(), 'hidden-3-hidden-3-hidden-3-hidden-3');
  assert.equal(secrets.wrapping.current?.reveal(), 'hidden-4-hidden-4-hidden-4-hidden-4');
  assert.equal(secrets.wrapping.before?.reveal(), 'hidden-5-hidden-5-hidden-5-hidden-5');
});

test('a variable may stand for a number', () => {
  assert.equal(read('server: { port: "${PORT}" }', { PORT: '9001' }).config.server.port, 9001);
});

test('a number with decimals, and yes or no, may stand in the environment', () => {
  const text = `
echo: \${ECHO}
server: { log_calls: "\${LOG}" }
breaker: { error_rate: "\${RATE}" }
providers: { lab: { base_url: http://lab, models: [{ id: m, price: { input_per_1m: "\${PRICE}", output_per_1m: 1 } }] } }
products: { desk: { name: Desk, budget: { usd: "\${BUDGET}", per: month } } }
`;
  const { config } = read(text, { ECHO: 'false', LOG: 'true', RATE: '0.25', PRICE: '0.05', BUDGET: '12.5' });
  assert.equal(config.echo, false);
  assert.equal(config.server.logCalls, true);
  assert.equal(config.breaker.errorRate, 0.25);
  assert.equal(config.products.get('desk')?.budget?.amount, 12_500_000_000n);
  assert.equal(config.providers[0]?.models[0]?.price?.rates.input, 50_000n);
});

test('the environment wins over the file', () => {
  const text = 'server: { host: 10.0.0.1, port: 1, data: /a, log_level: warn, metrics_token: in-the-file }';
  const { config, secrets } = read(text, {
    HEADGATE_HOST: '0.0.0.0',
    HEADGATE_PORT: '9000',
    HEADGATE_DATA: './b',
    HEADGATE_LOG_LEVEL: 'error',
    HEADGATE_HTTP_LAYER: 'node',
    HEADGATE_WORKERS: '2',
    HEADGATE_METRICS_TOKEN: 'in-the-environment',
  });
  const { host, port, data, logLevel, httpLayer, workers } = config.server;
  const found = [host, port, data, logLevel, httpLayer, workers];
  assert.deepEqual(found, ['0.0.0.0', 9000, './b', 'error', 'node', 2]);
  assert.equal(secrets.metricsToken?.reveal(), 'in-the-environment');
});

test('an empty variable does not', () => {
  assert.equal(read('server: { port: 1 }', { HEADGATE_PORT: '' }).config.server.port, 1);
});

test('a data folder in the file is relative to the file', () => {
  assert.equal(read('server: { data: ./data }', {}, '/etc/hg/headgate.yaml').config.server.data, '/etc/hg/data');
  assert.equal(read('{}', {}, '/etc/hg/headgate.yaml').config.server.data, '/etc/hg/data');
});

test('an alias may lead to another, and is led to its end', () => {
  const { config } = read('aliases: { a: b, b: c, c: echo, constructor: echo }');
  assert.deepEqual(Object.fromEntries(config.aliases), { a: 'echo', b: 'echo', c: 'echo', constructor: 'echo' });
});

test('facts of a model: what is not given is absent, prices are pico-dollars per token', () => {
  const { config } = read(`
models:
  openai/gpt: { context_window: 10 }
  vendor/family/model:
    name: The model
    max_output_tokens: 20
    price:
      input_per_1m: 1.25
      output_per_1m: 10
      cache_read_per_1m: 0.125
      cache_write_per_1m: 1.5625
      cache_write_1h_per_1m: 2.5
      reasoning_per_1m: 0
      audio_input_per_1m: 0.000001
      audio_output_per_1m: 1000000
      date: 2026-01-31
      tiers:
        - { above_prompt_tokens: 200000, input_per_1m: 2.5 }
        - { above_prompt_tokens: 400000, output_per_1m: 20 }
`);
  assert.deepEqual(config.models.get('openai/gpt'), { contextWindow: 10 });
  assert.deepEqual(config.models.get('vendor/family/model'), {
    name: 'The model',
    maxOutputTokens: 20,
    price: {
      rates: {
        input: 1_250_000n,
        output: 10_000_000n,
        cache_read: 125_000n,
        cache_write: 1_562_500n,
        cache_write_1h: 2_500_000n,
        reasoning: 0n,
        audio_input: 1n,
        audio_output: 1_000_000_000_000n,
      },
      tiers: [
        { abovePromptTokens: 200_000, rates: { input: 2_500_000n } },
        { abovePromptTokens: 400_000, rates: { output: 20_000_000n } },
      ],
      source: 'headgate.yaml',
      date: '2026-01-31',
    },
  });
});

const CHANGES: [before: string, after: string, changed: string[]][] = [
  ['server: { port: 1 }', 'server: { port: 1 }', []],
  ['server: { port: 1 }', 'server: { port: 2, drain: 1s }', ['server.port', 'server.drain']],
  ['{}', 'server: { header_prefix: x, durability: full }', ['server.header_prefix', 'server.durability']],
  ['{}', 'server: { host: x, data: /x, log_level: warn }', ['server.host', 'server.data', 'server.log_level']],
  ['limits: { max_body: 1MB }', 'limits: { max_body: 2MB }', []],
];

for (const [before, after, changed] of CHANGES) {
  test(`from “${before}” to “${after}” needs a restart for ${changed.length} settings`, () => {
    assert.deepEqual(changedServerSettings(read(before).config, read(after).config), changed);
  });
}
