/** The most bytes of frames held before the commit point; with more, the stream is committed. */
const MAX_HELD = 64 * 1024;

/** The frames of a stream that wait for the commit point. */
export class HeldFrames {
  readonly frames: (Buffer | string)[] = [];
  #length = 0;
  #isOpened = false;

  /** Whether an event that only opens the answer is among them. */
  get isOpened(): boolean {
    return this.#isOpened;
  }

  /** @returns whether no more may be held */
  push(frame: Buffer | string): boolean {
    this.frames.push(frame);
    this.#length += frame.length;
    return this.#length > MAX_HELD;
  }

  /** Notes an event that only opens the answer. @returns whether it is the first */
  opens(): boolean {
    if (this.#isOpened) return false;
    this.#isOpened = true;
    return true;
  }
}
