import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders, UpstreamRequest } from '../core/ports.ts';
import type { Target } from '../core/provider.ts';
import type { Attempt } from '../core/records.ts';
import type { Dialect, Envelope, PassOptions } from '../dialects/dialect.ts';
import { type Account, type Outcome, unbilled } from './account.ts';
import { Crossing } from './crossing/crossing.ts';
import type { StreamWay } from './crossing/ways.ts';
import { measure } from './measure.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import { cleanError, upstreamRequest, upstreamRequestId } from './upstream-request.ts';

/** The part of an outcome that tells what was used. */
export type Measured = Pick<Outcome, 'usage' | 'usageSource' | 'firstContentAt'>;

/** What a vendor answered, as far as it got. */
export type Head = { status: number | null; headers: UpstreamHeaders };

export const GONE = new GatewayError('client_closed_request', 'The caller left before the answer was complete.');

/** One call under way to one target: its attempts, its measure and its bill. */
export class Journey {
  readonly request: CallRequest;
  readonly envelope: Envelope;
  readonly target: Target;
  readonly spoken: Dialect;
  readonly settings: PipelineSettings;
  readonly account: Account;
  readonly crossing: Crossing;
  readonly #parts: PipelineParts;
  /** Wall clock of the present attempt's start. */
  #attemptAt = 0;

  constructor(
    parts: PipelineParts,
    on: Pick<Journey, 'request' | 'envelope' | 'target' | 'spoken' | 'settings' | 'account'>,
  ) {
    this.#parts = parts;
    this.request = on.request;
    this.envelope = on.envelope;
    this.target = on.target;
    this.spoken = on.spoken;
    this.settings = on.settings;
    this.account = on.account;
    this.crossing = new Crossing({
      asked: on.request.asked,
      answered: on.request.answered,
      spoken: on.spoken,
      envelope: on.envelope,
      target: on.target,
      bytePath: on.settings.bytePath,
      now: parts.clock.now(),
      ids: parts.ids,
    });
  }

  /** Begins an attempt: the request for the vendor, which the headers of the answer will name. */
  begin(streamUsage: PassOptions['streamUsage']): UpstreamRequest {
    const { target, account, request, envelope, crossing, spoken } = this;
    this.#attemptAt = this.#parts.clock.now();
    const body = crossing.write(streamUsage);
    request.answer.served = {
      provider: target.provider.id,
      model: target.model.upstreamId,
      attempts: account.attempts + 1,
      dropped: crossing.dropped,
      route: null,
    };
    return upstreamRequest(target, spoken, body, envelope.stream, spoken === request.asked ? request.forwarded : []);
  }

  /** Milliseconds that the whole call may still take. */
  get timeLeft(): number {
    return Math.max(1, this.settings.timeouts.total - (this.#parts.clock.monotonic() - this.request.startedAt));
  }

  /** What a stream has used, up to now. */
  async seen(way: StreamWay, firstContentAt: number | null): Promise<Measured> {
    const { request, envelope } = this;
    const seen = { usage: way.usage(), output: () => way.output() };
    return { ...(await measure(request.asked, envelope, seen, this.#parts.tokens)), firstContentAt };
  }

  /** What a call that got nothing back may have been charged for: its prompt. */
  async promptOnly(): Promise<Measured> {
    const { request, envelope } = this;
    const seen = { usage: null, output: () => ({ text: '', unseen: 0 }) };
    return { ...(await measure(request.asked, envelope, seen, this.#parts.tokens)), firstContentAt: null };
  }

  /** Notes an attempt that is over without ending the call. */
  tried(head: Head, error: GatewayError): void {
    this.account.tried(this.#attempt('failed', head, error, 'none'));
  }

  /** Settles a call that the vendor did not answer, and throws the error for the caller. */
  async giveUp(head: Head, cause: GatewayError, measured: Measured | null): Promise<never> {
    const error = cleanError(cause, this.target);
    await this.settle('failed', head, error, measured ?? unbilled('failed', error), []);
    throw error;
  }

  /** Closes the record. `dropped` is what the answer could not carry, beside what the call could not. */
  settle(
    status: Attempt['status'],
    head: Head,
    error: GatewayError | null,
    measured: Measured,
    dropped: readonly string[],
  ): Promise<void> {
    const { account, crossing } = this;
    account.tried(this.#attempt(status, head, error, measured.usageSource));
    if (error !== null && status === 'failed') this.#parts.log.failed(account.intent, error);
    return account.settle({
      status,
      httpStatus: error?.status ?? head.status ?? 200,
      errorKind: error?.kind ?? null,
      usage: measured.usage,
      usageSource: measured.usageSource,
      firstContentAt: measured.firstContentAt,
      dropped: joined(crossing.dropped, dropped),
    });
  }

  #attempt(
    status: Attempt['status'],
    head: Head,
    error: GatewayError | null,
    usageSource: Attempt['usageSource'],
  ): Attempt {
    const { target } = this;
    return {
      provider: target.provider.id,
      upstreamModel: target.model.upstreamId,
      credential: target.provider.credentialName,
      status,
      httpStatus: head.status,
      errorKind: error?.kind ?? null,
      upstreamRequestId: upstreamRequestId(head.headers),
      startedAt: this.#attemptAt,
      endedAt: this.#parts.clock.now(),
      usageSource,
      possiblyBilled: false,
    };
  }
}

/** Each name once. */
export function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return second.length === 0 ? first : [...new Set([...first, ...second])];
}
