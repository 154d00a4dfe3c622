import type { ErrorKind } from './errors.ts';
import type { RateScope } from './outgoing-rates.ts';
import type { UnpricedTargets } from './unpriced.ts';

/**
 * From the best to the worst. `half_open`: the next call tests the target; while it is open, the circuit is `open` for
 * all others.
 */
export const CIRCUITS = ['closed', 'half_open', 'open'] as const;
export type Circuit = (typeof CIRCUITS)[number];

/** The health of a vendor's model under one credential, for people. Rates and percentiles are `null` if unknown. */
export type TargetStatus = {
  provider: string;
  upstreamModel: string;
  credential: string;
  circuit: Circuit;
  /** Unix ms at which a call is allowed again. */
  openUntil: number | null;
  credentialOutUntil: number | null;
  inFlight: number;
  /** The median time to the first token of recent streams, in ms. */
  p50Ms: number | null;
  p95Ms: number | null;
  /** A moving average of that time, which rises at once and falls slowly. */
  firstTokenMs: number | null;
  /** The same three values for answers that were not streamed: the duration of the whole answer. */
  wholeP50Ms: number | null;
  wholeP95Ms: number | null;
  wholeMs: number | null;
  /** The calls that ended recently (`HealthSettings.window`, about half a minute), and the fraction that failed. */
  recentCalls: number;
  errorRate: number | null;
  lastError: { kind: ErrorKind; status: number; message: string; at: number } | null;
};

type TargetName = Pick<TargetStatus, 'provider' | 'upstreamModel' | 'credential'>;

/**
 * The result of asking a provider for its models, worst first: it refused the key, it gave no list, it has not been
 * asked or has not answered yet, or it listed them.
 */
export const LIST_STATES = ['key_refused', 'failed', 'unheard', 'listed'] as const;
export type ListState = (typeof LIST_STATES)[number];
/** `refusedCredentials`: the names of the credentials that it refused last time. */
export type ProviderStatus = { provider: string; list: ListState; refusedCredentials: readonly string[] };

/**
 * A limit per minute, the number of calls that it made skip the target, the last time (Unix ms), and until when it is
 * exhausted now.
 */
export type OutgoingRateStatus = RateScope & {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  passedOver: number;
  fullAt: number | null;
  fullUntil: number | null;
};

/** The state of a gateway, of one process or several. */
export type GatewayStatus = {
  targets: readonly TargetStatus[];
  /** The enabled providers that are called over a network. */
  providers: readonly ProviderStatus[];
  outgoing: readonly OutgoingRateStatus[];
  /** Targets of routes that are left out under a budget. */
  unpriced: readonly UnpricedTargets[];
  openCalls: number;
  uptimeMs: number;
  /** The number of server processes. */
  workers: number;
  /** The number of processes that did not report; they are missing in the sums. */
  silentWorkers: number;
};

/** The status of a target that was never called. */
export const UNCALLED: Omit<TargetStatus, keyof TargetName> = {
  circuit: 'closed',
  openUntil: null,
  credentialOutUntil: null,
  inFlight: 0,
  p50Ms: null,
  p95Ms: null,
  firstTokenMs: null,
  wholeP50Ms: null,
  wholeP95Ms: null,
  wholeMs: null,
  recentCalls: 0,
  errorRate: null,
  lastError: null,
};

/** A unique name of a target. */
export function targetName({ provider, upstreamModel, credential }: TargetName): string {
  return JSON.stringify([provider, upstreamModel, credential]);
}

/**
 * Merges the views of several processes, one row per target: the worst circuit and the sums. For times the longest,
 * since the percentiles of parts do not give that of the whole.
 */
export function mergeTargets(lists: readonly (readonly TargetStatus[])[]): TargetStatus[] {
  const merged = new Map<string, TargetStatus>();
  for (const status of lists.flat()) {
    const name = targetName(status);
    const before = merged.get(name);
    merged.set(name, before === undefined ? status : together(before, status));
  }
  return [...merged.values()];
}

/**
 * Merges the views of several processes, one row per provider: the worst state, and all credentials that it refused.
 */
export function mergeProviders(lists: readonly (readonly ProviderStatus[])[]): ProviderStatus[] {
  const merged = new Map<string, ProviderStatus>();
  for (const status of lists.flat()) {
    const { provider, list, refusedCredentials } = status;
    const before = merged.get(provider) ?? status;
    const isWorse = LIST_STATES.indexOf(list) < LIST_STATES.indexOf(before.list);
    const refused = new Set([...before.refusedCredentials, ...refusedCredentials]);
    merged.set(provider, { provider, list: isWorse ? list : before.list, refusedCredentials: [...refused] });
  }
  return [...merged.values()];
}

/** Merges the views of several processes, one row per rate: skipped calls are added up, and times are the latest. */
export function mergeOutgoing(lists: readonly (readonly OutgoingRateStatus[])[]): OutgoingRateStatus[] {
  const merged = new Map<string, OutgoingRateStatus>();
  for (const status of lists.flat()) {
    const name = JSON.stringify([status.provider, status.credential, status.model]);
    const before = merged.get(name);
    merged.set(name, {
      ...status,
      passedOver: status.passedOver + (before?.passedOver ?? 0),
      fullAt: larger(status.fullAt, before?.fullAt ?? null),
      fullUntil: larger(status.fullUntil, before?.fullUntil ?? null),
    });
  }
  return [...merged.values()];
}

function together(one: TargetStatus, other: TargetStatus): TargetStatus {
  const isWorse = CIRCUITS.indexOf(other.circuit) > CIRCUITS.indexOf(one.circuit);
  const recentCalls = one.recentCalls + other.recentCalls;
  const failed = failures(one) + failures(other);
  return {
    provider: one.provider,
    upstreamModel: one.upstreamModel,
    credential: one.credential,
    circuit: isWorse ? other.circuit : one.circuit,
    openUntil: larger(one.openUntil, other.openUntil),
    credentialOutUntil: larger(one.credentialOutUntil, other.credentialOutUntil),
    inFlight: one.inFlight + other.inFlight,
    p50Ms: larger(one.p50Ms, other.p50Ms),
    p95Ms: larger(one.p95Ms, other.p95Ms),
    firstTokenMs: larger(one.firstTokenMs, other.firstTokenMs),
    wholeP50Ms: larger(one.wholeP50Ms, other.wholeP50Ms),
    wholeP95Ms: larger(one.wholeP95Ms, other.wholeP95Ms),
    wholeMs: larger(one.wholeMs, other.wholeMs),
    recentCalls,
    errorRate: recentCalls === 0 ? null : failed / recentCalls,
    lastError: (other.lastError?.at ?? 0) > (one.lastError?.at ?? 0) ? other.lastError : one.lastError,
  };
}

function failures({ recentCalls, errorRate }: TargetStatus): number {
  return recentCalls * (errorRate ?? 0);
}

function larger(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
