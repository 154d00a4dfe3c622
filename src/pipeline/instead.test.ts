import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Budget, UsedUp } from '../core/budget.ts';
import type { ApiKey } from '../core/records.ts';
import { Budgets } from '../limits/budgets.ts';
import { createLimiter } from '../limits/limiter.ts';
import { model, route, served } from '../testing/routes.ts';
import { answers, CALLER, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';

const MICRO_DOLLAR = 1_000n;

test('where a budget is used up, what it names serves instead, and counts against budgets of its own', async () => {
  const used: Budget = { ...budget('team', 0n), instead: 'lab/cheap' };
  const own: Budget = { ...budget('cheap', 1_000_000n * MICRO_DOLLAR), models: ['lab/cheap'] };
  const lab = labWith([used, own]);
  const usedUp: UsedUp[] = [];
  lab.parts.onUsedUp = (each) => void usedUp.push(each);
  const seen = await lab.call({ ...SMALL_CHAT, model: 'big' });
  assert.equal(seen.status, 200);
  assert.equal(seen.served?.model, 'cheap-upstream');
  const [intent] = lab.intents;
  assert.deepEqual(
    [intent?.requestedModel, intent?.model, intent?.budgets, lab.intents.length],
    ['big', 'cheap', 'budget_cheap', 1],
  );
  assert.deepEqual(
    usedUp.map(({ id }) => id),
    ['budget_team'],
  );
  // Whoever asks for it by its name is not held against the first either.
  await lab.call({ ...SMALL_CHAT, model: 'lab/cheap' });
  assert.equal(lab.intents[1]?.budgets, 'budget_cheap');
});

test('a model that serves instead of a route is not sent what the caller told the route', async () => {
  const lab = labWith([{ ...budget('team', 0n), instead: 'lab/cheap' }], [route(['big'], { id: 'auto' })]);
  await lab.call({ ...SMALL_CHAT, model: 'auto', models: ['big'], provider: { sort: 'price' } });
  assert.deepEqual(JSON.parse(String(lab.requests[0]?.body)), { ...SMALL_CHAT, model: 'cheap-upstream' });
});

test('a route serves instead', async () => {
  const lab = labWith([{ ...budget('team', 0n), instead: 'auto' }], [route(['cheap'], { id: 'auto' })]);
  await lab.call({ ...SMALL_CHAT, model: 'big' });
  assert.deepEqual([lab.intents[0]?.route, lab.intents[0]?.upstreamModel], ['auto', 'cheap-upstream']);
});

for (const [what, budgets, key] of [
  [
    'its own budget is used up too',
    [
      { ...budget('team', 0n), instead: 'lab/cheap' },
      { ...budget('cheap', 0n), models: ['cheap'] },
    ],
    {},
  ],
  ['the key may not use it', [{ ...budget('team', 0n), instead: 'lab/cheap' }], { allowedModels: ['big'] }],
  ['there is no such model', [{ ...budget('team', 0n), instead: 'nobody/knows' }], {}],
  [
    'another that holds for it has nothing left',
    [{ ...budget('team', 0n), instead: 'lab/cheap' }, budget('all', 0n)],
    {},
  ],
] as const satisfies readonly (readonly [string, readonly Budget[], Partial<ApiKey>])[]) {
  test(`a call is refused where ${what}`, async () => {
    const lab = labWith(budgets);
    const caller = { ...CALLER, key: { ...CALLER.key, ...key } };
    await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'big' }, { caller }), { kind: 'insufficient_quota' });
    assert.deepEqual([lab.intents, lab.requests], [[], []]);
  });
}

/** A vendor with two models, and these budgets for every key. */
function labWith(budgets: readonly Budget[], routes: ReturnType<typeof route>[] = []): Lab {
  const lab = new Lab({ served: [served('lab', [model('big', [1, 1]), model('cheap', [1, 1])])], routes });
  const all = new Budgets({ ofProduct: () => null, ofKey: () => budgets });
  lab.parts.budgetsOf = (key, called, targets) => all.of(key, called, targets);
  lab.parts.limiter = createLimiter({
    clock: lab.clock,
    spend: { spent: async () => 0n },
    defaults: () => ({ requestsPerMinute: 1_000, tokensPerMinute: 1_000_000 }),
  });
  lab.reactions = [answers(completion())];
  return lab;
}

function budget(name: string, amount: bigint): Budget {
  const plain = { per: 'month', overrides: [], isHard: true, instead: null, models: null } as const;
  return { id: `budget_${name}`, name: `the budget of ${name}`, amount, ...plain };
}
