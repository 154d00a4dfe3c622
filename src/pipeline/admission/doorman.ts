import { GatewayError } from '../../core/errors.ts';
import type { Target } from '../../core/provider.ts';
import { Deadline } from '../../core/timer-wheel.ts';
import type { Ticket } from '../../routing/health/ticket.ts';
import type { Journey } from '../journey.ts';
import { Leg } from '../leg.ts';
import type { Interruptible, OpenCalls } from '../open-calls.ts';
import type { PipelineParts } from '../parts.ts';
import { Lanes, type Place } from './lanes.ts';
import { RetryBudget } from './retry-budget.ts';

/** The least that is asked to wait where every target is taken. */
const RETRY_MS = 1000;

/** A target that takes the call now. */
export class Stop {
  readonly leg: Leg;
  readonly ticket: Ticket;
  readonly #place: Place;
  /** Of which it is a repeat at the same target; `null` where it is none. */
  #budget: RetryBudget | null;

  constructor(leg: Leg, ticket: Ticket, place: Place, budget: RetryBudget | null) {
    this.leg = leg;
    this.ticket = ticket;
    this.#place = place;
    this.#budget = budget;
  }

  /** Gives back what was taken for it, at the end of the attempt; the second time changes nothing. A ticket whose end was told stays so. */
  leave(): void {
    this.ticket.left();
    this.#place.leave();
    this.#budget?.giveBack();
    this.#budget = null;
  }
}

/** Finds the target of a call's walk that takes it now, and the moment to ask one again. */
export class Doorman {
  readonly #parts: PipelineParts;
  readonly #calls: OpenCalls;
  readonly #lanes: Lanes;
  readonly #budget = new RetryBudget();

  constructor(parts: PipelineParts, calls: OpenCalls) {
    this.#parts = parts;
    this.#calls = calls;
    this.#lanes = new Lanes(parts.wheel);
  }

  /**
   * The next target; a promise only where all that are left are busy and it has to wait for one. Throws, or rejects with,
   * `no_target_available` or `provider_busy` where none takes it.
   *
   * /!\ Hot path: a call to a target that is well and has room makes no promise here.
   */
  next(journey: Journey): Stop | Promise<Stop> {
    const { walk } = journey;
    const keyId = journey.request.caller.key.id;
    let busy: Target[] | null = null;
    for (const target of walk.rest) {
      const ticket = this.#parts.health.admit(target, keyId, walk.rest.length === 1);
      if (ticket === null) {
        walk.take(target);
        continue;
      }
      const place = this.#lanes.tryEnter(target.provider);
      if (place !== null) return this.#stop(journey, target, ticket, place, false);
      ticket.left();
      busy ??= [];
      busy.push(target);
    }
    if (busy !== null)
      return this.#queued(journey, busy.find((each) => this.#lanes.hasRoom(each.provider)) ?? busy[0]!);
    // A caller who names the one model can be given no other: its vendor's own answer is more than a refusal of ours.
    if (journey.plan.route === null && walk.attempts === 0) return this.#anyway(journey);
    throw this.#noneAvailable(journey);
  }

