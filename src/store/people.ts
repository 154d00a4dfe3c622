import { type Kysely, type Selectable, sql } from 'kysely';
import type { Passkey, PeopleChange, PeopleStore, Person, SecretHash, Session, SignedIn } from '../core/people.ts';
import type { Member } from '../core/settings.ts';
import { textsOf } from './dialect.ts';
import { isInvited } from './listed.ts';
import type { Schema } from './schema.ts';
import type { Statement } from './statements.ts';

/** Reads people and how they sign in. */
export function createPeopleStore(db: Kysely<Schema>): PeopleStore {
  return {
    async person(id) {
      const row = await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : readPerson(row);
    },
    async personOf(email) {
      const row = await db.selectFrom('people').selectAll().where('email', '=', email).executeTakeFirst();
      return row === undefined ? null : readPerson(row);
    },
    async isKnownNetwork(email, network) {
      const known = db
        .selectFrom('known_networks')
        .innerJoin('people', 'people.id', 'known_networks.user_id')
        .select('people.id')
        .where('people.email', '=', email)
        .where('network', '=', network);
      return (await known.executeTakeFirst()) !== undefined;
    },
    async hasSignedIn() {
      const one = db.selectFrom('people').select('id').where('last_signed_in_at', 'is not', null).limit(1);
      return (await one.executeTakeFirst()) !== undefined;
    },
    async memberships(userId) {
      const rows = await db
        .selectFrom('settings')
        .innerJoin('organizations', 'organizations.id', 'settings.organization_id')
        .select(['organizations.id', 'organizations.name', 'organizations.created_at', 'settings.value'])
        // In words, so that the index of members serves it.
        .where('settings.kind', '=', sql.lit('member' as const))
        .where('settings.id', '=', userId)
        .orderBy('organizations.created_at')
        .orderBy('organizations.id')
        .execute();
      return rows.map(({ id, name, created_at, value }) => ({
        organization: { id, name, createdAt: Number(created_at) },
        role: (JSON.parse(value) as Member).role,
      }));
    },
    isInvited: (email, at) => isInvited(db, email, at),
    async passkeys(userId) {
      const rows = db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at');
      return (await rows.orderBy('id').execute()).map(readPasskey);
    },
    async passkey(id) {
      const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : readPasskey(row);
    },
    session: (hash, at) => sessionOf(db, hash, at),
    async sessions(userId) {
      const rows = db.selectFrom('sessions').selectAll().where('user_id', '=', userId);
      return (await rows.orderBy('signed_in_at', 'desc').orderBy('id', 'desc').execute()).map(readSession);
    },
    async sessionOf(userId, id) {
      const rows = db.selectFrom('sessions').selectAll().where('id', '=', id).where('user_id', '=', userId);
      const row = await rows.executeTakeFirst();
      return row === undefined ? null : readSession(row);
    },
    memberSessions: (organizationId, which = {}) => memberSessions(db, organizationId, which),
    async ownerLink(hash, at) {
      const rows = db.selectFrom('owner_links').selectAll().where('hash', '=', hash);
      const row = await rows.where('expires_at', '>', BigInt(at)).executeTakeFirst();
      if (row === undefined) return null;
      return { organizationId: row.organization_id, email: row.email, expiresAt: Number(row.expires_at) };
    },
  };
}

async function memberSessions(
  db: Kysely<Schema>,
  organizationId: string,
  { userId, sessionId }: { userId?: string; sessionId?: string },
): Promise<SignedIn[]> {
  let members = db
    .selectFrom('settings')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'member');
  if (userId !== undefined) members = members.where('id', '=', userId);
  let rows = db.selectFrom('sessions').selectAll().where('user_id', 'in', members);
  if (sessionId !== undefined) rows = rows.where('id', '=', sessionId);
  const sessions = await rows.orderBy('signed_in_at', 'desc').orderBy('id', 'desc').execute();
  const ids = textsOf(new Set(sessions.map(({ user_id: id }) => id)));
  const people = await db.selectFrom('people').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(people.map((row) => [row.id, readPerson(row)]));
  return sessions.map((row) => ({ person: byId.get(row.user_id)!, session: readSession(row) }));
}

async function sessionOf(db: Kysely<Schema>, hash: SecretHash, at: number): ReturnType<PeopleStore['session']> {
  const sessions = () => db.selectFrom('sessions').selectAll().where('ends_at', '>', BigInt(at));
  const now = await sessions().where('hash', '=', hash).executeTakeFirst();
  const row =
    now ??
    (await sessions().where('earlier_hash', '=', hash).where('earlier_until', '>', BigInt(at)).executeTakeFirst());
  if (row === undefined) return null;
  const person = await db.selectFrom('people').selectAll().where('id', '=', row.user_id).executeTakeFirstOrThrow();
  return { session: readSession(row), person: readPerson(person), isEarlier: now === undefined };
}

