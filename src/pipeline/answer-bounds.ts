import { GatewayError } from '../core/errors.ts';
import { type JsonBounds, JsonBoundsError, JsonError, scanObject } from '../core/json.ts';

/** How deep it may be is for whoever reads it to say: what passes may be of any depth. */
const ANY_DEPTH = Number.MAX_SAFE_INTEGER;

/** What holds less, in characters, cannot hold so much that its parse would hold up others. */
export const SMALL_JSON = 64 * 1024;

/** What an answer, or an event of a stream, may hold that is built: twenty log probabilities for each of 1,500 tokens have as much. */
export const BUILT: JsonBounds = { maxValues: 300_000, maxMembers: 100_000 };
/** The same of an event that passes, and is parsed for what it says of usage. */
export const PASSING: JsonBounds = { maxValues: 1_000_000, maxMembers: 300_000 };

/**
 * Throws `GatewayError` (502) for an answer, or an event of a stream, that holds more than it may. A whole answer that passes
 * and tells its usage is not parsed, and not asked: a list of embeddings may have millions of numbers.
 */
export function refuseTooMuch(json: string, bounds: JsonBounds): void {
  if (json.length <= SMALL_JSON) return;
  try {
    scanObject(json, ANY_DEPTH, bounds);
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    const message =
      cause instanceof JsonBoundsError
        ? `The provider’s answer cannot be read: ${cause.message}.`
        : 'The provider’s answer is cut, or is not JSON.';
    throw new GatewayError('upstream_invalid_answer', message, { cause });
  }
}
