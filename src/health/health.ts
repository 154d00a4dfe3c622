import { hash } from 'node:crypto';
import type { GatewayError } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';
import type { Provider, Target } from '../core/provider.ts';
import type { TargetHealth } from '../core/route.ts';
import type { TargetStatus } from '../core/target-status.ts';
import { NO_PROBE } from './breaker.ts';
import { CredentialWatch } from './credential-watch.ts';
import { HEALTH_DEFAULTS, type HealthSettings } from './settings.ts';
import { CredentialState, TargetState, unixUntil } from './state.ts';
import { type Took, WatchedAttempt } from './watched-attempt.ts';
import { WELL } from './well.ts';

/** Targets remembered. Beyond it those that were idle for the longest time are forgotten. */
const MAX_TARGETS = 10_000;
/** Of those, models that are in no list: callers can invent as many as they like, and push out no other by it. */
const MAX_UNLISTED = 1_000;
/** The part of them that is forgotten at once, so that it is seldom looked for. */
const FORGOTTEN_PART = 0.1;
const JITTER = 0.2;
/** Calls in flight that a target may have when its circuit closes; one more with each that is answered. */
const FIRST_ALLOWANCE = 2;
/** After so many calls, and so many ms, it counts as well again. */
const FULL_ALLOWANCE = 100;
const ALLOWANCE_MS = 10_000;

/**
 * How each target does, as this process sees it: circuits, latencies, what is in flight. Targets are known by their names,
 * so that a reload forgets nothing but what was known of another address or key. Time and chance are handed in.
 */
export class Health {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #providers = new Map<string, Map<string, CredentialState>>();
  readonly #maxTargets: number;
  readonly #maxUnlisted: number;
  /** For watched attempts, and for the code that sets how vendors are asked. */
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

