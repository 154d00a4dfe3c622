import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReadConfig, readConfig } from './read.ts';

function read(text: string | null): ReadConfig {
  return readConfig({ text, file: 'headgate.yaml', env: {}, presets: [], built: [] });
}

const DEFAULTS = {
  server: {
    host: '127.0.0.1',
    port: 8080,
    headerPrefix: 'service',
    logLevel: 'info',
    logCalls: true,
    console: true,
    drain: 25_000,
    ledgerDurability: 'normal',
    httpLayer: 'fast',
    workers: 1,
    workerTimeout: 10_000,
    workerStartTimeout: 300_000,
    publicUrl: null,
    trustedProxies: [],
    webhookHosts: [],
    providerHosts: [],
  },
  limits: {
    requestsPerMinute: 600,
    tokensPerMinute: 2_000_000,
    personRequestsPerMinute: 1_200,
    maxRequestsAtOnce: 64,
    maxBody: 64 * 1024 ** 2,
    maxAnswer: 64 * 1024 ** 2,
    maxHeader: 32 * 1024,
    maxLine: 16 * 1024 ** 2,
    maxJsonDepth: 512,
    json: { maxValues: 500_000, maxMembers: 40_000 },
    maxOpenCalls: 10_000,
    maxIdleConnections: 10_000,
    maxUnread: 256 * 1024 ** 2,
    maxReceiving: 512 * 1024 ** 2,
    defaultMaxOutput: 1024,
    holdModelMaximum: true,
    countCachedInput: true,
    maxEmbeddingInputs: 2048,
    maxOutputItems: 64 * 1024 ** 2,
    maxUsageFactor: 4,
    maxVendorCost: 10_000,
    refusedCalls: { inAll: 100_000, perKey: 1_000 },
    maxRouteTargets: 100,
    maxReports: 4,
    maxWatchers: 100,
    maxKeyWatchers: 4,
    maxLoopLag: 500,
    maxMemory: 0,
  },
  timeouts: {
    connect: 3000,
    firstByte: 120_000,
    firstByteReasoning: 600_000,
    idle: 300_000,
    minSpeed: 0,
    minSpeedAfter: 30_000,
    whole: 600_000,
    total: 900_000,
    ping: 15_000,
    hold: 2000,
    request: 60_000,
  },
  retries: { attempts: 3, maxWait: 10_000, budget: 0.2, budgetMin: 3 },
  breaker: {
    failures: 5,
    errorRate: 0.5,
    window: 30_000,
    minCalls: 20,
    open: 5000,
    openMax: 60_000,
    credential: 60_000,
    credentialMax: 600_000,
    credentialKeys: 2,
    retryAfterMax: 600_000,
  },
  routing: { affinityKeep: 600_000, maxConversations: 100_000, learnEvery: 600_000, learnAfter: 100 },
  retention: { usage: null, refusedCalls: 604_800_000, outputItems: 3_600_000 },
  signIn: {
    sessionIdle: 86_400_000,
    sessionLife: 14 * 86_400_000,
    recent: 600_000,
    ownerLinkLife: 86_400_000,
    attemptsPerEmail: 10,
    attemptsPerAddress: 60,
    attemptsWindow: 900_000,
  },
};

const EMPTY = ['server', 'providers', 'limits', 'timeouts', 'retries', 'breaker', 'routing', 'retention', 'aliases'];
const NOTHING_SET = [null, '{}', '# nothing\n{}', [...EMPTY, 'routes', 'system', 'products', ''].join(':\n')];

for (const text of NOTHING_SET) {
  test(`the defaults hold for ${text === null ? 'no file' : JSON.stringify(text)}`, () => {
    const { config, secrets, notices } = read(text);
    const { data, ...server } = config.server;
    const { limits, timeouts, retries, breaker, routing, retention, signIn } = config;
    assert.deepEqual({ server, limits, timeouts, retries, breaker, routing, retention, signIn }, DEFAULTS);
    assert.equal(data, text === null ? './data' : 'data');
    assert.equal(config.file, text === null ? null : 'headgate.yaml');
    assert.equal(config.echo, true);
    assert.deepEqual([config.providers, config.organizations, config.routes, config.system], [[], [], [], null]);
    const maps = [config.models, config.aliases, config.definitions, config.products, secrets.providerKeys];
    assert.ok(maps.every(({ size }) => size === 0));
    assert.deepEqual([secrets.metricsToken, secrets.pepper, secrets.smtpUrl, notices], [null, null, null, []]);
    assert.equal(config.mail, null);
  });
}

