import { GatewayError } from '../core/errors.ts';
import type {
  CallerAnswer,
  Upstream,
  UpstreamHeaders,
  UpstreamHold,
  UpstreamListener,
  UpstreamRequest,
} from '../core/ports.ts';
import { Deadline, type TimerWheel } from '../deadlines/timer-wheel.ts';
import type { AnswerPeek, Dialect } from '../dialects/dialect.ts';
import type { Interruptible } from './open-calls.ts';
import type { WholeConverter } from './translation/converter.ts';
import { atOnce, inTurns, LARGE, type Pieces } from './turns.ts';
import {
  type AnswerHead,
  BUILT,
  isSuccess,
  isType,
  MAX_ERROR_BODY,
  NO_HEAD,
  refuseTooManyValues,
  tooLate,
} from './vendor-answer.ts';

/** The result of asking a vendor for a whole answer, in the words of `AttemptOutcome`. */
export type WholeEnd =
  | { kind: 'complete'; head: AnswerHead; body: Buffer | string; answer: AnswerPeek }
  | { kind: 'failed'; head: AnswerHead; error: GatewayError }
  | { kind: 'left' };

export type WholeLimits = {
  /** The most bytes of the answer. */
  maxAnswer: number;
  /** Remaining ms of the whole call. */
  total: number;
};

/** Receives a whole answer and checks it before any of it is written to the caller. */
export class WholeReceiver implements UpstreamListener, Interruptible {
  waitsAt = -1;
  readonly #spoken: Dialect;
  readonly #converter: WholeConverter;
  readonly #maxAnswer: number;
  readonly #total: number;
  readonly #deadline: Deadline;
  #resolve: ((end: WholeEnd) => void) | null = null;
  #hold: UpstreamHold | null = null;
  #head = NO_HEAD;
  /** Whether the answer has come whole. A caller who leaves while it is read has used it all the same, and it says how much. */
  #isReceived = false;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(spoken: Dialect, converter: WholeConverter, limits: WholeLimits, wheel: TimerWheel) {
    this.#spoken = spoken;
    this.#converter = converter;
    this.#maxAnswer = limits.maxAnswer;
    this.#total = limits.total;
    this.#deadline = new Deadline(wheel, () =>
      this.#refuse(tooLate(this.#hold, 'The provider did not answer in time.')),
    );
  }

  /** Sends the request and collects the answer. Never rejects; must be called once. */
  run(upstream: Upstream, request: UpstreamRequest, caller: CallerAnswer): Promise<WholeEnd> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#deadline.set(this.#total);
      this.#hold = upstream.send(request, this);
      if (this.#resolve === null) this.#hold.abort();
      caller.onGone(() => {
        if (!this.#isReceived) this.#end({ kind: 'left' });
      });
    });
  }

  /** Whether nothing of the request has left. */
  get unsent(): boolean {
    return this.#hold?.unsent === true;
  }

  /** Ends the wait from outside, for example when the gateway stops. */
  interrupt(error: GatewayError): void {
    this.#refuse(error);
  }

  onStart(status: number, headers: UpstreamHeaders): void {
    this.#head = { ...NO_HEAD, status, headers };
    if (isSuccess(status) && !isType(headers, 'json')) {
      this.#refuse(
        new GatewayError('upstream_invalid_answer', 'The provider answered with something that is not JSON.'),
      );
    }
  }

  onData(chunk: Buffer): void {
    if (this.#resolve === null) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const refused = !isSuccess(this.#head.status);
    if (refused && this.#length > MAX_ERROR_BODY) return this.onEnd();
    if (!refused && this.#length > this.#maxAnswer) {
      this.#refuse(
        new GatewayError('upstream_invalid_answer', `The provider’s answer is larger than ${this.#maxAnswer} bytes.`),
      );
    }
  }

  onEnd(): void {
    if (this.#resolve === null) return;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const { status, headers } = this.#head;
    if (!isSuccess(status)) {
      return this.#refuse(this.#spoken.outbound.readError(status ?? 0, headers, body.toString('utf8')));
    }
    this.#isReceived = true;
    if (body.length > LARGE) return void this.#readInTurns(body);
    try {
      this.#complete(atOnce(readingOf(this.#converter, body)));
    } catch (cause) {
      this.#refuse(unreadable(cause));
    }
  }

  async #readInTurns(body: Buffer): Promise<void> {
    try {
      const read = await inTurns(readingOf(this.#converter, body), () => this.#resolve === null);
      if (read !== null) this.#complete(read);
    } catch (cause) {
      this.#refuse(unreadable(cause));
    }
  }

  #complete({ answer, body }: ReadAnswer): void {
    if (answer.error !== null) return this.#refuse(answer.error);
    this.#end({ kind: 'complete', head: this.#head, body, answer });
  }

  onFailure(error: GatewayError): void {
    this.#refuse(error);
  }

  #refuse(error: GatewayError): void {
    this.#end({ kind: 'failed', head: this.#head, error });
  }

  #end(end: WholeEnd): void {
    if (this.#resolve === null) return;
    const resolve = this.#resolve;
    this.#resolve = null;
    this.#deadline.clear();
    if (end.kind !== 'complete') this.#hold?.abort();
    resolve(end);
  }
}

/** Any error while reading counts as the vendor's fault: throwing here would leave the call without an end. */
function unreadable(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new GatewayError('upstream_invalid_answer', 'The provider’s answer cannot be read.', { cause });
}

type ReadAnswer = { answer: AnswerPeek; body: Buffer | string };

/**
 * Reads an answer, and writes it for the caller. If its text must be counted, all of it is read first, so that errors
 * in it are found before it is passed on.
 */
function* readingOf(converter: WholeConverter, body: Buffer): Pieces<ReadAnswer> {
  let answer = converter.read(body);
  if (answer.error !== null) return { answer, body };
  yield;
  const isCounted = answer.usage === null;
  if (isCounted || converter.builds) refuseTooManyValues(answer.index, BUILT);
  if (isCounted) {
    const produced = answer.output();
    answer = { ...answer, output: () => produced };
    yield;
  }
  converter.build(body);
  yield;
  return { answer, body: converter.written(body, answer) };
}
