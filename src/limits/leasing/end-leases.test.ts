import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundLimits, KeptLimits, Lease, LeaseStore } from '../../core/leases.ts';
import { createBucket } from '../bucket.ts';
import { endLeases } from './end-leases.ts';

const [TODAY, YESTERDAY] = ['day 2026-11-21', 'day 2026-11-20'];

test('what a dead worker told is replaced by what it has spent since its account was opened', async () => {
  const dead = lease({ spend: 50n, told: 30n, before: 100n });
  // The ledger has 110 of it, 10 of them since then.
  assert.deepEqual(await spentAfter(dead, 110n), { period: TODAY, spent: 480n });
});

test('of another period than the present one nothing is taken back', async () => {
  const dead = lease({ period: YESTERDAY, spend: 50n, told: 30n, before: 100n });
  assert.deepEqual(await spentAfter(dead, 110n), { period: TODAY, spent: 500n });
});

test('only what was spent in the period of the account is asked for', async () => {
  const asked: unknown[] = [];
  await spentAfter(lease({ period: TODAY }), 0n, (...days) => asked.push(days));
  assert.deepEqual(asked, [['2026-11-21', '2026-11-21']]);
});

/** What a budget has spent, of which workers had told 500, once the account of a dead one is closed. */
async function spentAfter(own: Lease, ledger: bigint, onAsked = (..._days: unknown[]): unknown => undefined) {
  const found: FoundLimits = {
    shared: { requests: createBucket(10, 0), tokens: createBucket(100, 0), spend: { period: TODAY, spent: 500n } },
    own,
    others: [lease({})],
    spentSince: () => 0n,
    ownSpentSince: (...days) => {
      onAsked(...days);
      return ledger;
    },
  };
  let kept: KeptLimits | undefined;
  const leases: LeaseStore = {
    async exchange(_ids, decide) {
      const decided = decide([found]);
      kept = decided.kept[0];
      return decided.answer();
    },
    heldBy: async () => ['key_1'],
    catchUp: async () => undefined,
    clear: async () => undefined,
  };
  await endLeases(leases, 'worker_1', () => 0);
  assert.equal(kept?.own, null);
  return kept?.shared?.spend;
}

function lease(changes: Partial<Lease>): Lease {
  return { requests: 0n, tokens: 0n, spend: 0n, period: TODAY, told: 0n, before: 0n, ...changes };
}
