import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThresholdStore } from '../core/budget.ts';
import { budget, round, setUp } from './alerts.fixtures.test.ts';

test('what could not be told holds back what else of the same budget is to be told, and is tried ever less often', async (t) => {
  const { spend, alerts, told, fail, errors, clock } = await setUp(t, [{ ...budget('team'), alerts: [0.5, 0.6] }]);
  await spend('budget_team', 600n);
  fail.id = 'budget_team';
  for (const [afterMs, tries] of [
    [0, 1],
    [4_999, 1],
    [1, 2],
    [29_999, 2],
    [1, 3],
  ] as const) {
    clock.time += afterMs;
    await round(alerts);
    assert.equal(errors.length, tries);
  }
  assert.deepEqual(told, []);
});

test('what takes long to be told holds up no other, is told once, and a few alone are told of by mail at once', async (t) => {
  const slow = Array.from({ length: 15 }, (_, index) => budget(`mail_${index}`));
  const { spend, alerts, told, hold, clock } = await setUp(t, [
    ...slow.map((each) => ({ ...each, isMailed: true, alerts: [0.5] })),
    { ...budget('team'), alerts: [0.5, 0.9] },
  ]);
  for (const { id } of slow) await spend(id, 600n);
  hold.ids = new Set(slow.map(({ id }) => id));
  await alerts.look();
  await alerts.look();
  assert.equal(hold.begun, 10);
  await spend('budget_team', 600n);
  await alerts.look();
  await spend('budget_team', 300n);
  clock.time += 1;
  while (told.length < 2) await alerts.look();
  assert.deepEqual(
    told.map(({ id, threshold }) => [id, threshold]),
    [
      ['budget_team', 0.5],
      ['budget_team', 0.9],
    ],
  );
  hold.end();
  await alerts.idle();
  await round(alerts);
  await round(alerts);
  assert.deepEqual(told.map(({ id }) => id).sort(), [...slow.map(({ id }) => id).sort(), 'budget_team', 'budget_team']);
});

test('what fails late is tried again after a pause from then on', async (t) => {
  const { spend, alerts, told, fail, hold, clock } = await setUp(t, [{ ...budget('team'), alerts: [0.5] }]);
  await spend('budget_team', 600n);
  hold.ids = new Set(['budget_team']);
  fail.id = 'budget_team';
  await alerts.look();
  await alerts.look();
  assert.equal(hold.begun, 1, 'it is told once at a time');
  clock.time += 15_000;
  hold.end();
  await alerts.idle();
  fail.id = null;
  clock.time += 4_999;
  await round(alerts);
  assert.deepEqual(told, []);
  clock.time += 1;
  await round(alerts);
  assert.equal(told.length, 1);
});

test('what ends being told while the next look is under way is not told again', async (t) => {
  const { spend, again, told, hold, storage } = await setUp(t, [{ ...budget('team'), alerts: [0.5] }]);
  await spend('budget_team', 600n);
  const { thresholds } = storage;
  const gate = { opens: Promise.resolve() };
  const spent: ThresholdStore['spent'] = async (asked) => {
    const sums = await thresholds.spent(asked);
    await gate.opens;
    return sums;
  };
  const alerts = again({ ...thresholds, spent });
  hold.ids = new Set(['budget_team']);
  await alerts.look();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.opens = promise;
  const second = alerts.look();
  // The second look has seen what is not told yet by then.
  for (let asked = 0; asked < 5; asked += 1) await thresholds.told(['budget_team']);
  hold.end();
  await alerts.idle();
  resolve();
  await second;
  await alerts.idle();
  assert.equal(told.length, 1);
});

test('what is watched no more while it is told is no failure', async (t) => {
  const watched = [{ ...budget('team'), alerts: [0.5] }];
  const { spend, alerts, told, errors, hold } = await setUp(t, watched);
  await spend('budget_team', 600n);
  hold.ids = new Set(['budget_team']);
  await alerts.look();
  watched.splice(0);
  await alerts.look();
  hold.end();
  await alerts.idle();
  assert.deepEqual([told.length, errors], [1, []]);
});

test('what failed beside what is gone is tried at once where that comes back', async (t) => {
  const watched = [{ ...budget('team'), alerts: [0.5] }];
  const { spend, alerts, told, fail } = await setUp(t, watched);
  await spend('budget_team', 600n);
  fail.id = 'budget_team';
  await round(alerts);
  fail.id = null;
  const [gone] = watched.splice(0);
  await round(alerts);
  watched.push(gone!);
  await round(alerts);
  assert.equal(told.length, 1);
});
