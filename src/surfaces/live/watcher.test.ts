import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import type { SettledCalls } from '../../core/settled.ts';
import { UsageFeed } from './usage-feed.ts';
import {
  HEARTBEAT_MS,
  MAX_EVENTS_A_SECOND,
  MAX_STALL_MS,
  MAX_WAITING,
  Watcher,
  type WatcherOptions,
} from './watcher.ts';

const START = { batch: 0, index: null };

/** A connection that records what was written, and can stop reading. */
function connection() {
  const written: string[] = [];
  let [takes, drained] = [true, () => {}];
  const answer: WatcherOptions['answer'] = {
    write: (frame) => {
      written.push(frame);
      return takes;
    },
    onDrain: (listener) => {
      drained = listener;
    },
    end: (last) => void written.push(last, 'END'),
  };
  const options: WatcherOptions = {
    requestId: 'req_1',
    ownerId: 'key_1',
    query: { organizationId: 'org_1' },
    vendors: false,
    place: START,
    answer,
    cut: () => void written.push('CUT'),
    mayWatch: () => undefined,
  };
  return {
    options,
    written,
    take(all: boolean) {
      takes = all;
      if (all) drained();
    },
  };
}

function calls(from: number, count: number, earlier: number | null = 0): SettledCalls {
  const placed = Array.from({ length: count }, (_, index) => ({
    id: `usage_${from + index}`,
    place: { batch: from + index, index: null },
  }));
  return { calls: placed, earlier, upTo: { batch: from + count - 1, index: null } };
}

/** Sends what is due at a time, and returns the ids and counts that were received. */
function sent(watcher: Watcher, written: string[], now: number): { ids: string[]; skipped: (number | null)[] } {
  written.length = 0;
  watcher.send(watcher.due(now), (id) => `{"id":"${id}"}`, now);
  const data = [...written.join('').matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!));
  return {
    ids: data.flatMap(({ id }) => id ?? []),
    skipped: data.flatMap((each) => ('calls' in each ? [each.calls] : [])),
  };
}

test('at most 20 events in any second, in their order, and none is lost that can wait', () => {
  const { options, written } = connection();
  const watcher = new Watcher(options, 0);
  watcher.add(calls(1, 50));
  assert.equal(sent(watcher, written, 0).ids.length, MAX_EVENTS_A_SECOND);
  assert.equal(sent(watcher, written, 999).ids.length, 0);
  assert.equal(sent(watcher, written, 1_000).ids[0], 'usage_21');
  assert.deepEqual(sent(watcher, written, 2_000), {
    ids: Array.from({ length: 10 }, (_, index) => `usage_${41 + index}`),
    skipped: [],
  });
});

test('of more than may wait the newest are told, and the others counted', () => {
  const { options, written } = connection();
  const watcher = new Watcher(options, 0);
  watcher.add(calls(1, MAX_WAITING, 7));
  watcher.add(calls(1 + MAX_WAITING, 1));
  const { ids, skipped } = sent(watcher, written, 0);
  assert.deepEqual([ids.length, ids.at(-1), skipped], [MAX_EVENTS_A_SECOND, 'usage_101', [7 + 81]]);
  watcher.add(calls(200, 1, null));
  assert.deepEqual(sent(watcher, written, 5_000), { ids: ['usage_200'], skipped: [null] });
});

test('one that takes nothing is written nothing more, and after a time is said to stall', () => {
  const { options, written, take } = connection();
  const watcher = new Watcher(options, 0);
  watcher.add(calls(1, 1));
  take(false);
  sent(watcher, written, 0);
  watcher.add(calls(2, 1));
  assert.deepEqual(sent(watcher, written, 5_000).ids, []);
  assert.equal(watcher.isStalled(MAX_STALL_MS), false);
  assert.equal(watcher.isStalled(MAX_STALL_MS + 1), true);
  take(true);
  assert.equal(watcher.isStalled(MAX_STALL_MS + 1), false);
  assert.deepEqual(sent(watcher, written, 6_000).ids, ['usage_2']);
});

test('a silent stream has a sign of life, with the place up to which nothing came', () => {
  const { options, written } = connection();
  const watcher = new Watcher(options, 0);
  watcher.place = { batch: 9, index: null };
  sent(watcher, written, HEARTBEAT_MS - 1);
  assert.deepEqual(written, []);
  sent(watcher, written, HEARTBEAT_MS);
  assert.deepEqual(written, [': still here\nid: 9\n\n']);
});

for (const [why, told] of [
  ['isBusy', /too busy/],
  ['stopping', /is stopping/],
  ['failing', /could not be read/],
] as const) {
  test(`streams end where the gateway is ${why}, and nothing is looked for while nobody watches`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const state = { isBusy: false, stopping: false, failing: false };
    let [looks, faults] = [0, 0];
    const feed = new UsageFeed({
      settled: {
        newest: async () => START,
        since: async () => {
          looks += 1;
          if (state.failing) throw new GatewayError('storage_unavailable', 'No.');
          return calls(1, 0);
        },
      },
      calls: { findAll: async () => [] },
      clock: { monotonic: () => 0 },
      limits: () => ({ maxWatchers: 9, maxKeyWatchers: 9 }),
      shedder: state,
      stopping: () => state.stopping,
      onFault: () => {
        faults += 1;
      },
    });
    const { options, written } = connection();
    feed.watch(options);
    const step = async () => {
      t.mock.timers.tick(250);
      for (let turn = 0; turn < 20; turn += 1) await null;
    };
    await step();
    assert.equal(looks, 1);
    state[why] = true;
    await step();
    assert.match(written.join(''), told);
    assert.equal(written.at(-1), 'END');
    assert.equal(faults, why === 'failing' ? 1 : 0);
    if (why === 'isBusy') assert.throws(() => feed.demandPlace('key_2'), { kind: 'overloaded' });
    const before = looks;
    await step();
    assert.equal(looks, before);
  });
}
