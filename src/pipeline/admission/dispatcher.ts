import { GatewayError } from '../../core/errors.ts';
import type { Provider, Target } from '../../core/provider.ts';
import { Deadline } from '../../deadlines/timer-wheel.ts';
import { isTold, jittered } from '../../health/health.ts';
import type { WatchedAttempt } from '../../health/watched-attempt.ts';
import { Attempt } from '../attempt.ts';
import type { CallRun } from '../call-run.ts';
import type { PipelineParts } from '../parts.ts';
import { ProviderQueues, type ProviderSlot } from './provider-queue.ts';

/** The shortest `retry-after` if every target is unavailable. */
const RETRY_MS = 1000;

/** Opens a call's attempts: finds the target that can take it now, and decides when to ask one again. */
export class Dispatcher {
  readonly #parts: PipelineParts;
  readonly #queues: ProviderQueues;
  readonly #budget = new RetryBudget();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#queues = new ProviderQueues(parts.wheel);
  }

  /**
   * An attempt at the next target; a promise only if all remaining targets are busy and the call must wait for one.
   * Throws, or rejects with, `no_target_available` or `provider_busy` if none takes it.
   *
   * /!\ Hot path: a call to a healthy target with a free slot creates no promise here.
   */
  next(run: CallRun): Attempt | Promise<Attempt> {
    const { failover, keyId } = run;
    let busy: Target[] | null = null;
    for (const target of failover.rest) {
      const admits = run.account.admits(target);
      if (admits instanceof Promise) return admits.then(() => this.next(run));
      if (!admits) {
        failover.take(target);
        continue;
      }
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
    // A caller who names a model can only get that one: its vendor's own error says more than ours would.
    if (run.plan.route === null && failover.attempts === 0) return this.#anyway(run);
    throw this.#noneAvailable(run);
  }

  /** A slot at a provider if one is free now, else `null`: for a request that is not a call. */
  slotAt(provider: Provider): ProviderSlot | null {
    return this.#queues.take(provider);
  }

  /**
   * What follows a failure: an attempt at the next target, at the same one after a wait, or `null`. Rejects only with
   * the gateway's own faults, and with the error of a call that is ended while it waits.
   */
  async after(run: CallRun, target: Target, error: GatewayError): Promise<Attempt | null> {
    const step = run.failover.after(target, error, run.timeLeft, this.#parts.random());
    if (step.kind === 'end' || run.request.answer.gone) return null;
    if (step.kind === 'repeat') return this.#again(run, target, step.waitMs, isTold(error));
    try {
      return await this.next(run);
    } catch (error) {
      // The earlier failure is reported, not that no other target takes the call.
      if (!(error instanceof GatewayError)) throw error;
      return null;
    }
  }

  /** `told`: the vendor asked for a wait. Its circuit stays open for that long, so the wait covers both. */
  async #again(run: CallRun, target: Target, waitMs: number, told: boolean): Promise<Attempt | null> {
    const { budget: share, budgetMin: least } = run.settings.retries;
    const openMs = run.plan.route === null ? 0 : this.#parts.health.waitFor(target, run.keyId);
    if (openMs > waitMs && !this.#mayOutwait(run, target, told)) return null;
    // What the circuit adds only spreads calls: it must not cost a call the time it has left.
    const wait = openMs < run.timeLeft ? Math.max(waitMs, openMs) : waitMs;
    if (!this.#budget.take(run.calls.count, { share, least })) return null;
    let attempt: Attempt | null = null;
    try {
      const goesOn = (await this.#wait(run, wait)) && (await run.account.admits(target));
      attempt = goesOn ? this.#sameAgain(run, target, told) : null;
      return attempt;
    } finally {
      if (attempt === null) this.#budget.giveBack();
    }
  }

  #sameAgain(run: CallRun, target: Target, told: boolean): Attempt | null {
    const { health } = this.#parts;
    const admitted = health.admit(target, run.keyId, true);
    // Others who were told to wait may have the probe by now, or keep the circuit open: the budget bounds them all.
    const watched = admitted ?? (this.#mayOutwait(run, target, told) ? health.watch(target, run.keyId) : null);
    if (watched === null) return null;
    const slot = this.#queues.take(target.provider);
    if (slot !== null) return open(run, target, watched, repeating(slot, this.#budget));
    watched.left();
    return null;
  }

  /**
   * Whether an open circuit does not end the call. A route only outwaits one that its vendor's `retry-after` opened, and
   * for no longer than the longest wait; the jitter of the gateway is not held against that.
   */
  #mayOutwait({ plan, settings, keyId }: CallRun, target: Target, told: boolean): boolean {
    if (plan.route === null) return true;
    return told && this.#parts.health.waitFor(target, keyId) <= jittered(settings.retries.maxWait, 1);
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

  /** Waits for a slot. Ends early if the caller leaves or the gateway stops, because nothing has been sent yet. */
  async #waitForSlot({ calls, request, keyId, timeLeft }: CallRun, { provider }: Target): Promise<ProviderSlot> {
    let leaveQueue = (_?: GatewayError) => {};
    const waiting = { interrupt: (error: GatewayError) => leaveQueue(error), waitsAt: -1, admission: null };
    const onWait = (leave: (error?: GatewayError) => void) => {
      leaveQueue = leave;
      calls.wait(waiting, request.admission);
      request.answer.onGone(() => leave());
    };
    try {
      return await this.#queues.wait(provider, { keyId, atMost: timeLeft, onWait });
    } finally {
      calls.stopWaiting(waiting);
    }
  }

  /** Between a decision and its first attempt, other calls may have taken the last slot of a recovering target. */
  #noneAvailable({ plan, keyId }: CallRun): GatewayError {
    const waits = plan.targets.map((target) => this.#parts.health.waitFor(target, keyId));
    const message = `No target of \`${plan.entry.id}\` takes calls now; send the call again.`;
    return new GatewayError('no_target_available', message, { retryAfterMs: Math.max(RETRY_MS, Math.min(...waits)) });
  }

  /**
   * Whether the call continues after the wait; false if the caller leaves, or if the gateway stops: the caller then gets
   * the vendor's own answer. Rejects if the call may not continue, for example because its key was revoked.
   */
  #wait({ calls, request }: CallRun, ms: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const interrupt = (error: GatewayError) => {
        if (error.kind !== 'shutting_down') reject(error);
        end(false);
      };
      const waiting = { interrupt, waitsAt: -1, admission: null };
      const deadline = new Deadline(this.#parts.wheel, () => end(true));
      const end = (goesOn: boolean) => {
        deadline.clear();
        calls.stopWaiting(waiting);
        resolve(goesOn);
      };
      deadline.set(ms);
      calls.wait(waiting, request.admission);
      request.answer.onGone(() => end(false));
    });
  }
}

function open(run: CallRun, target: Target, watched: WatchedAttempt, slot: ProviderSlot): Attempt {
  run.account.asks(target);
  run.failover.take(target);
  run.failover.begin();
  return new Attempt(run, target, watched, slot);
}

export type RetryBudgetSettings = {
  /** The most repeats at the same target, as a share of the other calls in flight. */
  share: number;
  /** The number of repeats that is always allowed. */
  least: number;
};

/**
 * Limits how many calls may be repeated at the same target at once. If a vendor fails all calls, it gets a fifth more
 * calls, not three times as many: a repeat always takes longer than the failed call, because of its wait.
 */
export class RetryBudget {
  #taken = 0;

  /** Takes one repeat from the budget. @returns false if none is left */
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

/** The slot of a repeat: releasing it also gives the repeat back to the budget. */
function repeating(slot: ProviderSlot, budget: RetryBudget): ProviderSlot {
  return {
    release() {
      slot.release();
      budget.giveBack();
    },
  };
}
