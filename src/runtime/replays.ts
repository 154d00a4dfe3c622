import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '../core/errors.ts';
import type { ReplayResult } from '../core/replay.ts';
import type { StorageOptions } from '../store/journaled-storage.ts';
import type { DraftedRoute } from './drafted-route.ts';

/** The thread's file, from the sources or from the build. */
const ENTRY = new URL(`./replay-thread${extname(import.meta.url)}`, import.meta.url);
/** The heap limit of a thread, in MB. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** The longest replay in ms, and the additional time before its thread is terminated. */
const REPLAY_MS = 10_000;
const GRACE_MS = 10_000;

/** The start data of the thread: a draft, the start time (Unix ms) and the number of calls to replay. */
export type ReplayOrder = {
  storage: StorageOptions;
  drafted: DraftedRoute;
  from: number;
  limit: number;
  /** Unix ms. */
  endsAt: number;
};

/** Replays of past calls, one at a time, each in its own thread so that calls are not delayed. */
export class Replays {
  readonly #storage: () => StorageOptions;
  #running: Worker | null = null;

  /** @param storage - how to open another connection to the store */
  constructor(storage: () => StorageOptions) {
    this.#storage = storage;
  }

  /** Rejects with `rate_limit_exceeded` while another replay runs. */
  async run(order: Omit<ReplayOrder, 'storage' | 'endsAt'>): Promise<ReplayResult> {
    if (this.#running !== null) {
      const message = 'Another replay is under way: wait until it is answered.';
      throw new GatewayError('rate_limit_exceeded', message, { retryAfterMs: 1000 });
    }
    const workerData: ReplayOrder = { ...order, storage: this.#storage(), endsAt: Date.now() + REPLAY_MS };
    const worker = new Worker(ENTRY, { workerData, resourceLimits: MEMORY });
    this.#running = worker;
    const timer = setTimeout(() => void worker.terminate(), REPLAY_MS + GRACE_MS);
    try {
      return await resultOf(worker);
    } finally {
      clearTimeout(timer);
      this.#running = null;
    }
  }

  /** Ends the running replay. */
  async stop(): Promise<void> {
    await this.#running?.terminate();
  }
}

function resultOf(worker: Worker): Promise<ReplayResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ReplayResult>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new GatewayError('overloaded', 'The replay took too long, and was ended.')));
  return promise;
}
