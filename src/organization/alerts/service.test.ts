import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mail } from '../../core/mail.ts';
import { buildDirectory } from '../../routing/directory.ts';
import { intent, NOON, settlement } from '../../store/fixtures.test.ts';
import { model, served } from '../../testing/routes.ts';
import { keyIn, ORGANIZATION, organizationOf, project, setting } from '../fixtures.test.ts';
import { projectsInUse, type RateUseParts, rateUses, spendUses } from '../limits/use.ts';
import { listModelAccess } from '../model-access/service.ts';
import { archiveProject, updateProject } from '../projects/service.ts';
import { spendNotices } from './notices.ts';
import {
  amountOf,
  createSpendAlert,
  deleteSpendAlert,
  deleteSpendLimit,
  findSpendAlert,
  findSpendLimit,
  setSpendLimit,
  updateSpendAlert,
} from './service.ts';

const alert = { cents: 500, recipients: ['ada@example.com'], subjectPrefix: 'Note:' };

test('a limit of money is set and taken away for each owner alone, as it was read', async (t) => {
  const { admin, keep } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_old', { archivedAt: NOON }));
  const none = { kind: 'not_found', message: 'No spend limit is set here.' };
  await setSpendLimit(admin, 'proj_1', { cents: 100 }, 0);
  await assert.rejects(findSpendLimit(admin, null), none);
  await setSpendLimit(admin, null, { cents: 200 });
  await assert.rejects(setSpendLimit(admin, 'proj_1', { cents: 1 }, 0), { kind: 'conflict' });
  await setSpendLimit(admin, 'proj_1', { cents: 300 }, 1);
  const { value } = await findSpendLimit(admin, 'proj_1');
  assert.deepEqual([value, amountOf(value)], [{ cents: 300, isEnforced: true }, 3_000_000_000n]);
  await assert.rejects(setSpendLimit(admin, 'proj_old', { cents: 1 }), { kind: 'conflict' });
  await deleteSpendLimit(admin, 'proj_1');
  await assert.rejects(deleteSpendLimit(admin, 'proj_1'), none);
  assert.equal((await findSpendLimit(admin, null)).value.cents, 200);
});

test('an alert is of the owner that it was made for', async (t) => {
  const { admin, keep } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_old', { archivedAt: NOON }));
  const { id } = await createSpendAlert(admin, 'proj_1', alert);
  await assert.rejects(findSpendAlert(admin, null, id), { kind: 'not_found' });
  await assert.rejects(createSpendAlert(admin, 'proj_old', alert), { kind: 'conflict' });
  await updateSpendAlert(admin, { owner: 'proj_1', id, ifVersion: 1 }, { ...alert, cents: 7 });
  await assert.rejects(updateSpendAlert(admin, { owner: 'proj_1', id, ifVersion: 1 }, alert), { kind: 'conflict' });
  assert.equal((await findSpendAlert(admin, 'proj_1', id)).value.cents, 7);
  await deleteSpendAlert(admin, 'proj_1', id);
  await assert.rejects(findSpendAlert(admin, 'proj_1', id), { kind: 'not_found' });
});

