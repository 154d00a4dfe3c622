import { hash } from 'node:crypto';
import type { GatewayError } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';
import type { Provider, Target } from '../core/provider.ts';
import type { TargetHealth } from '../core/route.ts';
import type { TargetStatus } from '../core/target-status.ts';
import { NO_PROBE, PASSED_BY } from './breaker.ts';
import { CredentialWatch } from './credential-watch.ts';
import { HEALTHY } from './healthy.ts';
import { HEALTH_DEFAULTS, type HealthSettings } from './settings.ts';
import { CredentialState, TargetState, unixUntil } from './state.ts';
import { type Took, WatchedAttempt } from './watched-attempt.ts';

/** The most targets remembered. Beyond it, those idle for the longest time are forgotten. */
const MAX_TARGETS = 10_000;
/** The most targets with unlisted models. Callers can invent any number of names, which must not displace listed models. */
const MAX_UNLISTED = 1_000;
/** The share of targets that is forgotten at once, so that this is rarely necessary. */
const FORGOTTEN_PART = 0.1;
const JITTER = 0.2;
/** Calls in flight that a target may have when its circuit closes; each answered call adds one. */
const FIRST_ALLOWANCE = 2;
/** The number of calls, or ms, after which the limit ends. */
const FULL_ALLOWANCE = 100;
const ALLOWANCE_MS = 10_000;

/**
 * The health of each target as seen by this process: circuits, latencies, calls in flight. Targets are identified by
 * name, so that a reload only forgets targets whose address or key changed. Time and randomness are passed in.
 */
export class Health {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #providers = new Map<string, Map<string, CredentialState>>();
  readonly #maxTargets: number;
  readonly #maxUnlisted: number;
  /** For watched attempts, and for setting how vendors are asked about keys. */
  readonly credentials: CredentialWatch;
  #settings: HealthSettings;
  #targets = 0;
  #unlisted = 0;

  constructor(clock: Clock, random: () => number, settings = HEALTH_DEFAULTS, maxTargets = MAX_TARGETS) {
    this.#clock = clock;
    this.#random = random;
    this.#settings = settings;
    this.#maxTargets = maxTargets;
    this.#maxUnlisted = Math.min(MAX_UNLISTED, maxTargets);
    this.credentials = new CredentialWatch({
      now: () => clock.monotonic(),
      settings: () => this.#settings,
      backOff: (base, max, trips) => this.#backOff(base, max, trips),
    });
  }

  get settings(): HealthSettings {
    return this.#settings;
  }

