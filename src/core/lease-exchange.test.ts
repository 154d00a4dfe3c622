import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBucket } from './bucket.ts';
import { decideExchange, exchange, type FoundLease, type FoundLimits, type Lease } from './lease-exchange.ts';
import type { LeaseAsk, LeaseReport, WantedAmounts } from './leases.ts';

const [TODAY, YESTERDAY] = ['day 2026-11-21', 'day 2026-11-20'];
const NOTHING: WantedAmounts = { requests: 0n, tokens: 0n, spend: 0n, leastSpend: 0n };

test('what others hold of a budget in another period is not held in this one', () => {
  const leases = [lease(40n, YESTERDAY), lease(30n, TODAY)];
  const { spendLeft, others } = grantOf(found(20n, leases), ask());
  assert.deepEqual([spendLeft, others.spend], [50n, 30n]);
  const wanted = { ...NOTHING, spend: 6n, leastSpend: 6n };
  assert.equal(grantOf(found(20n, leases), ask({ wanted })).spendLeft, 44n, 'what is taken is left to nobody');
});

test('where reports may lack some, at least what was settled counts, but for what others have not told yet', () => {
  const leases = [lease(30n, TODAY)];
  assert.equal(grantOf(found(20n, leases, 60n), ask()).spendLeft, 50n);
  assert.equal(grantOf(found(20n, leases, 60n), ask({ isUnsure: true })).spendLeft, 40n);
  assert.equal(grantOf(found(20n, leases, 40n), ask({ isUnsure: true })).spendLeft, 50n, 'others may have told it');
});

test('a lease that has run out is filled for a call that wants some, and not for a report', () => {
  const reports = { ...ask().reports, spend: report({ used: 8n, left: -3n }) };
  assert.equal(grantOf(found(20n), ask({ reports })).holds.spend, 0n);
  const wanted = { ...NOTHING, spend: 4n, leastSpend: 4n };
  assert.equal(grantOf(found(20n), ask({ reports, wanted })).holds.spend, 10n);
});

test('what an instance keeps stays with it, though others have used up what was left', () => {
  const reports = { ...ask().reports, spend: report({ left: 9n, keeps: 7n }) };
  assert.equal(grantOf(found(98n), ask({ reports })).holds.spend, 7n);
  const released = { ...ask().reports, spend: report({ left: 9n }) };
  assert.equal(grantOf(found(98n), ask({ reports: released })).holds.spend, 2n);
});

test('what was settled is read with what is reported in this moment, where no sum is kept', () => {
  const reports = { ...ask().reports, spend: report({ used: 7n, back: 2n, left: 2n }) };
  assert.equal(grantOf({ ...found(0n, [], 60n), shared: null }, ask({ reports })).spendLeft, 35n);
});

test('where the sum of another period took its place, what is told counts, and nothing twice', () => {
  const shared = { ...found(0n).shared!, spend: { period: YESTERDAY, spent: 500n } };
  // The ledger has 30 of each, 10 of them from before the accounts were opened.
  const told = (amount: bigint): FoundLease => ({
    ...lease(5n, TODAY),
    told: amount,
    before: 10n,
    spentSince: () => 30n,
  });
  const leftOf = (limits: Partial<FoundLimits>) => {
    const reports = { ...ask().reports, spend: report({ used: 3n }) };
    return grantOf({ ...found(0n, [], 60n), shared, ownSpentSince: () => 30n, ...limits }, ask({ reports })).spendLeft;
  };
  assert.equal(leftOf({}), 37n);
  assert.equal(leftOf({ own: told(28n) }), 29n, 'its own open calls');
  assert.equal(leftOf({ own: told(18n) }), 39n, 'what it reports just now is in the ledger');
  assert.equal(leftOf({ others: [told(28n)] }), 24n, 'open calls of another, and what it holds');
  assert.equal(leftOf({ others: [told(18n)] }), 34n, 'the other will report it');
  assert.equal(leftOf({ others: [told(0n)], own: told(0n) }), 40n, 'more than they will report');
  assert.equal(leftOf({ others: [{ ...told(28n), period: YESTERDAY }] }), 37n);
});

test('an account keeps what its worker has told in the period, and a new one begins with what the ledger has of it', () => {
  const reporting = ask({ reports: { ...ask().reports, spend: report({ used: 7n, left: 2n }) } });
  const before = { ...found(20n), ownSpentSince: () => 60n };
  const ownAfter = (own: Lease) => exchange({ ...before, own }, reporting, 0).kept.own!;
  const same = ownAfter({ ...lease(9n, TODAY), told: 5n, before: 3n });
  assert.deepEqual([same.told, same.before], [12n, 3n]);
  const fresh = ownAfter({ ...lease(9n, YESTERDAY), told: 5n, before: 3n });
  assert.deepEqual([fresh.told, fresh.before], [7n, 53n]);
});

test('where one limit lacks what a call wants, none of the others is taken from, and each reports all the same', () => {
  const reports = { ...ask().reports, spend: report({ used: 5n }) };
  const asks = [60n, 90n].map((spend) => ask({ reports, wanted: { ...NOTHING, spend, leastSpend: spend } }));
  const { kept, answer } = decideExchange([found(20n), found(20n)], asks, 0);
  assert.equal(answer.isGranted, false);
  assert.deepEqual(
    answer.grants.map(({ isRefused, spendLeft }) => [isRefused, spendLeft]),
    [
      [false, 75n],
      [true, 75n],
    ],
  );
  assert.deepEqual(
    kept.map(({ shared }) => shared?.spend?.spent),
    [25n, 25n],
  );
});

function grantOf(limits: FoundLimits, asked: LeaseAsk) {
  return exchange(limits, asked, 0).grant;
}

function lease(spend: bigint, period: string): FoundLease {
  return { requests: 0n, tokens: 0n, spend, period, told: 0n, before: 0n, spentSince: () => 0n };
}

/** What the store has of a budget: so much reported today, and so much in settled calls. */
function found(spent: bigint, others: readonly FoundLease[] = [], settled = 0n): FoundLimits {
  const shared = { requests: createBucket(10, 0), tokens: createBucket(100, 0), spend: { period: TODAY, spent } };
  return { shared, own: null, others: [...others], spentSince: () => settled, ownSpentSince: () => 0n };
}

function report(changes: Partial<LeaseReport> = {}): LeaseReport {
  return { used: 0n, back: 0n, left: 0n, keeps: 0n, ...changes };
}

/** The ask of a worker with open calls, of a budget of 100 of which it holds at most 10. */
function ask(changes: Partial<LeaseAsk> = {}): LeaseAsk {
  return {
    id: 'budget_day',
    requestsPerMinute: 10,
    tokensPerMinute: 100,
    spend: { amount: 100n, period: TODAY, sinceDay: null, throughDay: null },
    reports: { requests: report(), tokens: report(), spend: report() },
    blocks: { requests: 0n, tokens: 0n, spend: 10n },
    wanted: null,
    isUnsure: false,
    hasOpenCalls: true,
    isLeaving: false,
    ...changes,
  };
}
