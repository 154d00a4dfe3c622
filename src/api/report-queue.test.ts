import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ReportQueue } from './report-queue.ts';

/** Reports that end on request, and the order in which they began. */
function rig(most: number) {
  const queue = new ReportQueue(() => most);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const ask = (key: string, name: string) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return queue.run(key, async () => {
      begun.push(name);
      await end.promise;
      return name;
    });
  };
  const end = async (name: string, error?: Error) => {
    if (error === undefined) ends.get(name)!.resolve();
    else ends.get(name)!.reject(error);
    await turn();
  };
  return { ask, end, begun };
}

test('one report is worked at, and of those that wait each key has its turn', async () => {
  const { ask, end, begun } = rig(3);
  const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('c', 'c1'), ask('b', 'b2')];
  await turn();
  assert.deepEqual(begun, ['a1']);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  assert.deepEqual(await Promise.all(asked), ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
});

test('past the most that a key may have open it is refused, others are not, and what ends makes room', async () => {
  const { ask, end } = rig(2);
  const first = ask('a', 'a1');
  const second = ask('a', 'a2');
  await assert.rejects(ask('a', 'a3'), { kind: 'rate_limit_exceeded', status: 429, retryAfterMs: 1_000 });
  const other = ask('b', 'b1');
  await end('a1');
  assert.equal(await first, 'a1');
  const third = ask('a', 'a4');
  for (const name of ['a2', 'b1', 'a4']) await end(name);
  assert.deepEqual(await Promise.all([second, other, third]), ['a2', 'b1', 'a4']);
});

test('a report that fails makes room, and holds up nobody', async () => {
  const { ask, end } = rig(1);
  const failing = ask('a', 'a1');
  const other = ask('b', 'b1');
  const failed = assert.rejects(failing, /broken/);
  await end('a1', new Error('broken'));
  await failed;
  const again = ask('a', 'a2');
  for (const name of ['b1', 'a2']) await end(name);
  assert.deepEqual(await Promise.all([other, again]), ['b1', 'a2']);
});
