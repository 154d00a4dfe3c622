import { parseAnswer, scanAnswer } from '../answer-scan.ts';
import { parseBodyJson } from '../request.ts';
import { parseExactly } from './exact-json.ts';

/** Parses an answer as `parseAnswer` does, and keeps the digits of long numbers. */
export function parseMessage(text: string, isPlain?: boolean): unknown {
  return parseAnswer(text, isPlain, parseExactly);
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
