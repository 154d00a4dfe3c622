import type { Circuit } from '../core/target-status.ts';

/** The longest wait for a probe, in ms: a probe that never ends must not keep its target closed to all other calls. */
const PROBE_LIMIT_MS = 60_000;
/** The retry delay for other calls while a probe is running, in ms. */
const PROBE_RETRY_MS = 1000;
/** Returned by `take` for a call that is not a probe. */
export const NO_PROBE = 0;
/** Instead of `NO_PROBE`, for a call that the circuit does not block: it is open for another API key, or closed. */
export const PASSED_BY = -1;

/**
 * A circuit breaker: closed, open until a time, then half open, when it lets one call through as a probe. The caller
 * decides what opens and closes it. Times are monotonic ms, passed in.
 */
export class Breaker {
  closed = true;
  /** How often it opened by failures since it last closed. */
  trips = 0;
  /** Grows with each opening and closing, so that results of calls from an earlier state can be ignored. */
  generation = 0;
  #openUntil = 0;
  #probeUntil = 0;
  #probe = NO_PROBE;

  /** The state for a new call: open while another call is the probe. */
  circuit(now: number): Circuit {
    if (this.closed) return 'closed';
    return now >= this.#openUntil && now >= this.#probeUntil ? 'half_open' : 'open';
  }

  /** The state shown to people. */
  shown(now: number): Circuit {
    if (this.closed) return 'closed';
    return now >= this.#openUntil ? 'half_open' : 'open';
  }

  /** Milliseconds until a call may pass; 0 if one may now. */
  wait(now: number): number {
    if (this.circuit(now) !== 'open') return 0;
    return now < this.#openUntil ? this.#openUntil - now : PROBE_RETRY_MS;
  }

  mayPass(now: number): boolean {
    return this.closed || this.circuit(now) === 'half_open';
  }

  /** Lets through a call that may pass. @returns its number as a probe, or `NO_PROBE` */
  take(now: number): number {
    if (this.closed) return NO_PROBE;
    this.#probeUntil = now + PROBE_LIMIT_MS;
    this.#probe += 1;
    return this.#probe;
  }

  /** True if this is the running probe. */
  isProbing(probe: number): boolean {
    return !this.closed && probe !== NO_PROBE && probe === this.#probe && this.#probeUntil > 0;
  }

  /** True if a call of this generation was sent while the circuit was open. */
  wasPassed(generation: number): boolean {
    return !this.closed && generation === this.generation;
  }

  /** The probe ended without a result, so the next call becomes the probe. */
  release(probe: number): void {
    if (this.isProbing(probe)) this.#probeUntil = 0;
  }

  /** Opens it because of a failure, and counts that, so that it stays open longer each time. */
  trip(until: number): void {
    this.trips += 1;
    this.open(until);
  }

  /** Opens it until a time, without counting a failure. */
  open(until: number): void {
    this.closed = false;
    this.generation += 1;
    this.#openUntil = until;
    this.#probeUntil = 0;
  }

  /** Keeps an open circuit open at least until then. */
  extend(until: number): void {
    if (!this.closed) this.#openUntil = Math.max(this.#openUntil, until);
  }

  close(): void {
    this.closed = true;
    this.trips = 0;
    this.generation += 1;
    this.#openUntil = 0;
    this.#probeUntil = 0;
  }
}
