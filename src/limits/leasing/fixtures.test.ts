import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import type { NanoDollars } from '../../core/money.ts';
import type { Storage } from '../../core/ports.ts';
import type { ApiKey } from '../../core/records.ts';
import { utcDay } from '../../core/utc-day.ts';
import { key as plainKey, temporaryFolder } from '../../store/fixtures.test.ts';
import { openStorage } from '../../store/open.ts';
import { createLeaseStore } from '../../store/sqlite/leases.ts';
import { LOCK_WAIT_MS } from '../../store/sqlite/lock-wait.ts';
import { DATABASE_FILE } from '../../store/sqlite/open.ts';
import { createLeasingLimiter } from './leasing-limiter.ts';

type OfInstance = { folder: string; storage: Storage; instanceId: string; now: () => number };

/** The leases of one instance, over the folder of a storage. */
export function leaseStoreOf(t: TestContext, { folder, storage, instanceId, now }: OfInstance) {
  const store = createLeaseStore({
    folder,
    instanceId,
    lockWaitMs: LOCK_WAIT_MS,
    now,
    catchUp: () => storage.leases.catchUp(),
    onFailure: () => undefined,
  });
  t.after(() => store.close());
  return store;
}

/** Adds to what keys, budgets and instances have spent in the tables of a folder, as the ledger would. */
export function openBooks(folder: string) {
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { timeout: 5_000 });
  const added = 'on conflict do update set amount_nano = amount_nano + excluded.amount_nano';
  const all = database.prepare(`insert into key_spend (key_id, utc_day, amount_nano) values (?, ?, ?) ${added}`);
  const own = database.prepare(
    `insert into worker_spend (instance_id, key_id, utc_day, amount_nano) values (?, ?, ?, ?) ${added}`,
  );
  return {
    /** `at`: Unix ms. */
    add(instanceId: string, id: string, at: number, amount: NanoDollars): void {
      const day = utcDay(at);
      all.run(id, day, amount);
      own.run(instanceId, id, day, amount);
    },
    close: () => database.close(),
  };
}

/** How many leases there are in a folder. */
export function countLeases(folder: string): number {
  using database = new DatabaseSync(join(folder, 'limits.db'), { readOnly: true });
  return Number(database.prepare('select count(*) as leases from limit_leases').get()!.leases);
}

/**
 * Workers over one store, each named as its instance; time stands still unless the test moves it. `fault`: whether the next
 * exchange of a worker fails before the store has heard of it, or after it was done.
 */
export async function setUp(t: TestContext, limits: Partial<ApiKey>) {
  const folder = temporaryFolder(t);
  const clock = { time: 0, ahead: 0, now: () => clock.time + clock.ahead, monotonic: () => clock.time };
  const storage: Storage = await openStorage({
    folder,
    instanceId: 'none',
    durability: 'normal',
    leaseNow: clock.monotonic,
  });
  t.after(() => storage.close());
  const leases = leaseStoreOf(t, { folder, storage, instanceId: 'none', now: clock.monotonic });
  const exchanges = { count: 0 };
  const key = plainKey(limits);
  function worker(
    instanceId: string,
    { maxKeys = 100_000, catchUp = leases.catchUp, fault = (): 'before' | 'after' | null => null } = {},
  ) {
    const own = leaseStoreOf(t, { folder, storage, instanceId, now: clock.monotonic });
    const limiter = createLeasingLimiter({
      clock,
      workers: 2,
      maxKeys,
      defaults: () => ({ requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000 }),
      leases: {
        catchUp,
        async exchange(asked) {
          exchanges.count += 1;
          const failed = fault();
          if (failed === 'before') throw new GatewayError('storage_unavailable', 'The store did not hear of it.');
          const answer = await own.exchange(asked);
          if (failed === 'after') throw new GatewayError('storage_unavailable', 'The answer was lost.');
          return answer;
        },
      },
    });
    const reserve = (tokens: number, cost: bigint | null = 0n, leastCost?: bigint, as = key) =>
      limiter.reserve(as, { tokens, cost, ...(leastCost !== undefined && { leastCost }), model: 'm' });
    return { limiter, reserve, key };
  }
  return { worker, clock, exchanges, leases, storage };
}
