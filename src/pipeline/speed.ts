import { GatewayError } from '../core/errors.ts';
import type { ProducedText } from '../dialects/dialect.ts';

/** What an answer must bring: `minSpeed` characters a second over each span of `minSpeedAfter` ms; 0: any number. */
export type SpeedLimits = { minSpeed: number; minSpeedAfter: number };

/** Tells an answer that comes too slowly, span by span. All that was produced counts: words, reasoning, what tools are to get. */
export class SpeedWatch {
  readonly #output: () => ProducedText;
  readonly #minSpeed: number;
  /** Characters of a span. */
  readonly #least: number;
  /** Characters at the beginning of the span. */
  #produced = 0;

  /** @param output all that was produced so far */
  constructor({ minSpeed, minSpeedAfter }: SpeedLimits, output: () => ProducedText) {
    this.#output = output;
    this.#minSpeed = minSpeed;
    this.#least = (minSpeed * minSpeedAfter) / 1000;
  }

  /** Begins a span: of the first, or after one in which nothing could come. */
  begin(): void {
    const { text, unseen } = this.#output();
    this.#produced = text.length + unseen;
  }

  /** Ends a span and begins the next. @returns the fault, where too little came in it */
  next(): GatewayError | null {
    const before = this.#produced;
    this.begin();
    // Before its first words a model may think where nobody sees it.
    if (before === 0 || this.#produced - before >= this.#least) return null;
    const message = `The provider’s answer is slower than ${this.#minSpeed} characters a second.`;
    return new GatewayError('upstream_timeout', message);
  }
}
