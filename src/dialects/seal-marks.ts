import type { DialectId } from '../core/provider.ts';
import { markSeal, opens, SEAL_MARK, type Seal, unpackSeal } from '../core/seal.ts';
import type { Edit } from '../json/edits.ts';

/**
 * Seals in answers that pass. Each is marked in its own member with who made it: the mark stands before the vendor's value, which
 * stays as it is. A call that brings it back to its maker loses the mark, byte by byte.
 */

/** A seal in a vendor's answer: the member's name, and its value. */
export type FoundSeal = { name: string; value: string; form: Seal['form'] };

/** The vendor's bytes with each of these seals marked. One that is escaped in another way than is usual stays unmarked. */
export function markSeals(
  bytes: Buffer | string,
  found: readonly FoundSeal[],
  maker: { dialect: DialectId; provider: string },
): Buffer | string {
  let text = bytes.toString();
  for (const { name, value, form } of found) {
    if (value.startsWith(SEAL_MARK)) continue;
    const [own, marked] = [JSON.stringify(value), JSON.stringify(markSeal({ ...maker, form, value }))];
    for (const between of [':', ': ']) {
      text = text.replaceAll(`"${name}"${between}${own}`, () => `"${name}"${between}${marked}`);
    }
  }
  return typeof bytes === 'string' ? text : Buffer.from(text);
}

/**
 * What takes the marks of this provider's seals out of a body; `null` if it has a seal of another, or one that was packed
 * for another format: then the body must be read.
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
