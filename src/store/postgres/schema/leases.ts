/**
 * Limits that processes share by leases. Times are ms of the server's clock, `missing` is in 1/60,000.
 *
 * What is counted of requests and tokens needs to survive nothing: after a crash of the server all buckets are full once. What is
 * held of money does, or it could be given out twice; so does the last answer to each instance, which tells of it.
 */
export const leasesTables = `
  create unlogged table shared_rates (
    key_id text collate "C" primary key,
    at bigint not null,
    requests_limit bigint not null,
    requests_missing bigint not null,
    tokens_limit bigint not null,
    tokens_missing bigint not null
  );

  create table shared_spend (
    key_id text collate "C" primary key,
    spend_period text collate "C",
    spent_nano bigint
  );

  create table limit_leases (
    key_id text collate "C" not null,
    instance_id text collate "C" not null,
    requests bigint not null,
    tokens bigint not null,
    spend_nano bigint not null,
    spend_period text collate "C",
    told_nano bigint not null,
    before_nano bigint not null,
    primary key (key_id, instance_id)
  );
  create index limit_leases_by_instance on limit_leases (instance_id);

  create table lease_answers (
    instance_id text collate "C" primary key,
    number bigint not null,
    answer bytea not null
  );
`;
