import { GatewayError } from '../core/errors.ts';
import type {
  Admission,
  CallerAnswer,
  Upstream,
  UpstreamHeaders,
  UpstreamHold,
  UpstreamListener,
  UpstreamRequest,
} from '../core/ports.ts';
import { Deadline, type TimerWheel } from '../deadlines/timer-wheel.ts';
import type { AnswerPeek, Dialect } from '../dialects/dialect.ts';
import { noText } from '../dialects/openai-peek.ts';
import type { SeenAnswer } from './measure.ts';
import type { Interruptible } from './open-calls.ts';
import type { AnswerForms, WholeConverter } from './translation/converter.ts';
import { atOnce, inTurns, LARGE, type Pieces } from './turns.ts';
import {
  type AnswerForm,
  type AnswerHead,
  BUILT,
  formOf,
  GatheredBody,
  hasTooManyValues,
  isSuccess,
  MAX_ERROR_BODY,
  NO_HEAD,
  refuseTooManyValues,
  tooLarge,
  tooLate,
  unreadable,
  withoutMark,
} from './vendor-answer.ts';

/** The result of asking a vendor for a whole answer, in the words of `AttemptOutcome`. */
export type WholeEnd =
  | ({ kind: 'complete'; head: AnswerHead } & ReadAnswer)
  | { kind: 'failed'; head: AnswerHead; error: GatewayError; seen?: SeenAnswer }
  | { kind: 'left' };

export type WholeLimits = {
  /** The most bytes of the answer. */
  maxAnswer: number;
  /** Remaining ms of the whole call. */
  total: number;
};

/** The two sides of a whole answer. */
export type WholeEnds = {
  /** The dialect used with the vendor. */
  spoken: Dialect;
  converter: WholeConverter;
  /** Reads an answer that comes as a stream of events; `null`: it is refused. */
  forms: AnswerForms | null;
};

const NOTHING_YET = new GatheredBody(0);

/** Receives a whole answer and checks it before any of it is written to the caller. */
export class WholeReceiver implements UpstreamListener, Interruptible {
  waitsAt = -1;
  admission: Admission | null = null;
  readonly #spoken: Dialect;
  readonly #converter: WholeConverter;
  readonly #forms: AnswerForms | null;
  readonly #maxAnswer: number;
  readonly #total: number;
  readonly #deadline: Deadline;
  #resolve: ((end: WholeEnd) => void) | null = null;
  #hold: UpstreamHold | null = null;
  #head = NO_HEAD;
  /** Whether the answer is complete. A caller who leaves while it is read has used it, and it reports how much. */
  #isReceived = false;
  #body = NOTHING_YET;
  #form: AnswerForm | null = null;

  constructor({ spoken, converter, forms }: WholeEnds, limits: WholeLimits, wheel: TimerWheel) {
    this.#spoken = spoken;
    this.#converter = converter;
    this.#forms = forms;
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
    this.#body = new GatheredBody(isSuccess(status) ? this.#maxAnswer : MAX_ERROR_BODY);
  }

  onData(chunk: Buffer): void {
    if (this.#resolve === null) return;
    this.#body.add(chunk);
    const isAnswer = isSuccess(this.#head.status);
    if (this.#body.isTooLong) return isAnswer ? this.#refuse(tooLarge(this.#maxAnswer)) : this.onEnd();
    if (!isAnswer || this.#form !== null) return;
    this.#form = formOf(this.#body.start, this.#head.headers);
    // What cannot be read is not waited for.
    if (this.#form === 'neither' || (this.#form === 'events' && this.#forms === null)) this.#refuse(noJson());
  }

  onEnd(): void {
    if (this.#resolve === null) return;
    const body = this.#body.bytes();
    const { status, headers } = this.#head;
    if (!isSuccess(status)) {
      return this.#refuse(this.#spoken.outbound.readError(status ?? 0, headers, body.toString('utf8')));
    }
    this.#isReceived = true;
    if (body.length > LARGE) return void this.#readInTurns(body);
    try {
      this.#complete(atOnce(this.#reading(body)));
    } catch (cause) {
      this.#refuse(unreadable(cause));
    }
  }

  #reading(body: Buffer): Pieces<ReadAnswer> {
    if (this.#form === 'events' && this.#forms !== null) return readingOfEvents(this.#forms, body);
    return readingOf(this.#converter, withoutMark(body));
  }

  async #readInTurns(body: Buffer): Promise<void> {
    try {
      const read = await inTurns(this.#reading(body), () => this.#resolve === null);
      if (read !== null) this.#complete(read);
    } catch (cause) {
      this.#refuse(unreadable(cause));
    }
  }

  #complete({ converter, answer, body }: ReadAnswer): void {
    const { error } = answer;
    if (error !== null) return this.#end({ kind: 'failed', head: this.#head, error, seen: answer });
    this.#end({ kind: 'complete', head: this.#head, converter, body, answer });
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

function noJson(): GatewayError {
  return new GatewayError('upstream_invalid_answer', 'The provider answered with something that is not JSON.');
}

/** The answer, its body for the caller, and the converter that wrote it. */
type ReadAnswer = { answer: AnswerPeek; body: Buffer | string; converter: WholeConverter };

/**
 * Reads an answer, and writes it for the caller. If its text must be counted, all of it is read first, so that errors
 * in it are found before it is passed on.
 */
function* readingOf(converter: WholeConverter, body: Buffer): Pieces<ReadAnswer> {
  let answer = converter.read(body);
  const isCounted = answer.usage === null;
  if (answer.error !== null) {
    const isUncountable = isCounted && hasTooManyValues(answer.index, BUILT);
    return { answer: isUncountable ? { ...answer, output: noText } : answer, body, converter };
  }
  yield;
  if (isCounted || converter.builds) refuseTooManyValues(answer.index, BUILT);
  if (isCounted) {
    const produced = answer.output();
    answer = { ...answer, output: () => produced };
    yield;
  }
  converter.build(body);
  yield;
  return { answer, body: converter.written(body, answer), converter };
}

/** The same of an answer that came as a stream of events. */
function* readingOfEvents(forms: AnswerForms, events: Buffer): Pieces<ReadAnswer> {
  const { converter, answer } = yield* forms.wholeOf(events);
  yield;
  return { answer, body: converter.written(events, answer), converter };
}
