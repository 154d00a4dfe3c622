/** The method that Node's `console.log` and `util.inspect` call. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A value that is never shown by accident: printed, logged or serialised, it reads `***`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call it only where the value is sent to its destination. */
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