type NameOf<Change> = Change extends unknown ? keyof Change : never;

const PEOPLE_CHANGES: Readonly<Record<NameOf<PeopleChange>, true>> = {
  addPerson: true,
  setPassword: true,
  noteSignIn: true,
  noteNetwork: true,
  addPasskey: true,
  removePasskey: true,
  usePasskey: true,
  addSession: true,
  renewSession: true,
  seeSession: true,
  chooseOrganization: true,
  endSession: true,
  endSessions: true,
  renewSessions: true,
  addOwnerLink: true,
  useOwnerLink: true,
  removeOwnerLinks: true,
  useChallenge: true,
  forgetEnded: true,
};

export function isPeopleChange(change: object): change is PeopleChange {
  return Object.keys(change).some((name) => Object.hasOwn(PEOPLE_CHANGES, name));
}

/** A change of people, as statements of a transaction. */
export function peopleStatements(db: Kysely<Schema>, organizationId: string, change: PeopleChange): Statement[] {
  if ('addPerson' in change) {
    const { createdAt, lastSignedInAt, passwordHash, ...person } = change.addPerson;
    const times = { created_at: createdAt, last_signed_in_at: lastSignedInAt };
    return [must(db.insertInto('people').values({ ...person, ...times, password_hash: passwordHash }))];
  }
  if ('setPassword' in change) {
    const { userId, hash } = change.setPassword;
    return [must(db.updateTable('people').set({ password_hash: hash }).where('id', '=', userId))];
  }
  if ('noteSignIn' in change) {
    const { userId, at } = change.noteSignIn;
    return [must(db.updateTable('people').set({ last_signed_in_at: at }).where('id', '=', userId))];
  }
  if ('noteNetwork' in change) return networkStatements(db, change.noteNetwork);
  return passkeyStatements(db, change) ?? sessionStatements(db, organizationId, change) ?? linkStatements(db, change);
}

function networkStatements(
  db: Kysely<Schema>,
  { userId, network, at, most, since }: Extract<PeopleChange, { noteNetwork: unknown }>['noteNetwork'],
): Statement[] {
  const noted = db
    .insertInto('known_networks')
    .values({ user_id: userId, network, seen_at: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ seen_at: at }));
  const latest = db
    .selectFrom('known_networks')
    .select('network')
    .where('user_id', '=', userId)
    .where('seen_at', '>', BigInt(since))
    .orderBy('seen_at', 'desc')
    .limit(most);
  const forgotten = db.deleteFrom('known_networks').where('user_id', '=', userId).where('network', 'not in', latest);
  return [must(noted), may(forgotten)];
}

function passkeyStatements(db: Kysely<Schema>, change: PeopleChange): Statement[] | null {
  if ('addPasskey' in change) {
    const { passkey: added, most } = change.addPasskey;
    const { userId, publicKey, transports, createdAt, lastUsedAt, ...passkey } = added;
    const row = { user_id: userId, public_key: publicKey, transports: JSON.stringify(transports) };
    const times = { created_at: createdAt, last_used_at: lastUsedAt };
    const own = db
      .selectFrom('passkeys')
      .where('user_id', '=', userId)
      .select(({ fn }) => fn.countAll().as('rows'));
    const hasRoom = db
      .updateTable('people')
      .set({ id: userId })
      .where('id', '=', userId)
      .where((eb) => eb(own, '<', eb.lit(most)));
    return [must(hasRoom), must(db.insertInto('passkeys').values({ ...passkey, ...row, ...times }))];
  }
  if ('removePasskey' in change) {
    const { id, userId } = change.removePasskey;
    const password = db
      .selectFrom('people')
      .where('id', '=', userId)
      .where('password_hash', 'is not', null)
      .select('id');
    const another = db
      .selectFrom('passkeys as other')
      .where('other.user_id', '=', userId)
      .where('other.id', '!=', id)
      .select('other.id');
    const removed = db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId);
    return [must(removed.where(({ or, exists }) => or([exists(password), exists(another)])))];
  }
  if ('usePasskey' in change) {
    const { id, counter, at } = change.usePasskey;
    return [must(db.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id))];
  }
  return null;
}

