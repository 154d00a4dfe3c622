import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DiskState } from '../disk-state.ts';
import { intent, settlement } from '../fixtures.test.ts';
import type { Journal, JournalPosition } from '../journal-port.ts';
import { createLedger } from './ledger.ts';

test('a journal that is not done at once acknowledges when it is', async () => {
  const { ledger, groups, finish, told } = rig();
  told('one', ledger.intend(intent(1)));
  told('two', ledger.intend(intent(2)));
  await turn();
  told('three', ledger.intend(intent(3)));
  await turn();
  assert.deepEqual(
    groups.map(({ records }) => records.length),
    [2, 1],
  );
  assert.deepEqual(told.names, []);
  await finish(1);
  assert.deepEqual(told.names, ['three']);
  await finish(0);
  assert.deepEqual(told.names, ['three', 'one', 'two']);
  assert.equal(ledger.place?.end, 2);
});

test('a group that it refuses later refuses its intents, and keeps its settlements for the next', async () => {
  const { ledger, groups, finish, told } = rig();
  told('open', ledger.intend(intent(1)));
  await turn();
  await finish(0);
  told('settled', ledger.settle(settlement(intent(1))));
  told('other', ledger.intend(intent(2)));
  await turn();
  await finish(1, new Error('gone'));
  assert.deepEqual(told.names, ['open', 'settled refused', 'other refused']);
  assert.equal(ledger.hasLate, true);

  // The intent waits for the late settlement, whose money it may use.
  told('again', ledger.intend(intent(2)));
  await turn();
  assert.equal(groups.length, 3);
  assert.match(groups[2]!.records.join(), /^\["s","usage_00000001"/);
  await finish(2);
  assert.equal(ledger.hasLate, false);
  assert.equal(groups.length, 4);
  await finish(3);
  assert.equal(told.names.at(-1), 'again');
});

test('a late settlement is handed in once, however often it is asked for meanwhile', async () => {
  const { ledger, groups, finish, told } = rig();
  told('open', ledger.intend(intent(1)));
  await turn();
  await finish(0);
  told('settled', ledger.settle(settlement(intent(1))));
  await turn();
  await finish(1, new Error('gone'));
  ledger.settleLate();
  ledger.settleLate();
  assert.equal(groups.length, 3);
  await finish(2, new Error('gone'));
  assert.equal(ledger.hasLate, true);
  ledger.settleLate();
  await finish(3);
  assert.deepEqual([groups.length, ledger.hasLate], [4, false]);
});

type Group = { records: readonly string[]; done: PromiseWithResolvers<JournalPosition> };

/** A ledger over a journal whose appends end when the test says so. */
function rig() {
  const groups: Group[] = [];
  let end = 0;
  const journal: Journal = {
    append(records) {
      const done = Promise.withResolvers<JournalPosition>();
      groups.push({ records, done });
      return done.promise;
    },
    get place() {
      return end === 0 ? null : { file: 'a', end };
    },
    check: () => undefined,
    close: () => undefined,
  };
  const ledger = createLedger({
    journal,
    maxQueuedWrites: 100,
    now: () => 0,
    disk: new DiskState(
      () => 0,
      () => null,
    ),
    tables: () => ({ takeOver: async () => undefined, settle: async () => undefined }),
  });
  const names: string[] = [];
  const tell = (name: string, written: Promise<void>) => {
    written.then(
      () => names.push(name),
      () => names.push(`${name} refused`),
    );
  };
  async function finish(index: number, error?: Error): Promise<void> {
    const { done } = groups[index]!;
    if (error !== undefined) done.reject(error);
    else {
      end = Math.max(end, index + 1);
      done.resolve({ file: 'a', end: index + 1 });
    }
    await turn();
  }
  return { ledger, groups, finish, told: Object.assign(tell, { names }) };
}
