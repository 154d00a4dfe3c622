import { GatewayError } from '../../core/errors.ts';
import { JsonError, type Members, scanObject } from '../../core/json.ts';
import { parseExactly } from './exact-json.ts';

/** No vendor nests an answer so deep; beyond it is an attack on whoever parses it. */
const MAX_ANSWER_DEPTH = 512;

/** Looks through JSON of a vendor before it is built: it must be one whole object, of a depth that can be walked. */
export function scanAnswer(text: string): Members {
  try {
    return scanObject(text, MAX_ANSWER_DEPTH);
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is cut, or is not JSON.', { cause });
  }
}

/** Parses what was looked through: what stands inside its strings and numbers may still be wrong. */
export function parseAnswer(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is not JSON.', { cause });
  }
}

/** The input of a tool as an object; `null` where its text is none. */
export function parseInput(text: string): object | null {
  try {
    scanObject(text, MAX_ANSWER_DEPTH);
    return parseExactly(text) as object;
  } catch {
    return null; // A model may write anything, and a limit may cut it.
  }
}
