import type { PeopleChange, SignedIn, Visit } from '../../core/people.ts';
import type { SignInParts } from './parts.ts';
import { demandGoodPassword } from './passwords.ts';
import { changeOf } from './sessions.ts';
import type { SignInWay } from './sign-in.ts';

/** @see demandGoodPassword for the rules of passwords */
export type PasswordProof = { email: string; password: string };

export const PASSWORD_WAY: SignInWay<PasswordProof> = {
  name: 'password',
  emailIn: ({ email }) => email,
  async check({ people, passwords }, { email, password }) {
    const person = await people.personOf(email);
    const hash = person?.passwordHash ?? null;
    if (!(await passwords.isRight(password, hash)) || person === null || hash === null) return { holds: false, person };
    const renewed: PeopleChange[] = passwords.isOutdated(hash)
      ? [{ setPassword: { userId: person.id, hash: await passwords.hash(password) } }]
      : [];
    return { holds: true, person, changes: renewed };
  },
};

/** Sets a person's password; all other sessions end. Throws `invalid_request` if it is too easily guessed. */
export async function setPassword(
  parts: SignInParts,
  { person, session }: SignedIn,
  password: string,
  visit: Visit,
): Promise<void> {
  const known = (await parts.people.memberships(person.id)).map(({ organization }) => organization.name);
  demandGoodPassword(password, [person.email, person.name ?? '', ...known]);
  const userId = person.id;
  const changes: PeopleChange[] = [
    { setPassword: { userId, hash: await parts.passwords.hash(password) } },
    { endSessions: { userId, exceptId: session.id } },
  ];
  const data = { changed: 'password' };
  await changeOf(parts, person, session.organizationId, { changes, type: 'user.updated', visit, data });
}
