import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import type { Concurrency, Provider } from '../../core/provider.ts';
import { TimerWheel } from '../../core/timer-wheel.ts';
import { Lanes, type Place } from './lanes.ts';

const HOUR = 3_600_000;

function lanesOf(): Lanes {
  return new Lanes(new TimerWheel(() => performance.now()));
}

function provider(concurrency: Concurrency | null, id = 'lab'): Provider {
  return { id, concurrency } as Provider;
}

/** Enters in the background; `entered` tells who is inside, in order. */
function enterAll(lanes: Lanes, at: Provider, keys: readonly string[]) {
  const entered: string[] = [];
  const places: Place[] = [];
  const refused: GatewayError[] = [];
  for (const key of keys) {
    lanes
      .enter(at, key, HOUR, () => undefined)
      .then(
        (place) => {
          entered.push(key);
          places.push(place);
        },
        (error) => refused.push(error),
      );
  }
  return { entered, places, refused };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a provider without a cap takes every call at once', async () => {
  const lanes = lanesOf();
  const { entered } = enterAll(lanes, provider(null), Array(50).fill('k'));
  await turn();
  assert.equal(entered.length, 50);
  assert.notEqual(lanes.tryEnter(provider(null)), null);
});

test('beyond the cap calls wait, and enter as others leave; a place given back twice is given back once', async () => {
  const lanes = lanesOf();
  const lab = provider({ max: 2, queue: 10, wait: HOUR });
  const { entered, places } = enterAll(lanes, lab, ['a', 'a', 'a', 'a']);
  await turn();
  assert.equal(entered.length, 2);
  assert.equal(lanes.tryEnter(lab), null);
  places[0]!.leave();
  places[0]!.leave();
  await turn();
  assert.equal(entered.length, 3);
});

test('keys take turns in the queue: many calls of one do not hold up the one of another', async () => {
  const lanes = lanesOf();
  const lab = provider({ max: 1, queue: 100, wait: HOUR });
  const { entered, places } = enterAll(lanes, lab, ['busy', 'busy', 'busy', 'busy', 'quiet', 'other']);
  await turn();
  for (let index = 0; index < 5; index += 1) {
    places[index]!.leave();
    await turn();
  }
  assert.deepEqual(entered, ['busy', 'busy', 'quiet', 'other', 'busy', 'busy']);
});

test('nobody goes before those who wait', async () => {
  const lanes = lanesOf();
  const lab = provider({ max: 1, queue: 10, wait: HOUR });
  const { places, entered } = enterAll(lanes, lab, ['a', 'b']);
  await turn();
  places[0]!.leave();
  assert.equal(lanes.tryEnter(lab), null);
  await turn();
  assert.deepEqual(entered, ['a', 'b']);
});

test('a full queue refuses with a 503 that says when to come back', async () => {
  const { refused } = enterAll(lanesOf(), provider({ max: 1, queue: 1, wait: HOUR }), ['a', 'b', 'c']);
  await turn();
  assert.equal(refused.length, 1);
  const [error] = refused;
  assert.ok(error instanceof GatewayError);
  assert.deepEqual([error.kind, error.status, error.retryAfterMs], ['provider_busy', 503, 1000]);
});

test('who waits too long, or leaves, is taken out of the queue', async () => {
  const lanes = lanesOf();
  const lab = provider({ max: 1, queue: 10, wait: 1 });
  await lanes.enter(lab, 'a', HOUR, () => undefined);
  await assert.rejects(
    lanes.enter(lab, 'b', HOUR, () => undefined),
    { kind: 'provider_busy' },
  );
  let leave: () => void = () => assert.fail('no way to leave was handed out');
  const waiting = lanes.enter({ ...lab, concurrency: { max: 1, queue: 10, wait: HOUR } }, 'c', HOUR, (how) => {
    leave = how;
  });
  leave();
  await assert.rejects(waiting, { kind: 'provider_busy' });
});