test('what is told of: alerts, limits and budgets, each under what its money is kept under, and mail beside', async (t) => {
  const { admin, keep } = await organizationOf(t);
  await keep(project('proj_1'), setting('spend_alert', 'alert_1', { parentId: 'proj_1', ...alert }));
  await keep(setting('spend_alert', 'alert_2', { ...alert, recipients: [] }));
  await keep(setting('spend_limit', 'spend_limit', { cents: 900, isEnforced: true }));
  const budget = { name: 'team', holders: [], amount: '70', per: 'day', overrides: [], models: null, instead: null };
  await keep(setting('budget', 'budget_1', { ...budget, isHard: false, alerts: [0.5], recipients: alert.recipients }));
  await keep(setting('budget', 'budget_2', { ...budget, isHard: true, alerts: [], recipients: alert.recipients }));
  const mails: Mail[] = [];
  const sendMail = async (mail: Mail) => void mails.push(mail);
  const organization = { id: ORGANIZATION, name: 'First', createdAt: NOON };
  const notices = await spendNotices({ ...admin, sendMail }, organization);
  const [ofOrganization, ofProject] = ['organization:org_1', 'project:proj_1'];
  assert.deepEqual(
    notices.map(({ watched: { id, spentUnder, amount, alerts, isHard } }) => [id, spentUnder, amount, alerts, isHard]),
    [
      ['alert_1', ofProject, 5_000_000_000n, [5_000_000_000n], false],
      ['alert_1 mail', ofProject, 5_000_000_000n, [5_000_000_000n], false],
      ['alert_2', ofOrganization, 5_000_000_000n, [5_000_000_000n], false],
      [`${ofOrganization} limit`, ofOrganization, 9_000_000_000n, [9_000_000_000n], true],
      ['budget_1', 'budget_1', 70n, [0.5], false],
      ['budget_1 mail', 'budget_1', 70n, [0.5], false],
    ],
  );
  const passed = {
    id: 'alert_1',
    threshold: 1,
    amount: 5_000_000_000n,
    spent: 6_000_000_000n,
    period: 'month 2026-11-01',
  };
  await notices[1]!.tell(passed);
  assert.deepEqual([mails[0]?.to, mails[0]?.subject], [alert.recipients, 'Note: The project "proj_1" has spent $6.00']);
  assert.match(mails[0]!.text, /more than its alert at \$5\.00\.[\s\S]*Since: 2026-11-01, UTC\.\nAlert: alert_1\./);
  assert.equal((await spendNotices({ ...admin, sendMail: null }, organization)).length, 4);
});

test('how limits of money are used is told of the month, for the organization and projects that are in use', async (t) => {
  const { admin, keep, storage } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_old', { archivedAt: NOON }), keyIn('proj_1', null));
  for (const parentId of [null, 'proj_1', 'proj_old'])
    await keep(setting('spend_limit', 'spend_limit', { parentId, cents: 100, isEnforced: true }));
  for (const [number, days] of [0, -20, -21].entries()) {
    const call = intent(number, { keyId: 'nobody in proj_1', createdAt: NOON + days * 86_400_000 });
    await storage.ledger.intend(call);
    await storage.ledger.settle(settlement(call, { counted: 10n ** BigInt(number) }));
  }
  const projects = await projectsInUse(admin);
  const uses = await spendUses(admin, projects, storage.thresholds);
  assert.deepEqual(
    uses.map(({ project: of, limit, used, endsAt }) => [of?.id ?? null, limit, used, endsAt]),
    [null, 'proj_1'].map((id) => [id, 1_000_000_000n, 11n, Date.UTC(2026, 11)]),
  );
});

