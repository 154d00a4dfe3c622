import { setImmediate } from 'node:timers/promises';

/**
 * Bodies and answers of more bytes than this are processed in several turns of the event loop, so that other calls
 * are not delayed noticeably.
 */
export const LARGE = 256 * 1024;

/** Resolves in a later turn of the loop. */
export function turnOfTheLoop(): Promise<void> {
  return setImmediate();
}

/** Work in pieces: it yields where other work may run. */
export type Pieces<Result> = Generator<undefined, Result, undefined>;

/** Runs all pieces at once. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** Runs one piece in each turn of the event loop. Resolves with `null` as soon as `isOver`. Rejects if a piece throws. */
export async function inTurns<Result>(pieces: Pieces<Result>, isOver: () => boolean): Promise<Result | null> {
  for (;;) {
    await turnOfTheLoop();
    if (isOver()) return null;
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** Resolves in a later turn of the loop if `isLarge`; otherwise there is nothing to await. */
export function turnIf(isLarge: boolean): Promise<void> | undefined {
  return isLarge ? turnOfTheLoop() : undefined;
}
