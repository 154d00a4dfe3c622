import { GatewayError } from '../../core/errors.ts';
import { networksOf } from '../../core/ip-address.ts';
import type { PeopleChange, Person, Session, SessionChecker, SignedIn, SignInWayName } from '../../core/people.ts';
import { sortingPart } from '../../core/record-id.ts';
import type { SettingChange } from '../../core/settings.ts';
import { type Administration, audited, change, noSuch } from '../administration.ts';
import { findMember } from '../members/service.ts';
import { firstKeyEnds } from './first-key.ts';
import { type BegunSession, personAtWork, type SignInParts, type Visitor } from './parts.ts';
import { hashSecret, mintSecret, sha256 } from './secrets.ts';

/** The interval for writing the last use, in ms; otherwise each request would write. */
const SEEN_EVERY_MS = 60_000;
/** How long the previous secret is accepted after a renewal, in ms, for requests in progress. */
const EARLIER_MS = 30_000;
const MAX_USER_AGENT = 300;
/** How long known networks of a person are kept after their last use, in ms, and how many. */
const NETWORK_KNOWN_MS = 90 * 86_400_000;
const MAX_KNOWN_NETWORKS = 10;

/** The way of signing in; further changes of the same transaction; the organization, if known. */
export type SessionBeginning = {
  way: SignInWayName;
  changes?: readonly SettingChange[];
  organization?: string;
};

/**
 * Begins a session for an authenticated person and ends their browser's earlier one. The very first removes the admin
 * right of the first key.
 */
export async function beginSession(
  parts: SignInParts,
  person: Person,
  { way, changes = [], organization }: SessionBeginning,
  { visit, before }: Visitor,
): Promise<BegunSession> {
  const { admin, people } = parts;
  const now = admin.clock.now();
  const secret = mintSecret(admin.random);
  const organizationId = organization ?? (await chosenOrganization(parts, person, before));
  const session: Session = {
    id: `sess_${sortingPart(admin.ids.recordId(now))}`,
    userId: person.id,
    organizationId,
    way,
    signedInAt: now,
    seenAt: now,
    endsAt: now + parts.rules().sessionLife,
    mustRenew: false,
    address: visit.address,
    userAgent: visit.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
  };
  const replaces = before?.session.id ?? null;
  const all: SettingChange[] = [
    { forgetEnded: { at: now } },
    { noteSignIn: { userId: person.id, at: now } },
    ...networkNoted(person.id, visit.address, now),
    { addSession: { session, hash: sha256(secret), replaces } },
    ...changes,
    ...((await people.hasSignedIn()) ? [] : await firstKeyEnds(admin.keys)),
  ];
  await changeOf(parts, person, organizationId, { changes: all, type: 'login.succeeded', visit, data: { way } });
  return { person, way, secret, endsAt: session.endsAt };
}

function networkNoted(userId: string, address: string | null, at: number): PeopleChange[] {
  if (address === null) return [];
  const network = networksOf(address)[0]!;
  return [{ noteNetwork: { userId, network, at, most: MAX_KNOWN_NETWORKS, since: at - NETWORK_KNOWN_MS } }];
}

/** The last selected organization, else the person's first; `null` for none. */
async function chosenOrganization(
  { people }: SignInParts,
  { id }: Person,
  before: SignedIn | null,
): Promise<string | null> {
  const organizations = (await people.memberships(id)).map(({ organization }) => organization.id);
  const last = before?.person.id === id ? before.session.organizationId : null;
  return organizations.find((each) => each === last) ?? organizations[0] ?? null;
}

type NotedChange = {
  changes: readonly SettingChange[];
  type: string;
  visit: Visitor['visit'];
  data?: Readonly<Record<string, unknown>>;
  resourceId?: string;
};

/** Changes a person's own account, with an audit entry in their current organization, if any. */
export async function changeOf(
  { admin }: SignInParts,
  person: Person,
  organizationId: string | null,
  { changes, type, visit, data = {}, resourceId = person.id }: NotedChange,
): Promise<void> {
  const at = personAtWork(admin, person, organizationId ?? '', visit);
  if (organizationId !== null) return change(at, changes, { type, resourceId, details: { data } });
  if ((await admin.settings.change('', changes, null)) !== 'done')
    throw new GatewayError('conflict', 'It was changed by another request. Try again.');
}

/** Checks sessions by their secrets. */
export function sessionChecker(parts: Pick<SignInParts, 'admin' | 'people' | 'rules'>): SessionChecker {
  const { admin, people } = parts;
  return async (secret, asked) => {
    const now = admin.clock.now();
    const hash = hashSecret(secret);
    const found = hash === null ? null : await people.session(hash, now);
    if (hash === null || found === null || hasEnded(found.session, now, parts)) throw notSignedIn();
    const { isEarlier, person, session } = found;
    const signedIn = { person, session: await lookingAt(people, found, asked) };
    if (session.mustRenew && !isEarlier) {
      const next = mintSecret(admin.random);
      const renewal = { id: session.id, before: hash, hash: sha256(next), earlierUntil: now + EARLIER_MS };
      const outcome = await admin.settings.change('', [{ renewSession: renewal }], null);
      return { signedIn, renewed: outcome === 'done' ? next : null };
    }
    // Reading stays possible even if the store cannot be written.
    if (now - session.seenAt > SEEN_EVERY_MS)
      await admin.settings.change('', [{ seeSession: { id: session.id, at: now } }], null).catch(() => undefined);
    return { signedIn, renewed: null };
  };
}

