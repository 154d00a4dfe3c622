import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { Alarms } from './alarms.ts';

test('rings each deadline once, at its time, however often it was moved', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const rung: [string, number][] = [];
  const alarms = new Alarms<'total' | 'idle' | 'ping'>(new TimerWheel(() => now), (name) => rung.push([name, now]));
  const pass = (ms: number) => {
    for (let step = 0; step < ms; step += 1) {
      now += 1;
      t.mock.timers.tick(1);
    }
  };
  alarms.set('total', 1000);
  alarms.set('idle', 100);
  pass(80);
  alarms.set('idle', 100);
  pass(99);
  assert.deepEqual(rung, []);
  pass(1);
  assert.deepEqual(rung, [['idle', 180]]);
  alarms.set('ping', 50);
  alarms.clear('ping');
  pass(500);
  assert.deepEqual(rung.length, 1);
  pass(320);
  assert.deepEqual(rung, [
    ['idle', 180],
    ['total', 1000],
  ]);
  alarms.set('idle', 10);
  alarms.stop();
  pass(50);
  assert.equal(rung.length, 2);
});
