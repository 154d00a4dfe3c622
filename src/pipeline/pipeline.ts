import { GatewayError } from '../core/errors.ts';
import type { UpstreamRequest } from '../core/ports.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import type { Envelope, OutputItem, PassOptions } from '../dialects/dialect.ts';
import { maySee, sharedIdRefusal } from '../dialects/shared-ids.ts';
import { Account, unbilled } from './account.ts';
import { Doorman, type Stop } from './admission/doorman.ts';
import { type Explained, explainCall } from './explain.ts';
import { type Failure, GONE, Journey, joined } from './journey.ts';
import { type Leg, type Measured, NO_HEAD } from './leg.ts';
import { withItems } from './named-items.ts';
import { OpenCalls } from './open-calls.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import type { CallPlan } from './plan-call.ts';
import { type PlannedCall, Planner } from './planner.ts';
import { StreamRelay } from './stream.ts';
import { targetStatuses } from './target-statuses.ts';
import { type CountDialect, type CountRequest, countTokens } from './token-count.ts';
import { LARGE, turnIf, turnOfTheLoop } from './turns.ts';
import { cleanError } from './upstream-request.ts';
import { WholeReceiver } from './whole.ts';

/** One call's journey: read, plan, account, send, pass on, settle. The record is settled before the caller's terminal byte. */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #calls = new OpenCalls();
  readonly #planner: Planner;
  readonly #doorman: Doorman;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#planner = new Planner(parts);
    this.#doorman = new Doorman(parts, this.#calls);
  }

  /** Answers one call. Throws `GatewayError` while nothing has been written; later faults become error frames. */
  async handle(request: CallRequest): Promise<void> {
    const { directory, settings } = this.#parts.current();
    this.#begin(settings);
    try {
      const { asked } = request;
      const body = withItems(this.#parts, request);
      const envelope = asked.inbound.readEnvelope(body instanceof Promise ? await body : body, settings.limits);
      // What a large body costs is divided: others get their turn between looking at it, and writing it for a vendor.
      const isLarge = envelope.body.length > LARGE;
      if (isLarge) await turnOfTheLoop();
      const plan = this.#planner.plan(request, envelope, directory);
      refuseWhereNobodyMaySee(envelope, plan);
      if (isLarge) await turnOfTheLoop();
      const account = await Account.open(this.#parts, settings, request, envelope, plan);
      await this.#travel(new Journey(this.#parts, { request, envelope, plan, settings, account }));
    } finally {
      this.#calls.end(request.answer);
    }
  }

  /** Tells how many tokens a prompt has; rejects as a call does. */
  async countTokens(counting: CountDialect, request: CountRequest): Promise<number> {
    this.#begin(this.#parts.current().settings);
    try {
      return await countTokens(this.#parts, this.#calls, this.#planner, counting, request);
    } finally {
      this.#calls.end(null);
    }
  }

  /** What would become of a call now; nobody is called, and nothing is recorded. Rejects as `explainCall` throws. */
  async explain(request: PlannedCall & Pick<CallRequest, 'body'>): Promise<Explained> {
    const { directory, settings } = this.#parts.current();
    this.#begin(settings);
    try {
      const body = await withItems(this.#parts, request);
      await turnIf(body.length > LARGE);
      const envelope = request.asked.inbound.readEnvelope(body, settings.limits);
      await turnIf(body.length > LARGE);
      return explainCall(this.#planner, request, envelope, directory);
    } finally {
      this.#calls.end(null);
    }
  }

  /** How targets do, as this process sees them, and how many calls it has open. */
  status(): Pick<GatewayStatus, 'targets' | 'openCalls'> {
    const { health, dialects, current } = this.#parts;
    return { targets: targetStatuses(health, current().directory, dialects), openCalls: this.#calls.count };
  }

  /** Waits until no call is open, at most `ms`; then ends what is still under way with an error, and waits for the records. */
  drain(ms: number): Promise<void> {
    return this.#calls.drain(ms);
  }

  #begin({ limits }: PipelineSettings): void {
    this.#parts.shedder.check();
    if (this.#calls.held >= limits.maxOpenCalls) {
      const message = `The gateway has ${limits.maxOpenCalls} calls open, as many as it may.`;
      throw new GatewayError('overloaded', message, { retryAfterMs: 1000 });
    }
    this.#calls.begin();
  }

  /**
   * Asks one target after the other, until one answers or none is left that it would be right to ask.
   *
   * /!\ Hot path: one promise for all of it where the first target answers.
   */
  async #travel(journey: Journey): Promise<void> {
    let stop: Stop | null = null;
    try {
      if (journey.request.answer.gone) return await journey.left();
      const found = this.#doorman.next(journey);
      stop = found instanceof Promise ? await found : found;
      for (;;) {
        const failure = await this.#visit(stop);
        if (failure !== null) stop.ticket.failed(failure.error, journey.request.caller.key.id);
        stop.leave();
        if (failure === null) return;
        await journey.failed(failure);
        stop = await this.#doorman.after(journey, failure.leg, failure.error);
        if (stop === null) return await (journey.request.answer.gone ? journey.left() : journey.giveUp());
      }
    } catch (error) {
      stop?.leave();
      // Whoever waited in a queue, and left it, has nothing to be told.
      if (journey.request.answer.gone && isBusy(error)) return await journey.left();
      const known =
        error instanceof GatewayError ? error : new GatewayError('internal', 'The gateway failed.', { cause: error });
      // Settled already where the error is an answer; this is for faults of our own on the way.
      await journey.account.settle(unbilled('failed', known));
      throw known;
    }
  }

  /** One target's part. Gives back the failure of one who was asked while the caller has seen nothing of its answer. */
  #visit(stop: Stop): Promise<Failure | null> {
    return stop.leg.journey.envelope.stream ? this.#stream(stop) : this.#whole(stop);
  }

  async #whole({ leg, ticket }: Stop): Promise<Failure | null> {
    const { journey, target, spoken } = leg;
    const { request, envelope, settings } = journey;
    const { answer } = request;
    const upstreamRequest = isLarge(leg) ? await begunInTurns(leg, 'as-sent') : begun(leg, 'as-sent');
    if ('error' in upstreamRequest) return upstreamRequest;
    const way = leg.crossing.whole();
    const receiver = new WholeReceiver(
      spoken,
      way,
      { maxAnswer: settings.limits.maxAnswer, total: Math.min(journey.timeHere, settings.timeouts.whole) },
      this.#parts.wheel,
    );
    const running = receiver.run(this.#parts.upstreamOf(target.provider), upstreamRequest, answer);
    this.#calls.wait(receiver);
    const end = await running;
    this.#calls.stopWaiting(receiver);
    if (end.kind === 'gone') {
      await journey.abandoned(leg);
      return null;
    }
    if (end.kind === 'refused') return { leg, head: end, error: end.error };
    ticket.succeeded({ wholeMs: leg.took() });
    const found = leg.measured(end.answer);
    const measured = found instanceof Promise ? await found : found;
    this.#planner.served(journey.plan, target, measured.usage);
    await journey.settle(leg, 'succeeded', end, null, { ...measured, firstContentAt: null }, way.dropped);
    const { references } = request.answered.inbound;
    if (references !== undefined) {
      await turnIf(end.body.length > LARGE);
      this.#keep(request, references.of(envelope, bytesOf(end.body)));
      await turnIf(end.body.length > LARGE);
    }
    if (answer.served !== null) answer.served.dropped = joined(answer.served.dropped, way.dropped);
    answer.whole(end.status, end.body);
    return null;
  }

  async #stream(stop: Stop): Promise<Failure | null> {
    const { target, spoken, journey } = stop.leg;
    const { request, envelope } = journey;
    if (target.provider.accent.refusesStreamOptions === true) return failureOf(await this.#streamOnce(stop, 'never'));
    // What a caller asked in another dialect is not yet asked in the vendor's.
    const asked = envelope.wantsUsage && request.asked === spoken;
    const end = await this.#streamOnce(stop, asked ? 'as-sent' : 'ask');
    if (end !== 'refuses-question') return end;
    // Not remembered: what else a call says may be why, and a stream without its usage is billed by a guess.
    return failureOf(await this.#streamOnce(stop, 'as-sent'));
  }

  /** `refuses-question`: the vendor refused the question for usage, and nothing else, so the call is to be sent without it. */
  async #streamOnce(stop: Stop, streamUsage: PassOptions['streamUsage']): Promise<Failure | null | 'refuses-question'> {
    const { leg, ticket } = stop;
    const { journey, target, spoken } = leg;
    const { request, settings } = journey;
    const upstreamRequest = isLarge(leg) ? await begunInTurns(leg, streamUsage) : begun(leg, streamUsage);
    if ('error' in upstreamRequest) return upstreamRequest;
    if (isLarge(leg)) await turnOfTheLoop();
    const relay = new StreamRelay(
      spoken,
      leg.crossing.stream(),
      request.answer,
      {
        ...settings.timeouts,
        firstByte: journey.firstByteAt(target),
        total: journey.timeLeft,
        maxLine: settings.limits.maxLine,
        mayMove: journey.walk.rest.length > 0,
      },
      this.#parts.wheel,
    );
    // A long answer that has begun is enough to know that its vendor is well.
    relay.onContent = (at) => ticket.answered(leg.took(at));
    const running = relay.run(this.#parts.upstreamOf(target.provider), upstreamRequest);
    this.#calls.wait(relay);
    const end = await running;
    this.#calls.stopWaiting(relay);

    if (end.kind === 'refused') {
      if (streamUsage === 'ask' && relay.status === 400 && end.words.includes('stream_options')) {
        journey.refusedQuestion(leg, relay, end.error);
        return 'refuses-question';
      }
      return { leg, head: relay, error: end.error };
    }
    const { firstContentAt } = relay;
    const measured = await leg.seen(relay.way, firstContentAt);
    switch (end.kind) {
      case 'complete':
        ticket.succeeded({ firstTokenMs: firstContentAt === null ? null : leg.took(firstContentAt) });
        this.#planner.served(journey.plan, target, measured.usage);
        await this.#settleOpenStream(leg, relay, null, measured, end.last);
        return null;
      case 'failed': {
        ticket.failed(end.error, request.caller.key.id);
        const error = cleanError(end.error, target);
        await this.#settleOpenStream(leg, relay, error, measured, relay.way.writeFailure(error));
        return null;
      }
      case 'gone':
        await journey.settle(leg, 'cancelled', relay, GONE, measured, relay.way.dropped);
        return null;
      default:
        return end satisfies never;
    }
  }

  /** Settles behind the commit point, then writes the last bytes. A record that cannot be kept is an error frame. */
  async #settleOpenStream(
    leg: Leg,
    relay: StreamRelay,
    error: GatewayError | null,
    measured: Measured,
    last: Buffer | string,
  ): Promise<void> {
    const { journey } = leg;
    const { answer } = journey.request;
    try {
      await journey.settle(leg, error === null ? 'succeeded' : 'failed', relay, error, measured, relay.way.dropped);
    } catch (cause) {
      if (!(cause instanceof GatewayError)) throw cause;
      journey.logFailure(leg, relay, cause);
      return answer.end(relay.way.writeFailure(cause));
    }
    if (error === null) this.#keep(journey.request, relay.way.items());
    answer.end(last);
  }

  /** Keeps the items of an answer that its caller may name in later calls. */
  #keep({ caller }: CallRequest, items: readonly OutputItem[]): void {
    for (const { id, json } of items) this.#parts.items.keep(caller.key.id, id, json);
  }
}

/** Throws where no target may be sent what the call names in its vendor's account: nothing is then held or recorded. */
function refuseWhereNobodyMaySee(envelope: Envelope, plan: CallPlan): void {
  if (envelope.sharedId === undefined) return;
  const all = [...plan.targets, ...plan.contextTargets, ...plan.policyTargets];
  if (!all.some(({ provider }) => maySee(envelope, provider))) throw sharedIdRefusal(envelope.sharedId);
}

function isLarge({ journey }: Leg): boolean {
  return journey.envelope.body.length > LARGE;
}

/** As `begun`, with a turn of the loop for others before the body is read, and before it is written. */
async function begunInTurns(leg: Leg, streamUsage: PassOptions['streamUsage']): Promise<UpstreamRequest | Failure> {
  await turnOfTheLoop();
  const failure = sayable(leg, () => {
    leg.crossing.read();
    return null;
  });
  if (failure !== null) return failure;
  await turnOfTheLoop();
  return begun(leg, streamUsage);
}

/** The request for the vendor. What cannot be said in one target's dialect may be in another's: then that is tried. */
function begun(leg: Leg, streamUsage: PassOptions['streamUsage']): UpstreamRequest | Failure {
  return sayable(leg, () => leg.begin(streamUsage));
}

function sayable<T>(leg: Leg, work: () => T): T | Failure {
  try {
    return work();
  } catch (error) {
    const isUnsayable = error instanceof GatewayError && error.kind === 'invalid_request';
    if (!isUnsayable || leg.journey.walk.rest.length === 0) throw error;
    return { leg, head: NO_HEAD, error };
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof GatewayError && error.kind === 'provider_busy';
}

function failureOf(end: Failure | null | 'refuses-question'): Failure | null {
  return end === 'refuses-question' ? null : end;
}

function bytesOf(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}
