/**
 * The limits of keys as all workers of one gateway share them, and what of them each has leased. `missing` is in
 * 1/60,000, `at` and the buckets' time in ms of the machine's monotonic clock; so a start empties both tables.
 */
export const leases = `
  create table shared_limits (
    key_id text primary key,
    at integer not null,
    requests_limit integer not null,
    requests_missing integer not null,
    tokens_limit integer not null,
    tokens_missing integer not null,
    spend_period text,
    spent_nano integer
  ) strict, without rowid;

  create table limit_leases (
    key_id text not null,
    instance_id text not null,
    requests integer not null,
    tokens integer not null,
    spend_nano integer not null,
    spend_period text,
    primary key (key_id, instance_id)
  ) strict, without rowid;
  create index limit_leases_by_instance on limit_leases (instance_id);
`;
