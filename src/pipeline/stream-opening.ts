import { GatewayError } from '../core/errors.ts';
import type { StreamEvent } from '../dialects/dialect.ts';
import { cutShort } from '../dialects/vendor-errors.ts';
import type { StreamEnds } from './stream-parts.ts';
import type { StreamConverter } from './translation/converter.ts';
import { atOnce, inTurns, LARGE, type Pieces } from './turns.ts';
import {
  type AnswerForm,
  type AnswerHead,
  formOf,
  GatheredBody,
  isSuccess,
  MAX_ERROR_BODY,
  startOf,
  tooLarge,
  unreadable,
  withoutMark,
} from './vendor-answer.ts';

/** What has come of an answer: bytes of a stream, an error's body, or the fault for which it is not waited for. */
export type OpenedStream = { events: Buffer | string } | { refusal: string } | { fault: GatewayError };

/** Finds out what a vendor answers a streamed call with: a stream of events, one JSON object, or an error. */
export class StreamOpening {
  /** Whether it is a stream of events: what comes then is not pushed here. */
  isStream = false;
  readonly #maxAnswer: number;
  #form: AnswerForm | null = null;
  #body: GatheredBody | null = null;

  /** @param maxAnswer the most bytes of an answer that is one JSON object */
  constructor(maxAnswer: number) {
    this.#maxAnswer = maxAnswer;
  }

  /** Takes the next piece; `null` while more must come. */
  push(piece: Buffer | string, { status, headers }: AnswerHead): OpenedStream | null {
    if (!isSuccess(status)) {
      const body = this.#gather(piece, MAX_ERROR_BODY);
      return body.isTooLong ? { refusal: body.bytes().toString('utf8') } : null;
    }
    if (this.#body === null) {
      this.#form = formOf(startOf(piece), headers);
      if (this.#form === 'events') return this.#streaming(piece);
    }
    const body = this.#gather(piece, this.#maxAnswer);
    if (body.isTooLong) return { fault: tooLarge(this.#maxAnswer) };
    this.#form ??= formOf(body.start, headers);
    if (this.#form === 'neither') return { fault: somethingElse() };
    return this.#form === 'events' ? this.#streaming(body.bytes()) : null;
  }

  /** What an answer is whose body has ended, and which is no stream: one JSON object as bytes, an error, or a fault. */
  end({ status }: AnswerHead): { whole: Buffer } | { refusal: string } | { fault: GatewayError } {
    const bytes = this.#body?.bytes() ?? NO_BYTES;
    if (!isSuccess(status)) return { refusal: bytes.toString('utf8') };
    if (this.#form === 'json') return { whole: withoutMark(bytes) };
    return { fault: bytes.length === 0 ? cutShort() : somethingElse() };
  }

  #gather(piece: Buffer | string, most: number): GatheredBody {
    this.#body ??= new GatheredBody(most);
    this.#body.add(piece);
    return this.#body;
  }

  #streaming(events: Buffer | string): OpenedStream {
    this.isStream = true;
    return { events };
  }
}

/** What becomes of an answer that came whole. */
export type WholeTaker = {
  /** Whether the answer is waited for no more. */
  isOver(): boolean;
  /** `event` is what the converter is to be given: it brings the whole answer. */
  take(converter: StreamConverter, event: StreamEvent): void;
  fail(error: GatewayError): void;
};

/** Makes the converter of an answer that came whole; at once, or in turns of the event loop where it is large. */
export function convertWhole(body: Buffer, ofWhole: StreamEnds['ofWhole'], taker: WholeTaker): void {
  if (body.length > LARGE) return void convertInTurns(ofWhole(body), taker);
  try {
    taker.take(atOnce(ofWhole(body)), NO_EVENT);
  } catch (cause) {
    taker.fail(unreadable(cause));
  }
}

async function convertInTurns(pieces: Pieces<StreamConverter>, taker: WholeTaker): Promise<void> {
  try {
    const converter = await inTurns(pieces, () => taker.isOver());
    if (converter !== null) taker.take(converter, NO_EVENT);
  } catch (cause) {
    taker.fail(unreadable(cause));
  }
}

const NO_EVENT: StreamEvent = { event: null, data: '' };
const NO_BYTES = Buffer.alloc(0);

function somethingElse(): GatewayError {
  return new GatewayError('upstream_invalid_answer', 'The provider answered a stream with something else.');
}
