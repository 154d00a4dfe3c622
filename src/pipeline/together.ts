/** Frames in one piece: those that came together leave together. */
export function together(frames: readonly (Buffer | string)[]): Buffer | string {
  if (frames.length === 1) return frames[0]!;
  if (frames.every((frame) => typeof frame === 'string')) return frames.join('');
  return Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frame)));
}
