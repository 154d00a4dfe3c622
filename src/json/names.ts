/** The bits of a name that cannot be read: it may be any. */
const ANY = -1;
/** The most names with a bit of their own. */
const MOST_NAMES = 31;
const LONGEST = 63;

/**
 * Lower-case names of members to notice. They match in any case and with escapes.
 * /!\ Hot path: three table look-ups rule out nearly every other name.
 */
export class NameTable {
  readonly #bits: ReadonlyMap<string, number>;
  readonly #byLength = new Int32Array(LONGEST + 1);
  readonly #byFirst = new Int32Array(256);
  readonly #byLast = new Int32Array(256);
  /** The bits of the names whose members' places are noted. */
  readonly placed: number;

  /**
   * @param names - each has a bit of its own; those of a list share one
   * @param placed - those of the names whose members are wanted themselves: a scan tells where each of them is
   */
  constructor(names: Iterable<string | readonly string[]>, placed: Iterable<string> = []) {
    this.#bits = bitsFor(names);
    for (const [name, bit] of this.#bits) {
      for (const length of lengthsOf(name)) this.#byLength[length]! |= bit;
      for (const letter of waysToWrite(name.at(0)!)) this.#byFirst[letter.charCodeAt(0)]! |= bit;
      for (const letter of waysToWrite(name.at(-1)!)) this.#byLast[letter.charCodeAt(letter.length - 1)]! |= bit;
    }
    this.placed = this.bitsOf(placed);
  }

  /** The combined bits of these names. */
  bitsOf(names: Iterable<string>): number {
    let bits = 0;
    for (const name of names) bits |= this.#bits.get(name) ?? 0;
    return bits;
  }

  /** The bits of names that the bytes in `[start, end)`, which have no escapes, may be. */
  like(body: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 0 || length > LONGEST) return 0;
    return this.#byLength[length]! & this.#byFirst[body[start]!]! & this.#byLast[body[end - 1]!]!;
  }

  /** The bit of a quoted name. */
  bitOf(quoted: string): number {
    try {
      return this.#bits.get(caseless(JSON.parse(quoted) as string)) ?? 0;
    } catch {
      return ANY; // A more lenient reader may read it as any name.
    }
  }
}

function bitsFor(names: Iterable<string | readonly string[]>): ReadonlyMap<string, number> {
  const bits = new Map<string, number>();
  let taken = 0;
  for (const each of names) {
    const group = typeof each === 'string' ? [each] : each;
    if (group.every((name) => bits.has(name))) continue;
    if (taken === MOST_NAMES) throw new RangeError(`There may be ${MOST_NAMES} names.`);
    for (const name of group) bits.set(name, 1 << taken);
    taken += 1;
  }
  return bits;
}

/**
 * The letters with a third case variant in Unicode, as UTF-8 read as latin1. Ligatures, such as one character for `fi`, are left
 * out: readers that fold letters one by one do not take them for the letters.
 */
const OTHER_CASES: Readonly<Record<string, string>> = { i: '\xc4\xb1', s: '\xc5\xbf', k: '\xe2\x84\xaa' };

function waysToWrite(letter: string): string[] {
  return [letter, letter.toUpperCase(), OTHER_CASES[letter] ?? letter];
}

/** The possible lengths of a name in bytes. */
function lengthsOf(name: string): Set<number> {
  let lengths = new Set([0]);
  for (const letter of name) {
    const ways = waysToWrite(letter).map((way) => way.length);
    lengths = new Set([...lengths].flatMap((length) => ways.map((more) => length + more)));
  }
  return lengths;
}

/** A name as case-insensitive readers see it, including Unicode letters whose other case is ASCII. */
export function caseless(name: string): string {
  return name.toUpperCase().toLowerCase();
}
