/** The range `[start, end)` of a value in bytes. */
export type ByteRange = { start: number; end: number };

/**
 * The place of each value, in the order of the text. Four numbers per value: the offset of its name's first quote
 * (negative if the name has escapes; 0 without a name), the value's start and end, and the index in this list of the
 * next value outside of it. The first value is the object itself. Items of lists are left out unless they are strings,
 * objects or lists; `scanObject` also leaves out everything that is not outermost.
 */
export type Tape = ArrayLike<number>;

/** Numbers per value in a tape. */
export const TAPE_STEP = 4;

/** The result of scanning an object. */
export type JsonIndex = {
  tape: Tape;
  /** The bits of the names (`NameTable`) that occur anywhere in it. */
  noticed: number;
  /** The places in the tape of the members that may have one of its `placed` names, in order. */
  placed: readonly number[];
  /** True if a name anywhere in it has escapes. */
  escapedNames: boolean;
  /** True if an outermost name is repeated or has escapes, so that two readers may read the object differently. */
  odd: boolean;
  /** One bit for each outermost name (`nameBit`), which rules out most names that are missing. */
  hints: number;
  /** Offset of the brace that closes the outermost object. */
  closeAt: number;
  /** How many values and members it has, as bounds count them. */
  values: number;
  members: number;
};

const QUOTE = 0x22;

/**
 * The range of an outermost member's value; `undefined` if it is missing. The name must be ASCII, and none in the body
 * may have escapes.
 */
export function memberRange(body: Buffer, index: JsonIndex, name: string): ByteRange | undefined {
  const at = memberAt(body, index, name);
  return at < 0 ? undefined : { start: index.tape[at + 1]!, end: index.tape[at + 2]! };
}

/** True if the outermost member exists. */
export function hasMember(body: Buffer, index: JsonIndex, name: string): boolean {
  return memberAt(body, index, name) >= 0;
}

/**
 * The index of an outermost member in the tape; negative if it is missing.
 *
 * /!\ Hot path: building a map of the names would cost more than all look-ups.
 */
export function memberAt(body: Buffer, { tape, hints }: JsonIndex, name: string): number {
  const { length } = name;
  if ((hints & nameBit(length, name.charCodeAt(0))) === 0) return -1;
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

/** The bit of a name, computed from its length and first character. */
export function nameBit(length: number, firstCode: number): number {
  return 1 << ((7 * length + firstCode) & 31);
}
