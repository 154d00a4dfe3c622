import type { Circuit } from '../core/target-status.ts';

/** How long a probe is waited for, in ms: one that never ends must not keep its target closed to all other calls. */
export const PROBE_LIMIT_MS = 60_000;
/** How much later other calls are asked to come back while a probe is under way, in ms. */
export const PROBE_RETRY_MS = 1000;
/** Returned by `take` where a call is not a probe. */
export const NO_PROBE = 0;

/**
 * A circuit: closed, open until a time, and then half open, when it lets one call through to find out. What opens and
 * closes it is decided elsewhere. Times are monotonic ms, handed in.
 */
export class Breaker {
  closed = true;
  /** How often it was tripped since it was closed last. */
  trips = 0;
  /** Grows with each opening and closing: what a call tells of an earlier time says nothing of this one. */
  generation = 0;
  #openUntil = 0;
  #probeUntil = 0;
  #probe = NO_PROBE;

  /** The state that a call meets: open while another call is the probe. */
  circuit(now: number): Circuit {
    if (this.closed) return 'closed';
    return now >= this.#openUntil && now >= this.#probeUntil ? 'half_open' : 'open';
  }

  /** As people are shown it. */
  shown(now: number): Circuit {
    if (this.closed) return 'closed';
    return now >= this.#openUntil ? 'half_open' : 'open';
  }

  /** How long until a call may go through, in ms; 0 where one may now. */
  wait(now: number): number {
    if (this.circuit(now) !== 'open') return 0;
    return now < this.#openUntil ? this.#openUntil - now : PROBE_RETRY_MS;
  }

  mayPass(now: number): boolean {
    return this.closed || this.circuit(now) === 'half_open';
  }

  /** Lets a call through that may pass. @returns its number as a probe, or `NO_PROBE` */
  take(now: number): number {
    if (this.closed) return NO_PROBE;
    this.#probeUntil = now + PROBE_LIMIT_MS;
    this.#probe += 1;
    return this.#probe;
  }

  /** Whether this is the probe that is waited for. */
  isProbing(probe: number): boolean {
    return !this.closed && probe !== NO_PROBE && probe === this.#probe && this.#probeUntil > 0;
  }

  /** Whether a call of this generation went there although it was open. */
  wasPassed(generation: number): boolean {
    return !this.closed && generation === this.generation;
  }

  /** The probe gave no result: the next call is a probe. */
  release(probe: number): void {
    if (this.isProbing(probe)) this.#probeUntil = 0;
  }

  /** Opens it because of a failure, and counts it, so that it stays open longer each time. */
  trip(until: number): void {
    this.trips += 1;
    this.open(until);
  }

  /** Opens it for as long as it was told to. */
  open(until: number): void {
    this.closed = false;
    this.generation += 1;
    this.#openUntil = until;
    this.#probeUntil = 0;
  }

  /** Keeps an open one open until then at least. */
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
