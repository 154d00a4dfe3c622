/** More digits than a number here can hold. */
const LONG_NUMBER = /\d{16}/;

/** Values of JSON beyond which it is parsed plainly: to be asked about each of them costs a microsecond. */
const MAX_ASKED = 100_000;

type Context = { source?: string };
const { rawJSON } = JSON as unknown as { rawJSON(source: string): unknown };

/**
 * Parses JSON so that `JSON.stringify` writes the very digits of its numbers again: what a model hands to a tool may be
 * the id of something, longer than a number can hold.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, LONG_NUMBER.test(text) && hasFewValues(text) ? keepDigits : undefined);
}

/** Before each value but the first stands one of these; in texts there may be more of them, which only errs to the cheap side. */
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
