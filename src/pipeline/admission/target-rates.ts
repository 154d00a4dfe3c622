import type { CalledModel } from '../../core/access.ts';
import { GatewayError } from '../../core/errors.ts';
import { type HeldRate, outgoingRatesOf } from '../../core/outgoing-rates.ts';
import type { RatedCall, RateLimiter, Reservation } from '../../core/ports.ts';
import { ratesFor, ratesForRoute } from '../../core/project-rate.ts';
import type { Directory, Target } from '../../core/provider.ts';
import type { ApiKey } from '../../core/records.ts';
import type { ProjectRateLimit } from '../../core/settings.ts';

export type RatedParts = {
  limiter: RateLimiter;
  key: ApiKey;
  find: Directory['find'];
  call: RatedCall;
  /** Whether prompt tokens that were read from a cache count for rates of projects. */
  countsCached: boolean;
};

type TakenRate = ProjectRateLimit | HeldRate;

/** What a call used in the end: all its tokens, and those of them that were read from a cache. */
export type UsedTokens = { all: number; cached: number };

/**
 * What one call takes from the rates that its project set for models, and from those of what is sent to providers: from those of a
 * target once that is to be asked, and from each rate once. Closed exactly once, with `settle` or `cancel`.
 */
export class TargetRates {
  readonly #parts: RatedParts;
  readonly #rates: ReadonlyMap<string, ProjectRateLimit>;
  readonly #outgoing = new Map<string, HeldRate>();
  readonly #taken = new Map<TakenRate, Reservation>();
  readonly #refused = new Map<TakenRate, GatewayError>();
  /** Those of targets that were asked. */
  readonly #asked = new Set<TakenRate>();
  #ofRoute: readonly TakenRate[] = [];
  /** Why a target was not admitted, first. */
  refusal: GatewayError | null = null;

  constructor(parts: RatedParts) {
    this.#parts = parts;
    this.#rates = parts.key.inForce?.rates ?? new Map();
  }

  /** Whether calls of a route are let in by the rates that were set for the route itself. */
  admitRoute(called: CalledModel): boolean | Promise<boolean> {
    this.#ofRoute = ratesForRoute(called, this.#rates);
    return this.#take(this.#ofRoute);
  }

  /** Whether a target may be asked. Rejects where that cannot be found out. */
  admit(target: Target): boolean | Promise<boolean> {
    return this.#take(this.#ratesOf(target));
  }

  /** Notes that an admitted target is asked: its rates count the call, whatever comes of it. */
  ask(target: Target): void {
    for (const rate of this.#ratesOf(target)) this.#asked.add(rate);
  }

  /** @param served who served the call or was asked last; its rates count the tokens */
  settle(served: Target, { all, cached }: UsedTokens): void {
    const counting = [...this.#ofRoute, ...this.#ratesOf(served)];
    for (const [rate, reservation] of this.#taken) {
      if (counting.includes(rate)) reservation.settle(this.#countsCached(rate) ? all : all - cached, 0n);
      else if (this.#asked.has(rate)) reservation.settle(0, 0n);
      else reservation.cancel();
    }
  }

  cancel(): void {
    for (const reservation of this.#taken.values()) reservation.cancel();
  }

  #countsCached(rate: TakenRate): boolean {
    return 'id' in rate ? rate.countsCached : this.#parts.countsCached;
  }

  #ratesOf(target: Target): readonly TakenRate[] {
    const ofProject = this.#rates.size === 0 ? [] : ratesFor(target, this.#rates, this.#parts.find);
    return [...ofProject, ...outgoingRatesOf(target).map((rate) => this.#once(rate))];
  }

  /** The same object for what is counted together, such as a provider with two credentials. */
  #once(rate: HeldRate): HeldRate {
    const known = this.#outgoing.get(rate.id);
    if (known === undefined) this.#outgoing.set(rate.id, rate);
    return known ?? rate;
  }

  #take(rates: readonly TakenRate[]): boolean | Promise<boolean> {
    for (const rate of rates) {
      if (this.#taken.has(rate)) continue;
      const refused = this.#refused.get(rate);
      if (refused !== undefined) {
        this.refusal ??= refused;
        return false;
      }
      const reserved = this.#reserve(rate);
      if (reserved instanceof Promise) return reserved.then(() => this.#take(rates));
      if (!reserved) return this.#take(rates);
    }
    return true;
  }

  /** Whether the rate has room for the call. */
  #reserve(rate: TakenRate): boolean | Promise<boolean> {
    const note = (reservation: Reservation) => {
      this.#taken.set(rate, reservation);
      return true;
    };
    const refuse = (error: unknown) => {
      if (!(error instanceof GatewayError) || error.status !== 429) throw error;
      this.#refused.set(rate, error);
      return false;
    };
    try {
      const { limiter, key, call } = this.#parts;
      const reserved = 'id' in rate ? limiter.reserveOutgoing(key, rate, call) : limiter.reserve(key, rate, call);
      return reserved instanceof Promise ? reserved.then(note, refuse) : note(reserved);
    } catch (error) {
      return refuse(error);
    }
  }
}
