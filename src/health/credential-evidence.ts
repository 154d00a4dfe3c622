import type { CredentialWord } from '../core/ports.ts';

/** How long a refused call counts against a credential, in ms. */
export const EVIDENCE_MS = 60_000;
/** The shortest interval between questions to a vendor about a credential, and how long its answer is valid, in ms. */
export const CHECK_EVERY_MS = 10_000;

/**
 * The evidence against a credential: whose calls the vendor refused since it last answered one, and what it says of the
 * key itself. Times are monotonic ms, passed in.
 */
export class CredentialEvidence {
  /** When a call of each API key was last refused. */
  readonly #accusers = new Map<string, number>();
  /** The vendor answered a call after refusing to list models with the key, so that list says nothing about the key. */
  #listIsNoSign = false;
  #checking = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #word: CredentialWord = 'unknown';
  /** The opening of the circuit for which the vendor was asked before a caller was admitted. */
  #askedFor = -1;

  /** Notes that the vendor refused a call of this API key. Remembers at most `most` keys. */
  note(keyId: string, now: number, most: number): void {
    for (const [known, at] of this.#accusers) if (now - at >= EVIDENCE_MS) this.#accusers.delete(known);
    if (this.#accusers.size < most || this.#accusers.has(keyId)) this.#accusers.set(keyId, now);
  }

  /** How many API keys had calls refused since one was answered. */
  get accusers(): number {
    return this.#accusers.size;
  }

  /** Clears the evidence, because a call was answered. */
  clear(): void {
    if (this.#accusers.size > 0) this.#accusers.clear();
  }

  /** True if the vendor accepted the key recently, so that refused calls are not the key's fault. */
  isAccepted(now: number): boolean {
    return this.#word === 'accepted' && now - this.#checkedAt < CHECK_EVERY_MS;
  }

  isRefused(now: number): boolean {
    return this.#word === 'refused' && now - this.#checkedAt < CHECK_EVERY_MS;
  }

  get checking(): boolean {
    return this.#checking;
  }

  /** True if the vendor may be asked now. */
  mayCheck(now: number): boolean {
    return !this.#checking && !this.#listIsNoSign && now - this.#checkedAt >= CHECK_EVERY_MS;
  }

  begin(now: number): void {
    this.#checking = true;
    this.#checkedAt = now;
  }

  told(word: CredentialWord, now: number): void {
    this.#checking = false;
    this.#checkedAt = now;
    this.#word = word;
  }

  /** Notes that a call was answered while the credential was out. */
  disprove(now: number): void {
    if (this.isRefused(now)) this.#listIsNoSign = true;
    this.#word = 'unknown';
  }

  /** @returns true if this is the first question for this opening */
  isFirstQuestion(generation: number): boolean {
    const isFirst = this.#askedFor !== generation;
    this.#askedFor = generation;
    return isFirst;
  }
}
