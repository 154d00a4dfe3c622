import { z } from 'zod';
import { named, seconds, text } from '../../api/schema.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './passwords.ts';

const MAX_ID = 2048;
const MAX_BLOB = 32_768;

/** A password to check, of any reasonable length. */
export const triedPassword = z
  .string('must be text')
  .min(1, 'must not be empty')
  .max(MAX_PASSWORD, `must have at most ${MAX_PASSWORD} characters`);

export const newPassword = triedPassword.describe(`At least ${MIN_PASSWORD} characters.`);

export const linkText = z
  .string('must be text')
  .min(1, 'must not be empty')
  .max(500, 'is not a valid link')
  .describe('The part of the link after `#`.');

const blob = z.string('must be text').max(MAX_BLOB, 'is too long');
const credentialId = z.string('must be text').min(1, 'must not be empty').max(MAX_ID, 'is too long');
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', 'must be `public-key`'),
  clientExtensionResults: z.object({}).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
};

export const assertion = named(
  'PasskeyAssertion',
  z
    .object({
      ...credential,
      response: z.object(
        {
          clientDataJSON: blob,
          authenticatorData: blob,
          signature: blob,
          userHandle: blob.nullish(),
        },
        'must be the device’s answer',
      ),
    })
    .describe('A `PublicKeyCredential` of `navigator.credentials.get()`, from its `toJSON()`.'),
);

export const attestation = named(
  'PasskeyAttestation',
  z
    .object({
      ...credential,
      response: z.object(
        {
          clientDataJSON: blob,
          attestationObject: blob,
          transports: z.array(z.string().max(50, 'is too long')).max(20, 'has too many').exactOptional(),
        },
        'must be the device’s answer',
      ),
    })
    .describe('A `PublicKeyCredential` of `navigator.credentials.create()`, from its `toJSON()`.'),
);

export const passkeyOptions = named(
  'PasskeyOptions',
  z.looseObject({ challenge: text }).describe('`publicKey` for `navigator.credentials`, in JSON.'),
);

export const person = named(
  'Person',
  z.object({ id: text, object: z.literal('person'), email: text, name: text.nullable(), created_at: seconds }),
);

export const signedIn = named(
  'SignedIn',
  z.object({
    object: z.literal('auth.sign_in'),
    person,
    expires_at: seconds.describe('The latest end of the session. Its secret is only in the cookie.'),
  }),
);
