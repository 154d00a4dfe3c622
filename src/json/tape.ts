/** Where a value stands: `[start, end)`. */
export type ByteRange = { start: number; end: number };

/**
 * Where each value stands, in the order of the text. Four numbers a value: the offset of its name's first quote (negative
 * where the name has escapes; 0 without a name), the value's start and end, and where in this list the next value begins that
 * is not inside of this one. The first is the object itself. Left out are values in lists that are neither a text, an
 * object nor a list; and, where nobody looks inside, all that is not outermost.
 */
export type Tape = ArrayLike<number>;

/** Numbers of each value in a tape. */
export const TAPE_STEP = 4;

/** What one pass over an object tells of it. */
export type JsonIndex = {
  tape: Tape;
  /** The names to look out for (`NameTable`) that stand anywhere in it. */
  noticed: number;
  /** An outermost name stands twice or is written with escapes, so that two readers may disagree on what the object says. */
  odd: boolean;
  /** Of the outermost names, one bit for each (`hintOf`): most that do not stand there have another. */
  hints: number;
  /** Offset of the brace that closes the outermost object. */
  closeAt: number;
  /** How much it holds, as bounds count it. */
  values: number;
  members: number;
};

const QUOTE = 0x22;

/** Where the value of an outermost member stands; `undefined` where there is none. The name is ASCII, and none in the body has escapes. */
export function memberRange(body: Buffer, index: JsonIndex, name: string): ByteRange | undefined {
  const at = memberAt(body, index, name);
  return at < 0 ? undefined : { start: index.tape[at + 1]!, end: index.tape[at + 2]! };
}

/** Whether there is such a member. */
export function hasMember(body: Buffer, index: JsonIndex, name: string): boolean {
  return memberAt(body, index, name) >= 0;
}

/**
 * The place of an outermost member in the tape; negative where there is none.
 *
 * /!\ Hot path: a map of the names would cost more to make than all that is asked of it.
 */
export function memberAt(body: Buffer, { tape, hints }: JsonIndex, name: string): number {
  const { length } = name;
  if ((hints & hintOf(length, name.charCodeAt(0))) === 0) return -1;
  const end = tape[3]!;
  for (let at = TAPE_STEP; at < end; at = tape[at + 3]!) {
    const first = tape[at]! + 1;
    if (body[first + length] !== QUOTE) continue;
    let same = 0;
    while (same < length && body[first + same] === name.charCodeAt(same)) same += 1;
    if (same === length) return at;
  }
  return -1;
}

/** The bit of a name, by what is known of it at a glance. */
export function hintOf(length: number, firstCode: number): number {
  return 1 << ((7 * length + firstCode) & 31);
}
