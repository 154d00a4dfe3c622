import { GatewayError } from '../../core/errors.ts';
import type {
  PeopleStore,
  Person,
  PublicAddress,
  SignedIn,
  SignInRules,
  SignInWayName,
  Visit,
} from '../../core/people.ts';
import type { OrganizationStore } from '../../core/ports.ts';
import type { Administration, AdminParts } from '../administration.ts';
import type { Passwords } from './passwords.ts';
import type { SignInAttempts } from './throttle.ts';

/** What signing in works with. */
export type SignInParts = {
  admin: AdminParts;
  people: PeopleStore;
  passwords: Passwords;
  attempts: SignInAttempts;
  organizations: Pick<OrganizationStore, 'list'>;
  /** Told of a failed sign-in that the audit log could not be told of. */
  onUntold(error: unknown, requestId: string): void;
  rules(): SignInRules;
  /** Rejects where browsers cannot sign in here. */
  publicAddress(): PublicAddress;
};

/** Who comes, and as whom they are signed in already, if at all. */
export type Visitor = { visit: Visit; before: SignedIn | null };

/** A session that has begun; its secret is given to the browser, and kept nowhere. */
export type BegunSession = { person: Person; way: SignInWayName; secret: string; endsAt: number };

/** A person at work on what is their own, in an organization: it is told in the audit log there. */
export function personAtWork(admin: AdminParts, person: Person, organizationId: string, visit: Visit): Administration {
  const { id: userId, email } = person;
  return {
    ...admin,
    by: {
      organizationId,
      actor: { type: 'session', userId, email },
      permissions: new Set(),
      request: { id: visit.requestId, address: visit.address },
    },
  };
}

/** Throws `recent_sign_in_required` where the sign-in is too long ago for what is asked. */
export function demandRecentSignIn({ session }: SignedIn, now: number, { recent }: SignInRules): void {
  if (now - session.signedInAt <= recent) return;
  throw new GatewayError('recent_sign_in_required', 'This needs a recent sign-in: sign in again, then repeat it.');
}
