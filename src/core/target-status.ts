import type { ErrorKind } from './errors.ts';
import type { RateScope } from './outgoing-rates.ts';
import type { UnpricedTargets } from './unpriced.ts';

/**
 * From the best to the worst. `half_open`: one call may go there, to find out; while that is under way it is `open` for all
 * others.
 */
export const CIRCUITS = ['closed', 'half_open', 'open'] as const;
export type Circuit = (typeof CIRCUITS)[number];

/** How a vendor does with a model under one credential, for people. Rates and percentiles are `null` if nothing is known. */
export type TargetStatus = {
  provider: string;
  upstreamModel: string;
  credential: string;
  circuit: Circuit;
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

type TargetName = Pick<TargetStatus, 'provider' | 'upstreamModel' | 'credential'>;

/**
 * What a provider said when it was asked for its models, from the worst to the best: it refuses the key that it was asked with,
 * it did not say, it was not asked or heard yet, it listed them.
 */
export const LIST_STATES = ['key_refused', 'failed', 'unheard', 'listed'] as const;
export type ListState = (typeof LIST_STATES)[number];
/** `refusedCredentials`: the names of those that it refused when it was asked last. */
export type ProviderStatus = { provider: string; list: ListState; refusedCredentials: readonly string[] };

/**
 * What may be sent in a minute, where that is limited; for how many calls it had no room, when last (Unix ms), and until
 * when it has none now.
 */
export type OutgoingRateStatus = RateScope & {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  passedOver: number;
  fullAt: number | null;
  fullUntil: number | null;
};

/** How a gateway does, in one process or in several. */
export type GatewayStatus = {
  targets: readonly TargetStatus[];
  /** Those that are on and are called over a network. */
  providers: readonly ProviderStatus[];
  outgoing: readonly OutgoingRateStatus[];
  /** Targets of routes that a budget leaves out. */
  unpriced: readonly UnpricedTargets[];
  openCalls: number;
  uptimeMs: number;
  /** Processes that serve. */
  workers: number;
  /** Those of them that did not tell how they do: they are not in the sums. */
  silentWorkers: number;
};

/** What is known of a target that was never called. */
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

/** Tells one target from every other. */
export function targetName({ provider, upstreamModel, credential }: TargetName): string {
  return JSON.stringify([provider, upstreamModel, credential]);
}

/**
 * What several processes see of the same targets, one row a target: the worst circuit, sums, and of times the longest,
 * since the percentiles of parts make none of the whole.
 */
export function mergedTargets(lists: readonly (readonly TargetStatus[])[]): TargetStatus[] {
  const merged = new Map<string, TargetStatus>();
  for (const status of lists.flat()) {
    const name = targetName(status);
    const before = merged.get(name);
    merged.set(name, before === undefined ? status : together(before, status));
  }
  return [...merged.values()];
}

/** The same of providers: of each the worst, and all credentials that it refused. */
export function mergedProviders(lists: readonly (readonly ProviderStatus[])[]): ProviderStatus[] {
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

/** One status for each rate, of all processes: calls that were passed over are added up, and times are the latest. */
export function mergedOutgoing(lists: readonly (readonly OutgoingRateStatus[])[]): OutgoingRateStatus[] {
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
