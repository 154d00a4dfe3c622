/**
 * Calls, and what is kept with each. Calls and attempts have no foreign keys: they are written per request, and looking up
 * parents would cost as much as the write. Times are Unix milliseconds, amounts nano-dollars.
 *
 * - `journals` says how far each journal is taken over; it moves in the transaction that takes over.
 * - The last attempt of a call is in its own row, and in `earlier_attempts` only if it ended otherwise than the call. The view
 *   `attempts` shows all.
 * - Of a call only what is unusual is stored: no credential means the provider's only one; without `charged_otherwise` the vendor
 *   charged what the caller is charged. `budgets` are the ids of the budgets that an open call is held against, between spaces.
 *   `usage_group` is the group whose daily sums include the call.
 * - `settled_batches` has the order in which calls were settled: a row for each transaction and organization, with ids separated
 *   by commas. Numbers are given under the lock of writers, so whoever has read up to one has missed none before it.
 */
export const ledgerTables = `
  create table journals (
    file text primary key,
    taken_over_to integer not null
  ) strict, without rowid;

  create table price_versions (
    id text primary key,
    provider text not null,
    upstream_model text not null,
    rates text not null,
    tiers text not null,
    source text not null,
    date text not null
  ) strict, without rowid;

  create table calls (
    organization_id text not null,
    id text not null,
    request_id text not null,
    client_request_id text,
    key_id text not null,
    source text not null,
    dialect text not null,
    model text not null,
    requested_model text not null,
    provider text not null,
    upstream_model text not null,
    streamed integer not null,
    created_at integer not null,
    estimated_input_tokens integer not null,
    price_version text,
    instance_id text not null,
    status text not null,
    http_status integer,
    error_kind text,
    input_tokens integer,
    cache_read_tokens integer,
    cache_write_tokens integer,
    cache_write_1h_tokens integer,
    output_tokens integer,
    reasoning_tokens integer,
    audio_input_tokens integer,
    audio_output_tokens integer,
    service_tier text,
    usage_source text,
    line_items text,
    cost_nano integer,
    settled_at integer,
    time_to_first_token_ms integer,
    dropped text,
    attempts integer not null default 0,
    upstream_status integer,
    upstream_request_id text,
    attempted_at integer,
    product text,
    tool_name text,
    tool_version text,
    credential text,
    possibly_billed integer,
    charged_otherwise integer,
    vendor_cost_nano integer,
    held_nano integer,
    counted_nano integer,
    reported_usage text,
    route text,
    usage_group integer,
    more_usage text,
    budgets text,
    error_code text,
    primary key (organization_id, id)
  ) strict, without rowid;
  create index open_calls on calls (instance_id) where status = 'open';

  create table earlier_attempts (
    call_id text not null,
    number integer not null,
    provider text not null,
    upstream_model text not null,
    status text not null,
    http_status integer,
    error_kind text,
    upstream_request_id text,
    started_at integer not null,
    ended_at integer not null,
    usage_source text not null,
    credential text,
    possibly_billed integer,
    error_code text,
    primary key (call_id, number)
  ) strict, without rowid;
  create view attempts as
    select call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id, started_at,
      ended_at, usage_source, coalesce(credential, 'default') as credential, coalesce(possibly_billed, 0) as possibly_billed
    from earlier_attempts
    union all
    select id, attempts, provider, upstream_model, status, upstream_status, error_kind, upstream_request_id,
      attempted_at, settled_at, usage_source, coalesce(credential, 'default'), coalesce(possibly_billed, 0)
    from calls
    where attempts > 0 and (id, attempts) not in (select call_id, number from earlier_attempts);

  create table decisions (
    number integer primary key,
    organization_id text not null,
    call_id text not null,
    route_id text not null,
    route_version text not null,
    created_at integer not null,
    json text not null,
    unique (organization_id, call_id)
  ) strict;
  create index decisions_by_route on decisions (route_id, created_at);

  create table feedback (
    call_id text primary key,
    organization_id text not null,
    key_id text not null,
    score real not null,
    note text,
    at integer not null
  ) strict, without rowid;

  create table settled_batches (
    number integer primary key,
    organization_id text not null,
    call_ids text not null
  ) strict;
`;
