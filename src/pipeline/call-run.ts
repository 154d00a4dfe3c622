import type { Directory, Target } from '../core/provider.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { Failover } from '../routing/failover.ts';
import type { Account, PlannedCall } from './account.ts';
import { AnswerMetadata } from './answer-metadata.ts';
import type { OpenCalls } from './open-calls.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import type { CallPlan } from './planner.ts';

/** A call in progress: the request, its account, the targets that may still be asked, and the remaining time. */
export class CallRun {
  readonly parts: PipelineParts;
  readonly calls: OpenCalls;
  readonly request: CallRequest;
  readonly envelope: Envelope;
  readonly plan: CallPlan;
  readonly isSteered: boolean;
  readonly settings: PipelineSettings;
  readonly directory: Directory;
  readonly account: Account;
  readonly failover: Failover;
  readonly metadata: AnswerMetadata;

  constructor(parts: PipelineParts, calls: OpenCalls, planned: PlannedCall, account: Account) {
    this.parts = parts;
    this.calls = calls;
    this.request = planned.request;
    this.envelope = planned.envelope;
    this.plan = account.plan;
    this.isSteered = planned.isSteered;
    this.settings = planned.settings;
    this.directory = planned.directory;
    this.account = account;
    this.metadata = new AnswerMetadata(planned);
    const { attempts, maxWait } = planned.settings.retries;
    this.failover = new Failover(this.plan, { attempts: this.plan.route?.limits.attempts ?? attempts, maxWait });
  }

  get keyId(): string {
    return this.request.caller.key.id;
  }

  /** Remaining milliseconds of the whole call. */
  get timeLeft(): number {
    const total = this.plan.route?.limits.total ?? this.settings.timeouts.total;
    return Math.max(1, total - (this.parts.clock.monotonic() - this.request.startedAt));
  }

  /**
   * Milliseconds that a target may take. If others may be asked after it, half of the remaining time is kept for them.
   */
  get timeHere(): number {
    return this.failover.mayMoveIfUnanswered ? this.timeLeft / 2 : this.timeLeft;
  }

  /** Milliseconds until a stream's first byte is due at a target. */
  firstByteAt({ model }: Target): number {
    const { firstByte, firstByteReasoning } = this.settings.timeouts;
    const usual = model.capabilities?.reasoning === true ? firstByteReasoning : firstByte;
    return Math.min(this.plan.route?.limits.firstByte ?? usual, this.timeHere);
  }
}
