import { GatewayError } from '../../core/errors.ts';
import type { OwnerLink, PeopleChange, Person, PublicAddress } from '../../core/people.ts';
import { PERMISSIONS } from '../../core/permissions.ts';
import { sortingPart } from '../../core/record-id.ts';
import type { Setting, SettingChange } from '../../core/settings.ts';
import { type Administration, type AdminParts, change, changed, invalid, made, put } from '../administration.ts';
import { acceptInvite, inviteOf } from '../invites/service.ts';
import { type BegunSession, personAtWork, type SignInParts, type Visitor } from './parts.ts';
import { demandGoodPassword } from './passwords.ts';
import { hashSecret, mintSecret, sha256 } from './secrets.ts';
import { beginSession } from './sessions.ts';
import { takeAttempt } from './sign-in.ts';

/** The page that opens links. The part after `#` stays in the browser and reaches no log or other site. */
const PAGE = '/welcome';
const OWNER_MARK = 'owner_';

/** The person a link is for (`null`: anybody), and its lifetime in ms. */
export type WantedLink = { email: string | null; lifeMs: number };
export type MadeLink = { secret: string; link: OwnerLink };

/** Creates a link that makes somebody an owner of the organization, once. Earlier links end. */
export async function createOwnerLink(admin: Administration, wanted: WantedLink): Promise<MadeLink> {
  const { organizationId } = admin.by;
  const { changes, ...made } = ownerLinkFor(admin, organizationId, wanted);
  const { email, expiresAt } = made.link;
  await change(admin, changes, {
    type: 'owner_link.created',
    resourceId: organizationId,
    details: { data: { email, expires_at: expiresAt } },
  });
  return made;
}

/** The same at a start, when there is no person yet for the audit log. */
export async function firstOwnerLinkOf(
  parts: Pick<AdminParts, 'settings' | 'random' | 'clock'>,
  organizationId: string,
  wanted: WantedLink,
): Promise<MadeLink> {
  const { changes, ...made } = ownerLinkFor(parts, organizationId, wanted);
  await parts.settings.change(organizationId, changes, null);
  return made;
}

function ownerLinkFor(
  { random, clock }: Pick<AdminParts, 'random' | 'clock'>,
  organizationId: string,
  { email, lifeMs }: WantedLink,
): MadeLink & { changes: PeopleChange[] } {
  const secret = mintSecret(random);
  const link: OwnerLink = { organizationId, email, expiresAt: clock.now() + lifeMs };
  const changes = [{ removeOwnerLinks: { organizationId } }, { addOwnerLink: { link, hash: sha256(secret) } }];
  return { secret: OWNER_MARK + secret, link, changes };
}

export function linkAddress({ origin }: PublicAddress, secret: string): string {
  return `${origin}${PAGE}#${secret}`;
}

/** The purpose of a link. `email` is the person it is for; `null`: anybody. */
export type LinkFacts = OwnerLink & { type: 'owner' | 'invite' };

/** The purpose of a link, without using it. Throws `not_found` if it was used or has ended. */
export async function lookAtLink(parts: SignInParts, secret: string, visitor: Visitor): Promise<LinkFacts> {
  await takeAttempt(parts, visitor, null);
  if (isOwnerLink(secret)) return { type: 'owner', ...(await findOwnerLink(parts, secret)).link };
  const { organizationId, invite } = await inviteOf(parts.admin, secret);
  const { email, expiresAt } = invite.value;
  return { type: 'invite', organizationId, email, expiresAt };
}

function isOwnerLink(secret: string): boolean {
  return secret.startsWith(OWNER_MARK);
}

async function findOwnerLink({ people, admin }: SignInParts, secret: string) {
  const hash = hashSecret(secret.slice(OWNER_MARK.length));
  const link = hash === null ? null : await people.ownerLink(hash, admin.clock.now());
  if (hash === null || link === null) {
    throw new GatewayError(
      'not_found',
      'This link was used or has expired. To create another, run `headgate owner-link` on the gateway’s machine.',
    );
  }
  return { hash, link };
}

/** What a person who opens a link enters. */
export type Introduction = { email?: string | undefined; name?: string | undefined; password?: string | undefined };

/**
 * Uses a link, once: the person becomes an owner, or the member of an invitation, and is signed in. A link alone never
 * signs in as an existing person: they sign in first.
 */
