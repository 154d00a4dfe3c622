import { parseJson } from '../../json/parse.ts';

/** Integers this long may exceed the precision of a JavaScript number. */
const LONG_NUMBER = /\d{16}/;

/** With more values than this, long numbers are not kept exact: each reviver call costs about a microsecond. */
const MAX_ASKED = 100_000;

type Context = { source?: string };
const { rawJSON } = JSON as unknown as { rawJSON(source: string): unknown };

/**
 * Parses JSON so that `JSON.stringify` writes long numbers with the same digits: a tool's input may contain ids that
 * exceed the precision of a number. `isPlain` is as of `parseJson`.
 */
export function parseExactly(text: string, isPlain?: boolean): unknown {
  return parseJson(text, isPlain, LONG_NUMBER.test(text) && hasFewValues(text) ? keepDigits : undefined);
}

/** Counts separators and brackets. Those inside strings count too, so the result may only overestimate. */
function hasFewValues(text: string): boolean {
  let signs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) signs += 1;
    if (signs > MAX_ASKED) return false;
  }
  return true;
}

function keepDigits(this: unknown, _name: string, value: unknown, context?: Context): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !LONG_NUMBER.test(source)) return value;
  return String(value) === source ? value : rawJSON(source);
}
