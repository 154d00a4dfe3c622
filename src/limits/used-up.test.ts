import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsedUp } from '../core/budget.ts';
import { UsedUpNotes } from './used-up.ts';

const MINUTE = 60_000;

test('a budget is noted once a minute, at once in another period, and again where it could not be', async () => {
  const noted: UsedUp[] = [];
  const errors: unknown[] = [];
  let fault: Error | null = null;
  const clock = { time: 10 * MINUTE, now: () => clock.time, monotonic: () => 0 };
  const store = {
    async noteUsedUp(usedUp: UsedUp) {
      if (fault !== null) throw fault;
      noted.push(usedUp);
    },
  };
  const notes = new UsedUpNotes({ store, clock, onError: (error) => void errors.push(error) });
  const team = { id: 'budget_team', period: 'day 2026-11-21' };
  const pool = { id: 'budget_pool', period: 'life' };
  for (const each of [team, pool, team, pool]) notes.note(each);
  assert.deepEqual(noted.splice(0), [team, pool]);
  clock.time += MINUTE - 1;
  notes.note(team);
  assert.deepEqual(noted, []);
  const next = { ...team, period: 'day 2026-11-22' };
  notes.note(next);
  clock.time += MINUTE;
  notes.note(next);
  assert.deepEqual(noted.splice(0), [next, next]);

  clock.time -= 2 * MINUTE;
  notes.note(next);
  assert.deepEqual(noted.splice(0), [next], 'a clock that is set back holds nothing up');

  fault = new Error('the disk is full');
  clock.time += MINUTE;
  notes.note(next);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(errors, [fault]);
  fault = null;
  notes.note(next);
  assert.deepEqual(noted, [next]);
});

test('of ten thousand budgets each is noted once a minute; of more, the one noted first may be noted again', () => {
  let noted = 0;
  const clock = { now: () => 0, monotonic: () => 0 };
  const store = {
    async noteUsedUp() {
      noted += 1;
    },
  };
  const notes = new UsedUpNotes({ store, clock, onError: assert.fail });
  const ids = Array.from({ length: 10_000 }, (_, index) => `budget_${index}`);
  for (const id of [...ids, ...ids]) notes.note({ id, period: 'life' });
  assert.equal(noted, 10_000);
  for (const id of ['one_more', ids[0]!]) notes.note({ id, period: 'life' });
  assert.equal(noted, 10_002);
});