function sessionStatements(db: Kysely<Schema>, organizationId: string, change: PeopleChange): Statement[] | null {
  const sessions = db.updateTable('sessions');
  if ('addSession' in change) {
    const { session, hash, replaces } = change.addSession;
    const added = must(db.insertInto('sessions').values({ ...sessionRow(session), hash }));
    return replaces === null ? [added] : [may(db.deleteFrom('sessions').where('id', '=', replaces)), added];
  }
  if ('renewSession' in change) {
    const { id, before, hash, earlierUntil } = change.renewSession;
    const renewed = { hash, earlier_hash: before, earlier_until: earlierUntil, must_renew: 0 };
    return [must(sessions.set(renewed).where('id', '=', id).where('hash', '=', before))];
  }
  if ('seeSession' in change) {
    const { id, at } = change.seeSession;
    return [may(sessions.set({ seen_at: at }).where('id', '=', id))];
  }
  if ('chooseOrganization' in change) {
    const { sessionId, organizationId } = change.chooseOrganization;
    return [must(sessions.set({ organization_id: organizationId }).where('id', '=', sessionId))];
  }
  if ('endSession' in change) {
    const { id, userId } = change.endSession;
    return [must(db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId))];
  }
  if ('endSessions' in change) {
    const { userId, organizationId, exceptId } = change.endSessions;
    let ended = db.deleteFrom('sessions').where('user_id', '=', userId);
    if (organizationId !== undefined) ended = ended.where('organization_id', '=', organizationId);
    if (exceptId !== undefined) ended = ended.where('id', '!=', exceptId);
    return [may(ended)];
  }
  if ('renewSessions' in change) {
    const { renewSessions: of } = change;
    const renewed = sessions.set({ must_renew: 1 });
    if ('userId' in of) return [may(renewed.where('user_id', '=', of.userId))];
    const inGroup = db
      .selectFrom('settings')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('kind', '=', 'group_member')
      .where('parent_id', '=', of.groupId);
    return [may(renewed.where('user_id', 'in', inGroup))];
  }
  return null;
}

function linkStatements(db: Kysely<Schema>, change: PeopleChange): Statement[] {
  if ('addOwnerLink' in change) {
    const { link, hash } = change.addOwnerLink;
    const { organizationId, email, expiresAt } = link;
    const row = { hash, organization_id: organizationId, email, expires_at: expiresAt };
    return [must(db.insertInto('owner_links').values(row))];
  }
  if ('useOwnerLink' in change) {
    const { hash, at } = change.useOwnerLink;
    return [must(db.deleteFrom('owner_links').where('hash', '=', hash).where('expires_at', '>', BigInt(at)))];
  }
  if ('removeOwnerLinks' in change) {
    const { organizationId } = change.removeOwnerLinks;
    return [may(db.deleteFrom('owner_links').where('organization_id', '=', organizationId))];
  }
  if ('useChallenge' in change) {
    const { hash, expiresAt } = change.useChallenge;
    return [must(db.insertInto('used_challenges').values({ hash, expires_at: expiresAt }))];
  }
  if ('forgetEnded' in change) {
    const at = BigInt(change.forgetEnded.at);
    return [
      may(db.deleteFrom('sessions').where('ends_at', '<=', at)),
      may(db.deleteFrom('owner_links').where('expires_at', '<=', at)),
      may(db.deleteFrom('used_challenges').where('expires_at', '<=', at)),
    ];
  }
  throw new Error('A change of people that is not known.');
}

type Compiled = { compile(): Statement['query'] };

function must(query: Compiled): Statement {
  return { query: query.compile(), mustChange: true };
}

function may(query: Compiled): Statement {
  return { query: query.compile(), mustChange: false };
}

function sessionRow(session: Session) {
  return {
    id: session.id,
    earlier_hash: null,
    earlier_until: null,
    user_id: session.userId,
    organization_id: session.organizationId,
    way: session.way,
    signed_in_at: session.signedInAt,
    seen_at: session.seenAt,
    ends_at: session.endsAt,
    must_renew: session.mustRenew ? 1 : 0,
    address: session.address,
    user_agent: session.userAgent,
  };
}

function readSession(row: Selectable<Schema['sessions']>): Session {
  return {
    id: row.id,
    userId: row.user_id,
    organizationId: row.organization_id,
    way: row.way,
    signedInAt: Number(row.signed_in_at),
    seenAt: Number(row.seen_at),
    endsAt: Number(row.ends_at),
    mustRenew: row.must_renew === 1n,
    address: row.address,
    userAgent: row.user_agent,
  };
}

function readPerson(row: Selectable<Schema['people']>): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    createdAt: Number(row.created_at),
    lastSignedInAt: row.last_signed_in_at === null ? null : Number(row.last_signed_in_at),
    passwordHash: row.password_hash,
  };
}

function readPasskey(row: Selectable<Schema['passkeys']>): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    publicKey: new Uint8Array(row.public_key),
    counter: Number(row.counter),
    transports: JSON.parse(row.transports) as string[],
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
  };
}
