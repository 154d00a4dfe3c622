import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoadShedder } from './load-shedder.ts';

const LIMITS = { maxLoopLag: 500, maxMemory: 1000 };

function rig(limits = LIMITS) {
  let now = 0;
  let memory = 0;
  const shedder = new LoadShedder({ now: () => now, memory: () => memory, limits: () => limits });
  shedder.start();
  shedder.stop();
  return {
    shedder,
    looks(...lags: number[]) {
      for (const lag of lags) {
        now += 100 + lag;
        shedder.look();
      }
    },
    holds(bytes: number) {
      memory = bytes;
    },
  };
}

test('an event loop that stays late sheds; one long turn does not', () => {
  const { shedder, looks } = rig();
  looks(0, 0, 3000, 0, 0);
  shedder.check();
  looks(600, 600, 600, 600, 600);
  assert.throws(() => shedder.check(), { kind: 'overloaded', retryAfterMs: 1000, status: 503 });
  looks(0);
  shedder.check();
});

test('a process that is too large sheds until it is not', () => {
  const { shedder, looks, holds } = rig();
  holds(1001);
  looks(0);
  assert.throws(() => shedder.check(), { kind: 'overloaded' });
  holds(1000);
  looks(0);
  shedder.check();
});

test('a limit of 0 is none', () => {
  const { shedder, looks, holds } = rig({ maxLoopLag: 0, maxMemory: 0 });
  holds(1e12);
  looks(9000, 9000, 9000, 9000, 9000);
  shedder.check();
});
