/** A name that cannot be read may be any. */
const ANY = -1;
/** Each name has a bit of its own. */
const MOST_NAMES = 31;
const LONGEST = 63;

/**
 * Names of members to look out for, in lower case. They are found in whatever case, and however they are written.
 *
 * /!\ Hot path: three looks into tables tell of nearly every other name that it is none of these.
 */
export class NameTable {
  readonly #bits: ReadonlyMap<string, number>;
  readonly #byLength = new Int32Array(LONGEST + 1);
  readonly #byFirst = new Int32Array(256);
  readonly #byLast = new Int32Array(256);

  constructor(names: Iterable<string>) {
    const all = [...new Set(names)];
    if (all.length > MOST_NAMES) throw new RangeError(`There may be ${MOST_NAMES} names.`);
    this.#bits = new Map(all.map((name, index) => [name, 1 << index]));
    for (const [name, bit] of this.#bits) {
      for (const length of lengthsOf(name)) this.#byLength[length]! |= bit;
      for (const letter of waysToWrite(name.at(0)!)) this.#byFirst[letter.charCodeAt(0)]! |= bit;
      for (const letter of waysToWrite(name.at(-1)!)) this.#byLast[letter.charCodeAt(letter.length - 1)]! |= bit;
    }
  }

  /** The bits of these names together. */
  bitsOf(names: Iterable<string>): number {
    let bits = 0;
    for (const name of names) bits |= this.#bits.get(name) ?? 0;
    return bits;
  }

  /** The bits of names that the one in `[start, end)`, which has no escapes and is read as latin1, looks like. */
  like(text: string, start: number, end: number): number {
    const length = end - start;
    if (length === 0 || length > LONGEST) return 0;
    const first = this.#byFirst[text.charCodeAt(start)]!;
    return this.#byLength[length]! & first & this.#byLast[text.charCodeAt(end - 1)]!;
  }

  /** The bit of a name, which is read as latin1 and has its quotes. */
  bitOf(quoted: string): number {
    try {
      return this.#bits.get(caseless(JSON.parse(utf8Of(quoted)) as string)) ?? 0;
    } catch {
      return ANY; // A reader that is more liberal may see one of them.
    }
  }
}

/** Two letters that have another case in Unicode, with its UTF-8 read as latin1. */
const OTHER_CASES: Readonly<Record<string, string>> = { s: '\xc5\xbf', k: '\xe2\x84\xaa' };

function waysToWrite(letter: string): string[] {
  return [letter, letter.toUpperCase(), OTHER_CASES[letter] ?? letter];
}

/** How many bytes a name may have. */
function lengthsOf(name: string): Set<number> {
  let lengths = new Set([0]);
  for (const letter of name) {
    const ways = waysToWrite(letter).map((way) => way.length);
    lengths = new Set([...lengths].flatMap((length) => ways.map((more) => length + more)));
  }
  return lengths;
}

/** A name as readers see it that take one case for the other: also where a letter of Unicode has an ASCII one for its other case. */
export function caseless(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** The text that bytes read as latin1 are: the same where all are ASCII, as short values nearly always are. */
export function utf8Of(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}
