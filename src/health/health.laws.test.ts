import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import { model, provider } from '../testing/routes.ts';
import { pick, seeded } from '../testing/seeded.ts';
import { Health } from './health.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

const ROUNDS = 60;
const STEPS = 600;
const AFTERWARDS_MS = 3_600_000;
const KEY_IDS = ['key_1', 'key_2', 'key_3'];
const KINDS = [
  'upstream_error',
  'upstream_rate_limited',
  'upstream_unauthorized',
  'upstream_rejected',
  'upstream_timeout',
] as const;
const TARGETS: readonly Target[] = [
  { provider: provider('lab'), model: model('a'), dialect: 'openai-chat', path: '/x' },
  { provider: provider('lab'), model: model('b'), dialect: 'openai-chat', path: '/x' },
  { provider: provider('lab', { credentialName: 'second' }), model: model('a'), dialect: 'openai-chat', path: '/x' },
];

test('whatever happens in whatever order: one probe at a time, nothing in flight in the end, no lock', () => {
  const random = seeded(77);
  let probes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    let now = 1000;
    const health = new Health({ now: () => now, monotonic: () => now }, random);
    const open: WatchedAttempt[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      now += Math.floor(random() * 400);
      const target = pick(random, TARGETS);
      const keyId = pick(random, KEY_IDS);
      const circuit = health.of(target, keyId).circuit;
      const attempt = random() < 0.6 ? health.admit(target, keyId, random() < 0.3) : null;
      if (attempt !== null) {
        assert.notEqual(circuit, 'open');
        if (circuit === 'half_open') {
          probes += 1;
          assert.equal(health.of(target, keyId).circuit, 'open');
          assert.equal(health.admit(target, keyId, true), null);
        }
        open.push(attempt);
      }
      if (open.length > 0 && random() < 0.55) end(random, open.splice(Math.floor(random() * open.length), 1)[0]!);
    }
    for (const attempt of open) attempt.left();
    now += AFTERWARDS_MS;
    for (const target of TARGETS) health.admit(target, KEY_IDS[0]!)!.succeeded({ firstTokenMs: 1 });
    for (const { inFlight, circuit, credentialOutUntil } of health.status()) {
      assert.deepEqual([inFlight, circuit, credentialOutUntil], [0, 'closed', null]);
    }
  }
  assert.ok(probes > ROUNDS, 'else nothing was tried');
});

function end(random: () => number, attempt: WatchedAttempt): void {
  const chance = random();
  if (chance < 0.4) return attempt.succeeded({ firstTokenMs: chance * 1000 });
  if (chance < 0.5) return attempt.left();
  const error = new GatewayError(pick(random, KINDS), 'No.', {
    ...(random() < 0.3 && { retryAfterMs: 500 }),
    badKey: random() < 0.2,
  });
  attempt.failed(error, pick(random, KEY_IDS));
}
