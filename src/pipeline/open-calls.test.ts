import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GatewayError } from '../core/errors.ts';
import type { Admission } from '../core/ports.ts';
import { type Interruptible, OpenCalls } from './open-calls.ts';

/** An exchange that ends only when it is ended. */
function endless() {
  const { promise, resolve } = Promise.withResolvers<GatewayError>();
  return { interrupt: resolve, waitsAt: -1, admission: null, running: promise };
}

const ADMITTED: Admission = { again: () => undefined };

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
  calls.wait(before, ADMITTED);
  const drained = calls.drain(1);
  assert.equal((await before.running).kind, 'shutting_down');
  calls.wait(behind, ADMITTED);
  assert.equal((await behind.running).kind, 'shutting_down');
  calls.stopWaiting(behind);
  calls.end(null);
  await drained;
});

test('a drain ends those that wait still, in whatever order others have left', async () => {
  for (let left = 0; left < 3; left += 1) {
    const calls = new OpenCalls();
    const ended: number[] = [];
    const waiting = [0, 1, 2].map((number) => ({
      interrupt: () => void ended.push(number),
      waitsAt: -1,
      admission: null,
    }));
    calls.begin();
    for (const each of [...waiting, waiting[0]!]) calls.wait(each, ADMITTED);
    calls.stopWaiting(waiting[left]!);
    calls.stopWaiting(waiting[left]!);
    const drained = calls.drain(1);
    await new Promise<void>((resolve) => {
      calls.wait({ interrupt: () => resolve(), waitsAt: -1, admission: null }, ADMITTED);
    });
    calls.end(null);
    await drained;
    assert.deepEqual(
      ended.toSorted(),
      [0, 1, 2].filter((number) => number !== left),
    );
  }
});

test('calls end whose callers would be let in no more, and no others', async () => {
  const calls = new OpenCalls();
  const revoked = new GatewayError('revoked_api_key', 'No.');
  const unknown = new GatewayError('storage_unavailable', 'Nobody knows.');
  const admissions: Record<string, Admission['again']> = {
    'let in': () => undefined,
    'let in by storage': async () => 'a caller',
    'refused at once': () => {
      throw revoked;
    },
    'refused by storage': () => Promise.reject(revoked),
    'not known, at once': () => {
      throw unknown;
    },
    'not known': () => Promise.reject(unknown),
  };
  const ended: [string, GatewayError][] = [];
  for (const [name, again] of Object.entries(admissions)) {
    const interrupt = (error: GatewayError) => void ended.push([name, error]);
    calls.wait({ interrupt, waitsAt: -1, admission: null }, { again });
  }
  const left = { interrupt: () => assert.fail('it waits no more'), waitsAt: -1, admission: null };
  calls.wait(left, { again: async () => Promise.reject(revoked) });
  const looked = calls.lookAgain();
  calls.stopWaiting(left);
  await looked;
  assert.deepEqual(ended, [
    ['refused at once', revoked],
    ['refused by storage', revoked],
  ]);
});

test('calls that are over are not kept by those that came after them', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const calls = new OpenCalls();
  const open: Interruptible[] = [];
  const pass = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const one = { interrupt: () => {}, waitsAt: -1, admission: null, held: new Array(100).fill(index) };
      calls.wait(one, ADMITTED);
      open.push(one);
      if (open.length > 16) calls.stopWaiting(open.shift()!);
    }
  };
  pass(1_000);
  // What a `Set` has left behind is promoted for good once a table of it has been through this.
  collect();
  const grown: number[] = [];
  for (let step = 0; step < 20; step += 1) {
    const before = oldBytes();
    pass(20_000);
    grown.push(oldBytes() - before);
  }
  assert.ok(Math.max(...grown) < 4e6, `bytes of 16 MB a step: ${grown.join()}`);
});

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size;
}
