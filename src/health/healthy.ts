import type { TargetHealth } from '../core/route.ts';

/** The health of an unknown target: healthy. */
export const HEALTHY: TargetHealth = Object.freeze({
  circuit: 'closed',
  openUntil: null,
  credentialOutUntil: null,
  firstTokenMs: null,
  wholeMs: null,
  inFlight: 0,
});
