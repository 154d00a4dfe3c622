import { GatewayError } from '../core/errors.ts';
import type {
  CallerAnswer,
  Upstream,
  UpstreamHeaders,
  UpstreamHold,
  UpstreamListener,
  UpstreamRequest,
} from '../core/ports.ts';
import { Deadline, type TimerWheel } from '../core/timer-wheel.ts';
import type { AnswerPeek, Dialect } from '../dialects/dialect.ts';
import { BUILT, refuseTooMuch } from './answer-bounds.ts';
import { isSuccess, isType, MAX_ERROR_BODY } from './answer-head.ts';
import type { WholeWay } from './crossing/ways.ts';
import { atOnce, inTurns, LARGE, type Pieces } from './turns.ts';

/** What came of asking a vendor for a whole answer. */
export type WholeEnd =
  | { kind: 'complete'; status: number; headers: UpstreamHeaders; body: Buffer | string; answer: AnswerPeek }
  | { kind: 'refused'; status: number | null; headers: UpstreamHeaders; error: GatewayError }
  | { kind: 'gone' };

export type WholeLimits = {
  /** Bytes of the answer. */
  maxAnswer: number;
  /** ms left of the whole call. */
  total: number;
};

/** Receives a whole answer to its end and checks it, before a byte of it leaves for the caller. */
export class WholeReceiver implements UpstreamListener {
  readonly #spoken: Dialect;
  readonly #way: WholeWay;
  readonly #maxAnswer: number;
  readonly #total: number;
  readonly #deadline: Deadline;
  #resolve: ((end: WholeEnd) => void) | null = null;
  #hold: UpstreamHold | null = null;
  #status: number | null = null;
  #headers: UpstreamHeaders = {};
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(spoken: Dialect, way: WholeWay, limits: WholeLimits, wheel: TimerWheel) {
    this.#spoken = spoken;
    this.#way = way;
    this.#maxAnswer = limits.maxAnswer;
    this.#total = limits.total;
    this.#deadline = new Deadline(wheel, () =>
      this.#refuse(new GatewayError('upstream_timeout', 'The provider did not answer in time.')),
    );
  }

  /** Sends the request and gathers what comes. Never rejects; called once. */
  run(upstream: Upstream, request: UpstreamRequest, caller: CallerAnswer): Promise<WholeEnd> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#deadline.set(this.#total);
      this.#hold = upstream.send(request, this);
      if (this.#resolve === null) this.#hold.abort();
      caller.onGone(() => this.#end({ kind: 'gone' }));
    });
  }

  /** Ends the wait from outside, as when the gateway stops. */
  interrupt(error: GatewayError): void {
    this.#refuse(error);
  }

  onStart(status: number, headers: UpstreamHeaders): void {
    this.#status = status;
    this.#headers = headers;
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
    const refused = !isSuccess(this.#status);
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
    const status = this.#status ?? 0;
    if (!isSuccess(status)) {
      return this.#refuse(this.#spoken.outbound.readError(status, this.#headers, body.toString('utf8')));
    }
    const pieces = readingOf(this.#way, body);
    if (body.length <= LARGE) return this.#deliver(() => atOnce(pieces));
    inTurns(pieces, () => this.#resolve === null).then(
      (read) => read !== null && this.#deliver(() => read),
      (cause) =>
        this.#deliver(() => {
          throw cause;
        }),
    );
  }

  #deliver(read: () => ReadAnswer): void {
    let whole: ReadAnswer;
    try {
      whole = read();
    } catch (cause) {
      // Whatever cannot be read is the vendor's fault: an error thrown from here would leave the call without an end.
      const known = cause instanceof GatewayError ? cause : null;
      return this.#refuse(
        known ?? new GatewayError('upstream_invalid_answer', 'The provider’s answer cannot be read.', { cause }),
      );
    }
    const { answer, body } = whole;
    if (answer.error !== null) return this.#refuse(answer.error);
    this.#end({ kind: 'complete', status: this.#status ?? 0, headers: this.#headers, body, answer });
  }

  onFailure(error: GatewayError): void {
    this.#refuse(error);
  }

  #refuse(error: GatewayError): void {
    this.#end({ kind: 'refused', status: this.#status, headers: this.#headers, error });
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

type ReadAnswer = { answer: AnswerPeek; body: Buffer | string };

/**
 * Reads an answer, and writes it for the caller. One whose text will be counted is read to its end, so that what is wrong in
 * it is found before it is passed on.
 */
function* readingOf(way: WholeWay, body: Buffer): Pieces<ReadAnswer> {
  let answer = way.read(body);
  if (answer.error !== null) return { answer, body };
  yield;
  const isCounted = answer.usage === null;
  if (isCounted || way.builds) {
    refuseTooMuch(body.toString('latin1'), BUILT);
    yield;
  }
  if (isCounted) {
    const produced = answer.output();
    answer = { ...answer, output: () => produced };
    yield;
  }
  way.build(body);
  yield;
  return { answer, body: way.written(body) };
}