test('every setting of the sections with fixed names is taken from the file', () => {
  const { config, secrets } = read(`
server: { host: "::1", port: 0, data: /var/hg, header_prefix: acme, log_level: debug, log_calls: false, console: false, drain: 1s,
  durability: full, http_layer: node, workers: 3, worker_timeout: 20s, worker_start_timeout: 30s,
  public_url: "https://gate.example.com", trusted_proxies: [10.0.0.0/8, "::1"], webhook_hosts: [hooks.internal],
  provider_hosts: [gpu.internal] }
limits: { requests_per_minute: 1, tokens_per_minute: 2, person_requests_per_minute: 20, max_requests_at_once: 21, max_body: 1KB, max_answer: 2KB, max_header: 3KB, max_line: 4KB,
  max_json_depth: 5, max_json_values: 50, max_json_members: 51, max_open_calls: 6, max_idle_connections: 6, max_unread: 6MB,
  max_receiving: 14MB,
  default_max_output: 7, hold_model_maximum: false, count_cached_input: false, max_embedding_inputs: 8, max_output_items: 9KB,
  max_usage_factor: 13,
  max_vendor_cost: 15, max_refused_calls: 17, max_key_refused_calls: 18,
  max_route_targets: 10, max_reports: 13, max_watchers: 15,
  max_key_watchers: 16, max_loop_lag: 11, max_memory: 12GB }
timeouts: { connect: 1ms, first_byte: 2ms, idle: 3ms, total: 4ms, ping: 5ms, hold: 6ms, request: 7ms,
  first_byte_reasoning: 8ms, min_speed: 9, min_speed_after: 10ms, whole: 11ms }
retries: { attempts: 1, max_wait: 2, budget: 0.3, budget_min: 4 }
breaker: { failures: 1, error_rate: 0.2, window: 3, min_calls: 4, open: 5, open_max: 6, credential: 7,
  credential_max: 8, credential_keys: 10, retry_after_max: 9 }
routing: { affinity_keep: 1, max_conversations: 2 }
retention: { usage: 400d, refused_calls: 2d, output_items: 10s }
echo: false
mail: { smtp_url: "smtps://gate:hush@mail.example.com", from: Headgate <gate@example.com> }
organizations: { acme: { name: Acme Corp. } }
`);
  assert.deepEqual(config.server, {
    host: '::1',
    port: 0,
    data: '/var/hg',
    headerPrefix: 'acme',
    logLevel: 'debug',
    logCalls: false,
    console: false,
    drain: 1000,
    ledgerDurability: 'full',
    httpLayer: 'node',
    workers: 3,
    workerTimeout: 20_000,
    workerStartTimeout: 30_000,
    publicUrl: 'https://gate.example.com',
    trustedProxies: ['10.0.0.0/8', '::1'],
    webhookHosts: ['hooks.internal'],
    providerHosts: ['gpu.internal'],
  });
  assert.deepEqual(Object.values(config.limits), [
    1,
    2,
    20,
    21,
    1024,
    2048,
    3072,
    4096,
    5,
    { maxValues: 50, maxMembers: 51 },
    6,
    6,
    6 * 1024 ** 2,
    14 * 1024 ** 2,
    7,
    false,
    false,
    8,
    9216,
    13,
    { inAll: 17, perKey: 18 },
    15,
    10,
    13,
    15,
    16,
    11,
    12 * 1024 ** 3,
  ]);
  const { connect, firstByte, idle, total, ping, hold, request, ...others } = config.timeouts;
  assert.deepEqual([connect, firstByte, idle, total, ping, hold, request], [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(others, { firstByteReasoning: 8, minSpeed: 9, minSpeedAfter: 10, whole: 11 });
  assert.deepEqual(Object.values(config.retries), [1, 2, 0.3, 4]);
  assert.deepEqual(Object.values(config.breaker), [1, 0.2, 3, 4, 5, 6, 7, 8, 10, 9]);
  assert.deepEqual(config.routing, {
    affinityKeep: 1,
    maxConversations: 2,
    learnEvery: 600_000,
    learnAfter: 100,
  });
  assert.deepEqual(config.retention, { usage: 400 * 86_400_000, refusedCalls: 172_800_000, outputItems: 10_000 });
  assert.equal(config.echo, false);
  assert.deepEqual(config.organizations, [{ id: 'acme', name: 'Acme Corp.' }]);
  assert.deepEqual(config.mail, { from: 'Headgate <gate@example.com>' });
  assert.equal(secrets.smtpUrl?.reveal(), 'smtps://gate:hush@mail.example.com');
});
