import type { DialectId } from '../core/provider.ts';
import { markSeal, opens, SEAL_MARK, type Seal, unpackSeal } from '../core/seal.ts';
import { type Edit, splice } from '../json/edits.ts';
import { endOfString } from '../json/string-ends.ts';

/**
 * Seals in untranslated answers. Each is marked with its maker in its own member: the mark precedes the vendor's
 * unchanged value. When a call returns the seal to its maker, the mark is cut out and all other bytes stay.
 */

/** A seal in a vendor's answer: the member's name, and its value, which may stand in a list there. */
export type FoundSeal = { name: string; value: string; form: Seal['form'] };

export const NO_SEALS: readonly FoundSeal[] = [];

/** The vendor's bytes with each of these seals marked. A seal that is escaped in an unusual way stays unmarked. */
export function markSeals(
  bytes: Buffer | string,
  found: readonly FoundSeal[],
  maker: { dialect: DialectId; provider: string },
): Buffer | string {
  const body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const edits = [...marksByName(found, maker)].flatMap(([name, marks]) => editsOf(body, name, marks));
  if (edits.length === 0) return bytes;
  const marked = splice(
    body,
    edits.toSorted((one, other) => one.start - other.start),
  );
  return typeof bytes === 'string' ? marked.toString() : marked;
}

/** The marked value for each value, both as JSON, by the name of the member. */
function marksByName(
  found: readonly FoundSeal[],
  maker: { dialect: DialectId; provider: string },
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const marks = new Map<string, Map<string, string>>();
  for (const { name, value, form } of found) {
    if (value.startsWith(SEAL_MARK)) continue;
    const ofName = marks.get(name) ?? new Map<string, string>();
    marks.set(name, ofName.set(JSON.stringify(value), JSON.stringify(markSeal({ ...maker, form, value }))));
  }
  return marks;
}

/** Looks through the body once, however many seals it has. */
function editsOf(body: Buffer, name: string, marks: ReadonlyMap<string, string>): Edit[] {
  const edits: Edit[] = [];
  const begin = Buffer.from(`"${name}":`);
  for (let at = body.indexOf(begin); at >= 0; at = body.indexOf(begin, at + begin.length)) {
    for (const [start, end] of stringsAt(body, at + begin.length)) {
      const text = marks.get(body.toString('utf8', start, end));
      if (text !== undefined) edits.push({ start, end, text });
    }
  }
  return edits;
}

/** Where a value that is a string stands, with its quotes, or each string of one that is a list of strings. */
function stringsAt(body: Buffer, behind: number): readonly (readonly [start: number, end: number])[] {
  const found: [number, number][] = [];
  let at = behind;
  let isList = false;
  for (; at < body.length; at += 1) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at + 1) + 1;
      found.push([at, end]);
      if (!isList) break;
      at = end - 1;
    } else if (byte === OPEN_BRACKET && !isList) isList = true;
    else if (!(SPACES.has(byte) || (isList && byte === COMMA))) break;
  }
  return found;
}

/**
 * The edits that remove the marks of this provider's seals from a body; `null` if the body has another provider's seal
 * or one that was packed for another format, so that it must be parsed.
 */
export function ownMarks(body: Buffer, dialect: DialectId, provider: string): Edit[] | null {
  const edits: Edit[] = [];
  for (let at = body.indexOf(SEAL_MARK); at >= 0; at = body.indexOf(SEAL_MARK, at + 1)) {
    const end = body.indexOf(QUOTE, at);
    if (end < 0 || body[at - 1] !== QUOTE) return null;
    const text = body.toString('latin1', at, end);
    if (text.includes('\\')) return null;
    const seal = unpackSeal(text);
    if (seal?.inPlace !== true || !opens(seal, dialect, provider)) return null;
    edits.push({ start: at, end: end - seal.value.length, text: '' });
  }
  return edits;
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;
const SPACES = new Set([0x20, 0x0a, 0x0d, 0x09]);
