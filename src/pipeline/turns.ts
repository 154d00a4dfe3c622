import { setImmediate } from 'node:timers/promises';

/**
 * Bytes from which what is done with a body, or an answer, is divided over several turns of the event loop, so that calls of
 * others have theirs between them. Below it, all of it takes less than they would notice.
 */
export const LARGE = 256 * 1024;

/** Resolves in a later turn of the loop. */
export function turnOfTheLoop(): Promise<void> {
  return setImmediate();
}

/** Work in pieces: it yields where others may have their turn. */
export type Pieces<Result> = Generator<undefined, Result, undefined>;

/** All of it at once. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** One piece in each turn of the loop; none after `isOver`, whose work is `null`. Rejects as a piece throws. */
export async function inTurns<Result>(pieces: Pieces<Result>, isOver: () => boolean): Promise<Result | null> {
  for (;;) {
    await turnOfTheLoop();
    if (isOver()) return null;
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** Resolves in a later turn of the loop where what is under way is large, and at once where it is not. */
export function turnIf(isLarge: boolean): Promise<void> | undefined {
  return isLarge ? turnOfTheLoop() : undefined;
}
