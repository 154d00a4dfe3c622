import type { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders, UpstreamRequest } from '../core/ports.ts';
import type { Target } from '../core/provider.ts';
import type { Attempt } from '../core/records.ts';
import type { AnswerPeek, Dialect, PassOptions } from '../dialects/dialect.ts';
import type { Outcome } from './account.ts';
import { Crossing } from './crossing/crossing.ts';
import type { StreamWay } from './crossing/ways.ts';
import type { Journey } from './journey.ts';
import { type MeasuredUsage, measure, measuredNow, mostBelieved } from './measure.ts';
import type { PipelineParts } from './parts.ts';
import { upstreamRequest, upstreamRequestId } from './upstream-request.ts';

/** The part of an outcome that tells what was used. */
export type Measured = Pick<Outcome, 'usage' | 'usageSource' | 'reported' | 'firstContentAt'>;

/** What a vendor answered, as far as it got. */
export type Head = { status: number | null; headers: UpstreamHeaders };

/** Members by which a caller steers a route: they are not for vendors. */
export const STEERING_MEMBERS: readonly string[] = ['models', 'provider'];

export const NO_HEAD: Head = { status: null, headers: {} };

/** The part of a call's journey that one target is asked in: once, or again where it may be. */
export class Leg {
  readonly journey: Journey;
  readonly target: Target;
  readonly spoken: Dialect;
  readonly crossing: Crossing;
  readonly #parts: PipelineParts;
  /** Wall clock and monotonic reading of the present attempt's start. */
  #attemptAt = 0;
  #begunAt = 0;

  constructor(parts: PipelineParts, journey: Journey, target: Target) {
    const { request, envelope, settings, plan } = journey;
    this.#parts = parts;
    this.journey = journey;
    this.target = target;
    this.spoken = parts.dialects.find(({ id }) => id === target.dialect) ?? request.asked;
    this.crossing = new Crossing({
      asked: request.asked,
      answered: request.answered,
      spoken: this.spoken,
      envelope,
      target,
      bytePath: settings.bytePath,
      ...(plan.route !== null && { drop: STEERING_MEMBERS }),
      now: parts.clock.now(),
      ids: parts.ids,
    });
  }

  /** Begins an attempt: the request for the vendor, which the headers of the answer will name. */
  begin(streamUsage: PassOptions['streamUsage']): UpstreamRequest {
    const { target, crossing, spoken, journey } = this;
    const { account, request, envelope, plan } = journey;
    this.#attemptAt = account.now();
    this.#begunAt = this.#parts.clock.monotonic();
    const body = crossing.write(streamUsage);
    request.answer.served = {
      provider: target.provider.id,
      model: target.model.upstreamId,
      attempts: account.attempts + 1,
      dropped: crossing.dropped,
      route: plan.route?.id ?? null,
    };
    return upstreamRequest(target, spoken, body, envelope.stream, spoken === request.asked ? request.forwarded : []);
  }

  /** How long the present attempt has taken, until `at` (monotonic), in ms. */
  took(at = this.#parts.clock.monotonic()): number {
    return at - this.#begunAt;
  }

  /** What was used, by the vendor's word where it can be believed, else by our own count; a promise only for that. */
  measured(seen: Pick<AnswerPeek, 'usage' | 'output'>): MeasuredUsage | Promise<MeasuredUsage> {
    const { request, envelope, settings } = this.journey;
    const most = mostBelieved(envelope, this.target.model.contextWindow, settings.limits.maxUsageFactor);
    return measuredNow(seen.usage, most) ?? measure(request.asked, envelope, seen, this.#parts.tokens);
  }

  /** What a stream has used, up to now. */
  async seen(way: StreamWay, firstContentAt: number | null): Promise<Measured> {
    return { ...(await this.measured({ usage: way.usage(), output: () => way.output() })), firstContentAt };
  }

  /** What a call that got nothing back may have been charged for: its prompt. */
  async promptOnly(): Promise<Measured> {
    const { request, envelope } = this.journey;
    const seen = { usage: null, output: () => ({ text: '', unseen: 0 }) };
    return { ...(await measure(request.asked, envelope, seen, this.#parts.tokens)), firstContentAt: null };
  }

  /** The present attempt, now that it is over. */
  attempt(
    status: Attempt['status'],
    head: Head,
    error: GatewayError | null,
    usageSource: Attempt['usageSource'],
    possiblyBilled: boolean,
  ): Attempt {
    const { provider, model } = this.target;
    return {
      provider: provider.id,
      upstreamModel: model.upstreamId,
      credential: provider.credentialName,
      status,
      httpStatus: head.status,
      errorKind: error?.kind ?? null,
      upstreamRequestId: upstreamRequestId(head.headers, provider),
      startedAt: this.#attemptAt,
      endedAt: this.journey.account.now(),
      usageSource,
      possiblyBilled,
    };
  }
}
