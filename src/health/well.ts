import type { TargetHealth } from '../core/route.ts';

/** The health of a target of which nothing is known: it counts as well. */
export const WELL: TargetHealth = Object.freeze({
  circuit: 'closed',
  openUntil: null,
  credentialOutUntil: null,
  firstTokenMs: null,
  wholeMs: null,
  inFlight: 0,
});
