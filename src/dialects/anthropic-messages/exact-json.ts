/** More digits than a number here can hold. */
const LONG_NUMBER = /\d{16}/;

type Context = { source?: string };
const { rawJSON } = JSON as unknown as { rawJSON(source: string): unknown };

/**
 * Parses JSON so that `JSON.stringify` writes the very digits of its numbers again: what a model hands to a tool may be
 * the id of something, longer than a number can hold.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, LONG_NUMBER.test(text) ? keepDigits : undefined);
}

function keepDigits(this: unknown, _name: string, value: unknown, context?: Context): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !LONG_NUMBER.test(source)) return value;
  return String(value) === source ? value : rawJSON(source);
}