test('how rates are used is told of the busiest of the last ten minutes, of projects that are in use', async (t) => {
  const { admin, keep } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_old', { archivedAt: NOON }));
  const rate = { model: 'small', requestsPerMinute: 60, tokensPerMinute: null, kept: {} };
  for (const parentId of ['proj_1', 'proj_old'])
    await keep(setting('rate_limit', 'rate_limit_small', { parentId, ...rate }));
  await keep(
    setting('rate_limit', 'rate_limit_large', { parentId: 'proj_1', ...rate, model: 'large', tokensPerMinute: 9 }),
    ...['quick', 'lab/exact', 'dated', 'cheap'].map((model) =>
      setting('rate_limit', `rate_limit_${model}`, { parentId: 'proj_1', ...rate, model }),
    ),
  );
  const models = ['small', 'exact', 'dated-2026-07-18', 'cheap'].map((id) => model(id));
  const { find } = buildDirectory([served('lab', models)], {
    aliases: new Map([
      ['quick', 'small'],
      ['tiny', 'small'],
    ]),
  });
  const asked: { from: number; until: number }[] = [];
  const row = (minute: number, requested: string, calls: number, model = requested) => ({
    start: NOON - minute * 60_000,
    values: { project: 'proj_1', model, requested_model: requested },
    sums: { calls, inputTokens: 1, outputTokens: 5 },
  });
  const buckets = async (query: { from: number; until: number }) => {
    asked.push(query);
    return [
      row(3, 'small', 3),
      row(2, 'small', 9),
      row(1, 'small', 4),
      // All names of the model count together within a minute.
      row(1, 'tiny', 6, 'small'),
      row(1, 'quick', 5, 'small'),
      row(1, 'exact', 7),
      row(1, 'dated-2026-07-18', 8),
      // A budget was used up, and another model served.
      row(1, 'quick', 2, 'cheap'),
      row(1, 'gone', 30),
      { ...row(1, 'small', 50), values: { project: null, model: 'small', requested_model: 'small' } },
    ];
  };
  const parts = { buckets, directory: async () => ({ find }) } as unknown as RateUseParts;
  const uses = await rateUses(admin, await projectsInUse(admin), parts);
  const told = uses.map(({ model, measure, limit, used }) => [model, measure, limit, used]);
  assert.deepEqual(told.toSorted(), [
    ['cheap', 'requests', 60, 2],
    ['dated', 'requests', 60, 8],
    ['lab/exact', 'requests', 60, 7],
    ['large', 'requests', 60, 0],
    ['large', 'tokens', 9, 0],
    ['quick', 'requests', 60, 15],
    ['small', 'requests', 60, 15],
  ]);
  assert.deepEqual([asked[0]?.from, asked[0]?.until], [NOON - 9 * 60_000, NOON + 60_000]);
});

test('who may call a model: projects in use, with those of their keys that are on', async (t) => {
  const { admin, keep } = await organizationOf(t);
  const models = { mode: 'deny_list', ids: ['small'] };
  await keep(project('proj_1'), project('proj_2', { models }), project('proj_old', { archivedAt: NOON }));
  for (const id of ['proj_1', 'proj_2'])
    await keep(keyIn(id, null), keyIn(id, null, { id: `${id} limited`, allowedModels: ['large'] }));
  await keep(
    keyIn('proj_1', null, { id: 'off', disabledAt: NOON }),
    keyIn('proj_1', null, { id: 'over', expiresAt: NOON }),
  );
  await keep(keyIn('proj_1', null, { id: 'ends', expiresAt: NOON + 1 }));
  const entry = { id: 'small', origin: 'vendor', provider: { id: 'lab' }, model: { id: 'small' } };
  const asked = { entry, name: 'small', products: new Map() } as unknown as Parameters<typeof listModelAccess>[1];
  const { items } = await listModelAccess(admin, asked, { limit: 10, after: 'proj_00_org_1' });
  assert.deepEqual(
    items.map(({ id, isPermitted, keys, permittedKeys, refusedKeys }) => ({
      id,
      isPermitted,
      keys,
      permittedKeys,
      refusedKeys: refusedKeys.map((each) => each.id),
    })),
    [
      { id: 'proj_1', isPermitted: true, keys: 3, permittedKeys: 2, refusedKeys: ['proj_1 limited'] },
      { id: 'proj_2', isPermitted: false, keys: 2, permittedKeys: 0, refusedKeys: [] },
    ],
  );
});

test('a project is archived for good with its keys, but not the default one', async (t) => {
  const { admin, keep, keysLeft } = await organizationOf(t);
  await keep(project('proj_1'), project('proj_2'), project('proj_first', { isDefault: true }));
  await keep(keyIn('proj_1', null), keyIn('proj_2', null));
  await assert.rejects(archiveProject(admin, 'proj_first'), { kind: 'conflict', message: /default project/ });
  assert.equal((await archiveProject(admin, 'proj_1')).value.archivedAt, NOON);
  assert.deepEqual(await keysLeft(), ['nobody in proj_2']);
  for (const attempt of [archiveProject(admin, 'proj_1'), updateProject(admin, 'proj_1', { name: 'Mine' })])
    await assert.rejects(attempt, { kind: 'conflict', message: /archived/ });
});
