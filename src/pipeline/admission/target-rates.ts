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
  /** Whether rates of what is sent hold: for calls, and not for counting tokens, which vendors limit by itself. */
  isSent: boolean;
};

type TakenRate = ProjectRateLimit | HeldRate;
/** Why a rate has no room; `null` where it has. */
type NoRoom = GatewayError | null;

/** What a call used in the end: all its tokens, and those of them that were read from a cache. */
export type UsedTokens = { all: number; cached: number };

/**
 * What one call takes from the rates that its project set for models, and from those of what is sent to providers, once a target
 * is to be asked. For a rate of its project the call is one request, whatever it takes to answer it; for what is sent each
 * request counts. Its tokens count once. Closed exactly once, with `settle` or `cancel`.
 */
export class TargetRates {
  readonly #parts: RatedParts;
  readonly #rates: ReadonlyMap<string, ProjectRateLimit>;
  readonly #outgoing = new Map<string, HeldRate>();
  readonly #taken = new Map<TakenRate, Reservation>();
  /** One more request each, for a target that is to be asked next. */
  readonly #further = new Map<TakenRate, Reservation>();
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
    return this.#isLetIn(this.#ofRoute);
  }

  /** Whether a target may be asked, for the first time or again. Rejects where that cannot be found out. */
  admit(target: Target): boolean | Promise<boolean> {
    return this.#isLetIn(this.#ratesOf(target));
  }

  /** Notes that an admitted target is asked: its rates count the request, whatever comes of it. */
  ask(target: Target): void {
    for (const rate of this.#ratesOf(target)) {
      this.#asked.add(rate);
      this.#further.get(rate)?.settle(0, 0n);
      this.#further.delete(rate);
    }
  }

  /** Asks a target again in the same attempt. @returns the refusal if there is no room for another request */
  async askAgain(target: Target): Promise<NoRoom> {
    const refusal = await this.#take(this.#ratesOf(target));
    if (refusal === null) this.ask(target);
    return refusal;
  }

  /** @param served who served the call or was asked last; its rates count the tokens */
  settle(served: Target, { all, cached }: UsedTokens): void {
    const counting = [...this.#ofRoute, ...this.#ratesOf(served)];
    for (const [rate, reservation] of this.#taken) {
      if (counting.includes(rate)) reservation.settle(this.#countsCached(rate) ? all : all - cached, 0n);
      else if (this.#asked.has(rate)) reservation.settle(0, 0n);
      else reservation.cancel();
    }
    this.#cancelFurther();
  }

  cancel(): void {
    for (const reservation of this.#taken.values()) reservation.cancel();
    this.#cancelFurther();
  }

  #cancelFurther(): void {
    for (const reservation of this.#further.values()) reservation.cancel();
  }

  #countsCached(rate: TakenRate): boolean {
    return 'id' in rate ? rate.countsCached : this.#parts.countsCached;
  }

  #ratesOf(target: Target): readonly TakenRate[] {
    const ofProject = this.#rates.size === 0 ? [] : ratesFor(target, this.#rates, this.#parts.find);
    if (!this.#parts.isSent) return ofProject;
    return [...ofProject, ...outgoingRatesOf(target).map((rate) => this.#once(rate))];
  }

  /** The same object for what is counted together, such as a provider with two credentials. */
  #once(rate: HeldRate): HeldRate {
    const known = this.#outgoing.get(rate.id);
    if (known === undefined) this.#outgoing.set(rate.id, rate);
    return known ?? rate;
  }

  #isLetIn(rates: readonly TakenRate[]): boolean | Promise<boolean> {
    const note = (refusal: NoRoom) => {
      this.refusal ??= refusal;
      return refusal === null;
    };
    const taken = this.#take(rates);
    return taken instanceof Promise ? taken.then(note) : note(taken);
  }

  /** Takes what the call does not hold yet of these rates. @returns the refusal of the first that has no room */
  #take(rates: readonly TakenRate[]): NoRoom | Promise<NoRoom> {
    for (const rate of rates) {
      if (this.#heldOf(rate).has(rate)) continue;
      const reserved = this.#reserve(rate);
      if (reserved instanceof Promise) return reserved.then((refusal) => refusal ?? this.#take(rates));
      if (reserved !== null) return reserved;
    }
    return null;
  }

  /** Where the reservation of the next request under a rate is kept. */
  #heldOf(rate: TakenRate): Map<TakenRate, Reservation> {
    return 'id' in rate && this.#asked.has(rate) ? this.#further : this.#taken;
  }

  #reserve(rate: TakenRate): NoRoom | Promise<NoRoom> {
    const held = this.#heldOf(rate);
    const isFirst = held === this.#taken;
    const known = isFirst ? this.#refused.get(rate) : undefined;
    if (known !== undefined) return known;
    const note = (reservation: Reservation) => {
      held.set(rate, reservation);
      return null;
    };
    const refuse = (error: unknown) => {
      if (!(error instanceof GatewayError) || error.status !== 429) throw error;
      // Another request may have room later, behind a wait.
      if (isFirst) this.#refused.set(rate, error);
      return error;
    };
    try {
      const { limiter, key, call } = this.#parts;
      const request = isFirst ? call : { ...call, tokens: 0 };
      const reserved = 'id' in rate ? limiter.reserveOutgoing(rate, request) : limiter.reserve(key, rate, request);
      return reserved instanceof Promise ? reserved.then(note, refuse) : note(reserved);
    } catch (error) {
      return refuse(error);
    }
  }
}
