import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Deadline, TimerWheel } from './timer-wheel.ts';

/** A wheel whose time passes as the test says. */
function wheelOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 1_000_003.25;
  const rung: [string, number][] = [];
  const startedAt = now;
  const wheel = new TimerWheel(() => now);
  return {
    rung,
    deadline: (name: string, also?: () => void) =>
      new Deadline(wheel, () => {
        rung.push([name, now - startedAt]);
        also?.();
      }),
    pass(ms: number) {
      for (let step = 0; step < ms; step += 1) {
        now += 1;
        t.mock.timers.tick(1);
      }
    },
    /** The machine slept: time has passed, and the timer fires once. */
    leap(ms: number) {
      now += ms;
      t.mock.timers.tick(ms);
    },
  };
}

test('a deadline rings once, never early, and at most a tick late', (t) => {
  const { deadline, pass, rung } = wheelOf(t);
  const delays = [0, 1, 4, 5, 6, 99, 100, 2500, 5119, 5120, 5121, 5125, 12_345];
  for (const ms of delays) deadline(String(ms)).set(ms);
  pass(20_000);
  assert.deepEqual(
    rung.map(([name]) => Number(name)).sort((one, other) => one - other),
    delays,
  );
  for (const [name, at] of rung) assert.ok(at >= Number(name) && at <= Number(name) + 6, `${name} rang at ${at}`);
});

test('one that is put off rings at its last time, one that is drawn in at its new time, one that is cleared never', (t) => {
  const { deadline, pass, rung } = wheelOf(t);
  const [off, drawn, cleared] = [deadline('off'), deadline('drawn'), deadline('cleared')];
  off.set(100);
  drawn.set(60_000);
  cleared.set(120);
  pass(50);
  off.set(100);
  drawn.set(20);
  pass(60);
  assert.deepEqual(
    rung.map(([name]) => name),
    ['drawn'],
  );
  cleared.clear();
  assert.deepEqual([off.isSet, drawn.isSet, cleared.isSet], [true, false, false]);
  pass(100);
  assert.deepEqual(
    rung.map(([name]) => name),
    ['drawn', 'off'],
  );
  off.set(10);
  pass(20);
  assert.equal(rung.length, 3);
});

test('what rings may set and clear others, itself too', (t) => {
  const { deadline, pass, rung } = wheelOf(t);
  const victim = deadline('victim');
  let left = 3;
  const again = deadline('again', () => {
    victim.clear();
    left -= 1;
    if (left > 0) again.set(0);
  });
  victim.set(50);
  again.set(50);
  pass(500);
  assert.deepEqual(
    rung.map(([name]) => name),
    ['again', 'again', 'again'],
  );
});

test('after a long sleep all that is due rings at once, and what is not keeps its time', (t) => {
  const { deadline, leap, pass, rung } = wheelOf(t);
  deadline('first').set(10);
  deadline('second').set(30_000);
  deadline('third').set(100_500);
  leap(100_000);
  assert.deepEqual(rung.map(([name]) => name).sort(), ['first', 'second']);
  pass(499);
  assert.equal(rung.length, 2);
  pass(10);
  assert.equal(rung.length, 3);
});

test('thousands of deadlines, moved at random, each ring at their time', (t) => {
  const { deadline, pass, rung } = wheelOf(t);
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const all = Array.from({ length: 2000 }, (_, index) => deadline(String(index)));
  for (let round = 0; round < 5; round += 1) {
    for (const each of all) {
      if (random() < 0.8) each.set(200 + Math.floor(random() * 8000));
      else each.clear();
    }
    pass(40);
  }
  const wanted = all.flatMap((each, index) => (each.isSet ? [[String(index), each.dueAt] as const] : []));
  rung.length = 0;
  pass(10_000);
  assert.equal(rung.length, wanted.length);
  const times = new Map(rung);
  for (const [name, dueAt] of wanted) {
    const late = times.get(name)! - (dueAt - 1_000_003.25);
    assert.ok(late >= 0 && late <= 6, `${name} was ${late} ms late`);
  }
});

test('a deadline does not keep the process running', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const deadline = new Deadline(new TimerWheel(() => performance.now()), () => {});
  deadline.set(60_000);
  assert.equal(timers(), before);
  deadline.clear();
});
