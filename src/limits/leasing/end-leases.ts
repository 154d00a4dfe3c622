import type { FoundLimits, LeaseStore, SharedBucket, SharedLimits } from '../../core/leases.ts';
import { refill, take } from '../bucket.ts';

/**
 * Ends the leases of a dead instance: everything it held counts as used. Its calls must be settled first, so that what
 * keys and budgets have spent is correct when it is read again.
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

function used({ shared, own, others }: FoundLimits, now: number): SharedLimits | null {
  if (shared === null || own === null) return shared;
  const { spend } = shared;
  const isCounted = spend !== null && others.some(({ period }) => period === spend.period);
  return {
    requests: without(shared.requests, own.requests, now),
    tokens: without(shared.tokens, own.tokens, now),
    spend: isCounted ? { ...spend, spent: spend.spent + (own.period === spend.period ? own.spend : 0n) } : null,
  };
}

function without(bucket: SharedBucket, amount: bigint, now: number): SharedBucket {
  const next = { ...bucket };
  refill(next, next.limit, now);
  take(next, Number(amount));
  return next;
}
