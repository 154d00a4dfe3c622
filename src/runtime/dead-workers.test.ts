import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from 'pino';
import { AGAIN_MS, DeadWorkers } from './dead-workers.ts';

const DEATH = { pid: 7, instanceId: 'worker_7', how: 'SIGKILL' };

test('the calls of a dead worker that could not be settled are tried again until they are', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: string[] = [];
  const tell = (_facts: unknown, words: string) => void told.push(words);
  let failures = 2;
  const asked: string[] = [];
  const dead = new DeadWorkers({
    log: { error: tell, warn: tell, info: tell } as unknown as Logger,
    settle(instanceId) {
      asked.push(instanceId);
      if (asked.length <= failures) return Promise.reject(new Error('no disk'));
      return Promise.resolve(3);
    },
  });
  await dead.cleanUpAfter(DEATH);
  assert.match(told[0]!, /could not be settled yet/);
  for (let round = 0; round < 4; round += 1) {
    t.mock.timers.tick(AGAIN_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual([asked, told.length], [['worker_7', 'worker_7', 'worker_7'], 3]);
  assert.match(told[1]!, /cannot be settled yet/);
  assert.match(told[2]!, /settled now/);
  failures = 0;
  await dead.cleanUpAfter(DEATH);
  assert.match(told[3]!, /Another takes its place/);
});
