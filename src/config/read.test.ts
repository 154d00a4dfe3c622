// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { changedServerSettings } from './changed.ts';
import type { PresetNames } from './config.ts';
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
    'Provider openai is off: OPENAI_API_KEY is not set.',
    'Provider lab is off: LAB_KEY is not set.',
    'Alias default leads to lab-small, which no provider that is on is known to serve.',
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
      models: null,
      headers: {},
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
      headers: {},
      off: null,
    },
  ]);
  assert.equal(secrets.providerKeys.get('openai')?.reveal(), 'sk-o');
  assert.equal(secrets.providerKeys.get('lab')?.reveal(), 'lab-k');
});

test('no secret is in the config, and none shows when the secrets are printed', () => {
  const env = {
    LAB_KEY: 'hidden-1',
    HEADGATE_METRICS_TOKEN: 'hidden-2',
    HEADGATE_PEPPER: 'hidden-3-hidden-3-hidden-3-hidden-3',
  };
  const { config, secrets } = read('providers: { lab: { base_url: http://lab, api_key: "${LAB_KEY}" } }', env);
  assert.doesNotMatch(inspect({ config, secrets }, { depth: null }), /hidden/);
  assert.equal(secrets.providerKeys.get('lab')?.reveal(), 'hidden-1');
  assert.equal(secrets.metricsToken?.reveal(), 'hidden-2');
  assert.equal(secrets.pepper?.reveal(), 'hidden-3-hidden-3-hidden-3-hidden-3');
});

const DEFAULTS = {
  server: {
    host: '127.0.0.1',
    port: 8080,
    headerPrefix: 'service',
    logLevel: 'info',
    drain: 25_000,
    ledgerDurability: 'normal',
    httpLayer: 'fast',
    workers: 1,
  },
  limits: {
    requestsPerMinute: 600,
    tokensPerMinute: 2_000_000,
    maxBody: 64 * 1024 ** 2,
    maxAnswer: 64 * 1024 ** 2,
    maxHeader: 32 * 1024,
    maxLine: 16 * 1024 ** 2,
    maxJsonDepth: 512,
    maxOpenCalls: 10_000,
    defaultMaxOutput: 1024,
    maxEmbeddingInputs: 2048,
    maxOutputItems: 64 * 1024 ** 2,
  },
  timeouts: {
    connect: 3000,
    firstByte: 120_000,
    idle: 300_000,
    total: 900_000,
    ping: 15_000,
    hold: 2000,
    request: 60_000,
  },
  retention: { usage: null, outputItems: 3_600_000 },
};

const NOTHING_SET = [null, '', '# nothing\n', 'server:\nproviders:\nlimits:\ntimeouts:\nretention:\naliases:\n'];

for (const text of NOTHING_SET) {
  test(`the defaults hold for ${text === null ? 'no file' : JSON.stringify(text)}`, () => {
    const { config, secrets, notices } = read(text);
    const { data, ...server } = config.server;
    const { limits, timeouts, retention } = config;
    assert.deepEqual({ server, limits, timeouts, retention }, DEFAULTS);
    assert.equal(data, text === null ? './data' : 'data');
    assert.equal(config.file, text === null ? null : 'headgate.yaml');
    assert.equal(config.echo, true);
    assert.deepEqual([config.providers, config.organizations], [[], []]);
    assert.equal(config.models.size + config.aliases.size + secrets.providerKeys.size, 0);
    assert.deepEqual([secrets.metricsToken, secrets.pepper, notices], [null, null, []]);
  });
}

test('every setting of server, limits, timeouts and retention is taken from the file', () => {
  const { config } = read(`
server: { host: "::1", port: 0, data: /var/hg, header_prefix: acme, log_level: debug, drain: 1s, durability: full,
  http_layer: node, workers: 3 }
limits: { requests_per_minute: 1, tokens_per_minute: 2, max_body: 1KB, max_answer: 2KB, max_header: 3KB, max_line: 4KB,
  max_json_depth: 5, max_open_calls: 6, default_max_output: 7, max_embedding_inputs: 8, max_output_items: 9KB }
timeouts: { connect: 1ms, first_byte: 2ms, idle: 3ms, total: 4ms, ping: 5ms, hold: 6ms, request: 7ms }
retention: { usage: 400d, output_items: 10s }
echo: false
organizations: { acme: { name: Acme Corp. } }
`);
  assert.deepEqual(config.server, {
    host: '::1',
    port: 0,
    data: '/var/hg',
    headerPrefix: 'acme',
    logLevel: 'debug',
    drain: 1000,
    ledgerDurability: 'full',
    httpLayer: 'node',
    workers: 3,
  });
  assert.deepEqual(Object.values(config.limits), [1, 2, 1024, 2048, 3072, 4096, 5, 6, 7, 8, 9216]);
  const { connect, firstByte, idle, total, ping, hold, request } = config.timeouts;
  assert.deepEqual([connect, firstByte, idle, total, ping, hold, request], [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(config.retention, { usage: 400 * 86_400_000, outputItems: 10_000 });
  assert.equal(config.echo, false);
  assert.deepEqual(config.organizations, [{ id: 'acme', name: 'Acme Corp.' }]);
});

test('a variable may stand for a number', () => {
  assert.equal(read('server: { port: "${PORT}" }', { PORT: '9001' }).config.server.port, 9001);
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
  assert.equal(read('', {}, '/etc/hg/headgate.yaml').config.server.data, '/etc/hg/data');
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
  ['', 'server: { header_prefix: x, durability: full }', ['server.header_prefix', 'server.durability']],
  ['', 'server: { host: x, data: /x, log_level: warn }', ['server.host', 'server.data', 'server.log_level']],
  ['limits: { max_body: 1MB }', 'limits: { max_body: 2MB }', []],
];

for (const [before, after, changed] of CHANGES) {
  test(`from “${before}” to “${after}” needs a restart for ${changed.length} settings`, () => {
    assert.deepEqual(changedServerSettings(read(before).config, read(after).config), changed);
  });
}
