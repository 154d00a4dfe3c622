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

/** What signing in needs. */
export type SignInParts = {
  admin: AdminParts;
  people: PeopleStore;
  passwords: Passwords;
  attempts: SignInAttempts;
  organizations: Pick<OrganizationStore, 'list'>;
  /** Called if a failed sign-in could not be written to the audit log. */
  onUntold(error: unknown, requestId: string): void;
  rules(): SignInRules;
  /** Rejects if browsers cannot sign in here. */
  publicAddress(): PublicAddress;
};

/** The visitor, and their present session if any. */
export type Visitor = { visit: Visit; before: SignedIn | null };

/** A new session. Its secret is given to the browser and not stored. */
export type BegunSession = { person: Person; way: SignInWayName; secret: string; endsAt: number };

/** A person managing their own account, in the organization of the audit entries. */
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

/** Throws `recent_sign_in_required` if the last sign-in is too long ago. */
export function demandRecentSignIn({ session }: SignedIn, now: number, { recent }: SignInRules): void {
  if (now - session.signedInAt <= recent) return;
  throw new GatewayError('recent_sign_in_required', 'This needs a recent sign-in. Sign in again and repeat it.');
}
