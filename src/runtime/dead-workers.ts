import type { Logger } from 'pino';
import type { Death } from './supervisor.ts';

/** The pause before a failed settlement is retried, in ms. */
export const AGAIN_MS = 5_000;

export type DeadWorkersParts = {
  log: Logger;
  /** Settles a worker's open calls and returns its leases. Resolves with the number of calls. Idempotent. */
  settle(instanceId: string): Promise<number>;
};

/**
 * Settles open calls of dead workers while other workers run. After a failure, such as a full disk, it retries until it
 * succeeds or the gateway ends; the next start then does it.
 */
export class DeadWorkers {
  readonly #parts: DeadWorkersParts;

  constructor(parts: DeadWorkersParts) {
    this.#parts = parts;
  }

  /** Resolves after the first attempt, so that the worker's replacement does not wait for a disk. */
  async cleanUpAfter({ pid, instanceId, how }: Death): Promise<void> {
    const { log, settle } = this.#parts;
    try {
      const interrupted = await settle(instanceId);
      log.error({ worker: pid, how, interrupted }, 'A worker ended unexpectedly. Another takes its place.');
    } catch (error) {
      log.error(
        { worker: pid, how, err: error },
        'A worker ended unexpectedly, and its calls could not be settled yet. It is tried again.',
      );
      this.#settleLater(pid, instanceId);
    }
  }

  #settleLater(pid: number, instanceId: string): void {
    setTimeout(() => void this.#settleAgain(pid, instanceId), AGAIN_MS).unref();
  }

  async #settleAgain(pid: number, instanceId: string): Promise<void> {
    try {
      const interrupted = await this.#parts.settle(instanceId);
      this.#parts.log.info({ worker: pid, interrupted }, 'The calls of a worker that had ended are settled now.');
    } catch (error) {
      this.#parts.log.warn({ worker: pid, err: error }, 'The calls of a worker that had ended cannot be settled yet.');
      this.#settleLater(pid, instanceId);
    }
  }
}