  /** Applies new settings. Known state and open circuits stay. */
  configure(settings: HealthSettings): void {
    const isOther = settings.window !== this.#settings.window;
    this.#settings = settings;
    const now = this.#clock.monotonic();
    if (isOther) for (const state of this.#states()) forgetCalls(state, settings.window, now);
  }

  /** The health of a target for a call of this API key. Does not add targets that were never called. */
  of(target: Target, keyId: string): TargetHealth {
    const access = this.#access(target);
    if (access === undefined) return HEALTHY;
    const state = access.models.get(target.model.upstreamId);
    const now = this.#clock.monotonic();
    const epoch = this.#epoch(now, state, access);
    const credentialOutUntil = unixUntil(access.breaker, now, epoch);
    if (state === undefined) return credentialOutUntil === null ? HEALTHY : { ...HEALTHY, credentialOutUntil };
    const isKeptAway = state.keepsAway(keyId);
    return {
      circuit: isKeptAway ? state.breaker.circuit(now) : 'closed',
      openUntil: isKeptAway ? unixUntil(state.breaker, now, epoch) : null,
      credentialOutUntil,
      firstTokenMs: state.firstToken.value(now),
      wholeMs: state.whole.value(now),
      inFlight: state.inFlight,
    };
  }

  /**
   * Milliseconds until a call of this API key may go to the target; 0 if one may now. Of the monotonic clock: two readings
   * of Unix time in whole ms may differ by one too many.
   */
  waitFor(target: Target, keyId: string): number {
    const access = this.#access(target);
    if (access === undefined) return 0;
    const now = this.#clock.monotonic();
    const state = access.models.get(target.model.upstreamId);
    const own = state?.keepsAway(keyId) === true ? state.breaker.wait(now) : 0;
    return Math.ceil(Math.max(own, access.breaker.wait(now)));
  }

  /**
   * Admits an attempt for a call of an API key to a target. `null` if it may not go there: the circuit is open, or half
   * open with a running probe, the credential is out, or the target is recovering and has as many calls as it may.
   * `insists`: the call has no other target, so it ignores the recovery limit and does not wait for the vendor to be asked
   * about the key.
   * /!\ Hot path: three map look-ups, and allocates only what it returns.
   */
  admit(target: Target, keyId: string, insists = false): WatchedAttempt | null {
    const now = this.#clock.monotonic();
    const state = this.#state(target, now);
    const { breaker, access } = state;
    const isKeptAway = state.keepsAway(keyId);
    if ((isKeptAway && !breaker.mayPass(now)) || !access.breaker.mayPass(now)) return null;
    if (!insists && this.#isThrottled(state, keyId, now)) return null;
    if (!access.breaker.closed && !insists && this.credentials.mustAskFirst(access, now)) return null;
    state.lastUsed = now;
    state.inFlight += 1;
    return new WatchedAttempt(this, state, isKeptAway ? breaker.take(now) : PASSED_BY, access.breaker.take(now));
  }

  /** Admits the attempt in any case, for a call that has no other target. It is noted, but does not block other calls. */
  watch(target: Target, keyId: string): WatchedAttempt {
    const now = this.#clock.monotonic();
    const state = this.#state(target, now);
    const { breaker, access } = state;
    state.lastUsed = now;
    state.inFlight += 1;
    const isKeptAway = state.keepsAway(keyId);
    const mayProbe = (!isKeptAway || breaker.mayPass(now)) && access.breaker.mayPass(now);
    if (!mayProbe) return new WatchedAttempt(this, state, isKeptAway ? NO_PROBE : PASSED_BY, NO_PROBE);
    return new WatchedAttempt(this, state, isKeptAway ? breaker.take(now) : PASSED_BY, access.breaker.take(now));
  }

  /** The health of every remembered target, by provider. */
  status(): TargetStatus[] {
    const now = this.#clock.monotonic();
    const epoch = this.#clock.now() - now;
    return [...this.#states()].map((state) => state.status(now, epoch));
  }

  /** For watched attempts only: the target answered. */
  answered(state: TargetState, took: Took): void {
    const now = this.#clock.monotonic();
    if ('wholeMs' in took) {
      state.latestWhole.note(took.wholeMs);
      state.whole.note(took.wholeMs, now);
    } else if (took.firstTokenMs !== null) {
      state.latest.note(took.firstTokenMs);
      state.firstToken.note(took.firstTokenMs, now);
    }
    if (state.allowance === Number.POSITIVE_INFINITY) return;
    state.allowance += 1;
    if (state.allowance > FULL_ALLOWANCE || now >= state.allowanceUntil) state.allowance = Number.POSITIVE_INFINITY;
  }

  /** For watched attempts only: a probe succeeded. Callers' load returns step by step. */
  restore(state: TargetState): void {
    const now = this.#clock.monotonic();
    state.breaker.close();
    state.failuresInARow = 0;
    forgetCalls(state, this.#settings.window, now);
    this.#throttle(state, now + ALLOWANCE_MS, state.openFor);
    state.openFor = null;
    state.failedProbe = null;
  }

  /** For watched attempts only: the circuit is open for one API key, and another key's call was answered. */
  spare(state: TargetState): void {
    const now = this.#clock.monotonic();
    // The other key probed in the place of one that failed, or the one key's time is over.
    if (state.failedProbe === state.openFor || state.breaker.circuit(now) !== 'open') return this.restore(state);
    if (state.servesOthers) return;
    state.servesOthers = true;
    state.failuresInARow = 0;
    forgetCalls(state, this.#settings.window, now);
  }

  /** For watched attempts only: a call of the current generation succeeded. */
  succeeded(state: TargetState): void {
    state.window.note(false, this.#clock.monotonic());
    state.failuresInARow = 0;
    state.failingKeys.endRow();
  }

  /**
   * For watched attempts only: a call of the current generation failed. Failures of only one API key open the circuit
   * for that key only.
   */
  failed(state: TargetState, error: GatewayError, keyId: string): void {
    const now = this.#clock.monotonic();
    const { failures, errorRate, minCalls } = this.#settings;
    const { window, failingKeys } = state;
    window.note(true, now);
    // A failed connection does not depend on the API key.
    failingKeys.note(keyId, now, error.kind === 'upstream_unreachable');
    state.failuresInARow += 1;
    const isBad = window.calls >= minCalls && window.failures >= errorRate * window.calls;
    const isRow = state.failuresInARow >= failures;
    if (!isRow && !isBad && !isTold(error)) return;
    const isShared = (isRow || isTold(error)) && failingKeys.rowIsShared;
    const blamed = isShared ? null : this.#alone(state, keyId, now);
    // A circuit that is open for one API key, and is to be for another one, too, is open for all.
    const isSecond = !state.breaker.closed;
    state.openFor = isSecond ? null : isBad || isShared ? blamed : keyId;
    this.#trip(state, error);
  }

  /**
   * For watched attempts only: a probe failed. If it is the same API key's second in a row, only that key stays
   * blocked, and other keys may try.
   */
  probeFailed(state: TargetState, error: GatewayError, keyId: string): void {
    const isSame = state.openFor === null && state.failedProbe === keyId && error.kind !== 'upstream_unreachable';
    if (state.openFor === null) state.failedProbe = keyId;
    if (isSame) state.openFor = keyId;
    const until = this.#trip(state, error);
    if (isSame) this.#throttle(state, until, null);
  }

  /** For watched attempts only: the circuit was open for one API key, and another key's call failed too. */
  spread(state: TargetState, error: GatewayError): void {
    state.openFor = null;
    this.#trip(state, error);
  }

  /** Opens a circuit, for as long as the vendor said, or longer each time. @returns until when, monotonic */
  #trip(state: TargetState, error: GatewayError): number {
    const now = this.#clock.monotonic();
    const { open, openMax } = this.#settings;
    const { breaker } = state;
    state.failuresInARow = 0;
    state.servesOthers = false;
    state.failingKeys.endRow();
    // A vendor that sends `retry-after` is not failing, so this is not counted as a failure.
    const isCounted = !isTold(error);
    const until = now + (isCounted ? this.#backOff(open, openMax, breaker.trips) : this.#told(error));
    if (isCounted) breaker.trip(until);
    else breaker.open(until);
    return until;
  }

  /** For watched attempts only: a call from before the circuit opened received a `retry-after`. */
  extend(state: TargetState, error: GatewayError): void {
    state.breaker.extend(this.#clock.monotonic() + this.#told(error));
  }

  /** For watched attempts alone. */
  noteError(state: TargetState, error: GatewayError): void {
    state.noteError(error, this.#clock.now());
  }

  /** The API key without which the target's calls would not look bad; `null` if they would even without it. */
  #alone({ window, failingKeys }: TargetState, keyId: string, now: number): string | null {
    const most = failingKeys.heaviest(now) ?? { keyId, failures: 0 };
    const others = window.failures - most.failures;
    const isBadWithout = others > 0 && others >= this.#settings.errorRate * (window.calls - most.failures);
    return isBadWithout ? null : most.keyId;
  }

  #isThrottled(state: TargetState, keyId: string, now: number): boolean {
    if (state.inFlight < state.allowance || now >= state.allowanceUntil) return false;
    return state.allowanceFor === null || state.allowanceFor === keyId;
  }

  /** Lets calls return step by step; if only one API key was blocked, that key's calls. */
  #throttle(state: TargetState, until: number, keyId: string | null): void {
    state.allowance = FIRST_ALLOWANCE;
    state.allowanceUntil = until;
    state.allowanceFor = keyId;
  }

  #backOff(base: number, max: number, trips: number): number {
    return Math.min(max, base * 2 ** Math.min(trips, 30)) * (1 - JITTER + 2 * JITTER * this.#random());
  }

  /** The vendor's `retry-after` in ms. Jitter only lengthens it, so that not all gateways return at once. */
  #told({ retryAfterMs }: GatewayError): number {
    if (retryAfterMs === undefined) return 0;
    return Math.min(this.#settings.retryAfterMax, jittered(retryAfterMs, this.#random()));
  }

  /** The difference of Unix and monotonic time. Read only if a circuit is open, since only then is it needed. */
  #epoch(now: number, state: TargetState | undefined, access: CredentialState): number {
    return state?.breaker.closed !== false && access.breaker.closed ? 0 : this.#clock.now() - now;
  }

  /** The state of the target's credential; `undefined` if unknown, or if its address or key changed. */
  #access({ provider }: Target): CredentialState | undefined {
    const access = this.#providers.get(provider.id)?.get(provider.credentialName);
    return access?.identity === identityOf(provider) ? access : undefined;
  }

  #state(target: Target, now: number): TargetState {
    return this.#access(target)?.models.get(target.model.upstreamId) ?? this.#add(target, now);
  }

  #add({ provider, model }: Target, now: number): TargetState {
    if (model.known === 'asked' && this.#unlisted >= this.#maxUnlisted) this.#forget(this.#maxUnlisted);
    if (this.#targets >= this.#maxTargets) this.#forget(this.#maxTargets);
    const credentials = this.#providers.get(provider.id) ?? new Map<string, CredentialState>();
    this.#providers.set(provider.id, credentials);
    const identity = identityOf(provider);
    let access = credentials.get(provider.credentialName);
    if (access?.identity !== identity) {
      for (const state of access?.models.values() ?? []) this.#count(state, -1);
      access = new CredentialState(provider, identity);
      credentials.set(provider.credentialName, access);
    }
    const state = new TargetState(access, model, this.#settings.window, now);
    access.models.set(model.upstreamId, state);
    this.#count(state, 1);
    return state;
  }

  #count({ isUnlisted }: TargetState, change: 1 | -1): void {
    this.#targets += change;
    if (isUnlisted) this.#unlisted += change;
  }

  *#states(): Generator<TargetState> {
    for (const credentials of this.#providers.values()) {
      for (const access of credentials.values()) yield* access.models.values();
    }
  }

  /** Forgets a share of `most` targets, unlisted models first. Running calls end on a state that is no longer looked up. */
  #forget(most: number): void {
    const idle = [...this.#states()].sort(
      (one, other) =>
        Number(other.isUnlisted) - Number(one.isUnlisted) ||
        Math.sign(one.inFlight) - Math.sign(other.inFlight) ||
        one.lastUsed - other.lastUsed,
    );
    for (const state of idle.slice(0, Math.max(1, most * FORGOTTEN_PART))) {
      const { access, upstreamModel } = state;
      access.models.delete(upstreamModel);
      this.#count(state, -1);
      if (access.models.size > 0 || !access.breaker.closed) continue;
      const { id, credentialName } = access.provider;
      const credentials = this.#providers.get(id);
      credentials?.delete(credentialName);
      if (credentials?.size === 0) this.#providers.delete(id);
    }
  }
}

function forgetCalls(state: TargetState, window: number, now: number): void {
  state.window.reset(window, now);
  state.failingKeys.reset(window);
}

/** True if the vendor asked for a wait, so that its circuit is open for that long. A `retry-after` of 0 asks for none. */
export function isTold({ retryAfterMs }: GatewayError): boolean {
  return retryAfterMs !== undefined && retryAfterMs > 0;
}

/** How long a circuit is open for a `retry-after` of so many ms. @param random from 0 to 1, for the shortest and the longest */
export function jittered(retryAfterMs: number, random: number): number {
  return retryAfterMs * (1 + JITTER * random);
}

/** Enough to distinguish keys, and too little to recover one. */
const IDENTITY_LENGTH = 16;

/** Identities, hashed once per provider of a configuration. */
const IDENTITIES = new WeakMap<Provider, string>();

/** Identifies a provider's address and key without revealing either. */
function identityOf(provider: Provider): string {
  const found = IDENTITIES.get(provider);
  if (found !== undefined) return found;
  const { baseUrl, credential, headers } = provider;
  const said = JSON.stringify([baseUrl, credential?.reveal() ?? null, headers]);
  const identity = hash('sha256', said, 'base64url').slice(0, IDENTITY_LENGTH);
  IDENTITIES.set(provider, identity);
  return identity;
}
