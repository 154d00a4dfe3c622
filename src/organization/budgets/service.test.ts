import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogEntry } from '../../core/provider.ts';
import type { BudgetHolder } from '../../core/settings.ts';
import { intent, NOON, settlement } from '../../store/fixtures.test.ts';
import { keyIn, member, ORGANIZATION, organizationOf, project, setting } from '../fixtures.test.ts';
import {
  type BudgetEdit,
  type BudgetNames,
  budgetNamed,
  createBudget,
  deleteBudget,
  type NewBudget,
  overrideBudget,
  updateBudget,
} from './service.ts';
import { budgetJson, budgetStandings } from './standing.ts';

const BILLION = 1_000_000_000n * 1_000_000_000n;
const find = (name: string) => (name === 'small' ? ({} as CatalogEntry) : undefined);
const names: BudgetNames = {
  served: { find, products: new Map([['search', {}]]) as unknown as BudgetNames['served']['products'] },
  rules: {
    directory: async () => ({ find: (name) => find(name.replace('set', 'small')) }),
    routes: { list: async () => [{ id: 'route' }] } as unknown as BudgetNames['rules']['routes'],
  },
};
const team: BudgetHolder = { type: 'project', id: 'proj_1' };
const plain: NewBudget = {
  name: 'team',
  holders: [team],
  amount: 1_000n,
  per: 'day',
  isHard: true,
  alerts: [],
  recipients: [],
  overrides: [],
  instead: null,
  models: null,
};

async function company(t: Parameters<typeof organizationOf>[0]) {
  const made = await organizationOf(t);
  await made.keep(project('proj_1'), project('proj_old', { archivedAt: NOON }), ...member('ada'));
  await made.keep(setting('group', 'group_1', { name: 'One' }), setting('product', 'kept'), setting('alias', 'alias'));
  await made.keep(keyIn('proj_1', 'ada'), keyIn('proj_1', null, { id: 'key_gone', revokedAt: NOON }));
  await made.keep(keyIn('proj_1', null, { id: 'key_admin', access: 'administration', projectId: null }));
  return made;
}

const FAULTS: readonly [param: string, fault: RegExp, edit: BudgetEdit][] = [
  ['amount_usd', /greater than 0/, { amount: 0n }],
  ['amount_usd', /a billion/, { amount: BILLION + 1n }],
  ['amount_usd', /a billion/, { amount: BILLION, overrides: [{ amount: 1n, until: NOON + 1 }] }],
  ['holders', /at least one/, { holders: [] }],
  ['holders.1.id', /repeated/, { holders: [team, team] }],
  ['holders.0.id', /no project/, { holders: [{ type: 'project', id: 'proj_old' }] }],
  ['holders.0.id', /no project/, { holders: [{ type: 'project', id: 'proj_none' }] }],
  ['holders.0.id', /no id/, { holders: [{ type: 'organization', id: 'org_2' }] }],
  ['holders.0.id', /no group/, { holders: [{ type: 'group', id: 'group_2' }] }],
  ['holders.0.id', /no user/, { holders: [{ type: 'user', id: 'ben' }] }],
  ['holders.0.id', /no API key/, { holders: [{ type: 'api_key', id: 'key_gone' }] }],
  ['holders.0.id', /no API key/, { holders: [{ type: 'api_key', id: 'key_admin' }] }],
  ['holders.0.id', /no product/, { holders: [{ type: 'product', id: 'none' }] }],
  ['alerts.0', /a fraction/, { alerts: [0] }],
  ['alerts.0', /a fraction/, { alerts: [10.1] }],
  ['alerts.0', /a fraction/, { alerts: [0.000_000_1] }],
  ['alerts.1', /repeated/, { alerts: [0.5, 0.5] }],
  ['instead', /hard/, { instead: 'small', isHard: false }],
  ['instead', /not a model/, { instead: 'none' }],
  ['models', /at least one/, { models: [] }],
];
for (const [param, fault, edit] of FAULTS) {
  test(`a budget is refused at \`${param}\`: ${fault.source}, of ${String(Object.values(edit)[0])}`, async (t) => {
    const { admin, idsOf } = await company(t);
    const refused = { kind: 'invalid_request', param, message: fault };
    await assert.rejects(createBudget(admin, { ...plain, ...edit }, names), refused);
    const { id } = await createBudget(admin, plain, names);
    await assert.rejects(updateBudget(admin, { id }, edit, names), refused);
    assert.deepEqual(await idsOf('budget'), [id]);
  });
}

test('a budget may be all that there may be, for whoever is there, with anything that calls may name instead', async (t) => {
  const { admin, idsOf } = await company(t);
  const holders: BudgetHolder[] = [
    { type: 'organization', id: ORGANIZATION },
    { type: 'group', id: 'group_1' },
    { type: 'user', id: 'ada' },
    { type: 'api_key', id: 'ada in proj_1' },
    { type: 'product', id: 'search' },
    { type: 'product', id: 'kept' },
  ];
  const overrides = [{ amount: 1n, until: NOON }];
  const { value } = await createBudget(admin, { ...plain, amount: BILLION, holders, overrides, alerts: [10] }, names);
  assert.deepEqual([value.amount, value.overrides], [String(BILLION), []], 'what is over is left out');
  assert.equal((await idsOf('budget_holder')).length, holders.length);
  for (const instead of ['small', 'set', 'alias', 'route'])
    await createBudget(admin, { ...plain, name: instead, instead }, names);
});

