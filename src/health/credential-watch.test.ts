import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorDetails, GatewayError } from '../core/errors.ts';
import type { CredentialWord } from '../core/ports.ts';
import type { Target } from '../core/provider.ts';
import { model, provider } from '../testing/routes.ts';
import { CHECK_EVERY_MS, EVIDENCE_MS } from './credential-evidence.ts';
import { Health } from './health.ts';
import { HEALTH_DEFAULTS, type HealthSettings } from './settings.ts';

const OUT_MS = HEALTH_DEFAULTS.credential;
const A: Target = { provider: provider('lab'), model: model('a'), dialect: 'openai-chat', path: '/x' };

type World = {
  health: Health;
  clock: { now: number };
  /** How often the vendor was asked for its word. */
  asked(): number;
  /** The vendor says it now. */
  says(word: CredentialWord): Promise<void>;
};

function world({ checks = true, ...settings }: Partial<HealthSettings> & { checks?: boolean } = {}): World {
  const clock = { now: 1000 };
  const times = { now: () => clock.now, monotonic: () => clock.now };
  const health = new Health(times, () => 0.5, { ...HEALTH_DEFAULTS, ...settings });
  let asked = 0;
  let answer: (word: CredentialWord) => void = () => assert.fail('nobody asks');
  if (checks) {
    health.credentials.checkWith(() => {
      asked += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
  }
  return {
    health,
    clock,
    asked: () => asked,
    async says(word) {
      answer(word);
      await Promise.resolve();
    },
  };
}

function refuse({ health }: World, keyId: string, details: ErrorDetails = {}): void {
  const attempt = health.admit(A, keyId, true);
  assert.ok(attempt !== null, 'it must not be out');
  attempt.failed(new GatewayError('upstream_unauthorized', 'No.', details), keyId);
}

function serve({ health }: World, keyId: string): void {
  health.admit(A, keyId, true)!.succeeded({ firstTokenMs: 1 });
}

const isOut = ({ health }: World) => health.of(A, 'anyone').credentialOutUntil !== null;

test('refusals of one key’s calls alone take nothing out, however many', () => {
  const made = world({ checks: false });
  for (let call = 0; call < 1000; call += 1) refuse(made, 'one');
  assert.equal(isOut(made), false);
});

test('refusals of several keys do, where nobody can be asked; an answer between, or time, makes them forgotten', () => {
  const made = world({ checks: false });
  refuse(made, 'one');
  serve(made, 'other');
  refuse(made, 'other');
  assert.equal(isOut(made), false, 'it answered');
  made.clock.now += EVIDENCE_MS;
  refuse(made, 'one');
  assert.equal(isOut(made), false, 'the other was too long ago');
  refuse(made, 'other');
  assert.equal(isOut(made), true);
  const more = world({ checks: false, credentialKeys: 3 });
  for (const key of ['one', 'other']) refuse(more, key);
  assert.equal(isOut(more), false);
  refuse(more, 'third');
  assert.equal(isOut(more), true);
});

test('the vendor’s word goes before any number of keys', async () => {
  const made = world();
  for (const key of ['one', 'other', 'third']) refuse(made, key);
  assert.deepEqual([isOut(made), made.asked()], [false, 1], 'it is waited for');
  await made.says('accepted');
  for (const key of ['one', 'other', 'third']) refuse(made, key);
  assert.deepEqual([isOut(made), made.asked()], [false, 1], 'it is believed for a while');
  made.clock.now += CHECK_EVERY_MS;
  refuse(made, 'one');
  assert.deepEqual([isOut(made), made.asked()], [false, 2]);
  await made.says('refused');
  assert.equal(isOut(made), true, 'one refused call and its word are enough');
});

test('a vendor without a word leaves it to the keys', async () => {
  const made = world();
  refuse(made, 'one');
  await made.says('unknown');
  assert.equal(isOut(made), false);
  refuse(made, 'one');
  assert.deepEqual([isOut(made), made.asked()], [false, 1]);
  refuse(made, 'other');
  assert.equal(isOut(made), true);
});

test('a word that comes behind an answered call takes nothing out', async () => {
  const made = world();
  refuse(made, 'one');
  serve(made, 'other');
  await made.says('refused');
  assert.equal(isOut(made), false);
});

test('a vendor is asked once in a while, and never twice at once', async () => {
  const made = world();
  for (let call = 0; call < 100; call += 1) {
    refuse(made, 'one');
    made.clock.now += CHECK_EVERY_MS;
  }
  assert.equal(made.asked(), 1, 'the first question is still open');
  await made.says('unknown');
  made.clock.now += CHECK_EVERY_MS - 1;
  refuse(made, 'one');
  assert.equal(made.asked(), 1);
  made.clock.now += 1;
  refuse(made, 'one');
  assert.equal(made.asked(), 2);
});

test('a bad key is out at once; the vendor’s word brings it back before its time', async () => {
  const made = world();
  refuse(made, 'one', { badKey: true });
  assert.deepEqual([isOut(made), made.asked()], [true, 1]);
  await made.says('accepted');
  assert.equal(isOut(made), false);
  refuse(made, 'one', { badKey: true });
  assert.equal(isOut(made), false, 'it took the key just now');
});

test('when its time is over the vendor is asked before a caller is sent there, but for one with nowhere else to go', async () => {
  const made = world();
  refuse(made, 'one', { badKey: true });
  await made.says('refused');
  made.clock.now += OUT_MS;
  assert.equal(made.health.admit(A, 'other'), null);
  assert.equal(made.asked(), 2);
  const insists = made.health.admit(A, 'other', true);
  assert.ok(insists !== null);
  assert.equal(made.health.admit(A, 'other', true), null, 'one at a time');
  insists.left();
  await made.says('accepted');
  assert.equal(made.health.of(A, 'other').circuit, 'closed');
});

test('where the vendor’s word does not bring it back, a call finds out, and what it meets for itself prolongs nothing', async () => {
  const made = world();
  for (const key of ['one', 'other']) refuse(made, key);
  await made.says('unknown');
  assert.equal(isOut(made), true);
  made.clock.now += OUT_MS;
  assert.equal(made.health.admit(A, 'one'), null);
  await made.says('unknown');
  for (let call = 0; call < 5; call += 1) {
    refuse(made, 'one');
    assert.equal(isOut(made), false, 'the next call is a probe, too');
  }
  refuse(made, 'other');
  assert.equal(isOut(made), true, 'two keys’ probes were refused');
  made.clock.now += 2 * OUT_MS;
  serve(made, 'third');
  assert.equal(isOut(made), false);
});

test('a list that is refused to a key whose calls are answered is no sign from then on', async () => {
  const made = world();
  refuse(made, 'one');
  await made.says('refused');
  made.clock.now += OUT_MS;
  assert.equal(made.health.admit(A, 'other'), null);
  await made.says('refused');
  serve(made, 'other');
  made.clock.now += CHECK_EVERY_MS;
  const asked = made.asked();
  refuse(made, 'one');
  assert.deepEqual([isOut(made), made.asked()], [false, asked]);
});
