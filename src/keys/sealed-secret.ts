import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Secret } from '../core/secret.ts';
import type { SealedSecret } from '../core/settings.ts';
import type { RandomBytes } from './format.ts';
import type { WrappingKey } from './wrapping-keys.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The place that a secret is sealed for. It cannot be unsealed for any other. */
export type Binding = {
  organizationId: string;
  providerId: string;
  /** The address that the secret is sent to. */
  address: string;
  credentialId: string;
  number: number;
};

/** Seals a secret with a new key, and that key with the wrapping key. */
export function seal(wrapping: WrappingKey, secret: Secret, binding: Binding, random: RandomBytes): SealedSecret {
  const dataKey = random(KEY_BYTES);
  const data = encrypt(dataKey, Buffer.from(secret.reveal()), binding, random);
  return { wrappedBy: wrapping.id, dataKey: encrypt(wrapping.key, dataKey, binding, random), data };
}

/** Throws if it was sealed for another place or under another key, or was tampered with. */
export function unseal(wrapping: WrappingKey, sealed: SealedSecret, binding: Binding): Secret {
  const dataKey = decrypt(wrapping.key, sealed.dataKey, binding);
  return new Secret(decrypt(dataKey, sealed.data, binding).toString());
}

/** Moves a sealed secret to another wrapping key. The sealed secret itself stays as it is. */
export function rewrap(
  { from, to }: { from: WrappingKey; to: WrappingKey },
  sealed: SealedSecret,
  binding: Binding,
  random: RandomBytes,
): SealedSecret {
  const dataKey = decrypt(from.key, sealed.dataKey, binding);
  return { wrappedBy: to.id, dataKey: encrypt(to.key, dataKey, binding, random), data: sealed.data };
}

function encrypt(key: Uint8Array, plain: Uint8Array, binding: Binding, random: RandomBytes): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(binding));
  const hidden = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString('base64');
}

function decrypt(key: Uint8Array, sealed: string, binding: Binding): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(boundTo(binding))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

function boundTo({ organizationId, providerId, address, credentialId, number }: Binding): Buffer {
  return Buffer.from(JSON.stringify(['headgate', organizationId, providerId, address, credentialId, number]));
}