/** The session for one request, which may name another organization of the person. */
async function lookingAt(
  people: SignInParts['people'],
  { person, session }: SignedIn,
  organizationId: string | null,
): Promise<Session> {
  if (organizationId === null || organizationId === session.organizationId) return session;
  const memberships = await people.memberships(person.id);
  if (!memberships.some(({ organization }) => organization.id === organizationId))
    throw new GatewayError('forbidden', 'You are not a member of the organization in `OpenAI-Organization`.');
  return { ...session, organizationId };
}

function notSignedIn(): GatewayError {
  return new GatewayError('not_signed_in', 'You are not signed in, or your session has ended. Sign in again.');
}

/**
 * Rejects with `not_signed_in` if a session has ended since it was read. Unlike the check of a request it writes
 * nothing.
 */
export async function demandSession(
  { admin, people, rules }: Pick<SignInParts, 'admin' | 'people' | 'rules'>,
  { person, session }: SignedIn,
): Promise<void> {
  const now = admin.clock.now();
  const present = await people.sessionOf(person.id, session.id);
  if (present === null || hasEnded(present, now, { rules })) throw notSignedIn();
}

/** Whether a session had ended when it was read. */
export function hasEnded(session: Session, now: number, { rules }: Pick<SignInParts, 'rules'>): boolean {
  const { sessionIdle, sessionLife } = rules();
  return now - session.seenAt > sessionIdle || now >= Math.min(session.endsAt, session.signedInAt + sessionLife);
}

/** A person's open sessions, latest first. */
export async function listSessions(parts: SignInParts, { person }: SignedIn): Promise<Session[]> {
  const now = parts.admin.clock.now();
  return (await parts.people.sessions(person.id)).filter((session) => !hasEnded(session, now, parts));
}

/** Ends one of a person's own sessions. Throws `not_found`. */
export async function endSession(
  parts: SignInParts,
  { person, session }: SignedIn,
  id: string,
  visit: Visitor['visit'],
): Promise<void> {
  if ((await parts.people.sessionOf(person.id, id)) === null) noSuch('session');
  const changes: PeopleChange[] = [{ endSession: { id, userId: person.id } }];
  const noted = { changes, type: 'logout.succeeded', visit, data: { session_id: id } };
  await changeOf(parts, person, session.organizationId, noted);
}

/** The open sessions of an organization's members, latest first, for the operator. */
export async function listMemberSessions(
  { admin, people, rules }: Pick<SignInParts, 'people' | 'rules'> & { admin: Administration },
  which: { userId?: string; sessionId?: string } = {},
): Promise<SignedIn[]> {
  const now = admin.clock.now();
  const all = await people.memberSessions(admin.by.organizationId, which);
  return all.filter(({ session }) => !hasEnded(session, now, { rules }));
}

/** Ends one or all sessions of a member, and returns them. Throws `not_found`. */
export async function endMemberSessions(
  parts: Pick<SignInParts, 'people' | 'rules'> & { admin: Administration },
  which: { sessionId: string } | { userId: string },
): Promise<SignedIn[]> {
  const { admin } = parts;
  const ending = await listMemberSessions(parts, which);
  if ('userId' in which) await findMember(admin, which.userId);
  else if (ending.length === 0) noSuch('session');
  for (const { person, session } of ending) {
    await change(admin, [{ endSession: { id: session.id, userId: person.id } }], {
      type: 'logout.succeeded',
      resourceId: person.id,
      details: { data: { session_id: session.id } },
    });
  }
  return ending;
}

/** Selects another organization for a session. Throws `not_found` if the person is not a member. */
export async function chooseOrganization(
  { people, admin }: SignInParts,
  { person, session }: SignedIn,
  organizationId: string,
): Promise<void> {
  const memberships = await people.memberships(person.id);
  if (!memberships.some(({ organization }) => organization.id === organizationId)) noSuch('organization of yours');
  const chosen: PeopleChange = { chooseOrganization: { sessionId: session.id, organizationId } };
  if ((await admin.settings.change(organizationId, [chosen], null)) !== 'done') throw notSignedIn();
}

/** Writes a failed sign-in to the audit log, if the address belongs to somebody: strangers store nothing. */
export async function noteFailedSignIn(
  parts: SignInParts,
  person: Person,
  noted: Omit<NotedChange, 'changes' | 'type'>,
) {
  const [first] = await parts.people.memberships(person.id);
  if (first === undefined) return;
  const at: Administration = personAtWork(parts.admin, person, first.organization.id, noted.visit);
  const note = { type: 'login.failed', resourceId: person.id, details: { data: noted.data ?? {} } };
  await parts.admin.settings.change(first.organization.id, [], audited(at, note));
}
