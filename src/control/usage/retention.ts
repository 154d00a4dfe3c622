import type { Clock, Storage } from '../../core/ports.ts';

const EVERY_MS = 60 * 60_000;

export type RetentionParts = {
  storage: Pick<Storage, 'purge'>;
  clock: Clock;
  /** How long usage records are kept, in ms; `null` for ever. Asked at each round, since a reload may change it. */
  keepMs(): number | null;
  onError(error: unknown): void;
};

/** Deletes usage records that are older than they are kept: once at start, then every hour. */
export class Retention {
  readonly #parts: RetentionParts;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.round(), EVERY_MS).unref();
    void this.round();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** One round; tells how many records went. */
  async round(): Promise<number> {
    const { storage, clock, keepMs, onError } = this.#parts;
    const keep = keepMs();
    if (keep === null) return 0;
    try {
      return await storage.purge(clock.now() - keep);
    } catch (error) {
      onError(error);
      return 0;
    }
  }
}
