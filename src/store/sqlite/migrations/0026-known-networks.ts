/** The networks from which a person has signed in lately: there others' failed attempts do not count against them. */
export const knownNetworks = `
  create table known_networks (
    user_id text not null references people (id),
    network text not null,
    seen_at integer not null,
    primary key (user_id, network)
  ) strict, without rowid;
`;
