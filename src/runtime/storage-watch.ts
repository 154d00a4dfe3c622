import type { Storage, StorageReason, StorageTrouble } from '../core/ports.ts';

/** How long the result of a check of the store is reused, and how often the store is checked while something is wrong. */
export const LOOK_EVERY_MS = 1_000;

/** How often the log repeats that something is still wrong. */
export const TELL_EVERY_MS = 60_000;

export type StorageWatchParts = {
  storage: Pick<Storage, 'look' | 'trouble' | 'onTrouble'>;
  /** Monotonic ms. */
  now(): number;
  /** Called when trouble begins, and each minute while it lasts. */
  onTrouble(trouble: StorageTrouble): void;
  /** Called once when trouble that was reported is over. */
  onRecovered(): void;
};

/**
 * Knows whether calls can be recorded. However often it is asked, it checks the store at most once a second; a write that
 * failed is known at once. While something is wrong it checks by itself, so that recovery is noticed without a call.
 */
export class StorageWatch {
  readonly #parts: StorageWatchParts;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<StorageTrouble | null> = Promise.resolve(null);
  #timer: NodeJS.Timeout | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** True if the current trouble was reported, so that its end must be reported too. */
  #isTold = false;
  #stopped = false;

  constructor(parts: StorageWatchParts) {
    this.#parts = parts;
    parts.storage.onTrouble(() => this.noticed());
  }

  /** The trouble of the store; `null` if none. */
  async look(): Promise<StorageTrouble | null> {
    if (this.#parts.now() - this.#lookedAt >= LOOK_EVERY_MS) this.#lookAgain();
    return (await this.#looking) ?? this.#parts.storage.trouble();
  }

  /** The trouble as a text that anyone may see, without paths. */
  async whyUnready(): Promise<{ reason: string; storage: StorageReason } | null> {
    const trouble = await this.look();
    if (trouble === null) return null;
    return { reason: `The gateway cannot write its records: ${DISK[trouble.reason]}.`, storage: trouble.reason };
  }

  /** A write failed: the store is checked again and again until it works. */
  noticed(): void {
    if (this.#timer === null) this.#note(this.#parts.storage.trouble());
  }

  stop(): void {
    this.#stopped = true;
    this.#end();
  }

  #lookAgain(): void {
    this.#lookedAt = this.#parts.now();
    this.#looking = this.#recheck();
  }

  async #recheck(): Promise<StorageTrouble | null> {
    const trouble = await this.#parts.storage.look();
    this.#note(trouble);
    return trouble;
  }

  #note(trouble: StorageTrouble | null): void {
    if (this.#stopped) return;
    const { now, onTrouble, onRecovered } = this.#parts;
    if (trouble === null) {
      this.#end();
      if (this.#isTold) onRecovered();
      this.#isTold = false;
      return;
    }
    this.#timer ??= setInterval(() => this.#lookAgain(), LOOK_EVERY_MS).unref();
    if (now() - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = now();
    this.#isTold = true;
    onTrouble(trouble);
  }

  #end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}

const DISK: Record<StorageReason, string> = {
  full: 'its disk is full',
  read_only: 'its disk is read-only',
  failing: 'its storage fails',
};
