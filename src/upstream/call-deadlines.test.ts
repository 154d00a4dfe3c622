import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { CallDeadlines } from './call-deadlines.ts';

test('rings each deadline once, at its time, however often it was moved', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const rung: [string, number][] = [];
  const deadlines = new CallDeadlines<'total' | 'idle' | 'ping'>(new TimerWheel(() => now), (name) =>
    rung.push([name, now]),
  );
  const pass = (ms: number) => {
    for (let step = 0; step < ms; step += 1) {
      now += 1;
      t.mock.timers.tick(1);
    }
  };
  deadlines.set('total', 1000);
  deadlines.set('idle', 100);
  pass(80);
  deadlines.set('idle', 100);
  pass(99);
  assert.deepEqual(rung, []);
  pass(1);
  assert.deepEqual(rung, [['idle', 180]]);
  deadlines.set('ping', 50);
  deadlines.clear('ping');
  pass(500);
  assert.deepEqual(rung.length, 1);
  pass(320);
  assert.deepEqual(rung, [
    ['idle', 180],
    ['total', 1000],
  ]);
  deadlines.set('idle', 10);
  deadlines.stop();
  pass(50);
  assert.equal(rung.length, 2);
});
