import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import type { Target } from '../core/provider.ts';
import type { Attempt } from '../core/records.ts';
import type { Envelope, PassOptions } from '../dialects/dialect.ts';
import { plan } from '../routing/plan.ts';
import { Account, mayBeCharged, type Outcome, unbilled } from './account.ts';
import { measure } from './measure.ts';
import { OpenCalls } from './open-calls.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import { rewriteBody } from './rewrite.ts';
import { StreamRelay } from './stream.ts';
import { cleanError, upstreamRequest, upstreamRequestId } from './upstream-request.ts';
import { WholeReceiver } from './whole.ts';

/** One call under way. */
type Journey = {
  request: CallRequest;
  call: Envelope;
  target: Target;
  account: Account;
  settings: PipelineSettings;
  /** Wall clock of the present attempt's start. */
  attemptAt: number;
};

const GONE = new GatewayError('client_closed_request', 'The caller left before the answer was complete.');

/** One call's journey: read, plan, account, send, pass on, settle. The record is settled before the caller's terminal byte. */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #calls = new OpenCalls();
  /** Vendors' models that refused `stream_options` since this process started. */
  readonly #refusesUsage = new Set<string>();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** Answers one call. Throws `GatewayError` while nothing has been written; later faults become error frames. */
  async handle(request: CallRequest): Promise<void> {
    const { directory, settings } = this.#parts.current();
    const { maxOpenCalls } = settings.limits;
    if (this.#calls.count >= maxOpenCalls) {
      const message = `The gateway has ${maxOpenCalls} calls open, as many as it may.`;
      throw new GatewayError('overloaded', message, { retryAfterMs: 1000 });
    }
    this.#calls.begin();
    try {
      const { dialect, caller } = request;
      const call = dialect.inbound.readEnvelope(request.body, settings.limits);
      const { entry, targets } = plan(
        {
          model: call.model,
          dialect: dialect.id,
          dialectLabel: dialect.label,
          allowedModels: caller.key.allowedModels,
        },
        directory,
      );
      const target = targets[0];
      const account = await Account.open(this.#parts, settings, request, call, entry, target);
      await this.#travel({ request, call, target, account, settings, attemptAt: 0 });
    } finally {
      this.#calls.end();
    }
  }

  /** Waits until no call is open, at most `ms`; then ends what is still under way with an error, and waits for the records. */
  drain(ms: number): Promise<void> {
    return this.#calls.drain(ms);
  }

  async #travel(journey: Journey): Promise<void> {
    try {
      if (journey.request.answer.gone) return await journey.account.settle(unbilled('cancelled', GONE));
      await (journey.call.stream ? this.#stream(journey) : this.#whole(journey));
    } catch (error) {
      const known =
        error instanceof GatewayError ? error : new GatewayError('internal', 'The gateway failed.', { cause: error });
      // Settled already where the error is an answer; this is for faults of our own on the way.
      await journey.account.settle(unbilled('failed', known));
      throw known;
    }
  }

  async #whole(journey: Journey): Promise<void> {
    const { request, call, target, settings } = journey;
    const { dialect, answer } = request;
    this.#begin(journey);
    const body = dialect.outbound.passCall(call, passOptions(target, 'as-sent'));
    const receiver = new WholeReceiver(
      dialect,
      { maxAnswer: settings.limits.maxAnswer, total: this.#timeLeft(journey) },
      this.#parts.clock.monotonic,
    );
    const upstream = this.#parts.upstreamOf(target.provider);
    const running = receiver.run(upstream, upstreamRequest(target, body, false), answer);
    const end = await this.#calls.follow(receiver, running);
    if (end.kind === 'gone') {
      return this.#settle(journey, 'cancelled', null, {}, GONE, await this.#promptOnly(journey));
    }
    if (end.kind === 'refused') {
      const measured = mayBeCharged(end.error, end.status) ? await this.#promptOnly(journey) : null;
      return this.#giveUp(journey, end.status, end.headers, end.error, measured);
    }
    const measured = await measure(dialect, call, end.answer, this.#parts.tokens);
    await this.#settle(journey, 'succeeded', end.status, end.headers, null, { ...measured, firstContentAt: null });
    answer.whole(end.status, settings.bytePath ? end.body : rewriteBody(end.body));
  }

  async #stream(journey: Journey): Promise<void> {
    const { call, target } = journey;
    const memory = `${target.provider.id} ${target.model.upstreamId}`;
    if (target.provider.accent.refusesStreamOptions === true) return void (await this.#streamOnce(journey, 'never'));
    const ask = !call.wantsUsage && !this.#refusesUsage.has(memory);
    const again = await this.#streamOnce(journey, ask ? 'ask' : 'as-sent');
    if (!again) return;
    this.#refusesUsage.add(memory);
    try {
      await this.#streamOnce(journey, 'as-sent');
    } catch (error) {
      // The question was not what it refused.
      this.#refusesUsage.delete(memory);
      throw error;
    }
  }

  /** @returns whether the vendor refused the question for usage, and nothing else: the call is then to be sent without it */
  async #streamOnce(journey: Journey, streamUsage: PassOptions['streamUsage']): Promise<boolean> {
    const { request, call, target, settings } = journey;
    const { dialect, answer } = request;
    this.#begin(journey);
    const relay = new StreamRelay(
      dialect,
      dialect.outbound.watch!(call),
      answer,
      {
        ...settings.timeouts,
        total: this.#timeLeft(journey),
        maxLine: settings.limits.maxLine,
        bytePath: settings.bytePath,
      },
      this.#parts.clock.monotonic,
    );
    const body = dialect.outbound.passCall(call, passOptions(target, streamUsage));
    const running = relay.run(this.#parts.upstreamOf(target.provider), upstreamRequest(target, body, true));
    const end = await this.#calls.follow(relay, running);

    if (end.kind === 'refused') {
      if (streamUsage === 'ask' && relay.status === 400 && end.words.includes('stream_options')) {
        journey.account.tried(this.#attempt(journey, 'failed', relay.status, relay.headers, end.error, 'none'));
        return true;
      }
      const measured = mayBeCharged(end.error, relay.status) ? await this.#seen(journey, relay) : null;
      await this.#giveUp(journey, relay.status, relay.headers, end.error, measured);
      return false;
    }
    const measured = await this.#seen(journey, relay);
    switch (end.kind) {
      case 'complete':
        await this.#settleOpenStream(journey, relay, 'succeeded', null, measured, end.last);
        return false;
      case 'failed': {
        const error = cleanError(end.error, target);
        await this.#settleOpenStream(journey, relay, 'failed', error, measured, relay.watch.writeFailure(error));
        return false;
      }
      case 'gone':
        await this.#settle(journey, 'cancelled', relay.status, relay.headers, GONE, measured);
        return false;
      default:
        return end satisfies never;
    }
  }

  /** Settles behind the commit point, then writes the last bytes. A record that cannot be kept is an error frame. */
  async #settleOpenStream(
    journey: Journey,
    relay: StreamRelay,
    status: 'succeeded' | 'failed',
    error: GatewayError | null,
    measured: Measured,
    last: Buffer | string,
  ): Promise<void> {
    const { answer } = journey.request;
    try {
      await this.#settle(journey, status, relay.status, relay.headers, error, measured);
    } catch (cause) {
      if (!(cause instanceof GatewayError)) throw cause;
      this.#parts.log.failed(journey.account.intent, cause);
      return answer.end(relay.watch.writeFailure(cause));
    }
    answer.end(last);
  }

  /** Settles a call that the vendor did not answer, and throws the error for the caller. */
  async #giveUp(
    journey: Journey,
    status: number | null,
    headers: UpstreamHeaders,
    cause: GatewayError,
    measured: Measured | null,
  ): Promise<void> {
    const error = cleanError(cause, journey.target);
    await this.#settle(journey, 'failed', status, headers, error, measured ?? unbilled('failed', error));
    throw error;
  }

  async #settle(
    journey: Journey,
    status: Attempt['status'],
    httpStatus: number | null,
    headers: UpstreamHeaders,
    error: GatewayError | null,
    measured: Measured,
  ): Promise<void> {
    const { account } = journey;
    account.tried(this.#attempt(journey, status, httpStatus, headers, error, measured.usageSource));
    if (error !== null && status === 'failed') this.#parts.log.failed(account.intent, error);
    await account.settle({
      status,
      httpStatus: error?.status ?? httpStatus ?? 200,
      errorKind: error?.kind ?? null,
      usage: measured.usage,
      usageSource: measured.usageSource,
      firstContentAt: measured.firstContentAt,
    });
  }

  #begin(journey: Journey): void {
    const { target, account, request } = journey;
    journey.attemptAt = this.#parts.clock.now();
    request.answer.served = {
      provider: target.provider.id,
      model: target.model.upstreamId,
      attempts: account.attempts + 1,
    };
  }

  #attempt(
    { target, attemptAt }: Journey,
    status: Attempt['status'],
    httpStatus: number | null,
    headers: UpstreamHeaders,
    error: GatewayError | null,
    usageSource: Attempt['usageSource'],
  ): Attempt {
    return {
      provider: target.provider.id,
      upstreamModel: target.model.upstreamId,
      status,
      httpStatus,
      errorKind: error?.kind ?? null,
      upstreamRequestId: upstreamRequestId(headers),
      startedAt: attemptAt,
      endedAt: this.#parts.clock.now(),
      usageSource,
    };
  }

  async #seen({ request, call }: Journey, relay: StreamRelay): Promise<Measured> {
    const { watch, firstContentAt } = relay;
    const seen = { usage: watch.usage(), output: () => watch.output() };
    return { ...(await measure(request.dialect, call, seen, this.#parts.tokens)), firstContentAt };
  }

  /** What a call that got nothing back may have been charged for: its prompt. */
  async #promptOnly({ request, call }: Journey): Promise<Measured> {
    const seen = { usage: null, output: () => ({ text: '', unseen: 0 }) };
    return { ...(await measure(request.dialect, call, seen, this.#parts.tokens)), firstContentAt: null };
  }

  #timeLeft({ request, settings }: Journey): number {
    return Math.max(1, settings.timeouts.total - (this.#parts.clock.monotonic() - request.startedAt));
  }
}

type Measured = Pick<Outcome, 'usage' | 'usageSource' | 'firstContentAt'>;

function passOptions({ provider, model }: Target, streamUsage: PassOptions['streamUsage']): PassOptions {
  return { upstreamModel: model.upstreamId, provider: provider.id, streamUsage };
}
