import { type ByteRange, type JsonIndex, memberAt } from './tape.ts';

/** A change of bytes: `[start, end)` is replaced by `text`. */
export type Edit = ByteRange & { text: string };

const SPACES: readonly (number | undefined)[] = [0x20, 0x0a, 0x0d, 0x09];
const COMMA = 0x2c;

/** Applies edits, which must be sorted by place. Without edits the same buffer is returned. */
export function splice(body: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return body;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const edit of edits) {
    pieces.push(body.subarray(from, edit.start), Buffer.from(edit.text));
    from = edit.end;
  }
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

/** The edits that remove these outermost members. At least one other member must remain. */
export function omissions(body: Buffer, index: JsonIndex, names: readonly string[]): Edit[] {
  const { tape } = index;
  const places = names.map((name) => memberAt(body, index, name)).filter((at) => at >= 0);
  const ranges = places.map((at) => ({ start: tape[at]!, end: tape[at + 2]! }));
  return cuts(body, tape[1]! + 1, ranges);
}

/**
 * The edits that remove these ranges, members of one object or items of one list, each with one adjacent comma.
 * `front` is the offset after the opening bracket.
 */
export function cuts(body: Buffer, front: number, ranges: readonly ByteRange[]): Edit[] {
  /** Everything before this offset is removed, so no comma is left before what follows. */
  let gone = front;
  return ranges
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end }) => {
      const before = endOfRest(body, start);
      if (before > gone) return { start: before - 1, end, text: '' };
      const behind = startOfRest(body, end);
      gone = body[behind] === COMMA ? behind + 1 : end;
      return { start, end: gone, text: '' };
    });
}

function endOfRest(body: Buffer, end: number): number {
  let at = end;
  while (SPACES.includes(body[at - 1])) at -= 1;
  return at;
}

function startOfRest(body: Buffer, start: number): number {
  let at = start;
  while (SPACES.includes(body[at])) at += 1;
  return at;
}
