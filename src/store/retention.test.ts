import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsagePage } from '../core/records.ts';
import { DOUBT_MS, IDLE_MS, JUMP_MS, Retention } from './retention.ts';

const NOON = 1_795_262_400_000;
const DAY_MS = 86_400_000;
const KEEP_MS = 100 * DAY_MS;
const KEEP_REFUSED_MS = 7 * DAY_MS;

test('records go when they are older than they are kept, at each round', async () => {
  const { retention, purged, pass } = setUp(NOON - 1);
  await retention.round();
  pass(JUMP_MS);
  await retention.round();
  assert.deepEqual(purged, [NOON - KEEP_MS, NOON + JUMP_MS - KEEP_MS]);
});

test('refused calls go after their own time, those without a key after a day, even if usage records are kept forever', async () => {
  const { retention, purged, refusedPurged, keep } = setUp(NOON - 1);
  keep.ms = null;
  await retention.round();
  assert.deepEqual(purged, []);
  assert.deepEqual(refusedPurged, [[NOON - KEEP_REFUSED_MS, NOON - DAY_MS]]);
});

test('a machine that slept for a week is believed', async () => {
  const { retention, purged, pass, doubts } = setUp(NOON - 1);
  await retention.round();
  pass(7 * DAY_MS);
  await retention.round();
  assert.deepEqual([purged.length, doubts.count], [2, 0]);
});

for (const jump of [JUMP_MS + 1, DAY_MS, 3650 * DAY_MS]) {
  test(`a clock that jumps ahead by ${jump / 3_600_000} hours deletes nothing for a day`, async () => {
    const { retention, purged, pass, clock, doubts } = setUp(NOON - 1);
    await retention.round();
    clock.now += jump;
    for (let hour = 0; hour < DOUBT_MS / 3_600_000; hour += 1) {
      await retention.round();
      pass(3_600_000);
    }
    assert.deepEqual([purged.length, doubts.count], [1, 1]);
    // Whoever leaves it so for a day means it.
    await retention.round();
    assert.equal(purged.at(-1), NOON + jump + DOUBT_MS - KEEP_MS);
  });
}

test('a clock that is set back again is believed at once', async () => {
  const { retention, purged, clock } = setUp(NOON - 1);
  await retention.round();
  clock.now += 3650 * DAY_MS;
  await retention.round();
  clock.now -= 3650 * DAY_MS;
  await retention.round();
  assert.deepEqual(purged, [NOON - KEEP_MS, NOON - KEEP_MS]);
});

test('a clock that is set back by no more than an hour is doubted as before', async (t) => {
  for (const [back, deleted] of [
    [1, 1],
    [JUMP_MS, 1],
    [JUMP_MS + 1, 2],
  ] as const) {
    await t.test(`by ${back} ms`, async () => {
      const { retention, purged, clock } = setUp(NOON - 1);
      await retention.round();
      clock.now += 3650 * DAY_MS;
      await retention.round();
      clock.now -= back;
      await retention.round();
      assert.equal(purged.length, deleted);
    });
  }
});

test('a clock that is far ahead of the newest record at start deletes nothing for a day', async () => {
  const { retention, purged, pass, doubts } = setUp(NOON - IDLE_MS - 1);
  await retention.round();
  pass(DOUBT_MS - 1);
  await retention.round();
  assert.deepEqual([purged.length, doubts.count], [0, 1]);
  pass(1);
  await retention.round();
  assert.equal(purged.length, 1);
});

test('records that are kept for ever do not go, and no clock is doubted for them', async () => {
  const { retention, purged, clock, doubts, keep } = setUp(NOON - IDLE_MS - 1);
  keep.ms = null;
  await retention.round();
  clock.now += 3650 * DAY_MS;
  assert.equal(await retention.round(), 0);
  assert.deepEqual([purged, doubts.count], [[], 0]);
  keep.ms = KEEP_MS;
  await retention.round();
  assert.deepEqual(purged, [], 'the clock is in doubt all the same');
});

test('records that are kept for ever do not go where the clock is believed, either', async () => {
  const { retention, purged, keep, doubts, pass } = setUp(NOON - 1_000);
  keep.ms = null;
  await retention.round();
  pass(3_600_000);
  assert.equal(await retention.round(), 0);
  assert.deepEqual([purged, doubts.count], [[], 0]);
});

test('a store without records is no reason to doubt', async () => {
  const { retention, purged } = setUp(null);
  await retention.round();
  assert.equal(purged.length, 1);
});

test('what cannot be read deletes nothing, and is told', async () => {
  const { retention, purged, errors, store } = setUp(null);
  store.failure = new Error('no disk');
  assert.equal(await retention.round(), 0);
  assert.deepEqual([purged, errors], [[], [store.failure]]);
});

test('a first look that failed is taken again', async () => {
  const { retention, purged, pass, store, doubts } = setUp(NOON - IDLE_MS - DAY_MS);
  store.failure = new Error('no disk');
  await retention.round();
  store.failure = null;
  pass(3_600_000);
  await retention.round();
  assert.deepEqual([purged.length, doubts.count], [0, 1]);
});

test('records that a clock ahead has made in its last day do not vouch for it at a start', async () => {
  const { retention, purged, store, doubts } = setUp(NOON - IDLE_MS - DAY_MS);
  store.made.push(NOON - 60_000);
  await retention.round();
  assert.deepEqual([purged.length, doubts.count], [0, 1]);
});

/** Over a store whose newest record was made at this time. */
function setUp(newest: number | null) {
  const clock = { now: NOON, uptime: 5_000 };
  const purged: number[] = [];
  const refusedPurged: [before: number, keylessBefore: number][] = [];
  const errors: unknown[] = [];
  const doubts = { count: 0 };
  const keep: { ms: number | null } = { ms: KEEP_MS };
  const store = { failure: null as Error | null, made: newest === null ? [] : [newest] };
  const retention = new Retention({
    storage: {
      purge: async (before) => purged.push(before),
      refused: { purge: async (...before) => refusedPurged.push(before) },
      usage: {
        async list({ until = Number.POSITIVE_INFINITY }) {
          if (store.failure !== null) throw store.failure;
          const createdAt = store.made.toSorted((one, other) => other - one).find((at) => at < until);
          return { records: createdAt === undefined ? [] : [{ createdAt }], hasMore: false } as unknown as UsagePage;
        },
      },
    },
    clock: { now: () => clock.now },
    uptime: () => clock.uptime,
    keepMs: () => keep.ms,
    keepRefusedMs: () => KEEP_REFUSED_MS,
    onDoubt: () => {
      doubts.count += 1;
    },
    onError: (error) => void errors.push(error),
  });
  /** Both clocks go on. */
  function pass(ms: number): void {
    clock.now += ms;
    clock.uptime += ms;
  }
  return { retention, purged, refusedPurged, errors, doubts, clock, store, pass, keep };
}
