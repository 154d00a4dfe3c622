import { createHash } from 'node:crypto';
import type { SecretHash } from '../../core/people.ts';
import type { RandomBytes } from '../../keys/format.ts';

const SECRET_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits in base64url, for session cookies and links. */
export function mintSecret(random: RandomBytes): string {
  return random(SECRET_BYTES).toString('base64url');
}

/**
 * The stored hash of a secret. It needs no slow hash, because 256 bits cannot be guessed. `null`: it is not a secret.
 */
export function hashSecret(secret: string): SecretHash | null {
  return SHAPE.test(secret) ? sha256(secret) : null;
}

/** As plain bytes, which another thread receives unchanged. */
export function sha256(text: string): SecretHash {
  return new Uint8Array(createHash('sha256').update(text).digest());
}
