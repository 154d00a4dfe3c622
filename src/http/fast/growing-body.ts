/** The first buffer of a body that is still being received holds at least this much, if the body does. */
const SMALLEST = 64 * 1024;
/** How much larger than what has come a buffer may be. */
const AHEAD = 2;

/**
 * A request of a known length, while it is received. Its buffer is at most twice as large as what has come, so an
 * announced length alone holds no memory.
 */
export class GrowingBody {
  readonly #length: number;
  #buffer: Buffer;
  #filled = 0;

  /** @param length of the whole, in bytes @param first what has come */
  constructor(length: number, first: Buffer) {
    this.#length = length;
    this.#buffer = bufferFor(length, first.length);
    this.append(first);
  }

  /** Bytes that have not come. Negative if more came than were announced. */
  get missing(): number {
    return this.#length - this.#filled;
  }

  append(bytes: Buffer): void {
    const filled = this.#filled + bytes.length;
    if (filled > this.#buffer.length) {
      const larger = bufferFor(Math.max(this.#length, filled), filled);
      this.#buffer.copy(larger, 0, 0, this.#filled);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#filled);
    this.#filled = filled;
  }

  /** What has come. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#filled);
  }
}

function bufferFor(length: number, filled: number): Buffer {
  return Buffer.allocUnsafeSlow(Math.min(length, Math.max(SMALLEST, AHEAD * filled)));
}
