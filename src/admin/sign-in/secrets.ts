import { createHash } from 'node:crypto';
import type { SecretHash } from '../../core/people.ts';
import type { RandomBytes } from '../../keys/format.ts';

const SECRET_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, in base64url: what a session's cookie and a link carry. */
export function mintSecret(random: RandomBytes): string {
  return random(SECRET_BYTES).toString('base64url');
}

/** What is kept of a secret. It has too many bits to be guessed, so that it needs no slow hash. `null`: it is none. */
export function hashSecret(secret: string): SecretHash | null {
  return SHAPE.test(secret) ? sha256(secret) : null;
}

/** As plain bytes, which another thread gets unchanged. */
export function sha256(text: string): SecretHash {
  return new Uint8Array(createHash('sha256').update(text).digest());
}
