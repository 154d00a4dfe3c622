import type { GatewayError } from '../core/errors.ts';
import type { CredentialCheck, CredentialWord } from '../core/ports.ts';
import type { HealthSettings } from './settings.ts';
import type { CredentialState } from './state.ts';

export type CredentialWatchParts = {
  /** Monotonic ms. */
  now(): number;
  settings(): Pick<HealthSettings, 'credential' | 'credentialMax' | 'credentialKeys'>;
  /** How long something is left alone that was so before, so often. In ms. */
  backOff(base: number, max: number, trips: number): number;
};

/**
 * Decides when a credential is out. Vendors answer 401, 402 and 403 to what a call says, too (a flagged prompt, an output
 * that the account cannot pay), so such an answer to one caller's call says nothing yet of the calls of others:
 *
 * 1. A 401 that calls the key a bad one takes it out at once.
 * 2. At any other the vendor is asked for its word on the key, beside the calls. Its word decides.
 * 3. Where it has none, refusals of `credentialKeys` different API keys within `SUSPICION_MS` do, with no call answered between.
 */
export class CredentialWatch {
  readonly #parts: CredentialWatchParts;
  #check: CredentialCheck | null = null;

  constructor(parts: CredentialWatchParts) {
    this.#parts = parts;
  }

  /** Sets how vendors are asked. Until then none is asked. */
  checkWith(check: CredentialCheck): void {
    this.#check = check;
  }

  /** A vendor refused its account, in answer to a call of an API key. */
  suspect(access: CredentialState, error: GatewayError, keyId: string): void {
    const now = this.#parts.now();
    const { suspicion } = access;
    if (suspicion.isAccepted(now)) return;
    suspicion.note(keyId, now, this.#parts.settings().credentialKeys);
    if (error.badKey) this.#takeOut(access, now);
    if (!this.#ask(access, now) && !error.badKey) this.#weigh(access, now);
  }

  /** A call was answered although its credential was out. */
  accept(access: CredentialState): void {
    access.breaker.close();
    access.suspicion.disprove(this.#parts.now());
  }

  /** Whether the first caller must wait for the vendor's own word, once for each time that the credential was out. */
  asksFirst(access: CredentialState, now: number): boolean {
    const { suspicion, breaker } = access;
    return suspicion.checking || (suspicion.asksFor(breaker.generation) && this.#ask(access, now));
  }

  /** @returns whether the vendor is being asked: its word decides */
  #ask(access: CredentialState, now: number): boolean {
    const { suspicion, provider } = access;
    if (suspicion.checking) return true;
    if (this.#check === null || !suspicion.mayCheck(now)) return false;
    suspicion.begin(now);
    void this.#check(provider).then((word) => this.#answered(access, word));
    return true;
  }

  #answered(access: CredentialState, word: CredentialWord): void {
    const now = this.#parts.now();
    const { suspicion, breaker } = access;
    suspicion.told(word, now);
    if (word === 'accepted') {
      suspicion.clear();
      breaker.close();
    } else if (breaker.closed) this.#weigh(access, now);
  }

  #weigh(access: CredentialState, now: number): void {
    const { suspicion } = access;
    const isRefused = suspicion.accusers > 0 && suspicion.isRefused(now);
    if (isRefused || suspicion.accusers >= this.#parts.settings().credentialKeys) this.#takeOut(access, now);
  }

  /** Takes it out, with all its models. */
  #takeOut({ suspicion, breaker }: CredentialState, now: number): void {
    const { credential, credentialMax } = this.#parts.settings();
    suspicion.clear();
    breaker.trip(now + this.#parts.backOff(credential, credentialMax, breaker.trips));
  }
}
