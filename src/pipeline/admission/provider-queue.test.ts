import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import type { Concurrency, Provider } from '../../core/provider.ts';
import { TimerWheel } from '../../deadlines/timer-wheel.ts';
import { ProviderQueues, type ProviderSlot, type SlotRequest } from './provider-queue.ts';

const HOUR = 3_600_000;

function queuesOf(): ProviderQueues {
  return new ProviderQueues(new TimerWheel(() => performance.now()));
}

function provider(concurrency: Concurrency | null, id = 'lab'): Provider {
  return { id, concurrency } as Provider;
}

function patient(keyId: string): SlotRequest {
  return { keyId, atMost: HOUR, onWait: () => undefined };
}

/** Waits in the background; `entered` tells who has a slot, in order. */
function enterAll(queues: ProviderQueues, at: Provider, keys: readonly string[]) {
  const entered: string[] = [];
  const slots: ProviderSlot[] = [];
  const refused: GatewayError[] = [];
  for (const key of keys) {
    queues.wait(at, patient(key)).then(
      (slot) => {
        entered.push(key);
        slots.push(slot);
      },
      (error) => refused.push(error),
    );
  }
  return { entered, slots, refused };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a provider without a cap takes every call at once', async () => {
  const queues = queuesOf();
  const { entered } = enterAll(queues, provider(null), Array(50).fill('k'));
  await turn();
  assert.equal(entered.length, 50);
  assert.notEqual(queues.take(provider(null)), null);
});

test('beyond the cap calls wait, and enter as others leave; a slot given back twice is given back once', async () => {
  const queues = queuesOf();
  const lab = provider({ max: 2, queue: 10, wait: HOUR });
  const { entered, slots } = enterAll(queues, lab, ['a', 'a', 'a', 'a']);
  await turn();
  assert.equal(entered.length, 2);
  assert.equal(queues.take(lab), null);
  slots[0]!.release();
  slots[0]!.release();
  await turn();
  assert.equal(entered.length, 3);
});

test('keys take turns in the queue: many calls of one do not hold up the one of another', async () => {
  const queues = queuesOf();
  const lab = provider({ max: 1, queue: 100, wait: HOUR });
  const { entered, slots } = enterAll(queues, lab, ['busy', 'busy', 'busy', 'busy', 'quiet', 'other']);
  await turn();
  for (let index = 0; index < 5; index += 1) {
    slots[index]!.release();
    await turn();
  }
  assert.deepEqual(entered, ['busy', 'busy', 'quiet', 'other', 'busy', 'busy']);
});

test('nobody goes before those who wait', async () => {
  const queues = queuesOf();
  const lab = provider({ max: 1, queue: 10, wait: HOUR });
  const { slots, entered } = enterAll(queues, lab, ['a', 'b']);
  await turn();
  slots[0]!.release();
  assert.equal(queues.take(lab), null);
  await turn();
  assert.deepEqual(entered, ['a', 'b']);
});

test('a higher cap lets in those who wait, before the call that brings it', async () => {
  const queues = queuesOf();
  const { entered, refused } = enterAll(queues, provider({ max: 1, queue: 2, wait: HOUR }), ['a', 'b', 'c']);
  await turn();
  assert.deepEqual(entered, ['a']);
  const raised = enterAll(queues, provider({ max: 3, queue: 2, wait: HOUR }), ['d']);
  await turn();
  assert.deepEqual([entered, raised.entered, refused], [['a', 'b', 'c'], [], []]);
  assert.notEqual(queues.take(provider({ max: 5, queue: 2, wait: HOUR })), null);
  await turn();
  assert.deepEqual(raised.entered, ['d']);
});

test('a full queue refuses with a 503 that says when to come back', async () => {
  const { refused } = enterAll(queuesOf(), provider({ max: 1, queue: 1, wait: HOUR }), ['a', 'b', 'c']);
  await turn();
  assert.equal(refused.length, 1);
  const [error] = refused;
  assert.ok(error instanceof GatewayError);
  assert.deepEqual([error.kind, error.status, error.retryAfterMs], ['provider_busy', 503, 1000]);
});

test('who waits too long, or leaves, is taken out of the queue', async () => {
  const queues = queuesOf();
  const lab = provider({ max: 1, queue: 10, wait: 1 });
  await queues.wait(lab, patient('a'));
  await assert.rejects(queues.wait(lab, patient('b')), { kind: 'provider_busy' });
  let leave: () => void = () => assert.fail('no way to leave was handed out');
  const waiting = queues.wait(
    { ...lab, concurrency: { max: 1, queue: 10, wait: HOUR } },
    {
      ...patient('c'),
      onWait: (how) => {
        leave = how;
      },
    },
  );
  leave();
  await assert.rejects(waiting, { kind: 'provider_busy' });
});
