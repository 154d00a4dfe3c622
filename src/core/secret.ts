/** Node's `console.log` and `util.inspect` ask an object for this. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A value that never shows itself by accident: printed, logged or serialised it reads `***`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call it only where the value leaves for the place it is meant for. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [INSPECT](): string {
    return '***';
  }
}
