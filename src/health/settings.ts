/** When a target, or a credential, is left alone, and for how long. Times in ms. */
export type HealthSettings = {
  /** So many failures in a row open a circuit. */
  failures: number;
  /** As does this part of the calls within `window` that failed, once there were `minCalls`. */
  errorRate: number;
  window: number;
  minCalls: number;
  /** How long it is open the first time. Doubled with each probe that fails, up to `openMax`; a fifth more or less by chance. */
  open: number;
  openMax: number;
  /** The same for a credential that its vendor refuses. */
  credential: number;
  credentialMax: number;
  /** It is left out for refusals alone once calls of so many different API keys were refused, and none was answered between. */
  credentialKeys: number;
  /** The longest that a vendor's own `retry-after` keeps a circuit open. */
  retryAfterMax: number;
};

export const HEALTH_DEFAULTS: HealthSettings = {
  failures: 5,
  errorRate: 0.5,
  window: 30_000,
  minCalls: 20,
  open: 5000,
  openMax: 60_000,
  credential: 60_000,
  credentialMax: 600_000,
  credentialKeys: 2,
  retryAfterMax: 600_000,
};
