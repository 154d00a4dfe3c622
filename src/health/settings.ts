/** When a target or a credential is taken out of use, and for how long. Times in ms. */
export type HealthSettings = {
  /** Failures in a row that open a circuit. */
  failures: number;
  /** The share of failed calls within `window` that opens it, after at least `minCalls`. */
  errorRate: number;
  window: number;
  minCalls: number;
  /** How long it is open the first time. Doubles with each failed probe, up to `openMax`; plus or minus 20% jitter. */
  open: number;
  openMax: number;
  /** How long a credential that its vendor refuses is left out. */
  credential: number;
  credentialMax: number;
  /** Refusals alone take a credential out once calls of this many API keys were refused, with none answered in between. */
  credentialKeys: number;
  /** The longest that a vendor's `retry-after` keeps a circuit open. */
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
