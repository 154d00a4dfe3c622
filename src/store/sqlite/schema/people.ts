/**
 * People, and how they sign in: the hashes of passwords, the SHA-256 of the random secrets of sessions and links, the public halves
 * of passkeys. Members of an organization are settings of it. A person's `known_networks` are those of recent sign-ins: failed
 * attempts of others do not count there.
 */
export const peopleTables = `
  create table people (
    id text primary key,
    email text not null unique,
    name text,
    created_at integer not null,
    last_signed_in_at integer,
    password_hash text
  ) strict, without rowid;

  create table passkeys (
    id text primary key,
    user_id text not null references people (id),
    name text not null,
    public_key blob not null,
    counter integer not null,
    transports text not null,
    created_at integer not null,
    last_used_at integer
  ) strict, without rowid;
  create index passkeys_by_person on passkeys (user_id);

  create table sessions (
    id text primary key,
    hash blob not null unique,
    earlier_hash blob,
    earlier_until integer,
    user_id text not null references people (id),
    organization_id text,
    way text not null,
    signed_in_at integer not null,
    seen_at integer not null,
    ends_at integer not null,
    must_renew integer not null,
    address text,
    user_agent text
  ) strict, without rowid;
  create index sessions_by_person on sessions (user_id);
  create index sessions_by_earlier_hash on sessions (earlier_hash) where earlier_hash is not null;
  create index sessions_by_end on sessions (ends_at);

  create table owner_links (
    hash blob primary key,
    organization_id text not null references organizations (id),
    email text,
    expires_at integer not null
  ) strict, without rowid;

  create table used_challenges (
    hash blob primary key,
    expires_at integer not null
  ) strict, without rowid;
  create index used_challenges_by_end on used_challenges (expires_at);

  create table known_networks (
    user_id text not null references people (id),
    network text not null,
    seen_at integer not null,
    primary key (user_id, network)
  ) strict, without rowid;
`;