  /** What follows a failure: the next target, the same one after a wait, or nothing (`null`). Rejects with faults of our own alone. */
  async after(journey: Journey, leg: Leg, error: GatewayError): Promise<Stop | null> {
    const { walk } = journey;
    const step = walk.after(leg.target, error, journey.timeLeft, this.#parts.random());
    if (step.kind === 'end' || journey.request.answer.gone) return null;
    if (step.kind === 'repeat') return this.#again(journey, leg.target, step.waitMs, error.retryAfterMs !== undefined);
    try {
      return await this.next(journey);
    } catch (error) {
      // That nobody else takes the call is no news: what went wrong before is.
      if (!(error instanceof GatewayError)) throw error;
      return null;
    }
  }

  /** `told`: the vendor said how long, so that its circuit is open for as long, and that is waited for. */
  async #again(journey: Journey, target: Target, waitMs: number, told: boolean): Promise<Stop | null> {
    const { budget: share, budgetMin: least, maxWait } = journey.settings.retries;
    const wait = Math.max(
      waitMs,
      journey.plan.route === null ? 0 : this.#outFor(target, journey.request.caller.key.id),
    );
    // A circuit that has opened by itself will not let the call in: there is nothing to wait for.
    if (wait > waitMs && (!told || wait > maxWait || wait >= journey.timeLeft)) return null;
    if (!this.#budget.take(this.#calls.count, { share, least })) return null;
    const stop = (await this.#wait(journey, wait)) ? this.#sameAgain(journey, target) : null;
    if (stop === null) this.#budget.giveBack();
    return stop;
  }

  /** Milliseconds until a target may be asked again by an API key; 0 or less where it may be now. */
  #outFor(target: Target, keyId: string): number {
    const { openUntil, credentialOutUntil } = this.#parts.health.of(target, keyId);
    return Math.max(openUntil ?? 0, credentialOutUntil ?? 0) - this.#parts.clock.now();
  }

  #sameAgain(journey: Journey, target: Target): Stop | null {
    const { health } = this.#parts;
    const keyId = journey.request.caller.key.id;
    const ticket =
      health.admit(target, keyId, true) ?? (journey.plan.route === null ? health.watch(target, keyId) : null);
    if (ticket === null) return null;
    const place = this.#lanes.tryEnter(target.provider);
    if (place !== null) return this.#stop(journey, target, ticket, place, true);
    ticket.left();
    return null;
  }

  async #queued(journey: Journey, target: Target): Promise<Stop> {
    const { walk } = journey;
    const place = await this.#waitForPlace(journey, target);
    const ticket = this.#parts.health.admit(target, journey.request.caller.key.id, walk.rest.length === 1);
    if (ticket !== null) return this.#stop(journey, target, ticket, place, false);
    place.leave();
    return this.next(journey);
  }

  async #anyway(journey: Journey): Promise<Stop> {
    const [target] = journey.plan.targets;
    const place = await this.#waitForPlace(journey, target);
    const ticket = this.#parts.health.watch(target, journey.request.caller.key.id);
    return this.#stop(journey, target, ticket, place, false);
  }

  /** Its caller may leave the queue, and a stop ends it: what has not been sent is not sent any more. */
  async #waitForPlace({ request, timeLeft }: Journey, { provider }: Target): Promise<Place> {
    let waiting: Interruptible | null = null;
    try {
      return await this.#lanes.enter(provider, request.caller.key.id, timeLeft, (leave) => {
        waiting = { interrupt: leave };
        this.#calls.wait(waiting);
        request.answer.onGone(() => leave());
      });
    } finally {
      if (waiting !== null) this.#calls.stopWaiting(waiting);
    }
  }

  #stop(journey: Journey, target: Target, ticket: Ticket, place: Place, repeated: boolean): Stop {
    journey.walk.take(target);
    journey.walk.begin();
    return new Stop(new Leg(this.#parts, journey, target), ticket, place, repeated ? this.#budget : null);
  }

  /** Between a decision and its first attempt others may have taken the last place of a target that comes back. */
  #noneAvailable({ plan, request }: Journey): GatewayError {
    const waits = plan.targets.map((target) => this.#outFor(target, request.caller.key.id));
    const message = `No target of \`${plan.entry.id}\` takes calls now; send the call again.`;
    return new GatewayError('no_target_available', message, { retryAfterMs: Math.max(RETRY_MS, Math.min(...waits)) });
  }

  /** Whether the call is to go on after the wait: its caller may leave, or the gateway stop. */
  #wait(journey: Journey, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = { interrupt: () => end(false) };
      const deadline = new Deadline(this.#parts.wheel, () => end(true));
      const end = (goesOn: boolean) => {
        deadline.clear();
        this.#calls.stopWaiting(waiting);
        resolve(goesOn);
      };
      deadline.set(ms);
      this.#calls.wait(waiting);
      journey.request.answer.onGone(() => end(false));
    });
  }
}
