import { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import { unreadable } from '../dialects/answer-scan.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { type JsonBounds, JsonBoundsError, JsonError, scanObject } from '../json/scan.ts';
import type { JsonIndex } from '../json/tape.ts';
import type { StreamConverter } from './translation/converter.ts';

/** What a vendor answered, as far as it got. */
export type AnswerHead = {
  status: number | null;
  headers: UpstreamHeaders;
  /** Monotonic; when the first content of a stream left for the caller. */
  firstContentAt: number | null;
};

export const NO_HEAD: AnswerHead = { status: null, headers: {}, firstContentAt: null };

/** Bytes of a vendor's error that are read; the words that matter stand at its beginning. */
export const MAX_ERROR_BODY = 1024 * 1024;

/** Whether the vendor answered, and with a status of 2xx. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether an answer says it is of this kind. One that says nothing is taken at its bytes. */
export function isType(headers: UpstreamHeaders, wanted: 'json' | 'event-stream'): boolean {
  const type = headers['content-type'];
  return type === undefined || String(type).toLowerCase().includes(wanted);
}

/** How deep it may be is for whoever reads it to say: what passes may be of any depth. */
const ANY_DEPTH = Number.MAX_SAFE_INTEGER;

/** What holds less, in characters, cannot hold so much that its parse would hold up others. */
export const SMALL_JSON = 64 * 1024;

/** What an answer, or an event of a stream, may hold that is built: twenty log probabilities for each of 1,500 tokens have as much. */
export const BUILT: JsonBounds = { maxValues: 300_000, maxMembers: 100_000 };
/** The same of an event that passes, and is parsed for what it says of usage. */
export const PASSING: JsonBounds = { maxValues: 1_000_000, maxMembers: 300_000 };

/**
 * Throws `GatewayError` (502) for a whole answer that holds more than it may. One that passes and tells its usage is not
 * built, and not asked: a list of embeddings may have millions of numbers.
 */
export function refuseTooMuch({ values, members }: JsonIndex, { maxValues, maxMembers }: JsonBounds): void {
  const told = values > maxValues ? `${maxValues} values` : members > maxMembers ? `${maxMembers} members` : null;
  if (told !== null) throw unreadable(new JsonBoundsError(`it has more than ${told}`, 0));
}

/** The same of an event of a stream, which was not looked at yet. */
export function refuseEvent(json: string, bounds: JsonBounds): void {
  if (json.length <= SMALL_JSON) return;
  try {
    scanObject(json, ANY_DEPTH, bounds);
  } catch (cause) {
    throw cause instanceof JsonError ? unreadable(cause) : cause;
  }
}

/** An answer that is no stream although one was asked for: an error of the vendor's, or something that cannot be read as one. */
export class Refusal {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  /** @returns whether that is enough of it */
  gather(piece: Buffer): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length > MAX_ERROR_BODY;
  }

  /** What it says. `words` are the vendor's own. */
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
