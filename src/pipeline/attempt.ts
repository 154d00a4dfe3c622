import { GatewayError } from '../core/errors.ts';
import { joinLosses } from '../core/losses.ts';
import { parametersOf } from '../core/parameters.ts';
import type { UpstreamRequest } from '../core/ports.ts';
import type { ServedBy, Target } from '../core/provider.ts';
import type { AttemptRecord } from '../core/records.ts';
import type { Dialect, PassOptions } from '../dialects/dialect.ts';
import type { WatchedAttempt } from '../health/watched-attempt.ts';
import { classify } from '../routing/failure.ts';
import { unpricedOf } from '../routing/unpriced.ts';
import { type CallEnd, mayBeCharged } from './account.ts';
import type { ProviderSlot } from './admission/provider-queue.ts';
import type { CallRun } from './call-run.ts';
import {
  believedPrompt,
  type MeasuredUsage,
  measure,
  measuredNow,
  mostBelieved,
  NOT_USED,
  type SeenAnswer,
  withSearch,
} from './measure.ts';
import { sessionHeaders } from './session-headers.ts';
import { StreamRelay } from './stream.ts';
import type { StreamLimits } from './stream-parts.ts';
import type { StreamConverter, WholeConverter } from './translation/converter.ts';
import { refusesSeals } from './translation/seals.ts';
import { Translator } from './translation/translator.ts';
import { LARGE, type Pieces, turnOfTheLoop } from './turns.ts';
import {
  cleanError,
  followedMembers,
  upstreamHeaders,
  upstreamRequestId,
  withheldMembers,
} from './upstream-request.ts';
import { type AnswerHead, NO_HEAD } from './vendor-answer.ts';
import { WholeReceiver } from './whole.ts';

/** How an attempt ended. Its row is already in the account. */
export type AttemptEnd = CallEnd & {
  target: Target;
  /** The target that was asked, for the answer's headers; `null` if nothing could be sent. */
  served: ServedBy | null;
};

/** The vendor's whole answer. The caller has received nothing yet. */
export type Whole = { kind: 'whole'; end: AttemptEnd; converter: WholeConverter; body: Buffer | string };

/** The result of an attempt. */
export type AttemptOutcome =
  | Whole
  | Streamed
  /** The caller left. */
  | { kind: 'left'; end: AttemptEnd }
  /** It failed before the caller received anything, so another target may be asked. */
  | FailedAttempt;

/**
 * A stream that was sent to its end (`streamed`), or failed after the caller had received a part (`broken`). All of it
 * has been written but `last`: its terminal bytes, or those that report the failure.
 */
export type Streamed = {
  kind: 'streamed' | 'broken';
  end: AttemptEnd;
  converter: StreamConverter;
  last: Buffer | string;
};

export type FailedAttempt = { kind: 'failed'; end: AttemptEnd; error: GatewayError };

type Question = PassOptions['streamUsage'];

export const GONE = new GatewayError('client_closed_request', 'The caller left before the answer was complete.');

const NONE_FORWARDED: readonly string[] = [];

const NOTHING_SEEN: SeenAnswer = {
  usage: null,
  output: () => ({ text: '', unseen: 0 }),
};

/** One attempt at one target: opened by the dispatcher, run once, and always closed. */
export class Attempt implements Disposable {
  readonly #run: CallRun;
  readonly #target: Target;
  /** Reports the outcome to the target's health. */
  readonly #watched: WatchedAttempt;
  readonly #slot: ProviderSlot;
  /** The dialect used with the target. */
  readonly #spoken: Dialect;
  readonly #translator: Translator;
  #served: ServedBy | null = null;
  /** Monotonic. */
  #startedAt = 0;
  #isClosed = false;
  /** Whether the vendor has refused seals and is asked without them. */
  #withoutSeals = false;

