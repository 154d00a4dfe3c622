import type { Clock, Storage } from '../core/ports.ts';
import type { RefusedStore } from '../core/refused-calls.ts';

const HOUR_MS = 60 * 60_000;
const EVERY_MS = HOUR_MS;
/** The longest that refused calls without a valid key are kept. */
const KEYLESS_MS = 24 * HOUR_MS;

/** A clock that went ahead by this much more than the machine has run was set. */
export const JUMP_MS = HOUR_MS;
/** At a start: a newest record of longer ago says that the gateway was little used, or that the clock is wrong. */
export const IDLE_MS = 30 * 24 * HOUR_MS;
/** How long nothing is deleted after such: time to set the clock right. */
export const DOUBT_MS = 24 * HOUR_MS;

export type RetentionParts = {
  storage: Pick<Storage, 'purge'> & { usage: Pick<Storage['usage'], 'list'>; refused: Pick<RefusedStore, 'purge'> };
  clock: Pick<Clock, 'now'>;
  /** How long the machine has run, in ms, asleep or not. No setting of its clock changes it. */
  uptime(): number;
  /** How long usage records are kept, in ms; `null` for ever. Asked at each round, since a reload may change it. */
  keepMs(): number | null;
  /** How long refused calls are kept, in ms. */
  keepRefusedMs(): number;
  /** The clock may be wrong: nothing is deleted for `DOUBT_MS`. */
  onDoubt(): void;
  onError(error: unknown): void;
};

/**
 * Deletes usage records and refused calls that are older than they are kept: once at start, then every hour. What is deleted does not come
 * back, so a clock that has jumped ahead is not believed for a day.
 */
export class Retention {
  readonly #parts: RetentionParts;
  #timer: NodeJS.Timeout | null = null;
  /** What both clocks said at the last round. */
  #last: { now: number; uptime: number } | null = null;
  /** The machine's uptime from which on the clock is believed again. */
  #believedFrom = Number.NEGATIVE_INFINITY;

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

  /** One round; tells how many usage records went. */
  async round(): Promise<number> {
    const { storage, clock, uptime, keepMs, onError } = this.#parts;
    try {
      const [now, machine] = [clock.now(), uptime()];
      await this.#judge(now, machine);
      if (machine < this.#believedFrom) return 0;
      const keepRefused = this.#parts.keepRefusedMs();
      await storage.refused.purge(now - keepRefused, now - Math.min(keepRefused, KEYLESS_MS)).catch(onError);
      const keep = keepMs();
      return keep === null ? 0 : await storage.purge(now - keep);
    } catch (error) {
      onError(error);
      return 0;
    }
  }

  async #judge(now: number, uptime: number): Promise<void> {
    const last = this.#last;
    const ahead = last === null ? 0 : now - last.now - (uptime - last.uptime);
    // Set back, as it is when it was wrong before.
    if (ahead < -JUMP_MS) this.#believedFrom = Number.NEGATIVE_INFINITY;
    if (ahead > JUMP_MS || (last === null && (await this.#isNewestOld(now)))) {
      this.#believedFrom = uptime + DOUBT_MS;
      if (this.#parts.keepMs() !== null) this.#parts.onDoubt();
    }
    // Only now: a first look that failed is taken again.
    this.#last = { now, uptime };
  }

  /** Records of the last day tell nothing: a clock that was set ahead before this start has made them, too. */
  async #isNewestOld(now: number): Promise<boolean> {
    const page = await this.#parts.storage.usage.list({ organizationId: null, limit: 1, until: now - DOUBT_MS });
    const newest = page?.records[0];
    return newest !== undefined && now - newest.createdAt > IDLE_MS;
  }
}
