/**
 * Characters that no name may contain and no terminal receives: invisible ones, and those that change the display of
 * the text around them (controls, line ends, writing directions, tags, lone surrogates). Joiners, marks and variation
 * selectors are allowed, because Persian, Indic scripts and emoji need them.
 */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\p{M}]]/v;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gv');

/**
 * The fault of a name that people give, without a subject and a full stop; `null` if it is valid. This is the only rule
 * for such names.
 */
export function nameFault(name: string): string | null {
  const [character] = HIDDEN.exec(name) ?? [];
  if (character === undefined) return null;
  return `must not contain ${codeOf(character)}, which is not seen, or changes how other text is seen`;
}

/** The fault of a text that may have several lines. */
export function textFault(text: string): string | null {
  return nameFault(text.replace(/[\t\n\r]/g, ' '));
}

/** A text from others as one line. `instead` replaces each character that no name may contain. */
export function printableText(text: string, instead = '\ufffd'): string {
  return text.replace(EVERY_HIDDEN, instead);
}

/**
 * A text of several lines, with `instead` for such characters. A lone carriage return is replaced: it would overwrite
 * the line on a terminal.
 */
export function printableLines(text: string, instead: string): string {
  return text.replace(EVERY_HIDDEN, (character, at: number) => {
    const isOfLines = character === '\t' || character === '\n' || (character === '\r' && text[at + 1] === '\n');
    return isOfLines ? character : instead;
  });
}

/** The same JSON, with such characters as escapes. */
export function printableJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(EVERY_HIDDEN, (character) => character.split('').map(escaped).join(''));
}

/**
 * A value from JSON in which texts that are also in `kept` are made safe to show. Stored texts may be older than the
 * rule, and must not fail a change of other members.
 */
export function withStoredTextPrintable<Value>(value: Value, kept: unknown = value): Value {
  const hidden = new Set([...textsIn(kept)].filter((text) => HIDDEN.test(text)));
  return hidden.size === 0 ? value : (shownWithin(value, hidden) as Value);
}

function shownWithin(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return hidden.has(value) ? printableText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => shownWithin(each, hidden));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shownWithin(each, hidden)]));
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

/** The code point as text: `U+202E`. */
function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
