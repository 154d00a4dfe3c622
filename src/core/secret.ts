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

/** A secret longer than this has enough unknown characters left when its first and last ones are shown. */
const LONG_SECRET = 32;

/** The visible part of a secret, which tells its owner which one it is and nobody else what it is: `hg_live_ab…wxyz`. */
export function maskedSecret(secret: string): string {
  if (secret.length <= LONG_SECRET) return `${secret.slice(0, Math.min(3, Math.floor(secret.length / 4)))}…`;
  return `${secret.slice(0, 10)}…${secret.slice(-4)}`;
}
