import type { TestContext } from 'node:test';
import type { PassedThreshold, ThresholdStore, WatchedSpend } from '../core/budget.ts';
import type { Storage } from '../core/ports.ts';
import { DAY_MS } from '../core/utc-day.ts';
import { intentAt, NOON, settlement, temporaryFolder } from '../store/fixtures.test.ts';
import { openStorage } from '../store/open.ts';
import { BudgetAlerts } from './alerts.ts';

/** Alerts on this spending over a store. `spend` settles a call of that cost, held against the budgets of these ids. */
export async function setUp(t: TestContext, watched: readonly WatchedSpend[]) {
  const folder = temporaryFolder(t);
  let instances = 0;
  const open = async () => {
    instances += 1;
    const opened = await openStorage({ folder, instanceId: `instance_${instances}`, durability: 'normal' });
    t.after(() => opened.close());
    return opened;
  };
  const storage = await open();
  const clock = { time: NOON, now: () => clock.time, monotonic: () => performance.now() };
  const told: PassedThreshold[] = [];
  const errors: unknown[] = [];
  const fail: { id: string | null } = { id: null };
  const held = Promise.withResolvers<void>();
  /** Those that are not told before `end`. */
  const hold = {
    ids: new Set<string>(),
    begun: 0,
    end: () => held.resolve(),
  };
  const again = (store: ThresholdStore = storage.thresholds) =>
    new BudgetAlerts({
      watched: async () => watched,
      store,
      clock,
      async onThreshold(passed) {
        if (hold.ids.has(passed.id)) {
          hold.begun += 1;
          await held.promise;
        }
        if (passed.id === fail.id) throw new Error('The mail could not be sent.');
        told.push(passed);
      },
      onError: (error) => void errors.push(error),
    });
  /** Alerts over the same store, and the names of what they ask it for. */
  function over() {
    const asked: string[] = [];
    const store = new Proxy(storage.thresholds, {
      get(thresholds, name: keyof ThresholdStore) {
        asked.push(name);
        return thresholds[name];
      },
    });
    return { asked, alerts: again(store) };
  }
  let calls = 0;
  async function spend(ids: string, counted: bigint, into: Storage = storage, keyId = 'key_1') {
    calls += 1;
    const call = intentAt(clock.time, calls, { keyId, budgets: ids });
    await into.ledger.intend(call);
    await into.ledger.settle(settlement(call, { counted }));
  }
  return { storage, clock, told, errors, fail, hold, again, over, alerts: again(), spend, other: open };
}

/** Looks once, and waits for all that is told. */
export async function round(alerts: BudgetAlerts): Promise<void> {
  await alerts.look();
  await alerts.idle();
}

export function budget(name: string): Omit<WatchedSpend, 'alerts'> {
  const id = `budget_${name}`;
  return {
    id,
    spentUnder: id,
    amount: 1_000n,
    per: 'day',
    overrides: [],
    isHard: false,
    isMailed: false,
    since: NOON - DAY_MS,
  };
}
