import type { Organization } from './records.ts';
import type { MemberRole } from './settings.ts';

/** A person who can sign in. A person may be a member of several organizations. Times are Unix ms. */
export type Person = {
  /** `user_…`. */
  id: string;
  /** Lower case; unique. */
  email: string;
  name: string | null;
  createdAt: number;
  /** `null`: never. */
  lastSignedInAt: number | null;
  /** Argon2id in PHC format, with work factor and salt; `null` without a password. */
  passwordHash: string | null;
};

/** The public half of a passkey of a person's device. */
export type Passkey = {
  /** The credential id that the device chose, in base64url. */
  id: string;
  userId: string;
  name: string;
  /** COSE. */
  publicKey: Uint8Array<ArrayBuffer>;
  /** The device's use counter, if it counts. A falling counter indicates a copy. */
  counter: number;
  transports: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
};

/** The method of a sign-in. */
export type SignInWayName = 'password' | 'passkey' | 'link';

/** A session of a person in one browser. */
export type Session = {
  /** `sess_…`: not its secret. */
  id: string;
  userId: string;
  /** The organization that is shown; `null` if the person has none. */
  organizationId: string | null;
  way: SignInWayName;
  /** The time of the last sign-in. */
  signedInAt: number;
  /** The time of the last use, to the minute. */
  seenAt: number;
  /** The end of the session, even if it is used. */
  endsAt: number;
  /** True after a change of permissions: the next request gets a new secret. */
  mustRenew: boolean;
  /** The address and browser at sign-in, so that the person can tell sessions apart. */
  address: string | null;
  userAgent: string | null;
};

/** The origin of a request, as far as known. */
export type Visit = { requestId: string; address: string | null; userAgent: string | null };

/** The person and session of a cookie. */
export type SignedIn = { person: Person; session: Session };

/** An organization that a person is a member of. */
export type Membership = { organization: Organization; role: MemberRole };

/** A one-time link. Whoever opens it with its secret becomes an owner of the organization. */
export type OwnerLink = {
  organizationId: string;
  /** The person it is for; `null`: any holder. */
  email: string | null;
  expiresAt: number;
};

/** SHA-256 of a secret of 256 random bits; the secret itself is never kept. */
export type SecretHash = Uint8Array<ArrayBuffer>;

/** A change of people, applied atomically with changes of settings. */
export type PeopleChange =
  | { addPerson: Person }
  | { setPassword: { userId: string; hash: string } }
  | { noteSignIn: { userId: string; at: number } }
  /**
   * Stores a network that a person has signed in from (`networksOf`). Per person, the last `most` networks seen after
   * `since` stay.
   */
  | { noteNetwork: { userId: string; network: string; at: number; most: number; since: number } }
  /** Fails if the person already has `most` passkeys. */
  | { addPasskey: { passkey: Passkey; most: number } }
  /** Fails if it is the person's last way to sign in. */
  | { removePasskey: { id: string; userId: string } }
  | { usePasskey: { id: string; counter: number; at: number } }
  /** `replaces`: the previous session of the browser, which ends. */
  | { addSession: { session: Session; hash: SecretHash; replaces: string | null } }
  /** Replaces the secret with this hash. The previous secret is accepted for a while, for requests in progress. */
  | { renewSession: { id: string; before: SecretHash; hash: SecretHash; earlierUntil: number } }
  | { seeSession: { id: string; at: number } }
  | { chooseOrganization: { sessionId: string; organizationId: string } }
  | { endSession: { id: string; userId: string } }
  /** Ends all sessions of a person except one; with an organization, only those in it, as for a removed member. */
  | { endSessions: { userId: string; organizationId?: string; exceptId?: string } }
  /** Renews the sessions of a person or of all members of a group, after a change of permissions. */
  | { renewSessions: { userId: string } | { groupId: string } }
  | { addOwnerLink: { link: OwnerLink; hash: SecretHash } }
  /** Fails if it was used before or has expired. */
  | { useOwnerLink: { hash: SecretHash; at: number } }
  /** Deletes the unopened links of an organization. */
  | { removeOwnerLinks: { organizationId: string } }
  /** Fails if it was used before. */
  | { useChallenge: { hash: SecretHash; expiresAt: number } }
  /** Deletes expired sessions, links and challenges. */
  | { forgetEnded: { at: number } };

/** People and their sign-in data. Changes go through `SettingsStore.change`, with their audit log entry. */
export type PeopleStore = {
  person(id: string): Promise<Person | null>;
  /** @param email - in lower case */
  personOf(email: string): Promise<Person | null>;
  /** True if the person has recently signed in from this network. @param email - in lower case */
  isKnownNetwork(email: string, network: string): Promise<boolean>;
  /** True if anybody has ever signed in. */
  hasSignedIn(): Promise<boolean>;
  memberships(userId: string): Promise<Membership[]>;
  /** True if an open invite of any organization is for this address. @param email - in lower case */
  isInvited(email: string, at: number): Promise<boolean>;
  passkeys(userId: string): Promise<Passkey[]>;
  passkey(id: string): Promise<Passkey | null>;
  /** By the hash of its secret, or of its previous secret while that is valid (`isEarlier`). */
  session(hash: SecretHash, at: number): Promise<(SignedIn & { isEarlier: boolean }) | null>;
  /** The sessions of a person, newest first. */
  sessions(userId: string): Promise<Session[]>;
  /** A session of a person by id, even if it has ended; `null` if there is none. */
  sessionOf(userId: string, id: string): Promise<Session | null>;
  /** Sessions of an organization's members, of one member, or one by id; newest first, whatever organization they show. */
  memberSessions(organizationId: string, which?: { userId?: string; sessionId?: string }): Promise<SignedIn[]>;
  ownerLink(hash: SecretHash, at: number): Promise<OwnerLink | null>;
};

/** The rules of sign-in. Times are ms. */
export type SignInRules = Readonly<{
  /** A session ends after `sessionIdle` without use, and at the latest `sessionLife` after the sign-in. */
  sessionIdle: number;
  sessionLife: number;
  /** How recent a sign-in must be for sensitive changes. */
  recent: number;
  ownerLinkLife: number;
  /** Sign-in attempts within the window, per email address and per network address. */
  attemptsPerEmail: number;
  attemptsPerAddress: number;
  attemptsWindow: number;
}>;

/** The gateway's address for browsers: the base of links, the host of passkeys, and the only origin of changes. */
export type PublicAddress = { origin: string; host: string };

/**
 * Finds the person of a cookie. `renewed` is a new secret for the cookie. Rejects with `not_signed_in`, or with `forbidden` if
 * the person is not a member of the requested organization; `null` means the organization that the session shows.
 */
export type SessionChecker = (
  secret: string,
  organizationId: string | null,
) => Promise<{ signedIn: SignedIn; renewed: string | null }>;