export async function openLink(
  parts: SignInParts,
  secret: string,
  said: Introduction,
  visitor: Visitor,
): Promise<BegunSession> {
  await takeAttempt(parts, visitor, null);
  return isOwnerLink(secret) ? openOwnerLink(parts, secret, said, visitor) : openInvite(parts, secret, said, visitor);
}

async function openInvite(
  parts: SignInParts,
  token: string,
  said: Introduction,
  visitor: Visitor,
): Promise<BegunSession> {
  const { admin, people } = parts;
  const { visit, before } = visitor;
  const { organizationId, invite } = await inviteOf(admin, token);
  const { email } = invite.value;
  const known = await people.personOf(email);
  if (known !== null && before?.person.id !== known.id) throw mustSignInFirst();
  const person = known ?? (await newPerson(parts, email, said, organizationId));
  const also: SettingChange[] = known === null ? [{ addPerson: person }] : [];
  const request = { id: visit.requestId, address: visit.address };
  await acceptInvite(admin, token, { person, request, also });
  return beginSession(parts, person, { way: 'link', organization: organizationId }, visitor);
}

/** A new person. Throws `invalid_request` if the password is too easily guessed. */
async function newPerson(
  { admin, passwords, organizations }: SignInParts,
  email: string,
  said: Introduction,
  organizationId: string,
): Promise<Person> {
  if (said.password !== undefined) {
    const organization = (await organizations.list()).find(({ id }) => id === organizationId);
    demandGoodPassword(said.password, [email, said.name ?? '', organization?.name ?? '']);
  }
  const createdAt = admin.clock.now();
  return {
    id: `user_${sortingPart(admin.ids.recordId(createdAt))}`,
    email,
    name: said.name ?? null,
    createdAt,
    lastSignedInAt: null,
    passwordHash: said.password === undefined ? null : await passwords.hash(said.password),
  };
}

function mustSignInFirst(): GatewayError {
  return new GatewayError('conflict', 'This address is in use. If it is yours, sign in and open the link again.');
}

/** If the operator named a person in the link, it replaces their sign-in. */
async function openOwnerLink(
  parts: SignInParts,
  secret: string,
  said: Introduction,
  visitor: Visitor,
): Promise<BegunSession> {
  const { hash, link } = await findOwnerLink(parts, secret);
  const { admin, people } = parts;
  const now = admin.clock.now();
  const email = link.email ?? said.email ?? visitor.before?.person.email;
  if (email === undefined) throw invalid('email', 'must be your email address');
  const known = await people.personOf(email);
  if (known !== null && link.email === null && visitor.before?.person.id !== known.id) throw mustSignInFirst();
  const introduced = await newPerson(parts, email, said, link.organizationId);
  const person = known ?? introduced;
  const { id: userId } = person;
  const self = personAtWork(admin, person, link.organizationId, visitor.visit);
  // The operator makes the owner, by the link.
  const at = { ...self, by: { ...self.by, permissions: new Set(PERMISSIONS) } };
  const member = await admin.settings.find(link.organizationId, 'member', userId);
  const changes: SettingChange[] = [
    { useOwnerLink: { hash, at: now } },
    ...(known === null ? [{ addPerson: person }] : recovery(userId, introduced.passwordHash)),
    put(ownerOf(admin, person, member)),
  ];
  const details = { data: { email, role: 'owner', by: 'owner link' } };
  const type = member === null ? 'user.added' : 'user.updated';
  await change(at, changes, { type, resourceId: userId, details });
  return beginSession(parts, person, { way: 'link', organization: link.organizationId }, visitor);
}

/** A person who returns by a link may have lost their credentials, so all earlier sessions end. */
function recovery(userId: string, passwordHash: string | null): SettingChange[] {
  const password: SettingChange[] = passwordHash === null ? [] : [{ setPassword: { userId, hash: passwordHash } }];
  return [...password, { endSessions: { userId } }];
}

function ownerOf(admin: AdminParts, { id, email, name }: Person, member: Setting<'member'> | null): Setting<'member'> {
  if (member !== null) return changed(member, { role: 'owner' });
  return made(admin, 'member', { id, value: { email, name, role: 'owner' } });
}
