import type { ErrorKind } from './errors.ts';

/** How a vendor does with a model under one credential, for people. Rates and percentiles are `null` where nothing is known. */
export type TargetStatus = {
  provider: string;
  upstreamModel: string;
  credential: string;
  circuit: 'closed' | 'half_open' | 'open';
  /** Unix ms from which a call may go there again. */
  openUntil: number | null;
  credentialOutUntil: number | null;
  inFlight: number;
  /** Of the last streams that were answered: time to the first token, in ms. */
  p50Ms: number | null;
  p95Ms: number | null;
  /** Moving average of the same, which jumps up at once and comes down slowly. */
  firstTokenMs: number | null;
  /** The same three of answers that were not streamed: the time that the whole answer took. */
  wholeP50Ms: number | null;
  wholeP95Ms: number | null;
  wholeMs: number | null;
  /** Calls that ended in the last half minute or so (`HealthSettings.window`), and the part of them that failed. */
  recentCalls: number;
  errorRate: number | null;
  lastError: { kind: ErrorKind; status: number; message: string; at: number } | null;
};
