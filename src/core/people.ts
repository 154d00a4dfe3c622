import type { Organization } from './records.ts';
import type { MemberRole } from './settings.ts';

/** Somebody who can sign in. Of no organization: a person may be a member of several. Times are Unix ms. */
export type Person = {
  /** `user_…`. */
  id: string;
  /** In lower case; nobody else has it. */
  email: string;
  name: string | null;
  createdAt: number;
  /** `null`: never. */
  lastSignedInAt: number | null;
  /** Argon2id in the PHC form, with its work factor and salt; `null`: no password was set. */
  passwordHash: string | null;
};

/** A key pair of a person's device, of which only the public half is here. */
export type Passkey = {
  /** The credential's id, in base64url, as the device chose it. */
  id: string;
  userId: string;
  name: string;
  /** COSE. */
  publicKey: Uint8Array<ArrayBuffer>;
  /** How often it was used, where the device counts: one that falls tells of a copy. */
  counter: number;
  transports: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
};

/** How somebody proved who they are. */
export type SignInWayName = 'password' | 'passkey' | 'link';

/** A person signed in, in one browser. */
export type Session = {
  /** `sess_…`: not its secret. */
  id: string;
  userId: string;
  /** Whose settings are looked at; `null` where the person has none to choose from. */
  organizationId: string | null;
  way: SignInWayName;
  /** When they last proved who they are. */
  signedInAt: number;
  /** When it was last used, to the minute. */
  seenAt: number;
  /** It ends here, however much it is used. */
  endsAt: number;
  /** What the person may has changed: the next request gets another secret. */
  mustRenew: boolean;
  /** Where it began; for the person to tell their sessions apart. */
  address: string | null;
  userAgent: string | null;
};

/** Where a request of somebody comes from, as far as it tells. */
export type Visit = { requestId: string; address: string | null; userAgent: string | null };

/** Who a request's cookie stands for. */
export type SignedIn = { person: Person; session: Session };

/** An organization that a person is a member of. */
export type Membership = { organization: Organization; role: MemberRole };

/** Something that is opened once, by whoever has its secret: who does becomes an owner of the organization. */
export type OwnerLink = {
  organizationId: string;
  /** The person that it is for; `null`: for whoever has it. */
  email: string | null;
  expiresAt: number;
};

/** SHA-256 of a secret of 256 random bits; the secret itself is never kept. */
export type SecretHash = Uint8Array<ArrayBuffer>;

/** A change of people, done in one transaction with changes of settings. Where one cannot be done, none is. */
export type PeopleChange =
  | { addPerson: Person }
  | { setPassword: { userId: string; hash: string } }
  | { noteSignIn: { userId: string; at: number } }
  /** Keeps a network that a person has signed in from (`networksOf`); of one person the last `most`, seen after `since`, stay. */
  | { noteNetwork: { userId: string; network: string; at: number; most: number; since: number } }
  /** `most`: nothing is done where the person has so many already. */
  | { addPasskey: { passkey: Passkey; most: number } }
  /** Nothing is done where it is the last way to sign in. */
  | { removePasskey: { id: string; userId: string } }
  | { usePasskey: { id: string; counter: number; at: number } }
  /** `replaces`: the session that its browser had before, which ends. */
  | { addSession: { session: Session; hash: SecretHash; replaces: string | null } }
  /** Another secret, in the place of the one of this hash, which is accepted until a time for requests under way. */
  | { renewSession: { id: string; before: SecretHash; hash: SecretHash; earlierUntil: number } }
  | { seeSession: { id: string; at: number } }
  | { chooseOrganization: { sessionId: string; organizationId: string } }
  | { endSession: { id: string; userId: string } }
  /** All of a person, but for one; of one organization, where one is named: what a removal of a member asks for. */
  | { endSessions: { userId: string; organizationId?: string; exceptId?: string } }
  /** Has each session of a person renewed, or of all in a group: what a change of what they may asks for. */
  | { renewSessions: { userId: string } | { groupId: string } }
  | { addOwnerLink: { link: OwnerLink; hash: SecretHash } }
  /** Fails where it was used before, or has ended. */
  | { useOwnerLink: { hash: SecretHash; at: number } }
  /** Forgets the links of an organization that were not opened. */
  | { removeOwnerLinks: { organizationId: string } }
  /** Fails where it was used before. */
  | { useChallenge: { hash: SecretHash; expiresAt: number } }
  /** Forgets sessions, links and challenges that have ended. */
  | { forgetEnded: { at: number } };

/** People and how they sign in. They are changed through `SettingsStore.change`, with the entry of the audit log that tells of it. */
export type PeopleStore = {
  person(id: string): Promise<Person | null>;
  /** @param email - in lower case */
  personOf(email: string): Promise<Person | null>;
  /** Whether the person with this address has signed in from this network lately. @param email - in lower case */
  isKnownNetwork(email: string, network: string): Promise<boolean>;
  /** Whether anybody has ever signed in. */
  hasSignedIn(): Promise<boolean>;
  memberships(userId: string): Promise<Membership[]>;
  passkeys(userId: string): Promise<Passkey[]>;
  passkey(id: string): Promise<Passkey | null>;
  /** By the hash of its secret, or of the secret before it where that is still accepted. `isEarlier` tells which. */
  session(hash: SecretHash, at: number): Promise<(SignedIn & { isEarlier: boolean }) | null>;
  /** Of a person, those that began last first. */
  sessions(userId: string): Promise<Session[]>;
  /** One of a person by its id, ended or not; `null` where there is none. */
  sessionOf(userId: string, id: string): Promise<Session | null>;
  /** Of an organization's members, or of one, or the one of an id; wherever they look, those that began last first. */
  memberSessions(organizationId: string, which?: { userId?: string; sessionId?: string }): Promise<SignedIn[]>;
  ownerLink(hash: SecretHash, at: number): Promise<OwnerLink | null>;
};

/** What holds of signing in. Times are ms. */
export type SignInRules = Readonly<{
  /** A session ends that was not used for so long, and so long after its sign-in at the latest. */
  sessionIdle: number;
  sessionLife: number;
  /** How recent a sign-in must be for sensitive changes. */
  recent: number;
  ownerLinkLife: number;
  /** Attempts to sign in within the window: by one email address, and from one network address. */
  attemptsPerEmail: number;
  attemptsPerAddress: number;
  attemptsWindow: number;
}>;

/** Where browsers find this gateway: what links begin with, what passkeys are bound to, and the only origin of changes. */
export type PublicAddress = { origin: string; host: string };

/**
 * Tells who a cookie stands for. `renewed` is the secret that takes its place; rejects with `not_signed_in`, and with `forbidden`
 * where they are no member of the organization that they ask for; with `null` it is the one that the session looks at.
 */
export type SessionChecker = (
  secret: string,
  organizationId: string | null,
) => Promise<{ signedIn: SignedIn; renewed: string | null }>;
