import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBucket } from './bucket.ts';
import { closeAccount, type FoundLimits, type Lease } from './lease-exchange.ts';

const [TODAY, YESTERDAY] = ['day 2026-11-21', 'day 2026-11-20'];

test('what a dead worker reported is replaced by what it has spent since its account was opened', () => {
  const dead = lease({ spend: 50n, told: 30n, before: 100n });
  // The ledger has 110 of it, 10 of them since then.
  assert.deepEqual(spentAfter(dead, 110n), { period: TODAY, spent: 480n });
});

test('of another period than the present one nothing is taken back', () => {
  const dead = lease({ period: YESTERDAY, spend: 50n, told: 30n, before: 100n });
  assert.deepEqual(spentAfter(dead, 110n), { period: TODAY, spent: 500n });
});

test('only what was spent in the period of the account is asked for', () => {
  const asked: unknown[] = [];
  spentAfter(lease({ period: TODAY }), 0n, (...days) => asked.push(days));
  assert.deepEqual(asked, [['2026-11-21', '2026-11-21']]);
});

/** What a budget has spent, of which workers had reported 500, once the account of a dead one is closed. */
function spentAfter(own: Lease, ledger: bigint, onAsked = (..._days: unknown[]): unknown => undefined) {
  const found: FoundLimits = {
    shared: { requests: createBucket(10, 0), tokens: createBucket(100, 0), spend: { period: TODAY, spent: 500n } },
    own,
    others: [{ ...lease({}), spentSince: () => 0n }],
    spentSince: () => 0n,
    ownSpentSince: (...days) => {
      onAsked(...days);
      return ledger;
    },
  };
  return closeAccount(found, 0)?.spend;
}

function lease(changes: Partial<Lease>): Lease {
  return { requests: 0n, tokens: 0n, spend: 0n, period: TODAY, told: 0n, before: 0n, ...changes };
}
