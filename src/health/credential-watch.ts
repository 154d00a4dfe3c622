import type { GatewayError } from '../core/errors.ts';
import type { CredentialCheck, CredentialWord } from '../core/ports.ts';
import type { HealthSettings } from './settings.ts';
import type { CredentialState } from './state.ts';

export type CredentialWatchParts = {
  /** Monotonic ms. */
  now(): number;
  settings(): Pick<HealthSettings, 'credential' | 'credentialMax' | 'credentialKeys'>;
  /** How long to back off after this many trips, in ms. */
  backOff(base: number, max: number, trips: number): number;
};

/**
 * Decides when a credential is out of use. Vendors also answer 401, 402 and 403 because of a call's content (a flagged
 * prompt, an output that the account cannot pay for), so one refused call says little about other callers' calls:
 *
 * 1. A 401 that says that the key is invalid takes the credential out at once.
 * 2. After any other refusal the vendor is asked in the background whether it accepts the key, and its answer decides.
 * 3. If that gives no clear answer, refusals of `credentialKeys` different API keys within `EVIDENCE_MS` take it out, if
 *    no call was answered in between.
 */
export class CredentialWatch {
  readonly #parts: CredentialWatchParts;
  #check: CredentialCheck | null = null;

  constructor(parts: CredentialWatchParts) {
    this.#parts = parts;
  }

  /** Sets how vendors are asked about a key. Until then none is asked. */
  checkWith(check: CredentialCheck): void {
    this.#check = check;
  }

  /** Notes that the vendor refused a call of an API key because of the account. */
  suspect(access: CredentialState, error: GatewayError, keyId: string): void {
    const now = this.#parts.now();
    const { evidence } = access;
    if (evidence.isAccepted(now)) return;
    evidence.note(keyId, now, this.#parts.settings().credentialKeys);
    if (error.badKey) this.#takeOut(access, now);
    if (!this.#ask(access, now) && !error.badKey) this.#weigh(access, now);
  }

  /** Notes that a call was answered although its credential was out. */
  accept(access: CredentialState): void {
    access.breaker.close();
    access.evidence.disprove(this.#parts.now());
  }

  /** True if a caller must wait while the vendor is asked about the key, once each time the credential is out. */
  mustAskFirst(access: CredentialState, now: number): boolean {
    const { evidence, breaker } = access;
    return evidence.checking || (evidence.isFirstQuestion(breaker.generation) && this.#ask(access, now));
  }

  /** @returns true if the vendor is being asked, so that its answer decides */
  #ask(access: CredentialState, now: number): boolean {
    const { evidence, provider } = access;
    if (evidence.checking) return true;
    if (this.#check === null || !evidence.mayCheck(now)) return false;
    evidence.begin(now);
    void this.#check(provider).then((word) => this.#answered(access, word));
    return true;
  }

  #answered(access: CredentialState, word: CredentialWord): void {
    const now = this.#parts.now();
    const { evidence, breaker } = access;
    evidence.told(word, now);
    if (word === 'accepted') {
      evidence.clear();
      breaker.close();
    } else if (breaker.closed) this.#weigh(access, now);
  }

  #weigh(access: CredentialState, now: number): void {
    const { evidence } = access;
    const isRefused = evidence.accusers > 0 && evidence.isRefused(now);
    if (isRefused || evidence.accusers >= this.#parts.settings().credentialKeys) this.#takeOut(access, now);
  }

  /** Takes the credential out, with all its models. */
  #takeOut({ evidence, breaker }: CredentialState, now: number): void {
    const { credential, credentialMax } = this.#parts.settings();
    evidence.clear();
    breaker.trip(now + this.#parts.backOff(credential, credentialMax, breaker.trips));
  }
}
