import { GatewayError } from '../core/errors.ts';

/**
 * How many requests of one caller are worked at at once; further ones wait for their turn. One would let a request that waits for
 * a vendor hold up a person's own pages; each more is another step of work that others wait for.
 */
export const AT_WORK = 2;
/** How long a caller is told to wait that has as many requests under way as it may, in ms. */
const RETRY_AFTER_MS = 1_000;

/** `open`: requests that are worked at or wait; `waiting`: what begins those that wait, in the order in which they came. */
type OpenRequests = { open: number; waiting: (() => void)[] };

/**
 * Bounds what one caller can have a process do at once, so that however much it asks, and however long each request takes,
 * others are answered meanwhile. Calls of models and reports have bounds of their own.
 */
export class CallerTurns {
  readonly #most: () => number;
  readonly #callers = new Map<string, OpenRequests>();

  /** @param most - requests of one caller that may be under way, those that wait included; asked for each, since a reload may change it */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** Does the work once it is its turn. Rejects with a 429 where the caller has as many requests under way as it may. */
  async run<Result>(callerId: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#callers.get(callerId) ?? { open: 0, waiting: [] };
    const most = this.#most();
    if (own.open >= most) {
      throw new GatewayError(
        'rate_limit_exceeded',
        `You have as many requests under way as you may have at once, ${most} (\`limits.max_requests_at_once\`): ` +
          'wait until one of them is answered.',
        { retryAfterMs: RETRY_AFTER_MS },
      );
    }
    this.#callers.set(callerId, own);
    own.open += 1;
    // One that ends hands its turn on, so that nobody comes between.
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
