import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { GatewayError } from '../../core/errors.ts';
import type { Passkey, PeopleChange, SignedIn, Visit } from '../../core/people.ts';
import { invalid, noSuch } from '../administration.ts';
import { CHALLENGE_MS, mintChallenge, readChallenge } from './challenges.ts';
import type { SignInParts } from './parts.ts';
import { changeOf } from './sessions.ts';
import type { CheckedProof, SignInWay } from './sign-in.ts';

const RELYING_PARTY = 'Headgate';
const TO_SIGN_IN = 'sign in';
/** The most passkeys of one person. */
export const MAX_PASSKEYS = 50;

// Loaded only when needed, because it takes a moment.
const webauthn = () => import('@simplewebauthn/server');

/** A device's answer as WebAuthn JSON. Anything that does not fit the types below fails to verify. */
export type PasskeyAssertion = { id: string; response: object };
export type PasskeyAttestation = { response: { transports?: readonly string[] } };

export const PASSKEY_WAY: SignInWay<PasskeyAssertion> = {
  name: 'passkey',
  emailIn: () => null,
  check: checkPasskey,
};

/** The browser's request for a sign-in with any passkey for this gateway. */
export async function passkeyRequest(parts: SignInParts): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { host } = parts.publicAddress();
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: host,
    challenge: mintChallenge(parts.admin, TO_SIGN_IN),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
}

async function checkPasskey(parts: SignInParts, assertion: PasskeyAssertion): Promise<CheckedProof> {
  const { people, admin } = parts;
  const { origin, host } = parts.publicAddress();
  const passkey = await people.passkey(assertion.id);
  const person = passkey === null ? null : await people.person(passkey.userId);
  if (passkey === null || person === null) return { holds: false, person: null };
  const { verifyAuthenticationResponse } = await webauthn();
  let used: PeopleChange | null = null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => {
        used = readChallenge(admin, TO_SIGN_IN, challenge);
        return used !== null;
      },
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      credential: { ...passkey, transports: [...passkey.transports] },
    });
    if (!verified || used === null) return { holds: false, person };
    const counter = authenticationInfo.newCounter;
    const noted: PeopleChange = { usePasskey: { id: passkey.id, counter, at: admin.clock.now() } };
    return { holds: true, person, changes: [used, noted] };
  } catch {
    // The library's reason is not shown to the person who tries to sign in.
    return { holds: false, person };
  }
}

/** The browser's request for a new passkey. */
export async function passkeyCreation(
  parts: SignInParts,
  { person, session }: SignedIn,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { host } = parts.publicAddress();
  const known = await passkeysBesideOneMore(parts, person.id);
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: RELYING_PARTY,
    rpID: host,
    userID: new TextEncoder().encode(person.id),
    userName: person.email,
    userDisplayName: person.name ?? person.email,
    challenge: mintChallenge(parts.admin, toRegister(session.id)),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Throws `conflict` if no further one is allowed. */
async function passkeysBesideOneMore({ people }: SignInParts, userId: string): Promise<readonly Passkey[]> {
  const known = await people.passkeys(userId);
  if (known.length < MAX_PASSKEYS) return known;
  throw new GatewayError('conflict', `A person may have at most ${MAX_PASSKEYS} passkeys.`);
}

/**
 * Stores a passkey. Throws `invalid_request` if the device's answer does not match, and `conflict` as `passkeyCreation`
 * does, because the options may be old.
 */
export async function addPasskey(
  parts: SignInParts,
  { person, session }: SignedIn,
  { name, response }: { name: string; response: PasskeyAttestation },
  visit: Visit,
): Promise<Passkey> {
  const { origin, host } = parts.publicAddress();
  const { admin } = parts;
  const { verifyRegistrationResponse } = await webauthn();
  let used: PeopleChange | null = null;
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => {
      used = readChallenge(admin, toRegister(session.id), challenge);
      return used !== null;
    },
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified || used === null)
    throw invalid('response', 'does not match the request to the device. Request new options and try again');
  await passkeysBesideOneMore(parts, person.id);
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const passkey: Passkey = {
    id,
    userId: person.id,
    name,
    publicKey: new Uint8Array(publicKey),
    counter,
    transports: response.response.transports?.slice(0, 10) ?? [],
    createdAt: admin.clock.now(),
    lastUsedAt: null,
  };
  const changes: PeopleChange[] = [used, { addPasskey: { passkey, most: MAX_PASSKEYS } }];
  const data = { passkey_added: name };
  await changeOf(parts, person, session.organizationId, { changes, type: 'user.updated', visit, data });
  return passkey;
}

/** Deletes a person's passkey; all other sessions end. Throws `conflict` for the last way to sign in. */
export async function removePasskey(
  parts: SignInParts,
  { person, session }: SignedIn,
  id: string,
  visit: Visit,
): Promise<void> {
  const own = await parts.people.passkeys(person.id);
  const passkey = own.find((each) => each.id === id) ?? noSuch('passkey');
  if (own.length === 1 && person.passwordHash === null)
    throw new GatewayError('conflict', 'This is your only way to sign in. Add another one first.');
  const userId = person.id;
  const changes: PeopleChange[] = [
    { removePasskey: { id, userId } },
    { endSessions: { userId, exceptId: session.id } },
  ];
  const data = { passkey_removed: passkey.name };
  await changeOf(parts, person, session.organizationId, { changes, type: 'user.updated', visit, data });
}

function toRegister(sessionId: string): string {
  return `register ${sessionId}`;
}
