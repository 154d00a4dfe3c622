import { type GatewayError, sentenceOf } from '../core/errors.ts';
import type { Model, Provider } from '../core/provider.ts';
import type { TargetStatus } from '../core/target-status.ts';
import { Breaker } from './breaker.ts';
import { CredentialEvidence } from './credential-evidence.ts';
import { FailingKeys } from './failing-keys.ts';
import { Latest, PeakAverage, Window } from './latencies.ts';

/** A provider's credential, and the models that were called with it. */
export class CredentialState {
  readonly provider: Provider;
  /** Identifies the address and key. */
  readonly identity: string;
  readonly breaker = new Breaker();
  readonly evidence = new CredentialEvidence();
  readonly models = new Map<string, TargetState>();

  constructor(provider: Provider, identity: string) {
    this.provider = provider;
    this.identity = identity;
  }
}

/** The state of one model at a provider under one credential. Times are monotonic ms. */
export class TargetState {
  readonly access: CredentialState;
  readonly upstreamModel: string;
  /** True if the model is known only because a caller named it. */
  readonly isUnlisted: boolean;
  readonly breaker = new Breaker();
  /** The API key that the open circuit blocks, because only its calls failed; `null`: it blocks all. */
  openFor: string | null = null;
  /** True if another key's call was answered since: its failures then open the circuit only as they would a closed one. */
  servesOthers = false;
  /** The API key of the last failed probe of a circuit that blocks all. */
  failedProbe: string | null = null;
  readonly failingKeys: FailingKeys;
  readonly window: Window;
  readonly latest = new Latest();
  readonly firstToken = new PeakAverage();
  /** For answers that are not streamed. */
  readonly latestWhole = new Latest();
  readonly whole = new PeakAverage();
  inFlight = 0;
  failuresInARow = 0;
  /** Calls that may be in flight while the target recovers; infinite without a limit. */
  allowance = Number.POSITIVE_INFINITY;
  allowanceUntil = 0;
  /** The API key that the allowance limits; `null`: it limits all. */
  allowanceFor: string | null = null;
  lastUsed: number;
  lastError: TargetStatus['lastError'] = null;

  constructor(access: CredentialState, { upstreamId, known }: Model, window: number, now: number) {
    this.access = access;
    this.upstreamModel = upstreamId;
    this.isUnlisted = known === 'asked';
    this.window = new Window(window);
    this.failingKeys = new FailingKeys(window);
    this.lastUsed = now;
  }

  /** True if the circuit is open for calls of this API key. */
  keepsAway(keyId: string): boolean {
    return !this.breaker.closed && (this.openFor === null || this.openFor === keyId);
  }

  /** @param at Unix ms */
  noteError(error: GatewayError, at: number): void {
    this.lastError = { kind: error.kind, status: error.status, message: sentenceOf(error), at };
  }

  /** @param epoch Unix time minus monotonic time, in ms */
  status(now: number, epoch: number): TargetStatus {
    const { access, breaker, window } = this;
    const [p50Ms, p95Ms] = this.latest.percentiles([0.5, 0.95]);
    const [wholeP50Ms, wholeP95Ms] = this.latestWhole.percentiles([0.5, 0.95]);
    window.slide(now);
    return {
      provider: access.provider.id,
      upstreamModel: this.upstreamModel,
      credential: access.provider.credentialName,
      circuit: breaker.shown(now),
      openUntil: unixUntil(breaker, now, epoch),
      credentialOutUntil: unixUntil(access.breaker, now, epoch),
      inFlight: this.inFlight,
      p50Ms: p50Ms ?? null,
      p95Ms: p95Ms ?? null,
      firstTokenMs: this.firstToken.value(now),
      wholeP50Ms: wholeP50Ms ?? null,
      wholeP95Ms: wholeP95Ms ?? null,
      wholeMs: this.whole.value(now),
      recentCalls: window.calls,
      errorRate: window.calls === 0 ? null : window.failures / window.calls,
      lastError: this.lastError,
    };
  }
}

/** When a call may pass, in whole Unix ms; `null` if one may now. */
export function unixUntil(breaker: Breaker, now: number, epoch: number): number | null {
  const wait = breaker.wait(now);
  return wait === 0 ? null : Math.ceil(now + wait + epoch);
}
