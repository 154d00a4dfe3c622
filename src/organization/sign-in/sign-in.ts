import { GatewayError } from '../../core/errors.ts';
import { networksOf } from '../../core/ip-address.ts';
import type { PeopleChange, Person, SignInWayName } from '../../core/people.ts';
import type { BegunSession, SignInParts, Visitor } from './parts.ts';
import { beginSession, noteFailedSignIn } from './sessions.ts';

/** The multiples of `attemptsPerAddress` for an IPv6 /64, /56 and /48; IPv4 counts only the address. */
const WIDER_NETWORKS = [1, 2, 4];

/**
 * A way to authenticate. There are two; a company's identity provider would be a third. Each results in a known person.
 */
export type SignInWay<Proof> = {
  name: SignInWayName;
  /** The email address for counting attempts, if the proof has one. */
  emailIn(proof: Proof): string | null;
  /** The person of a proof, as far as known, and whether it is valid. It takes equally long for unknown people. */
  check(parts: SignInParts, proof: Proof): Promise<CheckedProof>;
};

/** `changes` are applied with the sign-in: what a proof uses up. */
export type CheckedProof =
  | { holds: true; person: Person; changes: readonly PeopleChange[] }
  | { holds: false; person: Person | null };

/**
 * Signs a person in. Rejects with `sign_in_failed`, with `forbidden` if they belong nowhere, or with `too_many_attempts`
 * before any check.
 */
export async function signIn<Proof>(
  parts: SignInParts,
  way: SignInWay<Proof>,
  proof: Proof,
  visitor: Visitor,
): Promise<BegunSession> {
  const email = way.emailIn(proof);
  const by = email === null ? null : await accountOf(parts, visitor, email);
  await takeAttempt(parts, visitor, by);
  const checked = await way.check(parts, proof);
  if (!checked.holds) {
    // Not awaited, because the time of the answer would reveal whether the address is known.
    const { visit } = visitor;
    if (checked.person !== null)
      noteFailedSignIn(parts, checked.person, { visit, data: { way: way.name } }).catch((error: unknown) =>
        parts.onUntold(error, visit.requestId),
      );
    throw new GatewayError('sign_in_failed', 'Sign-in failed. The credentials are wrong or no longer valid.');
  }
  await demandPlace(parts, checked.person);
  const begun = await beginSession(parts, checked.person, { way: way.name, changes: checked.changes }, visitor);
  if (by !== null) await parts.attempts.forget(by);
  return begun;
}

/**
 * Rejects if a session would be of no use: the person is in no organization, and nothing invites them into one. Only
 * who has proven to be this person is told so.
 */
async function demandPlace({ admin, people }: SignInParts, { id, email }: Person): Promise<void> {
  if ((await people.memberships(id)).length > 0 || (await people.isInvited(email, admin.clock.now()))) return;
  throw new GatewayError(
    'forbidden',
    'You are not a member of any organization of this gateway. Ask one of its owners for an invite.',
  );
}

/**
 * The counter for attempts at an email address, known or not. A network from which the person has signed in has its
 * own, so that strangers elsewhere cannot lock them out.
 */
async function accountOf({ people }: SignInParts, { visit }: Visitor, email: string): Promise<string> {
  const [network] = networksOf(visit.address ?? '');
  return (await people.isKnownNetwork(email, network!)) ? `email ${email} from ${network}` : `email ${email}`;
}

/** Counts an attempt by network and by account. Rejects with `too_many_attempts` once a limit is reached. */
export async function takeAttempt(
  { attempts, rules }: SignInParts,
  { visit }: Visitor,
  account: string | null,
): Promise<void> {
  const { attemptsPerAddress, attemptsPerEmail, attemptsWindow: windowMs } = rules();
  const waitMs = await attempts.take([
    ...networksOf(visit.address ?? '').map((network, width) => ({
      by: `network ${network}`,
      most: attemptsPerAddress * WIDER_NETWORKS[width]!,
      windowMs,
    })),
    ...(account === null ? [] : [{ by: account, most: attemptsPerEmail, windowMs }]),
  ]);
  if (waitMs === null) return;
  const words = 'Too many sign-in attempts. Wait and try again.';
  throw new GatewayError('too_many_attempts', words, { retryAfterMs: waitMs });
}
