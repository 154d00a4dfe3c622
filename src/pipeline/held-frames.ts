/** Bytes of frames that are kept back; with more the stream is begun. */
const MAX_HELD = 64 * 1024;

/** Frames that are kept back before the commit point. */
export class HeldFrames {
  readonly frames: (Buffer | string)[] = [];
  #length = 0;

  /** @returns whether that is more than is kept back */
  add(frame: Buffer | string): boolean {
    this.frames.push(frame);
    this.#length += frame.length;
    return this.#length > MAX_HELD;
  }
}
