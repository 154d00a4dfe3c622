import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Secret } from '../core/secret.ts';

/** Returns this many random bytes. */
export type RandomBytes = (size: number) => Buffer;

const PREFIX = 'hg_live_';
const SECRET_BYTES = 32;
/** 62^43 is just over 2^256, so 43 characters hold the 32 bytes; 62^6 is over 2^32, so 6 hold the CRC32. */
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`);

/** Generates a secret: `hg_live_`, 32 random bytes in base62, and the CRC32 of all that in base62. */
export function mintKey(random: RandomBytes): string {
  const start = PREFIX + base62(BigInt(`0x${random(SECRET_BYTES).toString('hex')}`), BODY_LENGTH);
  return start + checksum(start);
}

/** True if the secret has the form and checksum of a key. A mistyped key then needs no storage access. */
export function isWellFormed(secret: string): boolean {
  return SHAPE.test(secret) && secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH)));
}

/** The stored form of a secret: HMAC-SHA-256 under the pepper, 32 bytes. */
export function hashKey(secret: string, pepper: Secret): Buffer {
  return createHmac('sha256', pepper.reveal()).update(secret).digest();
}

function checksum(start: string): string {
  return base62(BigInt(crc32(start)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  return digits.padStart(length, '0');
}
