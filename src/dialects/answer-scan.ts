import { GatewayError } from '../core/errors.ts';
import { utf8Of } from '../json/names.ts';
import { JsonBoundsError, JsonError, scanObject } from '../json/scan.ts';
import { type JsonIndex, memberRange } from '../json/tape.ts';

/** The deepest nesting accepted in a vendor's answer. No vendor nests this deep; deeper JSON could overflow the parser. */
const MAX_ANSWER_DEPTH = 512;

/** Scans a vendor's JSON before it is parsed. Throws `GatewayError` (502) if it is not one JSON object of bounded depth. */
export function scanAnswer(text: string): JsonIndex {
  try {
    return scanObject(text, MAX_ANSWER_DEPTH);
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw unreadable(cause);
  }
}

/** The error for a vendor's answer that the scan rejected. */
export function unreadable(cause: JsonError): GatewayError {
  const message =
    cause instanceof JsonBoundsError
      ? `The provider’s answer cannot be read: ${cause.message}.`
      : 'The provider’s answer is cut, or is not JSON.';
  return new GatewayError('upstream_invalid_answer', message, { cause });
}

/** The outermost members of a whole answer. `value` parses one of them, and returns `undefined` if it is missing. */
export type AnswerMembers = { index: JsonIndex; value(name: string): unknown };

/** Throws `GatewayError` (502) as `scanAnswer` does. */
export function membersOf(body: Buffer, parse: (json: string) => unknown = JSON.parse): AnswerMembers {
  const text = body.toString('latin1');
  const index = scanAnswer(text);
  const value = (name: string): unknown => {
    const range = memberRange(body, index, name);
    return range === undefined ? undefined : parse(utf8Of(text.slice(range.start, range.end)));
  };
  return { index, value };
}
