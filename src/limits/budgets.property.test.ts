import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Budget, BudgetUsedUp, type CallBudgets } from '../core/budget.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Limiter, Reservation } from '../core/ports.ts';
import { NOON, temporaryFolder } from '../store/fixtures.test.ts';
import { openStorage } from '../store/open.ts';
import { plainKey } from '../testing/plain-key.ts';
import { leaseStoreOf, openBooks } from './leasing/fixtures.test.ts';
import { createLeasingLimiter } from './leasing/leasing-limiter.ts';
import { createLimiter } from './limiter.ts';

const DAY_MS = 86_400_000;
const defaults = () => ({ requestsPerMinute: 1e9, tokensPerMinute: 1e9 });
/** Budgets of an organization, of two of its projects, of three keys, and a pool that two of the keys share. */
const NAMES = ['organization', 'project_a', 'project_b', 'key_1', 'key_2', 'key_3', 'pool'] as const;
const HOLDERS = [
  ['key_1', 'project_a', 'pool', 'organization'],
  ['key_2', 'project_a', 'organization'],
  ['key_3', 'project_b', 'pool', 'organization'],
] as const;

type OpenCall = { holder: number; cost: NanoDollars; at: number; reservation: Reservation };
type World = {
  clock: { time: number; now(): number; monotonic(): number };
  limiters: readonly Limiter[];
  /** What settled calls have spent, by budget and day; `told` is what a store would say. */
  spent: Map<string, NanoDollars>;
  /** Writes it to the store, where there is one. */
  write?(name: string, at: number, amount: NanoDollars): void;
  /** Before anything is asked that must be exact. */
  settleUp(): Promise<void>;
};

for (let seed = 1; seed <= 30; seed += 1) {
  test(`one process: nested and pooled budgets hold exactly (seed ${seed})`, async () => {
    const world = worldOf((spent, clock) => [
      createLimiter({ clock, defaults, spend: { spent: async (id) => spent.get(keyOf(id, clock.time)) ?? 0n } }),
    ]);
    await race(world, seed, 1_000);
  });
}

for (let seed = 1; seed <= 4; seed += 1) {
  test(`four workers: nested and pooled budgets hold together, and all comes back (seed ${seed})`, async (t) => {
    await race(await fourWorkers(t), seed, 400);
  });
}

/**
 * Calls come, end and are forgotten at random, and days begin. At no time do settled and open calls pass a budget; alone, a
 * process refuses only what does not fit. In the end each budget has all that was not spent of it.
 */
async function race(world: World, seed: number, steps: number): Promise<void> {
  const { clock, limiters, spent } = world;
  const random = randomFrom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const budgets = NAMES.map((name, index) => budget(name, BigInt(200 + below(3_000) * (index === 0 ? 3 : 1))));
  const lists = HOLDERS.map((names) => callBudgets(budgets.filter(({ name }) => names.some((each) => each === name))));
  const open: OpenCall[] = [];
  let [letIn, refused] = [0, 0];

  const usedOf = (name: string) =>
    open
      .filter(({ holder, at }) => HOLDERS[holder]!.some((each) => each === name) && dayOf(at) === dayOf(clock.time))
      .reduce((sum, { cost }) => sum + cost, spent.get(keyOf(name, clock.time)) ?? 0n);
  const reserve = (holder: number, cost: NanoDollars) =>
    limiters[below(limiters.length)]!.reserve(
      { ...plainKey, id: `rate_${holder}` },
      { tokens: 0, cost, model: 'm', budgets: lists[holder]! },
    );
  async function tryCall(): Promise<void> {
    const [holder, cost] = [below(HOLDERS.length), BigInt(1 + below(150))];
    const fits = lists[holder]!.list.every(({ name, amount }) => usedOf(name) + cost <= amount);
    try {
      const reservation = await reserve(holder, cost);
      assert.ok(fits, 'let in where a budget has too little left');
      open.push({ holder, cost, at: reservation.at, reservation });
      letIn += 1;
    } catch (error) {
      if (!(error instanceof BudgetUsedUp)) throw error;
      if (limiters.length === 1) assert.ok(!fits, 'refused where all budgets have enough');
      refused += 1;
    }
  }
  function settleOne(): void {
    const [call] = open.splice(below(open.length), 1);
    if (call === undefined) return;
    const counted = BigInt(below(Number(call.cost) + 1));
    for (const name of HOLDERS[call.holder]!) {
      const key = keyOf(name, call.at);
      spent.set(key, (spent.get(key) ?? 0n) + counted);
      world.write?.(name, call.at, counted);
    }
    call.reservation.settle(0, counted);
  }

  for (let step = 0; step < steps; step += 1) {
    const choice = random();
    if (choice < 0.6) await tryCall();
    else if (choice < 0.97) settleOne();
    else clock.time += random() < 0.1 ? DAY_MS / 2 : 100;
    for (const { name, amount } of budgets) assert.ok(usedOf(name) <= amount, `${name} is over`);
  }
  while (open.length > 0) settleOne();
  assert.ok(letIn > 20 && refused > 5, `${letIn} were let in and ${refused} refused`);
  await world.settleUp();
  for (const [index, { amount, name }] of budgets.entries()) {
    const left = amount - usedOf(name);
    const alone = { tokens: 0, model: 'm', budgets: callBudgets([budgets[index]!]) };
    await assert.rejects(async () => limiters[0]!.reserve(plainKey, { ...alone, cost: left + 1n }), BudgetUsedUp);
    clock.time += 100;
    (await limiters[0]!.reserve(plainKey, { ...alone, cost: left })).settle(0, 0n);
    clock.time += 100;
  }
}

function worldOf(make: (spent: World['spent'], clock: World['clock']) => Limiter[]): World {
  const clock = { time: NOON, now: () => clock.time, monotonic: () => clock.time - NOON };
  const spent: World['spent'] = new Map();
  return { clock, spent, limiters: make(spent, clock), settleUp: async () => undefined };
}

/** Four limiters over one folder, as four processes have them. */
async function fourWorkers(t: TestContext): Promise<World> {
  const folder = temporaryFolder(t);
  const storage = await openStorage({ folder, instanceId: 'primary', durability: 'normal' });
  t.after(() => storage.close());
  const books = openBooks(folder);
  t.after(() => books.close());
  const workers: ReturnType<typeof createLeasingLimiter>[] = [];
  const world = worldOf((_spent, clock) => {
    for (const instanceId of ['one', 'two', 'three', 'four']) {
      const leases = leaseStoreOf(t, { folder, storage, instanceId, now: clock.monotonic });
      workers.push(createLeasingLimiter({ clock, leases, workers: 4, defaults }));
    }
    return workers;
  });
  const write = (name: string, at: number, amount: NanoDollars) => books.add('one', `budget_${name}`, at, amount);
  const settleUp = async () => {
    world.clock.time += 2_000;
    for (const worker of workers) await worker.returnIdle();
  };
  return { ...world, write, settleUp };
}

function budget(name: string, amount: NanoDollars): Budget {
  const plain = { per: 'day', overrides: [], isHard: true, instead: null, models: null } as const;
  return { id: `budget_${name}`, name, amount, ...plain };
}

function callBudgets(list: readonly Budget[]): CallBudgets {
  return { list, ids: list.map(({ id }) => id).join(' ') };
}

/** Of a budget, by its name or id, on the day of a time. */
function keyOf(name: string, time: number): string {
  return `${name.replace(/^budget_/, '')} ${dayOf(time)}`;
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Numbers from 0 to 1 that are the same for the same seed (xorshift32). */
function randomFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
