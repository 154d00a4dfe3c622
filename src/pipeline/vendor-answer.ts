import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders, UpstreamHold } from '../core/ports.ts';
import { unreadable as unreadableJson } from '../dialects/answer-scan.ts';
import { type JsonBounds, JsonBoundsError, JsonError, scanObject } from '../json/scan.ts';
import type { JsonIndex } from '../json/tape.ts';

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

/** What an answer is by its first bytes: one JSON value, server-sent events, or neither. */
export type AnswerForm = 'json' | 'events' | 'neither';

const EVENT_FIELD = /^(?:data|event|id|retry)?(?:[:\r\n])/;
/** The most characters needed to recognize the first field of an event stream. */
const ENOUGH = 8;

/**
 * The form of a successful answer that begins so, without blanks; `null` while more must come. Vendors and the proxies before
 * them answer in the other form than was asked for, and name the wrong content type, so the bytes decide. The content type
 * decides only about a stream that begins with no field of an event.
 */
export function formOf(start: string, headers: UpstreamHeaders): AnswerForm | null {
  if (start === '') return null;
  if (start.startsWith('{') || start.startsWith('[')) return 'json';
  if (
    String(headers['content-type'] ?? '')
      .toLowerCase()
      .includes('event-stream')
  )
    return 'events';
  if (EVENT_FIELD.test(start)) return 'events';
  return start.length < ENOUGH ? null : 'neither';
}

/** The first characters of a piece, without blanks and a byte order mark before them. */
export function startOf(piece: Buffer | string): string {
  const isText = typeof piece === 'string';
  let at = 0;
  while (at < piece.length && isBlank(isText ? piece.charCodeAt(at) : piece[at]!)) at += 1;
  return isText ? piece.slice(at, at + ENOUGH) : piece.toString('latin1', at, at + ENOUGH);
}

/** Whether a byte is white space or of a byte order mark. */
function isBlank(byte: number): boolean {
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;
}

/** The body without a byte order mark, which JSON has none of. */
export function withoutMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

/** The reader of an event limits its depth; passing events may have any depth. */
const ANY_DEPTH = Number.MAX_SAFE_INTEGER;

/** JSON of fewer characters cannot hold so many values that parsing it would block other calls. */
export const SMALL_JSON = 64 * 1024;

/** Bounds of an answer or stream event that is parsed: enough for twenty log probabilities for each of 1,500 tokens. */
export const BUILT: JsonBounds = { maxValues: 300_000, maxMembers: 100_000 };
/** Bounds of a passing event that is parsed to find its usage. */
export const PASSING: JsonBounds = { maxValues: 1_000_000, maxMembers: 300_000 };

/** Whether an answer has more values or members than may be built. */
export function hasTooManyValues({ values, members }: JsonIndex, { maxValues, maxMembers }: JsonBounds): boolean {
  return values > maxValues || members > maxMembers;
}

/**
 * Throws `GatewayError` (502) if a whole answer has too many values. Passing answers with usage are not checked,
 * because they are not parsed: a list of embeddings may have millions of numbers.
 */
export function refuseTooManyValues({ values, members }: JsonIndex, { maxValues, maxMembers }: JsonBounds): void {
  const told = values > maxValues ? `${maxValues} values` : members > maxMembers ? `${maxMembers} members` : null;
  if (told !== null) throw unreadableJson(new JsonBoundsError(`it has more than ${told}`, 0));
}

/** The fault of an event of a stream, which was not scanned before; `null` if it has none. */
export function eventFault(json: string, bounds: JsonBounds): GatewayError | null {
  if (json.length <= SMALL_JSON) return null;
  try {
    scanObject(Buffer.from(json), ANY_DEPTH, bounds);
    return null;
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    return unreadableJson(cause);
  }
}

/** A vendor's body that is gathered, and how it begins. */
export class GatheredBody {
  readonly #most: number;
  readonly #pieces: Buffer[] = [];
  /** Its first characters without blanks, as many as are needed. */
  start = '';
  #length = 0;

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most;
  }

  get isTooLong(): boolean {
    return this.#length > this.#most;
  }

  add(piece: Buffer | string): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    if (this.start.length < ENOUGH) this.start += startOf(bytes);
  }

  bytes(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#length);
  }
}

/** Any error while an answer is read counts as the vendor's fault: throwing it would leave the call without an end. */
export function unreadable(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new GatewayError('upstream_invalid_answer', 'The provider’s answer cannot be read.', { cause });
}

/** The error for an answer of more bytes than are accepted. */
export function tooLarge(most: number): GatewayError {
  return new GatewayError('upstream_invalid_answer', `The provider’s answer is larger than ${most} bytes.`);
}

/** The error for a frame that the splitter of a stream refused. */
export function tooLongFrame(cause: RangeError): GatewayError {
  return new GatewayError('upstream_invalid_answer', `In the provider’s stream ${cause.message}.`, { cause });
}
