import type { Lease } from '../core/lease-exchange.ts';

/** What is kept of an account. */
export type LeaseRow = {
  instance_id: string;
  requests: bigint;
  tokens: bigint;
  spend_nano: bigint;
  spend_period: string | null;
  told_nano: bigint;
  before_nano: bigint;
};

export function readLease(row: LeaseRow): Lease {
  const { requests, tokens, spend_nano: spend, spend_period: period, told_nano: told, before_nano: before } = row;
  return { requests, tokens, spend, period, told, before };
}
