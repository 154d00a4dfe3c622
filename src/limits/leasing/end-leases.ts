import type { FoundLimits, Lease, LeaseStore, SharedBucket, SharedLimits } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';
import { parsePeriodId } from '../../core/spend-period.ts';
import { refill, take } from '../bucket.ts';

/**
 * Ends the leases of a dead instance. Requests and tokens that it held count as used. Of money exactly what it spent counts, and all
 * else is free at once: so its calls must be settled first.
 *
 * @param monotonic - of the machine, in ms
 */
export async function endLeases(leases: LeaseStore, instanceId: string, monotonic: () => number): Promise<void> {
  for (const id of await leases.heldBy(instanceId)) {
    await leases.exchange(
      [id],
      ([found]) => ({ kept: [{ shared: used(found!, monotonic()), own: null }], answer: () => undefined }),
      instanceId,
    );
  }
}

function used({ shared, own, others, ownSpentSince }: FoundLimits, now: number): SharedLimits | null {
  if (shared === null || own === null) return shared;
  const { spend } = shared;
  const isCounted = spend !== null && others.some(({ period }) => period === spend.period);
  const hasTold = spend !== null && own.period === spend.period;
  return {
    requests: without(shared.requests, own.requests, now),
    tokens: without(shared.tokens, own.tokens, now),
    spend: isCounted ? { ...spend, spent: spend.spent + (hasTold ? correction(own, ownSpentSince) : 0n) } : null,
  };
}

/** What the dead has spent since its account was opened, less what it had told. */
function correction({ period, told, before }: Lease, ownSpentSince: FoundLimits['ownSpentSince']): NanoDollars {
  const { sinceDay, throughDay } = parsePeriodId(period!);
  return ownSpentSince(sinceDay, throughDay) - before - told;
}

function without(bucket: SharedBucket, amount: bigint, now: number): SharedBucket {
  const next = { ...bucket };
  refill(next, next.limit, now);
  take(next, Number(amount));
  return next;
}
