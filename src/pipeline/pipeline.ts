import { GatewayError } from '../core/errors.ts';
import type { DialectId } from '../core/provider.ts';
import type { Dialect, OutputItem, PassOptions } from '../dialects/dialect.ts';
import { plan } from '../routing/plan.ts';
import { Account, mayBeCharged, unbilled } from './account.ts';
import { choicesOf } from './choices.ts';
import { GONE, Journey, joined, type Measured } from './journey.ts';
import { measure, measuredNow } from './measure.ts';
import { OpenCalls } from './open-calls.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import { StreamRelay } from './stream.ts';
import { type CountDialect, type CountRequest, countTokens } from './token-count.ts';
import { cleanError } from './upstream-request.ts';
import { WholeReceiver } from './whole.ts';

/** One call's journey: read, plan, account, send, pass on, settle. The record is settled before the caller's terminal byte. */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #calls = new OpenCalls();
  /** Vendors' models that refused `stream_options` since this process started. */
  readonly #refusesUsage = new Set<string>();
  /** The dialects that a call in each dialect can go out in, its own first. */
  readonly #choices: ReadonlyMap<Dialect, readonly DialectId[]>;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#choices = new Map(parts.dialects.map((dialect) => [dialect, choicesOf(dialect, parts.dialects)]));
  }

  /** Answers one call. Throws `GatewayError` while nothing has been written; later faults become error frames. */
  async handle(request: CallRequest): Promise<void> {
    const { directory, settings } = this.#parts.current();
    this.#begin(settings);
    try {
      const { asked, caller } = request;
      const body = withItems(this.#parts, request);
      const envelope = asked.inbound.readEnvelope(body instanceof Promise ? await body : body, settings.limits);
      const { entry, targets } = plan(
        {
          model: envelope.model,
          dialects: this.#choices.get(asked) ?? [asked.id],
          label: asked.label,
          key: caller.key,
        },
        directory,
      );
      const target = targets[0];
      const spoken = this.#parts.dialects.find(({ id }) => id === target.dialect) ?? asked;
      const account = await Account.open(this.#parts, settings, request, envelope, entry, target);
      await this.#travel(new Journey(this.#parts, { request, envelope, target, spoken, settings, account }));
    } finally {
      this.#calls.end();
    }
  }

  /** Tells how many tokens a prompt has; rejects as a call does. */
  async countTokens(counting: CountDialect, request: CountRequest): Promise<number> {
    this.#begin(this.#parts.current().settings);
    try {
      return await countTokens(this.#parts, this.#calls, counting, request);
    } finally {
      this.#calls.end();
    }
  }

  /** Waits until no call is open, at most `ms`; then ends what is still under way with an error, and waits for the records. */
  drain(ms: number): Promise<void> {
    return this.#calls.drain(ms);
  }

  #begin({ limits }: PipelineSettings): void {
    if (this.#calls.count >= limits.maxOpenCalls) {
      const message = `The gateway has ${limits.maxOpenCalls} calls open, as many as it may.`;
      throw new GatewayError('overloaded', message, { retryAfterMs: 1000 });
    }
    this.#calls.begin();
  }

  async #travel(journey: Journey): Promise<void> {
    try {
      if (journey.request.answer.gone) return await journey.account.settle(unbilled('cancelled', GONE));
      await (journey.envelope.stream ? this.#stream(journey) : this.#whole(journey));
    } catch (error) {
      const known =
        error instanceof GatewayError ? error : new GatewayError('internal', 'The gateway failed.', { cause: error });
      // Settled already where the error is an answer; this is for faults of our own on the way.
      await journey.account.settle(unbilled('failed', known));
      throw known;
    }
  }

  async #whole(journey: Journey): Promise<void> {
    const { request, envelope, target, spoken, settings } = journey;
    const { answer } = request;
    const upstreamRequest = journey.begin('as-sent');
    const way = journey.crossing.whole();
    const receiver = new WholeReceiver(
      spoken,
      way,
      { maxAnswer: settings.limits.maxAnswer, total: journey.timeLeft },
      this.#parts.wheel,
    );
    const running = receiver.run(this.#parts.upstreamOf(target.provider), upstreamRequest, answer);
    this.#calls.wait(receiver);
    const end = await running;
    this.#calls.stopWaiting(receiver);
    if (end.kind === 'gone') {
      const head = { status: null, headers: {} };
      return journey.settle('cancelled', head, GONE, await journey.promptOnly(), []);
    }
    if (end.kind === 'refused') {
      const measured = mayBeCharged(end.error, end.status) ? await journey.promptOnly() : null;
      return journey.giveUp(end, end.error, measured);
    }
    const measured =
      measuredNow(end.answer) ?? (await measure(request.asked, envelope, end.answer, this.#parts.tokens));
    await journey.settle('succeeded', end, null, { ...measured, firstContentAt: null }, way.dropped);
    const { references } = request.answered.inbound;
    if (references !== undefined) this.#keep(request, references.of(envelope, bytesOf(end.body)));
    if (answer.served !== null) answer.served.dropped = joined(answer.served.dropped, way.dropped);
    answer.whole(end.status, end.body);
  }

  async #stream(journey: Journey): Promise<void> {
    const { request, envelope, target } = journey;
    const memory = `${target.provider.id} ${target.model.upstreamId}`;
    if (target.provider.accent.refusesStreamOptions === true) return void (await this.#streamOnce(journey, 'never'));
    // What a caller asked in another dialect is not yet asked in the vendor's.
    const asked = envelope.wantsUsage && request.asked === journey.spoken;
    const ask = !asked && !this.#refusesUsage.has(memory);
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
    const { request, target, spoken, settings } = journey;
    const upstreamRequest = journey.begin(streamUsage);
    const relay = new StreamRelay(
      spoken,
      journey.crossing.stream(),
      request.answer,
      { ...settings.timeouts, total: journey.timeLeft, maxLine: settings.limits.maxLine },
      this.#parts.wheel,
    );
    const running = relay.run(this.#parts.upstreamOf(target.provider), upstreamRequest);
    this.#calls.wait(relay);
    const end = await running;
    this.#calls.stopWaiting(relay);

    if (end.kind === 'refused') {
      if (streamUsage === 'ask' && relay.status === 400 && end.words.includes('stream_options')) {
        journey.tried(relay, end.error);
        return true;
      }
      const charged = mayBeCharged(end.error, relay.status);
      return journey.giveUp(relay, end.error, charged ? await journey.seen(relay.way, relay.firstContentAt) : null);
    }
    const measured = await journey.seen(relay.way, relay.firstContentAt);
    switch (end.kind) {
      case 'complete':
        await this.#settleOpenStream(journey, relay, null, measured, end.last);
        return false;
      case 'failed': {
        const error = cleanError(end.error, target);
        await this.#settleOpenStream(journey, relay, error, measured, relay.way.writeFailure(error));
        return false;
      }
      case 'gone':
        await journey.settle('cancelled', relay, GONE, measured, relay.way.dropped);
        return false;
      default:
        return end satisfies never;
    }
  }

  /** Settles behind the commit point, then writes the last bytes. A record that cannot be kept is an error frame. */
  async #settleOpenStream(
    journey: Journey,
    relay: StreamRelay,
    error: GatewayError | null,
    measured: Measured,
    last: Buffer | string,
  ): Promise<void> {
    const { answer } = journey.request;
    try {
      await journey.settle(error === null ? 'succeeded' : 'failed', relay, error, measured, relay.way.dropped);
    } catch (cause) {
      if (!(cause instanceof GatewayError)) throw cause;
      this.#parts.log.failed(journey.account.intent, cause);
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

function bytesOf(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** The caller's body with the items that it names in place of sending them; a promise only where others must be asked. */
function withItems({ items }: PipelineParts, { asked, body, caller }: CallRequest): Buffer | Promise<Buffer> {
  const { references } = asked.inbound;
  const ids = references?.within(body) ?? null;
  if (references === undefined || ids === null) return body;
  const keyId = caller.key.id;
  const resolved = () =>
    references.resolve(body, (id) => {
      const json = items.find(keyId, id);
      return json === undefined ? undefined : JSON.parse(json);
    });
  return items.bring(keyId, ids)?.then(resolved) ?? resolved();
}
