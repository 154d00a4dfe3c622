import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { ALARM, type Alarm, StreamDeadlines } from './stream-deadlines.ts';

test('rings each deadline once, at its time, however often it was moved', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const rung: [Alarm, number][] = [];
  const { total, silence, ping } = ALARM;
  const deadlines = new StreamDeadlines(new TimerWheel(() => now), (alarm) => rung.push([alarm, now]));
  const pass = (ms: number) => {
    for (let step = 0; step < ms; step += 1) {
      now += 1;
      t.mock.timers.tick(1);
    }
  };
  deadlines.set(total, 1000);
  deadlines.set(silence, 100);
  pass(80);
  deadlines.set(silence, 100);
  pass(99);
  assert.deepEqual(rung, []);
  pass(1);
  assert.deepEqual(rung, [[silence, 180]]);
  deadlines.set(ping, 50);
  deadlines.clear(ping);
  pass(500);
  assert.deepEqual(rung.length, 1);
  pass(320);
  assert.deepEqual(rung, [
    [silence, 180],
    [total, 1000],
  ]);
  deadlines.set(silence, 10);
  deadlines.stop();
  pass(50);
  assert.equal(rung.length, 2);
});
