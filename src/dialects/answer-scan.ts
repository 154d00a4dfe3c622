import { GatewayError } from '../core/errors.ts';
import { type JsonParse, parseJson } from '../json/parse.ts';
import { JsonBoundsError, JsonError, noticeObject, scanObject } from '../json/scan.ts';
import { type JsonIndex, memberRange } from '../json/tape.ts';
import { OF_ANSWERS } from './noticed-names.ts';

/** The deepest nesting accepted in a vendor's answer. No vendor nests this deep; deeper JSON could overflow the parser. */
const MAX_ANSWER_DEPTH = 512;

/** Scans a vendor's JSON before it is parsed. Throws `GatewayError` (502) if it is not one JSON object of bounded depth. */
export function scanAnswer(json: Buffer | string): JsonIndex {
  return scanned(() => scanObject(typeof json === 'string' ? Buffer.from(json) : json, MAX_ANSWER_DEPTH));
}

function scanned(scan: () => JsonIndex): JsonIndex {
  try {
    return scan();
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

/** Whether JSON is nested no deeper than is accepted. Short texts are not scanned. */
export function isShallow(json: string): boolean {
  if (json.length <= 2 * MAX_ANSWER_DEPTH) return true;
  try {
    scanAnswer(json);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return false;
  }
}

/** Parses an answer, or a part of one. Throws `GatewayError` (502): the scan does not check the inside of strings and numbers. */
export function parseAnswer(text: string, isPlain?: boolean, parse: JsonParse = parseJson): unknown {
  try {
    return parse(text, isPlain);
  } catch (cause) {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is not JSON.', { cause });
  }
}

/** The outermost members of a whole answer. `index` has noticed `OF_ANSWERS`. `value` parses one of them, and returns `undefined` if it is missing. */
export type AnswerMembers = { index: JsonIndex; value(name: string): unknown };

/** Throws `GatewayError` (502) as `scanAnswer` does. */
export function membersOf(body: Buffer, parse: JsonParse = parseJson): AnswerMembers {
  const index = scanned(() => noticeObject(body, MAX_ANSWER_DEPTH, OF_ANSWERS));
  const value = (name: string): unknown => {
    const range = memberRange(body, index, name);
    return range === undefined ? undefined : parse(body.toString('utf8', range.start, range.end), !index.escapedNames);
  };
  return { index, value };
}
