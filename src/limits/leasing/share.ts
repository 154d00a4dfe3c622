import type { LeaseReport } from '../../core/leases.ts';

/**
 * What one worker holds of one limit. `used` was taken from the lease and is not reported yet; `back` was reported as
 * used but was not. What is left may be negative: a call can use more than it reserved.
 */
export type Share = { leased: bigint; used: bigint; back: bigint };

export function createShare(): Share {
  return { leased: 0n, used: 0n, back: 0n };
}

export function leftOfShare({ leased, used }: Share): bigint {
  return leased - used;
}

export function takeFromShare(share: Share, amount: bigint): void {
  share.used += amount;
}

/** Replaces a call's reserved amount by the used one. Usage already reported stays: others may hold it. */
export function settleShare(share: Share, reserved: bigint, used: bigint): void {
  if (used >= reserved) {
    share.used += used - reserved;
    return;
  }
  const unused = reserved - used;
  const untold = unused < share.used ? unused : share.used;
  share.used -= untold;
  share.back += unused - untold;
}

/**
 * Makes a report of the share. Until it is answered, the share has only what it keeps of its lease: what an exchange wants
 * and what exceeds `most` is the store's to decide.
 */
export function reportShare(share: Share, wanted: bigint, most: bigint): LeaseReport {
  const { used, back } = share;
  const left = leftOfShare(share);
  const rest = left - wanted;
  const kept = rest < most ? rest : most;
  const keeps = kept < 0n ? 0n : kept;
  share.leased = used + keeps;
  return { used, back, left, keeps };
}

/** Takes a report back of which the store knows nothing: what it would have decided is the share's again. */
export function withdrawReport(share: Share, { left, keeps }: LeaseReport): void {
  share.leased += left - keeps;
}

/** Applies the answer to a report: `holds` is the lease now. What was used meanwhile is taken from it. */
export function renewShare(share: Share, { used, back, keeps }: LeaseReport, holds: bigint): void {
  share.leased += holds - keeps - used;
  share.used -= used;
  share.back -= back;
  if (share.used >= 0n) return;
  // A call gave back meanwhile what was in the report.
  share.back -= share.used;
  share.used = 0n;
}

/** What was used since the last answered report, less what was given back. */
export function unreported({ used, back }: Share): bigint {
  return used - back;
}

/** Whether it should report soon: it holds more than a block, or used more than it leased. */
export function isDue(share: Share, block: bigint): boolean {
  const left = leftOfShare(share);
  return left < 0n || left + share.back > block;
}

export function isEmpty({ leased, used, back }: Share): boolean {
  return leased === 0n && used === 0n && back === 0n;
}
