import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { StorageTrouble } from '../core/ports.ts';
import { LOOK_EVERY_MS, StorageWatch, TELL_EVERY_MS } from './storage-watch.ts';

const FULL: StorageTrouble = { reason: 'full', cause: new Error('no room') };

test('many who ask at once, and within a second, share one look', async (t) => {
  const { watch, store, clock } = setUp(t);
  await Promise.all(Array.from({ length: 100 }, () => watch.look()));
  clock.now = LOOK_EVERY_MS - 1;
  await watch.look();
  assert.equal(store.looks, 1);
  clock.now = LOOK_EVERY_MS;
  await watch.look();
  assert.equal(store.looks, 2);
});

test('what a write has told is known at once, whatever the last look found', async (t) => {
  const { watch, store } = setUp(t);
  assert.equal(await watch.whyUnready(), null);
  store.fail(FULL);
  assert.deepEqual(await watch.whyUnready(), {
    reason: 'The gateway cannot write its records: its disk is full.',
    storage: 'full',
  });
  assert.equal(store.looks, 1);
});

test('trouble is told at once and then each minute, and its end once', async (t) => {
  const { store, told, pass } = setUp(t);
  for (let write = 0; write < 1000; write += 1) store.fail(FULL);
  assert.deepEqual(told, ['full']);
  await pass(TELL_EVERY_MS - LOOK_EVERY_MS);
  assert.deepEqual(told, ['full']);
  await pass(LOOK_EVERY_MS);
  assert.deepEqual(told, ['full', 'full']);
  store.trouble = null;
  await pass(LOOK_EVERY_MS);
  assert.deepEqual(told, ['full', 'full', 'recovered']);
  const { looks } = store;
  await pass(10 * LOOK_EVERY_MS);
  assert.equal(store.looks, looks, 'nobody looks while all is well and nobody asks');
});

test('trouble that comes and goes is told no more than once a minute, with its end', async (t) => {
  const { store, told, pass } = setUp(t);
  for (let time = 0; time < 10; time += 1) {
    store.fail(FULL);
    await pass(LOOK_EVERY_MS);
    store.trouble = null;
    await pass(LOOK_EVERY_MS);
  }
  assert.deepEqual(told, ['full', 'recovered']);
});

test('nothing is told once it was stopped', async (t) => {
  const { watch, store, told, pass } = setUp(t);
  store.fail(FULL);
  watch.stop();
  store.trouble = null;
  await pass(TELL_EVERY_MS);
  store.fail(FULL);
  assert.deepEqual(told, ['full']);
});

function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = { now: 0 };
  const told: string[] = [];
  let hear = () => {};
  const store = {
    looks: 0,
    trouble: null as StorageTrouble | null,
    fail(trouble: StorageTrouble) {
      store.trouble = trouble;
      hear();
    },
  };
  const watch = new StorageWatch({
    storage: {
      async look() {
        store.looks += 1;
        return store.trouble;
      },
      trouble: () => store.trouble,
      onTrouble(listener) {
        hear = listener;
      },
    },
    now: () => clock.now,
    onTrouble: ({ reason }) => void told.push(reason),
    onRecovered: () => void told.push('recovered'),
  });
  t.after(() => watch.stop());
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += LOOK_EVERY_MS) {
      clock.now += LOOK_EVERY_MS;
      t.mock.timers.tick(LOOK_EVERY_MS);
      await turn();
    }
  }
  return { watch, store, told, clock, pass };
}
