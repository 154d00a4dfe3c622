import { GatewayError } from '../../core/errors.ts';
import { scanAnswer } from '../answer-scan.ts';
import { parseJson } from '../request.ts';
import { parseExactly } from './exact-json.ts';

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
    scanAnswer(text);
    return parseExactly(text) as object;
  } catch {
    return null; // A model may write anything, and a limit may cut it.
  }
}

/** A call as a value; throws `GatewayError` (400). */
export function parseCall(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return parseJson(text); // Which says to the caller what is wrong.
  }
}
