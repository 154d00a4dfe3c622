import type { GatewayError } from '../core/errors.ts';
import type { Target } from '../core/provider.ts';
import { classify, type FailureClass } from './failure.ts';

/** The first wait before the same target is asked again if it sent no `retry-after`, in ms; it doubles each time. */
const FIRST_WAIT_MS = 250;

/** With no more time left than this, no further target is asked. */
const LEAST_MS = 1;

export type FailoverPlan = {
  targets: readonly Target[];
  /** Used instead of the remaining targets if one reports that the prompt is too long, or refuses its content. */
  contextTargets: readonly Target[];
  policyTargets: readonly Target[];
};

/** All targets of a plan, for whatever reason a call may go there. */
export function allTargets({ targets, contextTargets, policyTargets }: FailoverPlan): readonly Target[] {
  return [...targets, ...contextTargets, ...policyTargets];
}

/** True if a plan has such a target. /!\ Hot path: it makes no list. */
export function hasTarget(
  { targets, contextTargets, policyTargets }: FailoverPlan,
  is: (target: Target) => boolean,
): boolean {
  return targets.some(is) || contextTargets.some(is) || policyTargets.some(is);
}

export type FailoverLimits = {
  /** The most attempts of one call, at all targets together. */
  attempts: number;
  /** The longest wait before the same target is asked again, in ms. */
  maxWait: number;
};

/** What to do after a failure. */
export type NextStep = { kind: 'next' } | { kind: 'repeat'; waitMs: number } | { kind: 'end' };

/**
 * The order in which one call tries its targets. Each is tried once, in order; if none is left, the last one is asked
 * again if that is safe. After a failure that a vendor may charge for, there is at most one more attempt.
 */
export class Failover {
  readonly #plan: FailoverPlan;
  readonly #limits: FailoverLimits;
  #rest: readonly Target[];
  #taken: readonly Target[] = NOBODY;
  #attempts = 0;
  #unanswered = false;
  #repeats = 0;
  /** True if the call switched to the context or policy targets. */
  #turned = false;

  constructor(plan: FailoverPlan, limits: FailoverLimits) {
    this.#plan = plan;
    this.#limits = limits;
    this.#rest = plan.targets;
  }

  get attempts(): number {
    return this.#attempts;
  }

  /** The remaining targets, the next one first. */
  get rest(): readonly Target[] {
    return this.#rest;
  }

  /** True if another target may be asked if the present one fails. */
  get mayMove(): boolean {
    return this.#rest.length > 0 && this.#attempts < this.#limits.attempts;
  }

  /** True if another target may be asked if the present one does not answer: after a second such failure none is. */
  get mayMoveIfUnanswered(): boolean {
    return this.mayMove && !this.#unanswered;
  }

  /** Removes a target from the remaining ones. */
  take(target: Target): void {
    const isLast = this.#rest.length === 1 && this.#rest[0] === target;
    this.#rest = isLast ? NOBODY : this.#rest.filter((other) => other !== target);
  }

  /** Counts an attempt that begins. */
  begin(): void {
    this.#attempts += 1;
  }

  /**
   * @param timeLeft of the call, in ms
   * @param random from 0 to 1, so that calls refused together are not repeated together
   */
  after(target: Target, error: GatewayError, timeLeft: number, random: number): NextStep {
    const failure = classify(error);
    this.#taken = [...this.#taken, target];
    if (failure === 'final' || this.#attempts >= this.#limits.attempts || timeLeft <= LEAST_MS) return END;
    if (failure === 'unanswered') {
      if (this.#unanswered) return END;
      this.#unanswered = true;
    }
    this.#rest = this.#restAfter(target, failure);
    if (this.#rest.length > 0) return NEXT;
    return this.#repeat(failure, error.retryAfterMs, timeLeft, random);
  }

  #restAfter(target: Target, failure: FailureClass): readonly Target[] {
    switch (failure) {
      case 'context':
        return this.#turn(this.#plan.contextTargets) ?? this.#rest.filter((other) => isWider(other, target));
      case 'policy':
        return this.#turn(this.#plan.policyTargets) ?? this.#rest.filter((other) => !isSameModel(other, target));
      case 'rejected':
        return this.#rest.filter((other) => !isSameModel(other, target));
      case 'unreached':
      case 'unanswered':
        // Faults of a vendor's servers affect all its credentials and models.
        return [
          ...this.#rest.filter((other) => other.provider.id !== target.provider.id),
          ...this.#rest.filter((other) => other.provider.id === target.provider.id),
        ];
      default:
        return this.#rest;
    }
  }

  /** The targets for this kind of refusal; `null` if none is left of them or the call already switched. */
  #turn(targets: readonly Target[]): readonly Target[] | null {
    if (this.#turned) return null;
    const untried = targets.filter((target) => !this.#taken.some((taken) => isSameModel(taken, target)));
    if (untried.length === 0) return null;
    this.#turned = true;
    return untried;
  }

  #repeat(failure: FailureClass, retryAfterMs: number | undefined, timeLeft: number, random: number): NextStep {
    if (failure !== 'unreached' && failure !== 'refused' && failure !== 'unanswered') return END;
    const backoff = FIRST_WAIT_MS * 2 ** this.#repeats * (0.5 + random);
    const waitMs = failure === 'refused' && retryAfterMs !== undefined ? retryAfterMs : backoff;
    if (waitMs > this.#limits.maxWait || waitMs >= timeLeft) return END;
    this.#repeats += 1;
    return { kind: 'repeat', waitMs };
  }
}

const NOBODY: readonly Target[] = [];
const NEXT: NextStep = { kind: 'next' };
const END: NextStep = { kind: 'end' };

function isSameModel(one: Target, other: Target): boolean {
  return one.provider.id === other.provider.id && one.model.upstreamId === other.model.upstreamId;
}

/** True if its context window is larger, or one of them is unknown. */
function isWider(other: Target, than: Target): boolean {
  if (isSameModel(other, than)) return false;
  const [more, less] = [other.model.contextWindow, than.model.contextWindow];
  return more === null || less === null || more > less;
}