test('a holder has at most twenty budgets', async (t) => {
  const { admin } = await company(t);
  const ofGroup = { holders: [{ type: 'group', id: 'group_1' }] } as const;
  for (let budgets = 0; budgets < 20; budgets += 1)
    await createBudget(admin, { ...plain, ...ofGroup, name: `team ${budgets}` }, names);
  const full = { param: 'holders.0.id', message: /has 20 budgets/ };
  await assert.rejects(createBudget(admin, { ...plain, ...ofGroup }, names), full);
  const { id } = await createBudget(admin, plain, names);
  await assert.rejects(updateBudget(admin, { id }, ofGroup, names), full);
});

test('the name of a budget is its own until it has another or is deleted, and its holders go with it', async (t) => {
  const { admin, idsOf } = await company(t);
  const { id } = await createBudget(admin, plain, names);
  await assert.rejects(createBudget(admin, plain, names), { param: 'name' });
  const other = await createBudget(admin, { ...plain, name: 'pool' }, names);
  await assert.rejects(updateBudget(admin, { id }, { name: 'pool' }, names), { param: 'name' });
  await updateBudget(admin, { id, ifVersion: 1 }, { name: 'team', holders: [{ type: 'user', id: 'ada' }] }, names);
  await assert.rejects(updateBudget(admin, { id, ifVersion: 1 }, { amount: 1n }, names), { kind: 'conflict' });
  await updateBudget(admin, { id }, { name: 'crew' }, names);
  assert.equal((await budgetNamed(admin, 'crew'))?.id, id);
  assert.equal(await budgetNamed(admin, 'team'), null);
  const holders = await admin.settings.all(ORGANIZATION, 'budget_holder');
  const holding = holders.map((each) => `${each.parentId} of ${each.id === id ? 'crew' : 'pool'}`);
  assert.deepEqual(holding.toSorted(), ['project:proj_1 of pool', 'user:ada of crew']);
  await deleteBudget(admin, id);
  assert.deepEqual([await idsOf('budget'), await idsOf('budget_name')], [[other.id], ['pool']]);
  assert.deepEqual(await idsOf('budget_holder'), [other.id]);
});

test('a budget begins with what its holders have spent in its period, where that is known', async (t) => {
  const { admin, storage } = await company(t);
  const spend = async (number: number, day: number, counted: bigint, keyId = 'ada in proj_1') => {
    const call = intent(number, { keyId, createdAt: NOON + day * 86_400_000 });
    await storage.ledger.intend(call);
    await storage.ledger.settle(settlement(call, { counted }));
  };
  await spend(1, -30, 1_000n);
  await spend(2, -1, 100n);
  await spend(3, 0, 10n);
  await spend(4, 0, 1n, 'key_gone');
  const begins = async (edit: BudgetEdit) => {
    const name = JSON.stringify(edit);
    const budget = await createBudget(admin, { ...plain, name: name.slice(0, 60), ...edit }, names);
    return (await budgetStandings(storage.thresholds, [budget], NOON))[0]!.spent;
  };
  const ada: BudgetHolder = { type: 'user', id: 'ada' };
  assert.equal(await begins({}), 11n);
  assert.equal(await begins({ per: 'month' }), 111n);
  assert.equal(await begins({ holders: [ada] }), 10n);
  assert.equal(await begins({ holders: [{ type: 'group', id: 'group_1' }] }), 0n);
  assert.equal(await begins({ holders: [{ type: 'group', id: 'group_1' }, ada] }), 10n);
  assert.equal(await begins({ per: 'life' }), 0n);
  assert.equal(await begins({ models: ['small'] }), 0n);
  assert.equal(await begins({ instead: 'small' }), 0n);
});

test('an override adds to what was given before, until its time', async (t) => {
  const { admin, clock, storage } = await company(t);
  const { id } = await createBudget(admin, plain, names);
  await overrideBudget(admin, id, { amount: 500n, until: NOON + 1_000 }, names);
  const budget = await overrideBudget(admin, id, { amount: 70n, until: NOON + 2_000 }, names);
  const limitAt = async (now: number) => {
    const [standing] = await budgetStandings(storage.thresholds, [budget], now);
    assert.equal(budgetJson(budget, standing!).resets_at, Date.UTC(2026, 10, 22) / 1000);
    return standing!.limit;
  };
  assert.deepEqual(
    [await limitAt(NOON + 999), await limitAt(NOON + 1_000), await limitAt(NOON + 2_000)],
    [1_570n, 1_070n, 1_000n],
  );
  clock.time += 1_000;
  const next = await overrideBudget(admin, id, { amount: 1n, until: NOON + 2_000 }, names);
  assert.deepEqual(
    next.value.overrides.map(({ amount }) => amount),
    ['70', '1'],
  );
});
