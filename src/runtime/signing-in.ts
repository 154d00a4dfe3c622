import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { GatewayError } from '../core/errors.ts';
import { portOf } from '../core/operator.ts';
import type { KeyChecker, Storage } from '../core/ports.ts';
import type { Site } from '../http/browser.ts';
import { isWithin } from '../keys/ip-ranges.ts';
import type { AdminParts } from '../organization/administration.ts';
import { consoleCaller, demandConsoleCalls } from '../organization/api-keys/console-calls.ts';
import { firstOrganization } from '../organization/organizations.ts';
import { firstOwnerLinkOf, linkAddress } from '../organization/sign-in/links.ts';
import { demandRecentSignIn, type SignInParts } from '../organization/sign-in/parts.ts';
import { Passwords } from '../organization/sign-in/passwords.ts';
import { NO_PUBLIC_ADDRESS, publicAddressOf } from '../organization/sign-in/public-address.ts';
import { demandSession, hasEnded, sessionChecker } from '../organization/sign-in/sessions.ts';
import type { SignInAttempts } from '../organization/sign-in/throttle.ts';
import { CLOCK } from './setup.ts';

export type SigningInParts = {
  config(): Config;
  /** The actual port. */
  port(): number;
  admin: AdminParts;
  storage: Pick<Storage, 'people' | 'organizations'>;
  log: Logger;
  checker: KeyChecker;
  attempts: SignInAttempts;
};

/** The sign-in of people, and the gateway's public address. */
export function openSigningIn({ config, port, admin, storage, log, checker, attempts }: SigningInParts): {
  signIn: SignInParts;
  site: Site;
} {
  const publicAddress = () => {
    const found = publicAddressOf(config().server, port());
    if (found === null) throw new GatewayError('forbidden', NO_PUBLIC_ADDRESS);
    return found;
  };
  const signIn: SignInParts = {
    admin,
    people: storage.people,
    organizations: storage.organizations,
    attempts,
    onUntold: (error, requestId) =>
      log.error({ err: error, request_id: requestId }, 'The audit log could not be told of a sign-in that failed.'),
    passwords: new Passwords(admin.pepper, admin.random),
    rules: () => config().signIn,
    publicAddress,
  };
  const site: Site = {
    publicAddress,
    linkTo(secret) {
      const found = publicAddressOf(config().server, port());
      return found === null ? null : linkAddress(found, secret);
    },
    isTrustedProxy: (address) => isWithin(address, config().server.trustedProxies),
    checkSession: sessionChecker(signIn),
    isOver: (session) => hasEnded(session, admin.clock.now(), signIn),
    demandSignedIn: (signedIn) => demandSession(signIn, signedIn),
    callerFor: (signedIn, asked) => consoleCaller(admin, checker, signedIn, asked),
    demandCalls: (signedIn, asked) => demandConsoleCalls(admin, signedIn, asked),
    demandRecent: (signedIn) => demandRecentSignIn(signedIn, admin.clock.now(), config().signIn),
  };
  return { signIn, site };
}

/**
 * A link by which somebody becomes the first owner; `null` once anybody has signed in, and where browsers cannot. Each start
 * makes another, and that of the start before ends.
 *
 * @param address - where the gateway listens
 */
export async function firstOwnerLink(
  { server, signIn }: Config,
  { people, settings, organizations }: Storage,
  address: string,
): Promise<string | null> {
  const found = publicAddressOf(server, portOf(address));
  if (found === null || (await people.hasSignedIn())) return null;
  const { id: organizationId } = firstOrganization(await organizations.list());
  const parts = { settings, random: randomBytes, clock: CLOCK };
  const { secret } = await firstOwnerLinkOf(parts, organizationId, { email: null, lifeMs: signIn.ownerLinkLife });
  return linkAddress(found, secret);
}
