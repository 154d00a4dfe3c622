import type { Target } from '../core/provider.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { Failover } from '../routing/failover.ts';
import type { Account, PlannedCall } from './account.ts';
import type { OpenCalls } from './open-calls.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import type { CallPlan } from './planner.ts';

/** One call under way: what is asked, the account that is open for it, who may still be asked, and how long. */
export class CallRun {
  readonly parts: PipelineParts;
  readonly calls: OpenCalls;
  readonly request: CallRequest;
  readonly envelope: Envelope;
  readonly plan: CallPlan;
  readonly settings: PipelineSettings;
  readonly account: Account;
  readonly failover: Failover;

  constructor(parts: PipelineParts, calls: OpenCalls, planned: PlannedCall, account: Account) {
    this.parts = parts;
    this.calls = calls;
    this.request = planned.request;
    this.envelope = planned.envelope;
    this.plan = planned.plan;
    this.settings = planned.settings;
    this.account = account;
    const { attempts, maxWait } = planned.settings.retries;
    this.failover = new Failover(planned.plan, { attempts: planned.plan.route?.limits.attempts ?? attempts, maxWait });
  }

  get keyId(): string {
    return this.request.caller.key.id;
  }

  /** Whether another target may be asked where this one fails. */
  get mayMove(): boolean {
    return this.failover.rest.length > 0;
  }

  /** Milliseconds that the whole call may still take. */
  get timeLeft(): number {
    const total = this.plan.route?.limits.total ?? this.settings.timeouts.total;
    return Math.max(1, total - (this.parts.clock.monotonic() - this.request.startedAt));
  }

  /** Milliseconds of these that a target may take: while others may be asked, half of them are theirs. */
  get timeHere(): number {
    return this.mayMove ? this.timeLeft / 2 : this.timeLeft;
  }

  /** Milliseconds that a stream's first byte may take at a target. */
  firstByteAt({ model }: Target): number {
    const { firstByte, firstByteReasoning } = this.settings.timeouts;
    const usual = model.capabilities?.reasoning === true ? firstByteReasoning : firstByte;
    return Math.min(this.plan.route?.limits.firstByte ?? usual, this.timeHere);
  }
}
