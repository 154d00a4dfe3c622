import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { PeopleChange } from '../../core/people.ts';
import type { Clock } from '../../core/ports.ts';
import type { Secret } from '../../core/secret.ts';
import type { RandomBytes } from '../../keys/format.ts';
import { sha256 } from './secrets.ts';

/** The time a device has to answer, in ms. */
export const CHALLENGE_MS = 300_000;

const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const MAC_BYTES = 32;

export type ChallengeParts = { pepper: Secret; clock: Clock; random: RandomBytes };

/**
 * The challenge that a passkey signs: an end time, random bits, and a proof that this gateway made it for this purpose.
 * So requests of strangers store nothing; the store ensures single use (`useChallenge`).
 *
 * @param purpose - what it may be used for, and by whom
 */
export function mintChallenge({ pepper, clock, random }: ChallengeParts, purpose: string): Uint8Array<ArrayBuffer> {
  const start = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);
  start.writeUIntBE(clock.now() + CHALLENGE_MS, 0, TIME_BYTES);
  random(RANDOM_BYTES).copy(start, TIME_BYTES);
  return new Uint8Array(Buffer.concat([start, proof(pepper, purpose, start)]));
}

/** The change that uses up a valid challenge for this purpose; else `null`. */
export function readChallenge(
  { pepper, clock }: Omit<ChallengeParts, 'random'>,
  purpose: string,
  challenge: string,
): PeopleChange | null {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== TIME_BYTES + RANDOM_BYTES + MAC_BYTES) return null;
  const start = bytes.subarray(0, TIME_BYTES + RANDOM_BYTES);
  if (!timingSafeEqual(proof(pepper, purpose, start), bytes.subarray(start.length))) return null;
  const expiresAt = start.readUIntBE(0, TIME_BYTES);
  if (expiresAt <= clock.now()) return null;
  return { useChallenge: { hash: sha256(start.toString('base64url')), expiresAt } };
}

function proof(pepper: Secret, purpose: string, start: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', pepper.reveal(), '', 'headgate challenges', 32));
  return createHmac('sha256', key).update(purpose).update('\0').update(start).digest();
}
