import type { ErrorKind, GatewayError } from '../core/errors.ts';
import { PASSED_BY } from './breaker.ts';
import type { Health } from './health.ts';
import type { TargetState } from './state.ts';

/** Times in ms since the call was sent: to the first token of a stream, or to the end of any other answer. */
export type Took = { firstTokenMs: number | null } | { wholeMs: number };

/** Reports an attempt to its target's health. The first of `succeeded`, `failed` and `left` ends it. */
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

  /** The answer began after this many ms, so a probe has succeeded. Optional. */
  answered(firstTokenMs: number): void {
    if (!this.#ended) this.#answer({ firstTokenMs });
  }

  succeeded(took: Took): void {
    if (this.#end()) return;
    const isCounted = this.#isCounted();
    this.#answer(took);
    if (isCounted) this.#health.succeeded(this.#state);
  }

  /** @param keyId the call's API key: failures of a single key do not block the target for all */
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
    if (this.#isPassedBy()) return this.#health.spread(state, error);
    this.#health.extend(state, error);
  }

  /** It ended for a reason that says nothing about the target: the caller left. */
  left(): void {
    if (!this.#end()) this.#release();
  }

  /** @returns true if it had already ended */
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
    // An answered call that was sent after the circuit opened shows that the target works.
    if (state.access.breaker.wasPassed(this.#accessGeneration)) this.#health.credentials.accept(state.access);
    state.access.evidence.clear();
    if (state.breaker.wasPassed(this.#generation)) {
      if (this.#probe === PASSED_BY) this.#health.spare(state);
      else this.#health.restore(state);
    }
    this.#health.answered(state, took);
  }

  /** Calls that began before the circuit changed are ignored. */
  #isCounted(): boolean {
    const { breaker, servesOthers } = this.#state;
    if (breaker.generation !== this.#generation) return false;
    return breaker.closed || (servesOthers && this.#probe === PASSED_BY);
  }

  /** True if the circuit is open only for another API key's calls. */
  #isPassedBy(): boolean {
    return this.#probe === PASSED_BY && this.#state.breaker.wasPassed(this.#generation);
  }

  #release(): void {
    this.#state.breaker.release(this.#probe);
    this.#state.access.breaker.release(this.#accessProbe);
  }
}

/** What a failure blames: the model at that provider, the credential, or neither (the call itself was wrong). */
export type Blame = 'target' | 'credential' | 'nobody';

/** What an error blames. */
export function blameOf({ kind, status }: Pick<GatewayError, 'kind' | 'status'>): Blame {
  if (kind === 'upstream_unauthorized') return 'credential';
  if (kind === 'upstream_error') return status >= 500 ? 'target' : 'nobody';
  return TARGETS_FAULT.has(kind) ? 'target' : 'nobody';
}

const TARGETS_FAULT: ReadonlySet<ErrorKind> = new Set([
  'upstream_rate_limited',
  'upstream_account_empty',
  'upstream_unreachable',
  'upstream_disconnected',
  'upstream_invalid_answer',
  'upstream_timeout',
]);
