import type { DialectId } from '../core/provider.ts';
import { markSeal, opens, SEAL_MARK, type Seal, unpackSeal } from '../core/seal.ts';
import { type Edit, splice } from '../json/edits.ts';
import { endOfString } from '../json/string-ends.ts';

/**
 * Seals in untranslated answers. Each is marked with its maker in its own member: the mark precedes the vendor's
 * unchanged value. When a call returns the seal to its maker, the mark is cut out and all other bytes stay.
 */

/** A seal in a vendor's answer: the member's name, and its value. */
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
    const behind = at + begin.length;
    const start = body[behind] === SPACE ? behind + 1 : behind;
    const end = body[start] === QUOTE ? endOfString(body, start + 1) + 1 : 0;
    const text = end === 0 ? undefined : marks.get(body.toString('utf8', start, end));
    if (text !== undefined) edits.push({ start, end, text });
  }
  return edits;
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
const SPACE = 0x20;
