import { GatewayError } from '../../core/errors.ts';
import type { PeopleChange, Person, SignInWayName } from '../../core/people.ts';
import type { BegunSession, SignInParts, Visitor } from './parts.ts';
import { beginSession, noteFailedSignIn } from './sessions.ts';
import { networkOf } from './throttle.ts';

/**
 * A way to prove who one is. There are two, and the identity provider of a company would be a third: whatever it asks for, it
 * ends in a person that is known here.
 */
export type SignInWay<Proof> = {
  name: SignInWayName;
  /** The email address that attempts are counted by, where the proof names one. */
  emailIn(proof: Proof): string | null;
  /** Says whose proof it is, as far as it tells, and whether it holds. It takes as long for whoever is not known. */
  check(parts: SignInParts, proof: Proof): Promise<CheckedProof>;
};

/** `changes` are done with the sign-in: what a proof uses up. */
export type CheckedProof =
  | { holds: true; person: Person; changes: readonly PeopleChange[] }
  | { holds: false; person: Person | null };

/** Signs a person in. Rejects with `sign_in_failed`, or `too_many_attempts` before anything is checked. */
export async function signIn<Proof>(
  parts: SignInParts,
  way: SignInWay<Proof>,
  proof: Proof,
  visitor: Visitor,
): Promise<BegunSession> {
  const email = way.emailIn(proof);
  await takeAttempt(parts, visitor, email);
  const checked = await way.check(parts, proof);
  if (!checked.holds) {
    if (checked.person !== null)
      await noteFailedSignIn(parts, checked.person, { visit: visitor.visit, data: { way: way.name } });
    throw new GatewayError('sign_in_failed', 'Sign-in failed: the credentials are wrong or no longer valid.');
  }
  const begun = await beginSession(parts, checked.person, { way: way.name, changes: checked.changes }, visitor);
  if (email !== null) await parts.attempts.forget(byEmail(email));
  return begun;
}

/**
 * Counts an attempt to prove something, from its network address and by the email address that it names. Rejects with
 * `too_many_attempts` where there were as many as may be.
 */
export async function takeAttempt(
  { attempts, rules }: SignInParts,
  { visit }: Visitor,
  email: string | null,
): Promise<void> {
  const { attemptsPerAddress, attemptsPerEmail, attemptsWindow: windowMs } = rules();
  const waitMs = await attempts.take([
    { by: `address ${networkOf(visit.address)}`, most: attemptsPerAddress, windowMs },
    ...(email === null ? [] : [{ by: byEmail(email), most: attemptsPerEmail, windowMs }]),
  ]);
  if (waitMs === null) return;
  const words = 'Too many sign-ins were tried. Wait, and try again.';
  throw new GatewayError('too_many_attempts', words, { retryAfterMs: waitMs });
}

function byEmail(email: string): string {
  return `email ${email}`;
}
