import type { TestContext } from 'node:test';
import type { Storage } from '../../core/ports.ts';
import type { ApiKey } from '../../core/records.ts';
import { key as plainKey, temporaryFolder } from '../../store/fixtures.test.ts';
import { openStorage } from '../../store/storage.ts';
import { createLeasingLimiter } from './leasing-limiter.ts';

/** Workers over one store, each named as its instance; time stands still unless the test moves it. */
export async function setUp(t: TestContext, limits: Partial<ApiKey>) {
  const storage: Storage = await openStorage({ folder: temporaryFolder(t), instanceId: 'none', durability: 'normal' });
  t.after(() => storage.close());
  const { leases } = storage;
  const clock = { time: 0, ahead: 0, now: () => clock.time + clock.ahead, monotonic: () => clock.time };
  const exchanges = { count: 0 };
  const key = plainKey(limits);
  function worker(instanceId: string, { maxKeys = 100_000, catchUp = leases.catchUp } = {}) {
    const limiter = createLeasingLimiter({
      clock,
      workers: 2,
      maxKeys,
      defaults: () => ({ requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000 }),
      leases: {
        ...leases,
        catchUp,
        exchange(ids, decide) {
          exchanges.count += 1;
          return leases.exchange(ids, decide, instanceId);
        },
      },
    });
    const reserve = (tokens: number, cost: bigint | null = 0n, leastCost?: bigint, as = key) =>
      limiter.reserve(as, { tokens, cost, ...(leastCost !== undefined && { leastCost }), model: 'm' });
    return { limiter, reserve, key };
  }
  return { worker, clock, exchanges, leases, storage };
}
