/**
 * What no name may hold, and no terminal is sent: characters that nobody sees, and those that change how the text around
 * them is seen (controls, ends of lines, directions of writing, tags, halves of a surrogate pair). Joiners, marks and
 * variation selectors are not among them: Persian, the scripts of India and emoji need them.
 */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\p{M}]]/v;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gv');

/** The one rule for names that people give: what is wrong with one, without a subject and a full stop; `null`: nothing. */
export function nameFault(name: string): string | null {
  const [character] = HIDDEN.exec(name) ?? [];
  if (character === undefined) return null;
  return `must not contain ${codeOf(character)}, which is not seen, or changes how other text is seen`;
}

/** The same of a text that may have several lines. */
export function textFault(text: string): string | null {
  return nameFault(text.replace(/[\t\n\r]/g, ' '));
}

/** A text that others chose, on one line, with `instead` where it has a character that no name may hold. */
export function shownText(text: string, instead = '\ufffd'): string {
  return text.replace(EVERY_HIDDEN, instead);
}

/**
 * The same of several lines. A carriage return alone, which begins a line anew on top of what stands there, is none of
 * their ends.
 */
export function shownLines(text: string, instead: string): string {
  return text.replace(EVERY_HIDDEN, (character, at: number) => {
    const isOfLines = character === '\t' || character === '\n' || (character === '\r' && text[at + 1] === '\n');
    return isOfLines ? character : instead;
  });
}

/** JSON that says the same, and shows each such character by its number. */
export function shownJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(EVERY_HIDDEN, (character) => character.split('').map(escaped).join(''));
}

/**
 * A value from JSON, in which texts that stand in `kept`, too, are as they may be shown: what was kept before the rule is
 * no fault of whoever changes something beside it.
 */
export function withKeptShown<Value>(value: Value, kept: unknown = value): Value {
  const hidden = new Set([...textsIn(kept)].filter((text) => HIDDEN.test(text)));
  return hidden.size === 0 ? value : (shownWithin(value, hidden) as Value);
}

function shownWithin(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return hidden.has(value) ? shownText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => shownWithin(each, hidden));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shownWithin(each, hidden)]));
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

/** `U+202E`. */
function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
