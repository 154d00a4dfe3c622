import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayError } from '../core/errors.ts';
import { OpenCalls } from './open-calls.ts';

/** An exchange that ends only when it is ended. */
function endless() {
  const { promise, resolve } = Promise.withResolvers<GatewayError>();
  return { interrupt: resolve, running: promise };
}

test('a drain waits for the calls that are open, and no longer', async () => {
  const calls = new OpenCalls();
  await calls.drain(60_000);
  calls.begin();
  calls.begin();
  const drained = calls.drain(60_000);
  calls.end(null);
  assert.equal(calls.count, 1);
  calls.end(null);
  await drained;
});

test('a call whose answer waits to be taken is held, but not waited for by a drain', async () => {
  const calls = new OpenCalls();
  let taken = () => {};
  calls.begin();
  calls.end({
    unread: true,
    onTaken(listener) {
      taken = listener;
    },
  });
  assert.deepEqual([calls.count, calls.held], [0, 1]);
  await calls.drain(60_000);
  taken();
  assert.equal(calls.held, 0);
});

test('behind its deadline a drain ends what waits for a vendor, and what only then begins to', async () => {
  const calls = new OpenCalls();
  const before = endless();
  const behind = endless();
  calls.begin();
  calls.wait(before);
  const drained = calls.drain(1);
  assert.equal((await before.running).kind, 'shutting_down');
  calls.wait(behind);
  assert.equal((await behind.running).kind, 'shutting_down');
  calls.stopWaiting(behind);
  calls.end(null);
  await drained;
});
