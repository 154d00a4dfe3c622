import {
  ExchangeNotDone,
  type LeaseAnswer,
  type LeaseAsk,
  type LeaseExchange,
  type LeaseStore,
} from '../../core/leases.ts';

/** An exchange that is about to be sent. */
export type ReadyExchange<Result> = {
  asks: readonly LeaseAsk[];
  /** Applies the answer, synchronously. */
  apply(answer: LeaseAnswer): Result;
  /** Takes back what it reports, synchronously: the store has done nothing. */
  withdraw(): void;
  /** Gives back what was granted to a caller that does not wait any more. */
  abandon(result: Result): void;
};

/**
 * Sends a worker's exchanges one after the other, with numbers. One that fails is withdrawn if the store says that it was
 * not done. Otherwise nobody knows: it is sent again, under its number, before any other, and what it granted is given back.
 */
export class ExchangeQueue {
  readonly #leases: Pick<LeaseStore, 'exchange'>;
  #number = 0;
  #last: Promise<unknown> = Promise.resolve();
  #unanswered: { exchange: LeaseExchange; settle(answer: LeaseAnswer): void } | null = null;

  constructor(leases: Pick<LeaseStore, 'exchange'>) {
    this.#leases = leases;
  }

  /**
   * Rejects as the store does.
   *
   * @param begin - makes the exchange when its turn comes; `null`: there is none, and the promise resolves with `null`
   */
  send<Result>(begin: () => ReadyExchange<Result> | null): Promise<Result | null> {
    const turn = this.#last.then(() => this.#send(begin));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves once each exchange so far has an answer, or has failed again. */
  async settle(): Promise<void> {
    if (this.#unanswered !== null) await this.send(() => null).catch(() => undefined);
  }

  async #send<Result>(begin: () => ReadyExchange<Result> | null): Promise<Result | null> {
    await this.#sendAgain();
    const ready = begin();
    if (ready === null) return null;
    const { asks, apply, withdraw, abandon } = ready;
    this.#number += 1;
    const exchange = { number: this.#number, asks };
    this.#unanswered = { exchange, settle: (answer) => abandon(apply(answer)) };
    try {
      const answer = await this.#leases.exchange(exchange);
      this.#unanswered = null;
      return apply(answer);
    } catch (error) {
      // It was sent once: later, a failure says nothing of the attempts before.
      if (error instanceof ExchangeNotDone) {
        this.#unanswered = null;
        withdraw();
      }
      throw error;
    }
  }

  async #sendAgain(): Promise<void> {
    const unanswered = this.#unanswered;
    if (unanswered === null) return;
    const answer = await this.#leases.exchange(unanswered.exchange);
    this.#unanswered = null;
    unanswered.settle(answer);
  }
}
