import { GatewayError } from '../../core/errors.ts';
import { networksOf } from '../../core/ip-address.ts';
import type { PeopleChange, Person, SignInWayName } from '../../core/people.ts';
import type { BegunSession, SignInParts, Visitor } from './parts.ts';
import { beginSession, noteFailedSignIn } from './sessions.ts';

/** How many times `attemptsPerAddress` may come from an IPv6 /64, /56 and /48; of IPv4 there is the address alone. */
const WIDER_NETWORKS = [1, 2, 4];

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
  const by = email === null ? null : await accountOf(parts, visitor, email);
  await takeAttempt(parts, visitor, by);
  const checked = await way.check(parts, proof);
  if (!checked.holds) {
    // Not waited for: the time of the answer would tell whether the address is somebody's.
    const { visit } = visitor;
    if (checked.person !== null)
      noteFailedSignIn(parts, checked.person, { visit, data: { way: way.name } }).catch((error: unknown) =>
        parts.onUntold(error, visit.requestId),
      );
    throw new GatewayError('sign_in_failed', 'Sign-in failed: the credentials are wrong or no longer valid.');
  }
  const begun = await beginSession(parts, checked.person, { way: way.name, changes: checked.changes }, visitor);
  if (by !== null) await parts.attempts.forget(by);
  return begun;
}

/**
 * What attempts with an email address are counted by, whether or not anybody has it. From a network in which its person has
 * signed in they are counted apart: strangers elsewhere cannot keep them out.
 */
async function accountOf({ people }: SignInParts, { visit }: Visitor, email: string): Promise<string> {
  const [network] = networksOf(visit.address ?? '');
  return (await people.isKnownNetwork(email, network!)) ? `email ${email} from ${network}` : `email ${email}`;
}

/**
 * Counts an attempt to prove something, by the networks of its address and by the account that it is made on. Rejects with
 * `too_many_attempts` where there were as many as may be.
 */
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
  const words = 'Too many sign-ins were tried. Wait, and try again.';
  throw new GatewayError('too_many_attempts', words, { retryAfterMs: waitMs });
}
