import { GatewayError } from '../core/errors.ts';

/**
 * The requests of one caller that execute at once; others wait. With one, a request that waits for a vendor would block
 * a person's own pages; each further one is more work that others wait for.
 */
export const AT_WORK = 2;
/** The `retry-after` of a caller with too many requests in progress, in ms. */
const RETRY_AFTER_MS = 1_000;

/** `open`: requests that execute or wait; `waiting`: starts the waiting ones, in order of arrival. */
type OpenRequests = { open: number; waiting: (() => void)[] };

/**
 * Limits what one caller can have a process do at once, so that others are answered meanwhile. Model calls and reports
 * have limits of their own.
 */
export class CallerTurns {
  readonly #most: () => number;
  readonly #callers = new Map<string, OpenRequests>();

  /**
   * @param most - the most requests of one caller in progress, including waiting ones; read each time, because a reload
   * may change it
   */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** Does the work when it is its turn. Rejects with a 429 if the caller has too many requests in progress. */
  async run<Result>(callerId: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#callers.get(callerId) ?? { open: 0, waiting: [] };
    const most = this.#most();
    if (own.open >= most) {
      throw new GatewayError(
        'rate_limit_exceeded',
        `You already have ${most} requests in progress, the limit (\`limits.max_requests_at_once\`): ` +
          'wait until one of them is answered.',
        { retryAfterMs: RETRY_AFTER_MS },
      );
    }
    this.#callers.set(callerId, own);
    own.open += 1;
    // The turn is passed on directly, so that nobody comes in between.
    if (own.open > AT_WORK) await new Promise<void>((begin) => own.waiting.push(begin));
    try {
      return await work();
    } finally {
      own.open -= 1;
      own.waiting.shift()?.();
      if (own.open === 0) this.#callers.delete(callerId);
    }
  }
}
