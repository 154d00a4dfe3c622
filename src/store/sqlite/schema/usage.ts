/**
 * What lists of calls are filtered by, and usage by day. A group in `call_groups` is one combination of everything that can be asked
 * for; a call is in one, and `grouped_calls` has the calls of a group by id. Empty text stands for no product, tool or route.
 * `counters.removed_groups` grows when groups are removed, so that nobody goes on using a remembered number.
 *
 * `usage_days` has sums by UTC day (days since 1970) and group. `shape` 0 is the whole group; 1, 2 and 3 are the smaller ones that
 * its `by_caller`, `by_server` and `by_tool` name. `is_rest`: names beyond those that are told apart of a key's day.
 * `first_tokens` counts calls by their wait for the first token, in ms of which the two highest digits are kept.
 */
export const usageTables = `
  create table call_groups (
    number integer primary key,
    organization_id text not null,
    key_id text not null,
    source text not null,
    product text not null,
    tool_name text not null,
    model text not null,
    requested_model text not null,
    status text not null,
    unique (organization_id, key_id, source, product, tool_name, model, requested_model, status)
  ) strict;

  create table grouped_calls (
    group_number integer not null,
    call_id text not null,
    primary key (group_number, call_id)
  ) strict, without rowid;

  create table usage_groups (
    number integer primary key,
    organization_id text not null,
    shape integer not null,
    key_id text not null,
    source text not null,
    product text not null,
    tool_name text not null,
    model text not null,
    route text not null,
    provider text not null,
    is_rest integer not null,
    by_caller integer,
    by_server integer,
    by_tool integer,
    unique (organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest)
  ) strict;

  create table usage_days (
    organization_id text not null,
    shape integer not null,
    day integer not null,
    group_number integer not null,
    calls integer not null,
    failed integer not null,
    estimated integer not null,
    input_tokens integer not null,
    cached_tokens integer not null,
    output_tokens integer not null,
    cost_nano integer not null,
    without_cost integer not null,
    vendor_cost_nano integer not null,
    without_vendor_cost integer not null,
    retried integer not null default 0,
    primary key (organization_id, shape, day, group_number)
  ) strict, without rowid;
  create index usage_days_by_group on usage_days (group_number);

  create table first_tokens (
    organization_id text not null,
    day integer not null,
    ms integer not null,
    calls integer not null,
    primary key (organization_id, day, ms)
  ) strict, without rowid;
`;
