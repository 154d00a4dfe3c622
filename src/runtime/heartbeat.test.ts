import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Heartbeat, PING_EVERY_MS } from './heartbeat.ts';

const TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;

test('one that answers is asked each second, and stays', async () => {
  const { beats, silent, workers } = setUp();
  await beats(100);
  assert.equal(workers[0]!.asked, 100);
  assert.deepEqual(silent, []);
});

test('one that stops to answer is given up after ten seconds, once, and the other stays', async () => {
  const { beats, silent, workers } = setUp();
  await beats(1);
  workers[0]!.answers = false;
  await beats(1);
  const { asked } = workers[0]!;
  await beats(TIMEOUT_MS / PING_EVERY_MS - 1);
  assert.deepEqual(silent, []);
  await beats(1);
  assert.deepEqual(silent, [[0, TIMEOUT_MS]]);
  assert.equal(workers[0]!.asked, asked, 'pings do not pile up');
  await beats(100);
  assert.equal(silent.length, 1);
});

test('one that is late, but answers, is not given up', async () => {
  const { beats, silent, workers } = setUp();
  for (let time = 0; time < 5; time += 1) {
    workers[0]!.answers = false;
    await beats(TIMEOUT_MS / PING_EVERY_MS);
    workers[0]!.answer();
    await turn();
    await beats(1);
  }
  assert.deepEqual(silent, []);
});

test('a primary that did not run itself blames nobody', async () => {
  const { beats, silent, workers, clock } = setUp();
  await beats(1);
  for (const worker of workers) worker.answers = false;
  for (let time = 0; time < 20; time += 1) {
    // Each time it has run for nearly long enough; then the machine sleeps for an hour.
    await beats(TIMEOUT_MS / PING_EVERY_MS - 1);
    clock.now += 3_600_000;
    await beats(1);
  }
  assert.deepEqual(silent, []);
});

test('one that does not serve yet has the time of a start, also where it has answered before', async () => {
  for (const answeredBefore of [0, 3]) {
    const { beats, silent, workers } = setUp();
    workers[1]!.serves = false;
    await beats(answeredBefore);
    workers[1]!.answers = false;
    await beats(START_TIMEOUT_MS / PING_EVERY_MS);
    assert.deepEqual(silent, []);
    await beats(1);
    assert.deepEqual(silent, [[1, START_TIMEOUT_MS]]);
  }
});

function setUp() {
  const clock = { now: 0 };
  const silent: [index: number, silentMs: number][] = [];
  const workers = [0, 1].map(fakeWorker);
  const heartbeat = new Heartbeat({
    timeoutMs: TIMEOUT_MS,
    startTimeoutMs: START_TIMEOUT_MS,
    members: () => workers,
    serves: ({ serves }) => serves,
    onSilent: ({ index }, silentMs) => void silent.push([index, silentMs]),
    now: () => clock.now,
  });
  async function beats(count: number): Promise<void> {
    for (let beat = 0; beat < count; beat += 1) {
      clock.now += PING_EVERY_MS;
      heartbeat.beat();
      await turn();
    }
  }
  return { beats, silent, workers, clock };
}

function fakeWorker(_: unknown, index: number) {
  let waiting: ((answer: null) => void)[] = [];
  const state = {
    index,
    asked: 0,
    answers: true,
    serves: true,
    /** Answers what it was asked, and what it will be. */
    answer() {
      state.answers = true;
      for (const answer of waiting) answer(null);
      waiting = [];
    },
    channel: {
      ask(name: 'ping'): Promise<null> {
        assert.equal(name, 'ping');
        state.asked += 1;
        return state.answers ? Promise.resolve(null) : new Promise((done) => void waiting.push(done));
      },
    },
  };
  return state;
}
