import { GatewayError } from '../core/errors.ts';
import { joinLosses, NO_LOSSES } from '../core/losses.ts';
import { bill, type NanoDollars } from '../core/money.ts';
import type { Target } from '../core/provider.ts';
import type { Attempt } from '../core/records.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { classify } from '../routing/failure.ts';
import { Walk } from '../routing/walk.ts';
import { type Account, mayBeCharged, unbilled } from './account.ts';
import { type Head, type Leg, type Measured, NO_HEAD } from './leg.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import type { CallPlan } from './plan-call.ts';
import { cleanError, upstreamRequestId } from './upstream-request.ts';

export const GONE = new GatewayError('client_closed_request', 'The caller left before the answer was complete.');

/** An attempt that failed while its caller had seen nothing. */
export type Failure = { leg: Leg; head: Head; error: GatewayError };

/** The same with what its vendor may have charged for; `null`: nothing. */
type Failed = Failure & { measured: Measured | null };

const NONE_FAILED: readonly Failed[] = [];

/** One call under way: its walk along the targets, and its bill. */
export class Journey {
  readonly request: CallRequest;
  readonly envelope: Envelope;
  readonly plan: CallPlan;
  readonly settings: PipelineSettings;
  readonly account: Account;
  readonly walk: Walk;
  readonly #parts: PipelineParts;
  /** What came to nothing, in its order; most calls have none. */
  #failed: readonly Failed[] = NONE_FAILED;

  constructor(parts: PipelineParts, on: Pick<Journey, 'request' | 'envelope' | 'plan' | 'settings' | 'account'>) {
    this.#parts = parts;
    this.request = on.request;
    this.envelope = on.envelope;
    this.plan = on.plan;
    this.settings = on.settings;
    this.account = on.account;
    const { attempts, maxWait } = on.settings.retries;
    this.walk = new Walk(on.plan, { attempts: on.plan.route?.limits.attempts ?? attempts, maxWait });
  }

  /** Milliseconds that the whole call may still take. */
  get timeLeft(): number {
    const total = this.plan.route?.limits.total ?? this.settings.timeouts.total;
    return Math.max(1, total - (this.#parts.clock.monotonic() - this.request.startedAt));
  }

  /** Milliseconds of these that a target may take: while others may be asked, half of them are theirs. */
  get timeHere(): number {
    return this.walk.rest.length > 0 ? this.timeLeft / 2 : this.timeLeft;
  }

  /** Milliseconds that a stream's first byte may take at a target. */
  firstByteAt({ model }: Target): number {
    const { firstByte, firstByteReasoning } = this.settings.timeouts;
    const usual = model.capabilities?.reasoning === true ? firstByteReasoning : firstByte;
    return Math.min(this.plan.route?.limits.firstByte ?? usual, this.timeHere);
  }

  /** Notes an attempt that failed without ending the call. */
  async failed(failure: Failure): Promise<void> {
    const { leg, head, error } = failure;
    const possiblyBilled = classify(error) === 'unanswered';
    const measured = mayBeCharged(error, head.status) ? await leg.promptOnly() : null;
    this.account.tried(leg.attempt('failed', head, error, measured?.usageSource ?? 'none', possiblyBilled));
    this.#failed = [...this.#failed, { leg, head, error, measured }];
  }

  /** Notes an attempt whose question for usage was refused. */
  refusedQuestion(leg: Leg, head: Head, error: GatewayError): void {
    this.account.tried(leg.attempt('failed', head, error, 'none', false));
  }

  /**
   * Settles a call that no vendor answered, and throws the error for the caller: by its last failure, or the first refusal of
   * the call itself, which tells its caller more than what befell it later.
   */
  async giveUp(): Promise<never> {
    const told = this.#failed.find(({ error }) => error.kind === 'upstream_rejected') ?? this.#failed.at(-1)!;
    const { leg, head, measured } = told;
    const error = cleanError(told.error, leg.target);
    // What is charged for in the record itself is not lost beside it.
    this.#failed = this.#failed.filter((other) => other !== told);
    await this.#close(leg, 'failed', head, error, measured ?? unbilled('failed', error), NO_LOSSES);
    throw error;
  }

  /** Settles a call whose caller left while no vendor was at work on it. */
  left(): Promise<void> {
    const last = this.#failed.at(-1);
    return this.account.settle({
      ...unbilled('cancelled', GONE),
      ...(last !== undefined && { target: last.leg.target }),
      lost: this.#lost(),
    });
  }

  /** Notes the last attempt and closes the record. `dropped` is what the answer could not carry, beside what the call could not. */
  settle(
    leg: Leg,
    status: Attempt['status'],
    head: Head,
    error: GatewayError | null,
    measured: Measured,
    dropped: readonly string[],
  ): Promise<void> {
    this.account.tried(leg.attempt(status, head, error, measured.usageSource, status === 'failed'));
    return this.#close(leg, status, head, error, measured, dropped);
  }

  /** Closes a record whose caller left an attempt before it had a head. */
  async abandoned(leg: Leg): Promise<void> {
    await this.settle(leg, 'cancelled', NO_HEAD, GONE, await leg.promptOnly(), NO_LOSSES);
  }

  #close(
    leg: Leg,
    status: Attempt['status'],
    head: Head,
    error: GatewayError | null,
    measured: Measured,
    dropped: readonly string[],
  ): Promise<void> {
    const { account } = this;
    const { reported = null } = measured;
    if (error !== null && status === 'failed') this.logFailure(leg, head, error);
    if (reported !== null) this.#parts.log.disbelieved(account.intent, leg.target, reported);
    return account.settle({
      status,
      httpStatus: error?.status ?? head.status ?? 200,
      errorKind: error?.kind ?? null,
      usage: measured.usage,
      usageSource: measured.usageSource,
      reported,
      firstContentAt: measured.firstContentAt,
      dropped: joined(leg.crossing.dropped, dropped),
      target: leg.target,
      lost: this.#lost(),
    });
  }

  /** Tells the operator, once, of what ended the call. `error` is cleaned. */
  logFailure({ target }: Leg, head: Head, error: GatewayError): void {
    const { provider, model } = target;
    const call = {
      requestId: this.account.intent.requestId,
      provider: provider.id,
      model: model.upstreamId,
      upstreamStatus: head.status,
      upstreamRequestId: upstreamRequestId(head.headers, provider),
    };
    this.#parts.log.failed(call, error);
  }

  /** What vendors may have charged for attempts that came to nothing; `null` where that cannot be told. */
  #lost(): NanoDollars | null {
    let lost: NanoDollars = 0n;
    for (const { leg, measured } of this.#failed) {
      const total = measured === null ? 0n : bill(leg.target.model.price, measured.usage).total;
      if (total === null) return null;
      lost += total;
    }
    return lost;
  }
}

/** Each name once. */
export function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return second.length === 0 ? first : joinLosses(first, second);
}
