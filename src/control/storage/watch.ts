import type { Storage, StorageReason, StorageTrouble } from '../../core/ports.ts';

/** How long what a look at the store has found holds for all who ask; and how often it is looked at while something is wrong. */
export const LOOK_EVERY_MS = 1_000;

/** How often it is told that something is still wrong. */
export const TELL_EVERY_MS = 60_000;

export type StorageWatchParts = {
  storage: Pick<Storage, 'look' | 'trouble' | 'onTrouble'>;
  /** Monotonic ms. */
  now(): number;
  /** Called when trouble begins, and each minute while it lasts. */
  onTrouble(trouble: StorageTrouble): void;
  /** Called once when a trouble is over that was told. */
  onRecovered(): void;
};

/**
 * Knows whether calls can be recorded. Whoever asks often costs no more than one look a second; what a write has told is
 * known at once. While something is wrong it looks by itself, so that the end of it is noticed without a call.
 */
export class StorageWatch {
  readonly #parts: StorageWatchParts;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<StorageTrouble | null> = Promise.resolve(null);
  #timer: NodeJS.Timeout | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** The present trouble was told, so that its end is, too. */
  #isTold = false;
  #stopped = false;

  constructor(parts: StorageWatchParts) {
    this.#parts = parts;
    parts.storage.onTrouble(() => this.noticed());
  }

  /** What is wrong with the store; `null`: nothing. */
  async look(): Promise<StorageTrouble | null> {
    if (this.#parts.now() - this.#lookedAt >= LOOK_EVERY_MS) this.#lookAgain();
    return (await this.#looking) ?? this.#parts.storage.trouble();
  }

  /** What is wrong in words for whoever asks: they name no folder. */
  async whyUnready(): Promise<{ reason: string; storage: StorageReason } | null> {
    const trouble = await this.look();
    if (trouble === null) return null;
    return { reason: `The gateway cannot write its records: ${DISK[trouble.reason]}.`, storage: trouble.reason };
  }

  /** Something has told of trouble: it is looked after until it is over. */
  noticed(): void {
    if (this.#timer === null) this.#note(this.#parts.storage.trouble());
  }

  stop(): void {
    this.#stopped = true;
    this.#end();
  }

  #lookAgain(): void {
    this.#lookedAt = this.#parts.now();
    this.#looking = this.#lookAnew();
  }

  async #lookAnew(): Promise<StorageTrouble | null> {
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
