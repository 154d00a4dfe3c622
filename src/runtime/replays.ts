import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '../core/errors.ts';
import type { ReplayResult } from '../core/replay.ts';
import type { StorageOptions } from '../store/journaled-storage.ts';
import type { DraftedRoute } from '../tasks/routes.ts';

/** The thread's own file, as it is run here: from the sources, or from what was built of them. */
const ENTRY = new URL(`./replay-thread${extname(import.meta.url)}`, import.meta.url);
/** The most memory that a thread may have for objects, in MB. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** How long a replay may take, in ms, and how much longer until its thread is ended. */
const REPLAY_MS = 10_000;
const GRACE_MS = 10_000;

/** What the thread is started with: a draft, and from when on (Unix ms) how many calls it is held against. */
export type ReplayOrder = {
  storage: StorageOptions;
  drafted: DraftedRoute;
  from: number;
  limit: number;
  /** Unix ms. */
  endsAt: number;
};

/** Replays of past calls, each in a thread of its own, one at a time: they are no work for who answers calls. */
export class Replays {
  readonly #storage: () => StorageOptions;
  #running: Worker | null = null;

  /** @param storage - how a store is opened beside the gateway's own */
  constructor(storage: () => StorageOptions) {
    this.#storage = storage;
  }

  /** Rejects with `rate_limit_exceeded` while another is under way. */
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

  /** Ends the one that is under way. */
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
