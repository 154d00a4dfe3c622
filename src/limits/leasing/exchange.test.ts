import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundLimits, Lease } from '../../core/leases.ts';
import { createBucket } from '../bucket.ts';
import { exchange, NOTHING, NOTHING_WANTED, type WorkerSide } from './exchange.ts';
import { createShare } from './share.ts';

const [TODAY, YESTERDAY] = ['day 2026-11-21', 'day 2026-11-20'];

test('what others hold of a budget in another period is not held in this one', () => {
  const leases = [lease(40n, YESTERDAY), lease(30n, TODAY)];
  const { spendLeft, others } = exchange(found(20n, leases), side());
  assert.deepEqual([spendLeft, others.spend], [50n, 30n]);
  const wanted = { ...NOTHING_WANTED, spend: 6n, leastSpend: 6n };
  assert.equal(exchange(found(20n, leases), side(), wanted).spendLeft, 44n, 'what is taken is left to nobody');
});

test('where reports may lack some, at least what was settled counts, but for what others have not told yet', () => {
  const leases = [lease(30n, TODAY)];
  assert.equal(exchange(found(20n, leases, 60n), side()).spendLeft, 50n);
  assert.equal(exchange(found(20n, leases, 60n), side({ isUnsure: true })).spendLeft, 40n);
  assert.equal(exchange(found(20n, leases, 40n), side({ isUnsure: true })).spendLeft, 50n, 'others may have told it');
});

test('a share that has run out is filled for a call that wants some, and not for a report', () => {
  const spend = { ...createShare(), leased: 5n, used: 8n };
  const worker = side({ shares: { requests: createShare(), tokens: createShare(), spend } });
  assert.equal(exchange(found(20n), worker).holds.spend, 0n);
  assert.equal(exchange(found(20n), worker, { ...NOTHING_WANTED, spend: 4n, leastSpend: 4n }).holds.spend, 10n);
});

test('what was settled is read with what is reported in this moment, where no sum is kept', () => {
  const spend = { ...createShare(), leased: 9n, used: 7n, back: 2n };
  const worker = side({ shares: { requests: createShare(), tokens: createShare(), spend } });
  assert.equal(exchange({ ...found(0n, [], 60n), shared: null }, worker).spendLeft, 35n);
});

test('an account keeps what its worker has told in the period, and a new one begins with what the ledger has of it', () => {
  const spend = { ...createShare(), leased: 9n, used: 7n };
  const worker = side({ shares: { requests: createShare(), tokens: createShare(), spend } });
  const before = { ...found(20n), ownSpentSince: () => 60n };
  const { told, before: opened } = exchange({ ...before, own: { ...lease(9n, TODAY), told: 5n, before: 3n } }, worker)
    .own!;
  assert.deepEqual([told, opened], [12n, 3n]);
  const fresh = exchange({ ...before, own: { ...lease(9n, YESTERDAY), told: 5n, before: 3n } }, worker).own!;
  assert.deepEqual([fresh.told, fresh.before], [7n, 53n]);
});

function lease(spend: bigint, period: string): Lease {
  return { requests: 0n, tokens: 0n, spend, period, told: 0n, before: 0n };
}

/** What the store has of a budget: so much reported today, and so much in settled calls. */
function found(spent: bigint, others: readonly Lease[] = [], settled = 0n): FoundLimits {
  const shared = { requests: createBucket(10, 0), tokens: createBucket(100, 0), spend: { period: TODAY, spent } };
  return { shared, own: null, others: [...others], spentSince: () => settled, ownSpentSince: () => 0n };
}

/** A worker's side of a budget of 100, of which it holds at most 10. */
function side(changes: Partial<WorkerSide> = {}): WorkerSide {
  return {
    now: 0,
    requestsPerMinute: 10,
    tokensPerMinute: 100,
    spend: { amount: 100n, period: TODAY, sinceDay: null, throughDay: null },
    shares: { requests: createShare(), tokens: createShare(), spend: createShare() },
    blocks: { ...NOTHING, spend: 10n },
    isUnsure: false,
    stays: true,
    ...changes,
  };
}
