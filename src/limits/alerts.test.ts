import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchedSpend } from '../core/budget.ts';
import { DAY_MS } from '../core/utc-day.ts';
import { key, NOON } from '../store/fixtures.test.ts';
import { budget, round, setUp } from './alerts.fixtures.test.ts';
import { UsedUpNotes } from './used-up.ts';

test('a threshold is told of once in each period, in parts of the budget and in amounts of its own', async (t) => {
  const { spend, alerts, told, clock } = await setUp(t, [{ ...budget('team'), alerts: [0.5, 900n, 1] }]);
  const looked = async () => {
    await round(alerts);
    return told.splice(0).map(({ threshold, amount, spent, period }) => [threshold, amount, spent, period]);
  };
  assert.deepEqual(await looked(), []);
  await spend('budget_team', 499n);
  assert.deepEqual(await looked(), []);
  await spend('budget_team', 1n);
  assert.deepEqual(await looked(), [[0.5, 500n, 500n, 'day 2026-11-21']]);
  assert.deepEqual(await looked(), []);
  await spend('budget_team', 700n);
  assert.deepEqual(await looked(), [
    [900n, 900n, 1_200n, 'day 2026-11-21'],
    [1, 1_000n, 1_200n, 'day 2026-11-21'],
  ]);
  clock.time += DAY_MS;
  assert.deepEqual(await looked(), []);
  await spend('budget_team', 600n);
  assert.deepEqual(await looked(), [[0.5, 500n, 600n, 'day 2026-11-22']]);
});

test('a budget of nothing is told of once something is spent of it', async (t) => {
  const { spend, alerts, told } = await setUp(t, [{ ...budget('team'), amount: 0n, alerts: [1] }]);
  await round(alerts);
  assert.deepEqual(told, []);
  await spend('budget_team', 1n);
  await round(alerts);
  assert.deepEqual(
    told.map(({ amount, spent }) => [amount, spent]),
    [[0n, 1n]],
  );
});

test('what was told is known after a restart, and what other processes spent counts', async (t) => {
  const { spend, alerts, told, again, other } = await setUp(t, [{ ...budget('team'), alerts: [0.5, 0.8] }]);
  await spend('budget_team', 500n);
  await round(alerts);
  await spend('budget_team', 300n, await other());
  await round(again());
  assert.deepEqual(
    told.map(({ threshold }) => threshold),
    [0.5, 0.8],
  );
});

test('what could not be told is told after a pause, and the others are told meanwhile', async (t) => {
  const { spend, alerts, told, fail, errors, clock } = await setUp(t, [
    { ...budget('team'), alerts: [0.5, 0.9] },
    { ...budget('pool'), alerts: [0.5] },
  ]);
  await spend('budget_team budget_pool', 600n);
  fail.id = 'budget_team';
  await round(alerts);
  assert.deepEqual([told.map(({ id }) => id), errors.length], [['budget_pool'], 1]);
  fail.id = null;
  await round(alerts);
  assert.equal(told.length, 1);
  clock.time += 5_000;
  await round(alerts);
  assert.deepEqual(
    told.map(({ id }) => id),
    ['budget_pool', 'budget_team'],
  );

  fail.id = 'budget_team';
  await spend('budget_team', 300n);
  await round(alerts);
  fail.id = null;
  clock.time += 5_000;
  await round(alerts);
  assert.equal(told.at(-1)?.threshold, 0.9, 'a pause is the shortest again once something was told');
});

test('what the keys of a project and of an organization have spent together counts', async (t) => {
  const groups = ['organization:org_1', 'project:proj_00_org_1', 'product:search', 'project:proj_other'];
  const watched = groups.map((id) => ({ ...budget(id), spentUnder: id, alerts: [0.5] }));
  const { spend, alerts, told, storage } = await setUp(t, watched);
  await storage.organizations.create({ id: 'org_1', name: 'One', createdAt: NOON });
  await storage.keys.create(key(), Buffer.alloc(32, 1));
  await storage.keys.create(key({ id: 'key_2', projectId: 'proj_other', product: 'search' }), Buffer.alloc(32, 2));
  await spend('', 400n);
  await spend('', 300n, storage, 'key_2');
  await round(alerts);
  assert.deepEqual(
    told.map(({ id, spent }) => [id, spent]),
    [['budget_organization:org_1', 700n]],
  );
  await spend('', 300n, storage, 'key_2');
  await round(alerts);
  assert.deepEqual(told.map(({ id }) => id).slice(1), ['budget_product:search', 'budget_project:proj_other']);
});

