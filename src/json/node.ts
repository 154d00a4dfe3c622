import { parseJson } from './parse.ts';
import { isWord, JsonError, skipSpace } from './scan.ts';
import { endOfString } from './string-ends.ts';
import { TAPE_STEP, type Tape } from './tape.ts';

/** The bytes of JSON with their tape. */
export type JsonSource = { body: Buffer; tape: Tape };

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** A value in a scanned body. Values are parsed only on request. */
export class JsonNode {
  readonly #source: JsonSource;
  readonly #at: number;
  /**
   * Caches members that were looked up during a walk, by place and name. All members of an object may look up the same
   * member, and an object of 40,000 members would be read as often.
   */
  readonly #known: Map<string, JsonNode | null> | null;

  constructor(source: JsonSource, at = 0, known: Map<string, JsonNode | null> | null = null) {
    this.#source = source;
    this.#at = at;
    this.#known = known;
  }

  get start(): number {
    return this.#source.tape[this.#at + 1]!;
  }

  get end(): number {
    return this.#source.tape[this.#at + 2]!;
  }

  get isText(): boolean {
    return this.#firstCode() === QUOTE;
  }

  get isObject(): boolean {
    return this.#firstCode() === OPEN_BRACE;
  }

  get isList(): boolean {
    return this.#firstCode() === OPEN_BRACKET;
  }

  /** True if it is `""`, not an escaped or invalid string. */
  get isEmptyText(): boolean {
    return this.isText && this.end - this.start === 2;
  }

  /** A list without items. */
  get isEmptyList(): boolean {
    return this.isList && skipSpace(this.#source.body, this.start + 1) === this.end - 1;
  }

  get isNull(): boolean {
    return isWord(this.#source.body, this.start, 'null');
  }

  get isFalse(): boolean {
    return isWord(this.#source.body, this.start, 'false');
  }

  /** The JSON of the value, read as latin1. */
  get raw(): string {
    return this.#source.body.toString('latin1', this.start, this.end);
  }

  /** The string; `null` if the value is not a string. Throws `JsonError` if it is invalid. */
  get text(): string | null {
    return this.isText ? this.#decoded(this.start, this.end) : null;
  }

  /** The decoded name of a member; `null` in a list. Throws as `text` does. */
  get name(): string | null {
    const { body, tape } = this.#source;
    const quote = Math.abs(tape[this.#at]!);
    return quote === 0 ? null : this.#decoded(quote, endOfString(body, quote + 1) + 1);
  }

  /** The member of an object; the last one if the name is repeated, as in `JSON.parse`. `null` if there is none. */
  get(name: string): JsonNode | null {
    if (!this.isObject) return null;
    if (this.#known === null) return this.#find(name);
    const place = `${this.#at} ${name}`;
    let found = this.#known.get(place);
    if (found === undefined) {
      found = this.#find(name);
      this.#known.set(place, found);
    }
    return found;
  }

  #find(name: string): JsonNode | null {
    let found = -1;
    const { tape } = this.#source;
    const end = tape[this.#at + 3]!;
    for (let at = this.#at + TAPE_STEP; at < end; at = tape[at + 3]!) if (this.#isNamed(at, name)) found = at;
    return found < 0 ? null : new JsonNode(this.#source, found);
  }

  /** The members of an object; the items of a list, without those that the tape leaves out. */
  children(): JsonNode[] {
    const { tape } = this.#source;
    const nodes: JsonNode[] = [];
    const end = tape[this.#at + 3]!;
    for (let at = this.#at + TAPE_STEP; at < end; at = tape[at + 3]!) nodes.push(new JsonNode(this.#source, at));
    return nodes;
  }

  /** The items of a list; none if the value is not a list. */
  items(): readonly JsonNode[] {
    return this.isList ? this.children() : [];
  }

  /** The index of an item in the list. */
  indexOf(item: JsonNode): number {
    try {
      const before = JSON.parse(`${this.#source.body.toString('utf8', this.start, item.start)}0]`) as unknown[];
      return before.length - 1;
    } catch {
      throw new JsonError('a list cannot be read', this.start);
    }
  }

  /** Visits all inner values in order, each with the one that contains it. Skips the inside if `visit` returns false. */
  walk(visit: (value: JsonNode, outer: JsonNode) => boolean): void {
    const { tape } = this.#source;
    const end = tape[this.#at + 3]!;
    const known = new Map<string, JsonNode | null>();
    const open = [new JsonNode(this.#source, this.#at, known)];
    for (let at = this.#at + TAPE_STEP; at < end; ) {
      while (tape[open.at(-1)!.#at + 3]! <= at) open.pop();
      const value = new JsonNode(this.#source, at, known);
      const next = tape[at + 3]!;
      const goesIn = visit(value, open.at(-1)!) && next > at + TAPE_STEP;
      if (goesIn) open.push(value);
      at = goesIn ? at + TAPE_STEP : next;
    }
  }

  /** Parses the value. Throws `JsonError` if it is invalid. */
  parsed(): unknown {
    try {
      return parseJson(this.#source.body.toString('utf8', this.start, this.end));
    } catch {
      throw new JsonError('a value cannot be read', this.start);
    }
  }

  #firstCode(): number {
    return this.#source.body[this.start]!;
  }

  #isNamed(at: number, name: string): boolean {
    const { body, tape } = this.#source;
    const quote = tape[at]!;
    if (quote < 0) return new JsonNode(this.#source, at).name === name;
    return body[quote + 1 + name.length] === QUOTE && isWord(body, quote + 1, name);
  }

  /** Decodes the quoted string in `[start, end)`. */
  #decoded(start: number, end: number): string {
    const text = this.#source.body.toString('utf8', start + 1, end - 1);
    if (!text.includes('\\')) return text;
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      throw new JsonError('a text cannot be read', start);
    }
  }
}
