import { GatewayError } from '../../core/errors.ts';
import type { Target } from '../../core/provider.ts';
import { Deadline } from '../../deadlines/timer-wheel.ts';
import type { WatchedAttempt } from '../../health/watched-attempt.ts';
import { Attempt } from '../attempt.ts';
import type { CallRun } from '../call-run.ts';
import type { PipelineParts } from '../parts.ts';
import { ProviderQueues, type ProviderSlot } from './provider-queue.ts';

/** The least that is asked to wait where every target is taken. */
const RETRY_MS = 1000;

/** Opens a call's attempts: finds the target that takes it now, and the moment to ask one again. */
export class Dispatcher {
  readonly #parts: PipelineParts;
  readonly #queues: ProviderQueues;
  readonly #budget = new RetryBudget();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#queues = new ProviderQueues(parts.wheel);
  }

  /**
   * An attempt at the next target; a promise only where all that are left are busy and it has to wait for one. Throws, or
   * rejects with, `no_target_available` or `provider_busy` where none takes it.
   *
   * /!\ Hot path: a call to a target that is well and has room makes no promise here.
   */
  next(run: CallRun): Attempt | Promise<Attempt> {
    const { failover, keyId } = run;
    let busy: Target[] | null = null;
    for (const target of failover.rest) {
      const watched = this.#parts.health.admit(target, keyId, failover.rest.length === 1);
      if (watched === null) {
        failover.take(target);
        continue;
      }
      const slot = this.#queues.take(target.provider);
      if (slot !== null) return open(run, target, watched, slot);
      watched.left();
      busy ??= [];
      busy.push(target);
    }
    if (busy !== null) return this.#queued(run, busy.find((each) => this.#queues.hasRoom(each.provider)) ?? busy[0]!);
    // A caller who names the one model can be given no other: its vendor's own answer is more than a refusal of ours.
    if (run.plan.route === null && failover.attempts === 0) return this.#anyway(run);
    throw this.#noneAvailable(run);
  }

  /** What follows a failure: an attempt at the next target, at the same one after a wait, or none. Rejects with faults of our own alone. */
  async after(run: CallRun, target: Target, error: GatewayError): Promise<Attempt | null> {
    const step = run.failover.after(target, error, run.timeLeft, this.#parts.random());
    if (step.kind === 'end' || run.request.answer.gone) return null;
    if (step.kind === 'repeat') return this.#again(run, target, step.waitMs, error.retryAfterMs !== undefined);
    try {
      return await this.next(run);
    } catch (error) {
      // That nobody else takes the call is no news: what went wrong before is.
      if (!(error instanceof GatewayError)) throw error;
      return null;
    }
  }

  /** `told`: the vendor said how long, so that its circuit is open for as long, and that is waited for. */
  async #again(run: CallRun, target: Target, waitMs: number, told: boolean): Promise<Attempt | null> {
    const { budget: share, budgetMin: least, maxWait } = run.settings.retries;
    const wait = Math.max(waitMs, run.plan.route === null ? 0 : this.#outFor(target, run.keyId));
    // A circuit that has opened by itself will not let the call in: there is nothing to wait for.
    if (wait > waitMs && (!told || wait > maxWait || wait >= run.timeLeft)) return null;
    if (!this.#budget.take(run.calls.count, { share, least })) return null;
    const attempt = (await this.#wait(run, wait)) ? this.#sameAgain(run, target) : null;
    if (attempt === null) this.#budget.giveBack();
    return attempt;
  }

  /** Milliseconds until a target may be asked again by an API key; 0 or less where it may be now. */
  #outFor(target: Target, keyId: string): number {
    const { openUntil, credentialOutUntil } = this.#parts.health.of(target, keyId);
    return Math.max(openUntil ?? 0, credentialOutUntil ?? 0) - this.#parts.clock.now();
  }

  #sameAgain(run: CallRun, target: Target): Attempt | null {
    const { health } = this.#parts;
    const admitted = health.admit(target, run.keyId, true);
    const watched = admitted ?? (run.plan.route === null ? health.watch(target, run.keyId) : null);
    if (watched === null) return null;
    const slot = this.#queues.take(target.provider);
    if (slot !== null) return open(run, target, watched, repeating(slot, this.#budget));
    watched.left();
    return null;
  }

  async #queued(run: CallRun, target: Target): Promise<Attempt> {
    const slot = await this.#waitForSlot(run, target);
    const watched = this.#parts.health.admit(target, run.keyId, run.failover.rest.length === 1);
    if (watched !== null) return open(run, target, watched, slot);
    slot.release();
    return this.next(run);
  }

  async #anyway(run: CallRun): Promise<Attempt> {
    const [target] = run.plan.targets;
    const slot = await this.#waitForSlot(run, target);
    return open(run, target, this.#parts.health.watch(target, run.keyId), slot);
  }

  /** Its caller may leave the queue, and a stop ends it: what has not been sent is not sent any more. */
  async #waitForSlot({ calls, request, keyId, timeLeft }: CallRun, { provider }: Target): Promise<ProviderSlot> {
    let leaveQueue = (_?: GatewayError) => {};
    const waiting = { interrupt: (error: GatewayError) => leaveQueue(error) };
    const onWait = (leave: (error?: GatewayError) => void) => {
      leaveQueue = leave;
      calls.wait(waiting);
      request.answer.onGone(() => leave());
    };
    try {
      return await this.#queues.wait(provider, { keyId, atMost: timeLeft, onWait });
    } finally {
      calls.stopWaiting(waiting);
    }
  }

  /** Between a decision and its first attempt others may have taken the last slot of a target that comes back. */
  #noneAvailable({ plan, keyId }: CallRun): GatewayError {
    const waits = plan.targets.map((target) => this.#outFor(target, keyId));
    const message = `No target of \`${plan.entry.id}\` takes calls now; send the call again.`;
    return new GatewayError('no_target_available', message, { retryAfterMs: Math.max(RETRY_MS, Math.min(...waits)) });
  }

  /** Whether the call is to go on after the wait: its caller may leave, or the gateway stop. */
  #wait({ calls, request }: CallRun, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = { interrupt: () => end(false) };
      const deadline = new Deadline(this.#parts.wheel, () => end(true));
      const end = (goesOn: boolean) => {
        deadline.clear();
        calls.stopWaiting(waiting);
        resolve(goesOn);
      };
      deadline.set(ms);
      calls.wait(waiting);
      request.answer.onGone(() => end(false));
    });
  }
}

function open(run: CallRun, target: Target, watched: WatchedAttempt, slot: ProviderSlot): Attempt {
  run.failover.take(target);
  run.failover.begin();
  return new Attempt(run, target, watched, slot);
}

export type RetryBudgetSettings = {
  /** Repeats at the same target there may be, as a part of the other calls in flight. */
  share: number;
  /** So many may be in any case. */
  least: number;
};

/**
 * How many calls may be repeated at the same target at once. A vendor that fails everybody gets a fifth more calls by it,
 * not three times as many: however long it takes to fail, a repeat takes longer, by its wait.
 */
export class RetryBudget {
  #taken = 0;

  /** Takes one repeat out of the budget, if there is one. */
  take(callsInFlight: number, { share, least }: RetryBudgetSettings): boolean {
    const others = callsInFlight - this.#taken;
    if (this.#taken >= Math.max(least, Math.floor(others * share))) return false;
    this.#taken += 1;
    return true;
  }

  giveBack(): void {
    this.#taken -= 1;
  }
}

/** The slot of a repeat: its share of the budget is given back with it. */
function repeating(slot: ProviderSlot, budget: RetryBudget): ProviderSlot {
  return {
    release() {
      slot.release();
      budget.giveBack();
    },
  };
}
