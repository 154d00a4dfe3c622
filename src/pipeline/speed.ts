import { GatewayError } from '../core/errors.ts';
import type { ProducedText } from '../dialects/dialect.ts';

/** The minimum speed of an answer: `minSpeed` characters per second over each span of `minSpeedAfter` ms; 0: no minimum. */
export type SpeedLimits = { minSpeed: number; minSpeedAfter: number };

/** Detects an answer that is too slow, span by span. All output counts: text, reasoning, tool input. */
export class SpeedWatch {
  readonly #output: () => ProducedText;
  readonly #minSpeed: number;
  /** The fewest characters in a span. */
  readonly #least: number;
  /** Characters produced before the span. */
  #produced = 0;

  /** @param output returns everything produced so far */
  constructor({ minSpeed, minSpeedAfter }: SpeedLimits, output: () => ProducedText) {
    this.#output = output;
    this.#minSpeed = minSpeed;
    this.#least = (minSpeed * minSpeedAfter) / 1000;
  }

  /** Begins the first span, or one after a time in which nothing could arrive. */
  begin(): void {
    const { text, unseen } = this.#output();
    this.#produced = text.length + unseen;
  }

  /** Ends a span and begins the next. @returns the error if it had too few characters */
  next(): GatewayError | null {
    const before = this.#produced;
    this.begin();
    // Before its first text, a model may reason without output.
    if (before === 0 || this.#produced - before >= this.#least) return null;
    const message = `The provider’s answer is slower than ${this.#minSpeed} characters a second.`;
    return new GatewayError('upstream_timeout', message);
  }
}
