import type { TargetHealth } from '../../core/route.ts';

/** A target of which nothing is known: it is taken to be well. */
export const WELL: TargetHealth = Object.freeze({
  circuit: 'closed',
  openUntil: null,
  credentialOutUntil: null,
  firstTokenMs: null,
  wholeMs: null,
  inFlight: 0,
});
