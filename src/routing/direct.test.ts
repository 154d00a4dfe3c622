import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../core/provider.ts';
import { health, model, served } from '../testing/routes.ts';
import { noneAvailable, sharedOut } from './direct.ts';
import { buildDirectory } from './directory.ts';
import { targetsOf } from './plan.ts';

const ROUNDS = 4000;
const well = () => health();

function entryOf(credentials: Record<string, number>) {
  const entry = buildDirectory([served('lab', [model('m')], credentials)]).find('m');
  assert.ok(entry?.origin === 'vendor');
  return { entry, targets: targetsOf(entry, ['openai-chat']) };
}

const names = (targets: readonly Target[]) => targets.map(({ provider }) => provider.credentialName);

test('credentials share the calls by their weights; a weight of 0 gets nothing', () => {
  const { entry, targets } = entryOf({ default: 3, second: 1, spare: 0 });
  let second = 0;
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const order = names(sharedOut(entry, targets, well, seed));
    assert.deepEqual([...order].sort(), ['default', 'second']);
    if (order[0] === 'second') second += 1;
  }
  assert.ok(Math.abs(second - ROUNDS / 4) < 5 * Math.sqrt((ROUNDS * 3) / 16), `${second}`);
});

test('what is down is left out, but for one that is alone', () => {
  const { entry, targets } = entryOf({ default: 3, second: 1 });
  const down = ({ provider }: Target) => health(provider.credentialName === 'default' ? { credentialOutUntil: 9 } : {});
  assert.deepEqual(names(sharedOut(entry, targets, down, 1)), ['second']);
  const alone = entryOf({ default: 1 });
  assert.equal(sharedOut(alone.entry, alone.targets, down, 1), alone.targets);
});

test('where none takes it, the error says when the first may be tried', () => {
  const { targets } = entryOf({ default: 3, second: 1 });
  const down = ({ provider }: Target) =>
    health(provider.credentialName === 'default' ? { credentialOutUntil: 9000 } : { circuit: 'open', openUntil: 4000 });
  const error = noneAvailable('m', targets, down, 1000);
  assert.deepEqual([error.kind, error.status, error.retryAfterMs], ['no_target_available', 503, 3000]);
});
