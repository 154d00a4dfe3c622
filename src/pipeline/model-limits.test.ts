import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget } from '../core/budget.ts';
import type { ProjectRateLimit } from '../core/settings.ts';
import { Budgets } from '../limits/budgets.ts';
import { createLimiter } from '../limits/limiter.ts';
import { SharedRates } from '../limits/shared-rates.ts';
import { model, route, served, target } from '../testing/routes.ts';
import { answers, CALLER, completion, Lab, refuses, SMALL_CHAT } from './fixtures.test.ts';

const ROUTES = [
  route(['big', 'small'], { id: 'both' }),
  route(['big'], { id: 'only' }),
  route(['small'], { id: 'behind', fallbacks: [target('big')] }),
];

test('a used-up budget of a model leaves it out of routes, and refuses calls that nothing else can serve', async () => {
  const lab = labWith([{ ...budget('big', 0n), models: ['big'] }]);
  const seen = await lab.call({ ...SMALL_CHAT, model: 'both' });
  assert.deepEqual([seen.status, seen.served?.model], [200, 'small-upstream']);
  const { decision } = lab.settlements[0]!.routed!;
  assert.equal(decision?.candidates[0]?.leftOut?.reason, 'model_limit');
  assert.deepEqual(decision?.order, [1]);
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'only' }), { kind: 'insufficient_quota' });
});

test('a budget of a model is used by what the model serves, and by nothing else', async () => {
  const lab = labWith([{ ...budget('big', 10n ** 12n), models: ['big'] }]);
  await lab.call({ ...SMALL_CHAT, model: 'behind' });
  const [intent] = lab.intents;
  assert.equal(intent?.budgets, 'budget_big', 'held while it may still serve');
  assert.equal(lab.settlements[0]?.budgets, '');
  await lab.call({ ...SMALL_CHAT, model: 'both' });
  assert.equal(lab.settlements[1]?.budgets, undefined);
});

test('a budget of a model demands a price of that model alone', async () => {
  const lab = labWith([{ ...budget('big', 10n ** 12n), models: ['big'] }], { big: null });
  assert.equal((await lab.call({ ...SMALL_CHAT, model: 'both' })).served?.model, 'small-upstream');
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'only' }), { kind: 'model_unpriced' });
  const other = labWith([{ ...budget('big', 10n ** 12n), models: ['big'] }], { small: null });
  assert.equal((await other.call({ ...SMALL_CHAT, model: 'behind' })).served?.model, 'small-upstream');
});

test('a used-up rate of a model leaves it out of routes, also when another target has failed', async () => {
  const lab = labWith([]);
  const caller = rated('big', 1);
  for (const expected of ['big-upstream', 'small-upstream']) {
    assert.equal((await lab.call({ ...SMALL_CHAT, model: 'both' }, { caller })).served?.model, expected);
  }
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'only' }, { caller }), { kind: 'rate_limit_exceeded' });
  const before = lab.requests.length;
  lab.reactions = [refuses(503), answers(completion())];
  assert.equal((await lab.call({ ...SMALL_CHAT, model: 'behind' }, { caller })).served?.model, 'small-upstream');
  assert.ok(!lab.requests.slice(before).some(({ body }) => String(body).includes('big-upstream')));
});

test('a rate of a route holds for it, whoever serves', async () => {
  const lab = labWith([]);
  const caller = rated('both', 1);
  await lab.call({ ...SMALL_CHAT, model: 'both' }, { caller });
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'both' }, { caller }), { kind: 'rate_limit_exceeded' });
  assert.equal((await lab.call({ ...SMALL_CHAT, model: 'only' }, { caller })).status, 200);
});

test('a target without a price serves under a budget where its route says so, and counts what a dear one might have cost', async () => {
  const routes = [route(['big', 'small'], { id: 'both', unpriced: 'serve' })];
  const lab = labWith([budget('all', 10n ** 12n)], { big: null }, routes);
  const seen = await lab.call({ ...SMALL_CHAT, model: 'both', max_tokens: 100 });
  assert.equal(seen.served?.model, 'big-upstream');
  const { cost, counted } = lab.settlements[0]!;
  assert.equal(cost, null);
  assert.ok(counted >= 100_000n, `${counted}`);
});

test('a call is refused rather than served by others where its route says so', async () => {
  const routes = [route(['big', 'small'], { id: 'both', unpriced: 'refuse' })];
  const lab = labWith([budget('all', 10n ** 12n)], { big: null }, routes);
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'both' }), { kind: 'model_unpriced', message: /`big`/ });
  const free = labWith([], { big: null }, routes);
  assert.equal((await free.call({ ...SMALL_CHAT, model: 'both' })).served?.model, 'big-upstream');
});

type Prices = { big?: null; small?: null };

function labWith(budgets: readonly Budget[], prices: Prices = {}, routes = ROUTES): Lab {
  const models = (['big', 'small'] as const).map((id) => model(id, id in prices ? null : [1, 1]));
  const lab = new Lab({ served: [served('lab', models)], routes });
  const all = new Budgets({ ofProduct: () => null, ofKey: () => budgets });
  lab.parts.budgetsOf = (key, called, targets) => all.of(key, called, targets);
  lab.parts.limiter = createLimiter({
    clock: lab.clock,
    spend: { spent: async () => 0n },
    defaults: () => ({ requestsPerMinute: 1_000, tokensPerMinute: 1_000_000 }),
  });
  lab.parts.rates = new SharedRates(lab.parts.limiter, lab.clock);
  lab.reactions = Array.from({ length: 9 }, () => answers(completion()));
  return lab;
}

function rated(name: string, requestsPerMinute: number) {
  const rate: ProjectRateLimit = { model: name, requestsPerMinute, tokensPerMinute: null, kept: {} };
  const inForce = { models: null, rates: new Map([[name, rate]]), spendLimits: [], budgets: [] };
  return { ...CALLER, key: { ...CALLER.key, inForce } };
}

function budget(name: string, amount: bigint): Budget {
  const plain = { per: 'month', overrides: [], isHard: true, instead: null, models: null } as const;
  return { id: `budget_${name}`, name: `the budget of ${name}`, amount, ...plain };
}
