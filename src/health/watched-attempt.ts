import type { ErrorKind, GatewayError } from '../core/errors.ts';
import { NO_PROBE } from './breaker.ts';
import type { Health } from './health.ts';
import type { TargetState } from './state.ts';

/** In ms, from when the call was sent: of a stream to its first token, of any other answer to its end. */
export type Took = { firstTokenMs: number | null } | { wholeMs: number };

/**
 * An attempt as its target's health hears of it. Exactly one of `succeeded`, `failed` and `left` ends it; what comes behind that
 * is nothing.
 */
export class WatchedAttempt {
  readonly #health: Health;
  readonly #state: TargetState;
  readonly #probe: number;
  readonly #accessProbe: number;
  readonly #generation: number;
  readonly #accessGeneration: number;
  #answered = false;
  #ended = false;

  constructor(health: Health, state: TargetState, probe: number, accessProbe: number) {
    this.#health = health;
    this.#state = state;
    this.#probe = probe;
    this.#accessProbe = accessProbe;
    this.#generation = state.breaker.generation;
    this.#accessGeneration = state.access.breaker.generation;
  }

  /** It finds out whether the target, or its credential, is well again. */
  get isProbe(): boolean {
    return this.#probe !== NO_PROBE || this.#accessProbe !== NO_PROBE;
  }

  /** The answer began, so many ms after the call was sent: a probe has found out. May be left out. */
  answered(firstTokenMs: number): void {
    if (!this.#ended) this.#answer({ firstTokenMs });
  }

  succeeded(took: Took): void {
    if (this.#end()) return;
    const isCounted = this.#isCounted();
    this.#answer(took);
    if (isCounted) this.#health.succeeded(this.#state);
  }

  /** @param keyId the API key whose call it was: what fails for one alone is not held against the target for all */
  failed(error: GatewayError, keyId: string): void {
    if (this.#end()) return;
    const state = this.#state;
    const blame = blameOf(error);
    if (blame === 'nobody') return this.#release();
    this.#health.noteError(state, error);
    if (blame === 'credential') {
      state.breaker.release(this.#probe);
      const { breaker } = state.access;
      const isPresent = breaker.closed && breaker.generation === this.#accessGeneration;
      if (isPresent || breaker.isProbing(this.#accessProbe))
        this.#health.credentials.suspect(state.access, error, keyId);
      breaker.release(this.#accessProbe);
      return;
    }
    state.access.breaker.release(this.#accessProbe);
    if (state.breaker.isProbing(this.#probe)) return this.#health.probeFailed(state, error, keyId);
    if (this.#isCounted()) return this.#health.failed(state, error, keyId);
    if (this.#isPassedBy(keyId)) return this.#health.spread(state, error);
    this.#health.extend(state, error);
  }

  /** It ended for reasons that say nothing of the target: its caller left. */
  left(): void {
    if (!this.#end()) this.#release();
  }

  /** @returns whether it had ended before */
  #end(): boolean {
    if (this.#ended) return true;
    this.#ended = true;
    this.#state.inFlight -= 1;
    return false;
  }

  #answer(took: Took): void {
    if (this.#answered) return;
    this.#answered = true;
    const state = this.#state;
    // A call that was sent since the circuit opened, as its probe or past it, has found that the target works.
    if (state.access.breaker.wasPassed(this.#accessGeneration)) this.#health.credentials.accept(state.access);
    state.access.suspicion.clear();
    if (state.breaker.wasPassed(this.#generation)) this.#health.restore(state);
    this.#health.answered(state, took);
  }

  /** What began before the circuit changed says nothing of how the target does since. */
  #isCounted(): boolean {
    return this.#state.breaker.closed && this.#state.breaker.generation === this.#generation;
  }

  /** The call went to a target whose circuit is open only for calls of another API key. */
  #isPassedBy(keyId: string): boolean {
    return this.#state.breaker.wasPassed(this.#generation) && !this.#state.keepsAway(keyId);
  }

  #release(): void {
    this.#state.breaker.release(this.#probe);
    this.#state.access.breaker.release(this.#accessProbe);
  }
}

/** What a failure says: of the model there, of the credential, or of neither (the call itself was wrong). */
export type Blame = 'target' | 'credential' | 'nobody';

/** Whom an error is to be blamed on. */
export function blameOf({ kind, status }: Pick<GatewayError, 'kind' | 'status'>): Blame {
  if (kind === 'upstream_unauthorized') return 'credential';
  if (kind === 'upstream_error') return status >= 500 ? 'target' : 'nobody';
  return TARGETS_FAULT.has(kind) ? 'target' : 'nobody';
}

const TARGETS_FAULT: ReadonlySet<ErrorKind> = new Set([
  'upstream_rate_limited',
  'upstream_unreachable',
  'upstream_disconnected',
  'upstream_invalid_answer',
  'upstream_timeout',
]);
