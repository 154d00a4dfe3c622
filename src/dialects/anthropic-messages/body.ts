import { GatewayError } from '../../core/errors.ts';
import { scanAnswer } from '../answer-scan.ts';
import { parseBodyJson } from '../request.ts';
import { parseExactly } from './exact-json.ts';

/** Parses JSON that was already scanned. May still throw: the scan does not check the inside of strings and numbers. */
export function parseAnswer(text: string, isPlain?: boolean): unknown {
  try {
    return parseExactly(text, isPlain);
  } catch (cause) {
    throw new GatewayError('upstream_invalid_answer', 'The provider’s answer is not JSON.', { cause });
  }
}

/** The input of a tool as an object; `null` if the text is not a JSON object. */
export function parseInput(text: string): object | null {
  try {
    const { escapedNames } = scanAnswer(text);
    return parseExactly(text, !escapedNames) as object;
  } catch {
    return null; // A model may write invalid JSON, and an output limit may cut it.
  }
}

/** Parses a call; throws `GatewayError` (400). */
export function parseCall(text: string, isPlain?: boolean): unknown {
  try {
    return parseExactly(text, isPlain);
  } catch {
    return parseBodyJson(text, isPlain); // Throws the error that tells the caller what is wrong.
  }
}