test('a period that has just ended is told of still, where it was watched, and not long after', async (t) => {
  const month = { ...budget('team'), per: 'month', alerts: [0.5] } as const;
  const watched = [month, { ...month, id: 'late', since: Date.UTC(2026, 11, 1) }];
  const { spend, alerts, told, clock } = await setUp(t, watched);
  await spend('budget_team', 600n);
  clock.time = Date.UTC(2026, 11, 2);
  await round(alerts);
  assert.deepEqual(told, []);
  clock.time -= 1;
  await round(alerts);
  await round(alerts);
  assert.deepEqual(
    told.map(({ id, period }) => [id, period]),
    [['budget_team', 'month 2026-11-01']],
  );
});

test('a hard budget has come to its end once most of it is spent and a call was refused for it', async (t) => {
  const hard = { ...budget('team'), isHard: true, alerts: [0.5, 1, 1.5] };
  const { spend, alerts, told, storage, clock } = await setUp(t, [hard, { ...hard, id: 'soft', isHard: false }]);
  const notes = new UsedUpNotes({ store: storage.thresholds, clock, onError: assert.ifError });
  notes.note({ id: 'budget_team', period: 'day 2026-11-20' });
  await spend('budget_team', 890n);
  await round(alerts);
  notes.note({ id: 'budget_team', period: 'day 2026-11-21' });
  await round(alerts);
  assert.deepEqual(
    told.splice(0).map(({ threshold }) => threshold),
    [0.5, 0.5],
  );
  await spend('budget_team', 20n);
  await round(alerts);
  await round(alerts);
  assert.deepEqual(
    told.map(({ id, threshold, spent }) => [id, threshold, spent]),
    [['budget_team', 1, 910n]],
  );
  await spend('budget_team', 490n);
  await round(alerts);
  assert.deepEqual(
    told.slice(1).map(({ id, threshold }) => [id, threshold]),
    [['soft', 1]],
    'no call is refused for more than all of it',
  );
});

test('an override moves the parts of a budget, and what is long over is forgotten', async (t) => {
  const overrides = [{ amount: 1_000n, until: NOON + 1_000 }];
  const { spend, alerts, told, clock, storage } = await setUp(t, [{ ...budget('team'), alerts: [0.5], overrides }]);
  await spend('budget_team', 600n);
  await round(alerts);
  assert.deepEqual(told, []);
  clock.time += 1_000;
  await round(alerts);
  assert.equal(told.length, 1);
  clock.time += 101 * DAY_MS;
  await spend('budget_team', 600n);
  await round(alerts);
  assert.deepEqual(
    (await storage.thresholds.told(['budget_team'])).map(({ period }) => period),
    ['day 2027-03-02'],
  );
});

test('the store is asked for what may have changed alone', async (t) => {
  const watched: WatchedSpend[] = [];
  const { spend, over, told } = await setUp(t, watched);
  const { alerts, asked } = over();
  const looked = async () => {
    await round(alerts);
    return asked.splice(0);
  };
  assert.deepEqual(await looked(), []);
  watched.push({ ...budget('team'), since: NOON, alerts: [0.5] });
  assert.deepEqual(await looked(), ['told', 'spent']);
  assert.deepEqual(await looked(), ['spent']);
  watched.push({ ...budget('hard'), since: NOON, isHard: true, alerts: [0.5] }, { ...budget('silent'), alerts: [] });
  assert.deepEqual(await looked(), ['told', 'usedUp', 'spent']);
  await spend('budget_team budget_hard', 500n);
  assert.deepEqual(await looked(), ['usedUp', 'spent', 'tell', 'tell']);
  assert.equal(told.length, 2);
  assert.deepEqual(await looked(), [], 'all is told');
});

test('once it is stopped it looks no more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { spend, alerts, told } = await setUp(t, [{ ...budget('team'), alerts: [0.5] }]);
  alerts.start();
  await alerts.stop();
  await spend('budget_team', 500n);
  t.mock.timers.tick(60_000);
  alerts.start();
  t.mock.timers.tick(60_000);
  await alerts.stop();
  assert.deepEqual(told, []);
});

test('once it is started it looks by itself, until it is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { spend, alerts, told } = await setUp(t, [{ ...budget('team'), alerts: [0.5] }]);
  await spend('budget_team', 500n);
  alerts.start();
  t.mock.timers.tick(1_000);
  await alerts.stop();
  assert.equal(told.length, 1);
});
