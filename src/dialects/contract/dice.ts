/** Seeded random numbers (mulberry32) for generating calls and answers: the same seed gives the same sequence. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  maybe(): boolean {
    return this.below(2) === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** A list of one to `most` items made by `make`. */
  many<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: 1 + this.below(most) }, make);
  }

  /** Some words with characters that are easily broken in transport. */
  text(): string {
    return (
      this.many(4, () => this.pick(['word', 'é', '日本', '🙂', '"', '\\', '\n', '</x>', '\u2028', 'data:'])).join(' ') +
      '.'
    );
  }

  /** A small object of JSON. */
  object(): Record<string, unknown> {
    const values = [1, 0.5, true, null, 'text', [1, 'a'], { inner: {} }];
    return Object.fromEntries(
      this.many(3, () => [this.pick(['a', 'b', 'ü', 'type']), this.pick([...values, this.text()])]),
    );
  }
}