  constructor(run: CallRun, target: Target, watched: WatchedAttempt, slot: ProviderSlot) {
    const { parts, request, envelope, settings, isSteered } = run;
    this.#run = run;
    this.#target = target;
    this.#watched = watched;
    this.#slot = slot;
    this.#spoken = dialectOf(target, run);
    this.#translator = new Translator({
      asked: request.asked,
      answered: request.answered,
      spoken: this.#spoken,
      envelope,
      forwarded: request.forwarded,
      target,
      bytePath: settings.bytePath,
      drop: withheldMembers(isSteered, request.caller.key),
      parameters: parametersOf(run.plan.route, target.model),
      followed: followedMembers(isSteered),
      clock: parts.clock,
      ids: parts.ids,
    });
  }

  /** Asks the target. Rejects with the gateway's own faults, and if the call cannot be written for its only target. */
  run(): Promise<AttemptOutcome> {
    return this.#run.envelope.stream ? this.#stream(this.#question()) : this.#whole();
  }

  /** Releases the slot. A second call changes nothing, and what was reported to the target's health stays. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watched.left();
    this.#slot.release();
  }

  async #whole(): Promise<AttemptOutcome> {
    const { parts, calls, request, settings, timeHere } = this.#run;
    const sent = this.#isLarge() ? await this.#requestInTurns('as-sent') : this.#request('as-sent');
    if (sent instanceof GatewayError) return this.#failed(NO_HEAD, sent);
    const converter = this.#translator.whole();
    const limits = { maxAnswer: settings.limits.maxAnswer, total: Math.min(timeHere, settings.timeouts.whole) };
    const between = { spoken: this.#spoken, converter, forms: this.#translator };
    const receiver = new WholeReceiver(between, limits, parts.wheel);
    const running = receiver.run(parts.upstreamOf(this.#target.provider), sent, request.answer);
    calls.wait(receiver, request.admission);
    const whole = await running;
    calls.stopWaiting(receiver);
    switch (whole.kind) {
      case 'complete': {
        this.#watched.succeeded({ wholeMs: this.#took() });
        const found = this.#measure(whole.answer);
        const measured = found instanceof Promise ? await found : found;
        const end = withLosses(this.#ended('succeeded', whole.head, null, measured), whole.converter.dropped);
        return { kind: 'whole', end, converter: whole.converter, body: whole.body };
      }
      case 'failed':
        if (this.#leavesSeals(whole.error)) return this.#askAgain(whole.head, whole.error, 'as-sent');
        return this.#failed(whole.head, whole.error, whole.seen, receiver.unsent);
      case 'left': {
        const measured = receiver.unsent ? NOT_USED : await this.#measure(NOTHING_SEEN);
        return { kind: 'left', end: this.#ended('cancelled', NO_HEAD, GONE, measured) };
      }
      default:
        return whole satisfies never;
    }
  }

  async #stream(question: Question): Promise<AttemptOutcome> {
    const { parts, calls, request } = this.#run;
    const sent = this.#isLarge() ? await this.#requestInTurns(question) : this.#request(question);
    if (sent instanceof GatewayError) return this.#failed(NO_HEAD, sent);
    if (this.#isLarge()) await turnOfTheLoop();
    const between = {
      spoken: this.#spoken,
      converter: this.#run.metadata.stream(this.#translator.stream(), this.#translator.dropped),
      ofWhole: (body: Buffer) => this.#streamOf(body),
      caller: request.answer,
      served: this.#served!,
      keepsLast: this.#run.metadata.cost,
    };
    const relay = new StreamRelay(between, this.#streamLimits(), parts.wheel);
    // The first content is enough to report the vendor as healthy; a long answer need not end first.
    relay.onContent = (at) => this.#watched.answered(this.#took(at));
    const running = relay.run(parts.upstreamOf(this.#target.provider), sent);
    calls.wait(relay, request.admission);
    const stream = await running;
    calls.stopWaiting(relay);
    const { converter } = relay;
    if (stream.kind === 'failed') {
      const isRefused = question === 'ask' && isUnknownMember(relay.status) && stream.words.includes('stream_options');
      if (this.#leavesSeals(stream.error)) return this.#askAgain(relay, stream.error, question);
      const seen = { ...NOTHING_SEEN, usage: converter.usage(), prompt: converter.promptUsage() };
      if (!isRefused) return this.#failed(relay, stream.error, seen, relay.unsent);
      // Not remembered: another part of the call may be the cause, and a stream without usage is billed by estimate.
      return this.#askAgain(relay, stream.error, 'as-sent');
    }
    const usage = converter.usage();
    const prompt = usage === null ? converter.promptUsage() : null;
    const isUnsent = stream.kind === 'left' && relay.unsent;
    const [output, shownCalls] = [() => converter.output(), () => converter.shownCalls()];
    const found = isUnsent ? NOT_USED : this.#measure({ usage, prompt, output, shownCalls });
    const measured = found instanceof Promise ? await found : found;
    switch (stream.kind) {
      case 'complete': {
        const { firstContentAt } = relay;
        this.#watched.succeeded({ firstTokenMs: firstContentAt === null ? null : this.#took(firstContentAt) });
        const end = withLosses(this.#ended('succeeded', relay, null, measured), converter.dropped);
        return { kind: 'streamed', end, converter, last: stream.last };
      }
      case 'broken': {
        this.#watched.failed(stream.error, this.#run.keyId);
        const error = cleanError(stream.error, this.#target);
        const last = converter.writeFailure(error);
        const end = withLosses(this.#ended('failed', relay, error, measured), converter.dropped);
        return { kind: 'broken', end, converter, last };
      }
      case 'left':
        return { kind: 'left', end: withLosses(this.#ended('cancelled', relay, GONE, measured), converter.dropped) };
      default:
        return stream satisfies never;
    }
  }

  /** Whether to ask again without seals, which this vendor has refused. */
  #leavesSeals(error: GatewayError): boolean {
    if (this.#withoutSeals || !refusesSeals(error)) return false;
    this.#withoutSeals = this.#translator.writeWithoutSeals('as-sent') !== null;
    return this.#withoutSeals;
  }

  /** Sends the call again if the target's rates have room for another request. */
  async #askAgain(answered: AnswerHead, error: GatewayError, question: Question): Promise<AttemptOutcome> {
    const refusal = await this.#run.account.asksAgain(this.#target);
    if (refusal !== null) return this.#failed(answered, refusal);
    this.#note('failed', answered, error, NOT_USED);
    return this.#run.envelope.stream ? this.#stream(question) : this.#whole();
  }

  /** The converter for a whole answer that came in place of a stream. */
  *#streamOf(whole: Buffer): Pieces<StreamConverter> {
    return this.#run.metadata.stream(yield* this.#translator.streamOf(whole), this.#translator.dropped);
  }

  /** Whether to ask the vendor for the stream's usage. A caller's request in another dialect must be written anew. */
  #question(): Question {
    const { envelope, request } = this.#run;
    if (this.#target.provider.quirks.refusesStreamOptions === true) return 'never';
    return envelope.wantsUsage && request.asked === this.#spoken ? 'as-sent' : 'ask';
  }

  #streamLimits(): StreamLimits {
    const { settings, timeLeft, failover } = this.#run;
    return {
      ...settings.timeouts,
      firstByte: this.#run.firstByteAt(this.#target),
      total: timeLeft,
      maxLine: settings.limits.maxLine,
      maxAnswer: settings.limits.maxAnswer,
      mayMove: failover.mayMove,
    };
  }

  #isLarge(): boolean {
    return this.#run.envelope.body.length > LARGE;
  }

  /** As `#request`, but yields to the event loop before the body is read and before it is written. */
  async #requestInTurns(question: Question): Promise<UpstreamRequest | GatewayError> {
    this.#startedAt = this.#run.parts.clock.monotonic();
    await turnOfTheLoop();
    try {
      this.#translator.read();
    } catch (error) {
      return this.#unwritable(error);
    }
    await turnOfTheLoop();
    return this.#request(question);
  }

  /**
   * The request for the vendor, or the error if it cannot be written for this target. Throws if nobody else was asked or
   * may be.
   */
  #request(question: Question): UpstreamRequest | GatewayError {
    const { account, request, envelope, plan, metadata } = this.#run;
    this.#startedAt = this.#run.parts.clock.monotonic();
    let body: Buffer;
    try {
      body = this.#translator.write(question);
    } catch (error) {
      return this.#unwritable(error);
    }
    this.#served = {
      provider: metadata.target ? this.#target.provider.id : null,
      model: metadata.target ? this.#target.model.upstreamId : null,
      attempts: account.attempts + 1,
      dropped: this.#translator.dropped,
      route: plan.route?.id ?? null,
    };
    const unpriced = metadata.target ? unpricedOf(plan.decision) : null;
    if (unpriced !== null) this.#served.unpriced = unpriced;
    const forwarded = this.#spoken === request.asked ? request.forwarded : NONE_FORWARDED;
    const session = sessionHeaders(this.#target.provider, request.sent);
    const added = session.length === 0 ? forwarded : [...forwarded, ...session];
    const headers = upstreamHeaders(this.#target.provider, this.#spoken, envelope.stream, added);
    return { target: this.#target, method: 'POST', path: this.#target.path, headers, body };
  }

  #unwritable(error: unknown): GatewayError {
    const { failover, account } = this.#run;
    const isOnly = !failover.mayMove && account.attempts === 0;
    if (!(error instanceof GatewayError) || error.kind !== 'invalid_request' || isOnly) throw error;
    return error;
  }

  /** How long the attempt has taken until `at` (monotonic), in ms. */
  #took(at = this.#run.parts.clock.monotonic()): number {
    return at - this.#startedAt;
  }

  /** The usage: the vendor's report if plausible, else our own count. A promise only for our own count. */
  #measure(seen: SeenAnswer): MeasuredUsage | Promise<MeasuredUsage> {
    const { parts, request, envelope, settings } = this.#run;
    const most = mostBelieved(envelope, this.#target.model.contextWindow, settings.limits);
    const reported = measuredNow(seen.usage, most);
    if (reported !== null) return reported;
    return measure(request.asked, envelope, { ...seen, prompt: believedPrompt(seen, most) }, parts.tokens);
  }

  /** Ends a failed attempt. A vendor that received the call may charge for the prompt even without an answer. */
  async #failed(
    answered: AnswerHead,
    error: GatewayError,
    seen = NOTHING_SEEN,
    isUnsent = false,
  ): Promise<FailedAttempt> {
    this.#watched.failed(error, this.#run.keyId);
    const measured = !isUnsent && mayBeCharged(error, answered.status) ? await this.#measure(seen) : NOT_USED;
    return { kind: 'failed', end: this.#ended('failed', answered, error, measured), error };
  }

  /** Notes the finished attempt. @returns how it ended */
  #ended(
    status: AttemptRecord['status'],
    answered: AnswerHead,
    error: GatewayError | null,
    measured: MeasuredUsage,
  ): AttemptEnd {
    this.#note(status, answered, error, measured);
    const { dropped } = this.#translator;
    const target = this.#target;
    return { status, target, answered, error, measured: withSearch(measured, target), served: this.#served, dropped };
  }

  /** Adds the attempt's row to the record. */
  #note(
    status: AttemptRecord['status'],
    { status: httpStatus, headers, isCommitted }: AnswerHead,
    error: GatewayError | null,
    { usageSource }: MeasuredUsage,
  ): void {
    const { provider, model } = this.#target;
    const { account, parts } = this.#run;
    const isUnclear = error !== null && (isCommitted || classify(error) === 'unanswered');
    account.tried({
      provider: provider.id,
      upstreamModel: model.upstreamId,
      credential: provider.credentialName,
      status,
      httpStatus,
      errorKind: error?.kind ?? null,
      errorCode: error?.details?.error_code ?? null,
      upstreamRequestId: upstreamRequestId(headers, provider),
      startedAt: account.unixAt(this.#startedAt),
      endedAt: account.unixAt(parts.clock.monotonic()),
      usageSource,
      possiblyBilled: status === 'failed' && isUnclear,
    });
  }
}

/** Whether a vendor may refuse an unknown member with this status. Validators use 422. */
function isUnknownMember(status: number | null): boolean {
  return status === 400 || status === 422;
}

/** The dialect used with a target. */
function dialectOf({ dialect }: Target, { request, parts }: CallRun): Dialect {
  if (dialect === request.asked.id) return request.asked;
  return parts.dialects.find(({ id }) => id === dialect) ?? request.asked;
}

/** Adds what the answer lost to what the call lost, for the header and the record. */
function withLosses(end: AttemptEnd, losses: readonly string[]): AttemptEnd {
  if (losses.length === 0) return end;
  const dropped = joinLosses(end.dropped, losses);
  return { ...end, dropped, served: end.served && { ...end.served, dropped } };
}
