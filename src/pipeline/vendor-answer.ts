import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders, UpstreamHold } from '../core/ports.ts';
import { unreadable } from '../dialects/answer-scan.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { type JsonBounds, JsonBoundsError, JsonError, scanObject } from '../json/scan.ts';
import type { JsonIndex } from '../json/tape.ts';
import type { StreamConverter } from './translation/converter.ts';

/** The vendor's status and headers, as far as received. */
export type AnswerHead = {
  status: number | null;
  headers: UpstreamHeaders;
  /** When the first content of a stream was written to the caller (monotonic). */
  firstContentAt: number | null;
  /** Whether the caller has received a part of a stream: its first content, or what was sent for want of it. */
  isCommitted: boolean;
};

export const NO_HEAD: AnswerHead = { status: null, headers: {}, firstContentAt: null, isCommitted: false };

/** The error for a deadline that has passed. While nothing of a request has left, its vendor was not reached, and charges nothing. */
export function tooLate(hold: UpstreamHold | null, message: string): GatewayError {
  if (hold?.unsent !== true) return new GatewayError('upstream_timeout', message);
  return new GatewayError('upstream_unreachable', 'The provider could not be reached in time.');
}

/** The most bytes read of a vendor's error; what matters is at its beginning. */
export const MAX_ERROR_BODY = 1024 * 1024;

/** Whether the vendor answered with a 2xx status. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether an answer has this content type. One without a content type is accepted. */
export function isType(headers: UpstreamHeaders, wanted: 'json' | 'event-stream'): boolean {
  const type = headers['content-type'];
  return type === undefined || String(type).toLowerCase().includes(wanted);
}

/** The reader of an event limits its depth; passing events may have any depth. */
const ANY_DEPTH = Number.MAX_SAFE_INTEGER;

/** JSON of fewer characters cannot hold so many values that parsing it would block other calls. */
export const SMALL_JSON = 64 * 1024;

/** Bounds of an answer or stream event that is parsed: enough for twenty log probabilities for each of 1,500 tokens. */
export const BUILT: JsonBounds = { maxValues: 300_000, maxMembers: 100_000 };
/** Bounds of a passing event that is parsed to find its usage. */
export const PASSING: JsonBounds = { maxValues: 1_000_000, maxMembers: 300_000 };

/**
 * Throws `GatewayError` (502) if a whole answer has too many values. Passing answers with usage are not checked,
 * because they are not parsed: a list of embeddings may have millions of numbers.
 */
export function refuseTooManyValues({ values, members }: JsonIndex, { maxValues, maxMembers }: JsonBounds): void {
  const told = values > maxValues ? `${maxValues} values` : members > maxMembers ? `${maxMembers} members` : null;
  if (told !== null) throw unreadable(new JsonBoundsError(`it has more than ${told}`, 0));
}

/** Checks an event of a stream, which was not scanned before. */
export function refuseEvent(json: string, bounds: JsonBounds): void {
  if (json.length <= SMALL_JSON) return;
  try {
    scanObject(Buffer.from(json), ANY_DEPTH, bounds);
  } catch (cause) {
    throw cause instanceof JsonError ? unreadable(cause) : cause;
  }
}

/** Collects an answer that is not a stream although one was asked for: a vendor's error, or something unreadable. */
export class Refusal {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  /** @returns whether enough was collected */
  gather(piece: Buffer | string): boolean {
    this.#pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    this.#length += piece.length;
    return this.#length > MAX_ERROR_BODY;
  }

  /** The error in the answer. `words` is the vendor's body. */
  read(
    status: number,
    headers: UpstreamHeaders,
    converter: StreamConverter,
    readError: Dialect['outbound']['readError'],
  ): { error: GatewayError; words: string } {
    const bytes = Buffer.concat(this.#pieces);
    const words = bytes.toString('utf8');
    if (!isSuccess(status)) return { error: readError(status, headers, words), words };
    const mayFail = isType(headers, 'json') && words.includes('"error"');
    const fails = mayFail && converter.convert(bytes, { event: 'error', data: words }).role === 'fails';
    const error = fails
      ? converter.error()
      : new GatewayError('upstream_invalid_answer', 'The provider answered a stream with something else.');
    return { error, words };
  }
}
