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

/** Resets the share after everything was reported; `leased` is what it holds now. */
export function renewShare(share: Share, leased: bigint): void {
  share.leased = leased;
  share.used = 0n;
  share.back = 0n;
}

/** Whether it should report soon: it holds more than a block, or used more than it leased. */
export function isDue(share: Share, block: bigint): boolean {
  const left = leftOfShare(share);
  return left < 0n || left + share.back > block;
}

export function isEmpty({ leased, used, back }: Share): boolean {
  return leased === 0n && used === 0n && back === 0n;
}