  /** From now on; what is known, and open, stays as it is. */
  configure(settings: HealthSettings): void {
    const isOther = settings.window !== this.#settings.window;
    this.#settings = settings;
    const now = this.#clock.monotonic();
    if (isOther) for (const state of this.#states()) forgetCalls(state, settings.window, now);
  }

  /** As a decision on a call of this API key looks at it. Nothing is remembered of a target that was never called. */
  of(target: Target, keyId: string): TargetHealth {
    const access = this.#access(target);
    if (access === undefined) return WELL;
    const state = access.models.get(target.model.upstreamId);
    const now = this.#clock.monotonic();
    const epoch = this.#epoch(now, state, access);
    const credentialOutUntil = unixUntil(access.breaker, now, epoch);
    if (state === undefined) return credentialOutUntil === null ? WELL : { ...WELL, credentialOutUntil };
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
   * Lets an attempt of an API key's call go to a target. `null` where it may not: the circuit is open, or half open with a
   * probe under way, the credential is out, or the target is only just coming back and has as many calls as it may. `insists`:
   * the call has nowhere else to go, and neither that last holds it back, nor that the vendor can be asked for its word first.
   * /!\ Hot path: three map look-ups, and no allocation but what it returns.
   */
  admit(target: Target, keyId: string, insists = false): WatchedAttempt | null {
    const now = this.#clock.monotonic();
    const state = this.#state(target, now);
    const { breaker, access } = state;
    const isKeptAway = state.keepsAway(keyId);
    if ((isKeptAway && !breaker.mayPass(now)) || !access.breaker.mayPass(now)) return null;
    if (!insists && this.#isThrottled(state, keyId, now)) return null;
    if (!access.breaker.closed && !insists && this.credentials.asksFirst(access, now)) return null;
    state.lastUsed = now;
    state.inFlight += 1;
    return new WatchedAttempt(this, state, isKeptAway ? breaker.take(now) : NO_PROBE, access.breaker.take(now));
  }

  /** Lets it go there all the same, for a call that can go nowhere else: it is told of, and holds nothing back. */
  watch(target: Target, keyId: string): WatchedAttempt {
    const now = this.#clock.monotonic();
    const state = this.#state(target, now);
    const { breaker, access } = state;
    state.lastUsed = now;
    state.inFlight += 1;
    const isKeptAway = state.keepsAway(keyId);
    const mayProbe = (!isKeptAway || breaker.mayPass(now)) && access.breaker.mayPass(now);
    if (!mayProbe) return new WatchedAttempt(this, state, NO_PROBE, NO_PROBE);
    return new WatchedAttempt(this, state, isKeptAway ? breaker.take(now) : NO_PROBE, access.breaker.take(now));
  }

  /** How every target that is remembered does, by provider. */
  status(): TargetStatus[] {
    const now = this.#clock.monotonic();
    const epoch = this.#clock.now() - now;
    return [...this.#states()].map((state) => state.status(now, epoch));
  }

  /** For watched attempts alone: the target answered. */
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

  /** For watched attempts alone: a probe found that the target is well. What its callers send comes back step by step. */
  restore(state: TargetState): void {
    const now = this.#clock.monotonic();
    state.breaker.close();
    state.failuresInARow = 0;
    forgetCalls(state, this.#settings.window, now);
    this.#throttle(state, now + ALLOWANCE_MS, state.openFor);
    state.openFor = null;
    state.failedProbe = null;
  }

  /** For watched attempts alone: a call of the present generation ended well. */
  succeeded(state: TargetState): void {
    state.window.note(false, this.#clock.monotonic());
    state.failuresInARow = 0;
    state.witnesses.endRow();
  }

  /** For watched attempts alone: a call of the present generation failed. What only calls of one API key meet opens the circuit for that key. */
  failed(state: TargetState, error: GatewayError, keyId: string): void {
    const now = this.#clock.monotonic();
    const { failures, errorRate, minCalls } = this.#settings;
    const { window, witnesses } = state;
    window.note(true, now);
    // A missing connection does not depend on the API key.
    witnesses.note(keyId, now, error.kind === 'upstream_unreachable');
    state.failuresInARow += 1;
    const isBad = window.calls >= minCalls && window.failures >= errorRate * window.calls;
    const isRow = state.failuresInARow >= failures;
    if (!isRow && !isBad && !isTold(error)) return;
    const isShared = (isRow || isTold(error)) && witnesses.rowIsShared;
    const blamed = isShared ? null : this.#alone(state, keyId, now);
    state.openFor = isBad || isShared ? blamed : keyId;
    this.#trip(state, error);
  }

  /** For watched attempts alone: a probe failed. The same API key's probe twice in a row keeps that key away, and lets others find out. */
  probeFailed(state: TargetState, error: GatewayError, keyId: string): void {
    const isSame = state.openFor === null && state.failedProbe === keyId && error.kind !== 'upstream_unreachable';
    state.failedProbe = keyId;
    if (isSame) state.openFor = keyId;
    const until = this.#trip(state, error);
    if (isSame) this.#throttle(state, until, null);
  }

  /** For watched attempts alone: at a target that is open for calls of one API key, a call of another failed too. */
  spread(state: TargetState, error: GatewayError): void {
    state.openFor = null;
    this.#trip(state, error);
  }

  /** Opens a circuit, for as long as the vendor said, or else for longer each time. @returns until when, monotonic */
  #trip(state: TargetState, error: GatewayError): number {
    const now = this.#clock.monotonic();
    const { open, openMax } = this.#settings;
    const { breaker } = state;
    state.failuresInARow = 0;
    state.witnesses.endRow();
    // A vendor that says when to come back is not failing, so this is neither counted nor doubled.
    const isCounted = !isTold(error);
    const until = now + (isCounted ? this.#backOff(open, openMax, breaker.trips) : this.#told(error));
    if (isCounted) breaker.trip(until);
    else breaker.open(until);
    return until;
  }

  /** For watched attempts alone: a call that began before the circuit opened brings another word of when to come back. */
  extend(state: TargetState, error: GatewayError): void {
    state.breaker.extend(this.#clock.monotonic() + this.#told(error));
  }

  /** For watched attempts alone. */
  noteError(state: TargetState, error: GatewayError): void {
    state.noteError(error, this.#clock.now());
  }

  /** The API key that alone would make a target's calls look bad; `null`: without it they look as bad. */
  #alone({ window, witnesses }: TargetState, keyId: string, now: number): string | null {
    const most = witnesses.heaviest(now) ?? { keyId, failures: 0 };
    const others = window.failures - most.failures;
    const isBadWithout = others > 0 && others >= this.#settings.errorRate * (window.calls - most.failures);
    return isBadWithout ? null : most.keyId;
  }

  #isThrottled(state: TargetState, keyId: string, now: number): boolean {
    if (state.inFlight < state.allowance || now >= state.allowanceUntil) return false;
    return state.allowanceFor === null || state.allowanceFor === keyId;
  }

  /** Calls come back step by step; those of one API key where it alone was kept away. */
  #throttle(state: TargetState, until: number, keyId: string | null): void {
    state.allowance = FIRST_ALLOWANCE;
    state.allowanceUntil = until;
    state.allowanceFor = keyId;
  }

  #backOff(base: number, max: number, trips: number): number {
    return Math.min(max, base * 2 ** Math.min(trips, 30)) * (1 - JITTER + 2 * JITTER * this.#random());
  }

  /** What a vendor said, never less: jitter only makes it later, so that not all gateways come back at once. */
  #told({ retryAfterMs }: GatewayError): number {
    if (retryAfterMs === undefined) return 0;
    return Math.min(this.#settings.retryAfterMax, retryAfterMs * (1 + JITTER * this.#random()));
  }

  /** What turns monotonic times into Unix ms. The clock is read only where a circuit is open, since only then a time is shown. */
  #epoch(now: number, state: TargetState | undefined, access: CredentialState): number {
    return state?.breaker.closed !== false && access.breaker.closed ? 0 : this.#clock.now() - now;
  }

  /** Nothing is known of a provider whose address or key has changed since. */
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

  /** Forgets a part of so many: models that are in no list first. Calls in flight end on a state that is no longer looked up. */
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
  state.witnesses.reset(window);
}

function isTold({ retryAfterMs }: GatewayError): boolean {
  return retryAfterMs !== undefined && retryAfterMs > 0;
}

/** Tells keys apart; a key cannot be found again from so little. */
const IDENTITY_LENGTH = 16;

/** Hashed once for each provider of a configuration. */
const IDENTITIES = new WeakMap<Provider, string>();

/** Tells a provider's address and key from every other, without holding either. */
export function identityOf(provider: Provider): string {
  const found = IDENTITIES.get(provider);
  if (found !== undefined) return found;
  const { baseUrl, credential, headers } = provider;
  const said = JSON.stringify([baseUrl, credential?.reveal() ?? null, headers]);
  const identity = hash('sha256', said, 'base64url').slice(0, IDENTITY_LENGTH);
  IDENTITIES.set(provider, identity);
  return identity;
}
