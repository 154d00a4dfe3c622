/**
 * People, and how they sign in: the hashes of passwords, the SHA-256 of the random secrets of sessions and links, the public halves
 * of passkeys. Members of an organization are settings of it. A person's `known_networks` are those of recent sign-ins: failed
 * attempts of others do not count there.
 */
export const peopleTables = `
  create table people (
    id text collate "C" primary key,
    email text collate "C" not null unique,
    name text collate "C",
    created_at bigint not null,
    last_signed_in_at bigint,
    password_hash text collate "C"
  );

  create table passkeys (
    id text collate "C" primary key,
    user_id text collate "C" not null references people (id),
    name text collate "C" not null,
    public_key bytea not null,
    counter bigint not null,
    transports text collate "C" not null,
    created_at bigint not null,
    last_used_at bigint
  );
  create index passkeys_by_person on passkeys (user_id);

  create table sessions (
    id text collate "C" primary key,
    hash bytea not null unique,
    earlier_hash bytea,
    earlier_until bigint,
    user_id text collate "C" not null references people (id),
    organization_id text collate "C",
    way text collate "C" not null,
    signed_in_at bigint not null,
    seen_at bigint not null,
    ends_at bigint not null,
    must_renew bigint not null,
    address text collate "C",
    user_agent text collate "C"
  );
  create index sessions_by_person on sessions (user_id);
  create index sessions_by_earlier_hash on sessions (earlier_hash) where earlier_hash is not null;
  create index sessions_by_end on sessions (ends_at);

  create table owner_links (
    hash bytea primary key,
    organization_id text collate "C" not null references organizations (id),
    email text collate "C",
    expires_at bigint not null
  );

  create table used_challenges (
    hash bytea primary key,
    expires_at bigint not null
  );
  create index used_challenges_by_end on used_challenges (expires_at);

  create table known_networks (
    user_id text collate "C" not null references people (id),
    network text collate "C" not null,
    seen_at bigint not null,
    primary key (user_id, network)
  );
`;
