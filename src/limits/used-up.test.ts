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
