import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from './problems.ts';
import { readConfig } from './read.ts';

function read(text: string): void {
  readConfig({ text, file: 'headgate.yaml', env: {}, presets: [], built: [] });
}

function refusal(text: string): ConfigError {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error;
  }
  return assert.fail('was not refused');
}

/** Every amount with the least and the most it may be. */
const BOUNDS: [setting: string, least: number, most: number][] = [
  ['server.port', 0, 65_535],
  ['server.drain', 0, 2_073_600_000],
  ['limits.requests_per_minute', 1, 1_000_000_000],
  ['limits.tokens_per_minute', 1, 1_000_000_000],
  ['limits.max_body', 1024, 524_288_000],
  ['limits.max_answer', 1024, 524_288_000],
  ['limits.max_header', 1024, 1_048_576],
  ['limits.max_line', 1024, 524_288_000],
  ['limits.max_json_depth', 1, 10_000],
  ['limits.max_json_values', 1, 10_000_000],
  ['limits.max_json_members', 1, 10_000_000],
  ['limits.max_open_calls', 1, 1_000_000],
  ['limits.max_idle_connections', 1, 1_000_000],
  ['limits.max_unread', 1_048_576, 1_099_511_627_776],
  ['limits.max_receiving', 1_048_576, 1_099_511_627_776],
  ['server.workers', 1, 64],
  ['server.worker_timeout', 2000, 2_073_600_000],
  ['server.worker_start_timeout', 2000, 2_073_600_000],
  ['limits.default_max_output', 1, 1_000_000_000],
  ['limits.max_embedding_inputs', 1, 1_000_000],
  ['limits.max_output_items', 0, 524_288_000],
  ['timeouts.connect', 1, 2_073_600_000],
  ['timeouts.first_byte', 1, 2_073_600_000],
  ['timeouts.idle', 1, 2_073_600_000],
  ['timeouts.total', 1, 2_073_600_000],
  ['timeouts.ping', 1, 2_073_600_000],
  ['timeouts.hold', 0, 2_073_600_000],
  ['timeouts.request', 1, 2_073_600_000],
  ['timeouts.first_byte_reasoning', 1, 2_073_600_000],
  ['timeouts.min_speed', 0, 1_000_000],
  ['timeouts.min_speed_after', 1, 2_073_600_000],
  ['timeouts.whole', 1, 2_073_600_000],
  ['limits.max_usage_factor', 1, 1_000_000],
  ['limits.max_vendor_cost', 0, 1_000_000],
  ['limits.max_route_targets', 1, 1000],
  ['limits.max_reports', 1, 1000],
  ['limits.max_watchers', 1, 10_000],
  ['limits.max_key_watchers', 1, 1000],
  ['limits.max_loop_lag', 0, 2_073_600_000],
  ['limits.max_memory', 0, 1_099_511_627_776],
  ['retries.attempts', 1, 10],
  ['retries.max_wait', 0, 2_073_600_000],
  ['retries.budget_min', 0, 1_000_000],
  ['breaker.failures', 1, 1_000_000],
  ['breaker.window', 1, 2_073_600_000],
  ['breaker.min_calls', 1, 1_000_000],
  ['breaker.retry_after_max', 1, 2_073_600_000],
  ['routing.affinity_keep', 0, 2_073_600_000],
  ['routing.max_conversations', 0, 10_000_000],
  ['retention.output_items', 0, 2_073_600_000],
  ['retention.usage', 86_400_000, 3_153_600_000_000],
  ['retention.refused_calls', 3_600_000, 31_536_000_000],
  ['limits.max_refused_calls', 0, 10_000_000],
  ['limits.max_key_refused_calls', 0, 1_000_000],
  ['sign_in.session_idle', 60_000, 31_536_000_000],
  ['sign_in.session_life', 60_000, 31_536_000_000],
  ['sign_in.recent', 60_000, 86_400_000],
  ['sign_in.owner_link_life', 60_000, 2_592_000_000],
  ['sign_in.attempts_per_email', 1, 1_000_000],
  ['sign_in.attempts_per_address', 1, 1_000_000],
  ['sign_in.attempts_window', 1000, 86_400_000],
];

for (const [setting, least, most] of BOUNDS) {
  test(`${setting} is at least ${least} and at most ${most}`, () => {
    const [section, name] = setting.split('.');
    const text = (amount: number): string => `${section}: { ${name}: ${amount} }`;
    for (const amount of [least, most]) read(text(amount));
    for (const amount of [least - 1, most + 1]) assert.equal(refusal(text(amount)).problems[0]?.path, setting);
  });
}

/** Parts of a whole. */
const FRACTIONS: [setting: string, least: number][] = [
  ['retries.budget', 0],
  ['breaker.error_rate', 0.01],
];

for (const [setting, least] of FRACTIONS) {
  test(`${setting} is at least ${least} and at most 1`, () => {
    const [section, name] = setting.split('.');
    for (const part of [least, 0.5, 1]) read(`${section}: { ${name}: ${part} }`);
    for (const part of [least - 0.001, 1.001, 'half']) {
      const [problem] = refusal(`${section}: { ${name}: ${part} }`).problems;
      assert.deepEqual([problem?.path, problem?.message], [setting, `must be a number from ${least} to 1`]);
    }
  });
}

test('the longest time that something is left out is at least the first', () => {
  const error = refusal('breaker: { open: 2s, open_max: 1s, credential: 2s, credential_max: 1s }');
  assert.deepEqual(error.message.split('\n'), [
    'headgate.yaml:1:22 breaker.open_max: must be at least open',
    'headgate.yaml:1:52 breaker.credential_max: must be at least credential',
  ]);
  read('breaker: { open: 1m, credential: 10m }');
});
