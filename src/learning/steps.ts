/** Work that yields regularly, so that other work need not wait for its end. */
export type Steps<Result> = Generator<void, Result>;

/** Number of rows between two yields. */
export const CHUNK = 256;

/** Runs all the work at once, if nobody waits. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs the work with a turn of the event loop at each yield. */
export async function inTurns<Result>(steps: Steps<Result>, turn: () => Promise<void>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await turn();
  }
}
