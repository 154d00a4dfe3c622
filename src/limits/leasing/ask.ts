import { type Bucket, take } from '../../core/bucket.ts';
import type { LeaseAsk, LeaseGrant, WantedAmounts } from '../../core/leases.ts';
import type { NanoDollars } from '../../core/money.ts';
import { type Holding, isWarm, leasedAmount, NOTHING, presentShare, type SpendShare } from './holding.ts';
import { createShare, renewShare, reportShare, type Share, unreported, withdrawReport } from './share.ts';

/** What a holding asks, and what the answer is for. */
export type HoldingAsk = Pick<Holding, 'subject' | 'money'> & {
  ask: LeaseAsk;
  /** The share of the present period. */
  spend: SpendShare | null;
  amount: NanoDollars;
  /** How many calls were settled before. */
  settled: number;
};

/** How a holding asks: what is wanted (`null`: it only reports), and whether it gives its lease back. */
export type AskedFor = { wanted: WantedAmounts | null; isLeaving: boolean };

/** Makes the ask of a holding, whose shares are reported from now on. `now`: Unix ms. */
export function askFor(holding: Holding, now: number, { wanted, isLeaving }: AskedFor): HoldingAsk {
  const { subject, money, shares, settled } = holding;
  const spend = presentShare(holding, now);
  const amount = money === null ? (spend?.amount ?? 0n) : leasedAmount(money, now);
  const blocks = isLeaving ? NOTHING : holding.blocks;
  // Where no call can take from it meanwhile, the store decides what stays.
  const mostKept = isWarm(holding, now) ? blocks : NOTHING;
  const ask: LeaseAsk = {
    id: holding.id,
    requestsPerMinute: holding.requests.limit,
    tokensPerMinute: holding.tokens.limit,
    spend: spend === null ? null : termsOf(spend, amount),
    reports: {
      requests: reportShare(shares.requests, wanted?.requests ?? 0n, mostKept.requests),
      tokens: reportShare(shares.tokens, wanted?.tokens ?? 0n, mostKept.tokens),
      spend: reportShare(spend?.share ?? createShare(), wanted?.spend ?? 0n, mostKept.spend),
    },
    blocks,
    wanted,
    isUnsure: holding.isUnsure && wanted !== null,
    hasOpenCalls: holding.open > 0,
    isLeaving,
  };
  holding.pending += 1;
  return { ask, subject, money, spend, amount, settled };
}

function termsOf({ period, sinceDay, throughDay }: SpendShare, amount: NanoDollars): LeaseAsk['spend'] {
  return { amount, period, sinceDay, throughDay };
}

/** Takes asks back of which the store knows nothing. */
export function withdrawAsks(holdings: readonly Holding[], asked: readonly HoldingAsk[]): void {
  for (const [index, holding] of holdings.entries()) {
    const { ask, spend } = asked[index]!;
    const { shares } = holding;
    holding.pending -= 1;
    withdrawReport(shares.requests, ask.reports.requests);
    withdrawReport(shares.tokens, ask.reports.tokens);
    if (spend !== null) withdrawReport(spend.share, ask.reports.spend);
  }
}

/** Whether what was spent is known by the answer to an ask: nothing was settled and no limit was changed meanwhile. */
export function isAsAsked(holding: Holding, { subject, money, settled }: HoldingAsk): boolean {
  return holding.settled === settled && holding.subject === subject && holding.money === money;
}

/** Applies the answer to an ask. `now`: monotonic ms. */
export function applyGrant(holding: Holding, asked: HoldingAsk, grant: LeaseGrant, now: number): void {
  const { ask, spend, amount } = asked;
  const { holds, others, requests, tokens, spendLeft, isLeased } = grant;
  const { shares } = holding;
  holding.pending -= 1;
  renewShare(shares.requests, ask.reports.requests, holds.requests);
  renewShare(shares.tokens, ask.reports.tokens, holds.tokens);
  holding.requests = withoutNewUse(requests, shares.requests, now);
  holding.tokens = withoutNewUse(tokens, shares.tokens, now);
  holding.others = others;
  holding.toldAt = now;
  if (spend !== null) {
    renewShare(spend.share, ask.reports.spend, holds.spend);
    spend.left = spendLeft - unreported(spend.share);
    spend.amount = amount;
  }
  // Without a lease, the store keeps no sum of the spending: the next call reads it again.
  holding.spend = isLeased ? spend : null;
}

/** A bucket of the store by the clock of this process, less what was used since the report. */
function withoutNewUse(bucket: Bucket, share: Share, now: number): Bucket {
  const next = { ...bucket, at: Math.floor(now) };
  const used = unreported(share);
  if (used !== 0n) take(next, Number(used));
  return next;
}
