import type { CredentialWord } from '../core/ports.ts';

/** How long the refusal of a call counts against a credential. In ms. */
export const SUSPICION_MS = 60_000;
/** A vendor is asked for its word on a credential this often at most, and is believed for as long. In ms. */
export const CHECK_EVERY_MS = 10_000;

/**
 * What speaks against a credential: whose calls its vendor refused since it last answered one, and what it says of the key
 * itself. Times are monotonic ms, handed in.
 */
export class Suspicion {
  /** When a call of each API key was refused last. */
  readonly #accusers = new Map<string, number>();
  /** A call was answered although the vendor had just refused to list its models: the list says nothing of this key. */
  #listIsNoSign = false;
  #checking = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #word: CredentialWord = 'unknown';
  /** The opening of the circuit for which the vendor was asked before any caller was sent. */
  #askedFor = -1;

  /** The vendor refused a call of this API key. Of more than `most` keys nothing further has to be known. */
  note(keyId: string, now: number, most: number): void {
    for (const [known, at] of this.#accusers) if (now - at >= SUSPICION_MS) this.#accusers.delete(known);
    if (this.#accusers.size < most || this.#accusers.has(keyId)) this.#accusers.set(keyId, now);
  }

  /** Of how many API keys calls were refused, since one was answered. */
  get accusers(): number {
    return this.#accusers.size;
  }

  /** A call was answered: the suspicion is over. */
  clear(): void {
    if (this.#accusers.size > 0) this.#accusers.clear();
  }

  /** The vendor took the key just now: that its calls are refused is not the key's fault. */
  isAccepted(now: number): boolean {
    return this.#word === 'accepted' && now - this.#checkedAt < CHECK_EVERY_MS;
  }

  isRefused(now: number): boolean {
    return this.#word === 'refused' && now - this.#checkedAt < CHECK_EVERY_MS;
  }

  get checking(): boolean {
    return this.#checking;
  }

  /** Whether the vendor may be asked now. */
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

  /** A call was answered while the credential was out. */
  disprove(now: number): void {
    if (this.isRefused(now)) this.#listIsNoSign = true;
    this.#word = 'unknown';
  }

  /** @returns whether it is the first time for this opening */
  asksFor(generation: number): boolean {
    const isFirst = this.#askedFor !== generation;
    this.#askedFor = generation;
    return isFirst;
  }
}
