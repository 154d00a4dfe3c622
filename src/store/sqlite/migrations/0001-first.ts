/** `counters.changes` is moved by triggers, so that no writer of keys or organizations can forget it. */
const COUNT_CHANGES = ['organizations', 'api_keys']
  .flatMap((table) =>
    ['insert', 'update', 'delete'].map(
      (change) => `
  create trigger ${table}_${change}_counted after ${change} on ${table} begin
    update counters set value = value + 1 where name = 'changes';
  end;`,
    ),
  )
  .join('');

/**
 * The first schema. Times are Unix milliseconds, amounts nano-dollars. Calls and attempts have no foreign keys: they
 * are written per request, and looking up every parent would cost as much as the write.
 */
export const first = `
  create table counters (
    name text primary key,
    value integer not null
  ) strict, without rowid;
  insert into counters values ('changes', 0), ('checks', 0);

  create table organizations (
    id text primary key,
    name text not null,
    created_at integer not null
  ) strict, without rowid;

  create table api_keys (
    id text primary key,
    organization_id text not null references organizations (id),
    name text not null,
    source text not null,
    hint text not null,
    hash blob not null unique,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    allowed_models text,
    requests_per_minute integer,
    tokens_per_minute integer,
    spend_limit_nano integer,
    spend_limit_per text,
    check ((spend_limit_nano is null) = (spend_limit_per is null))
  ) strict, without rowid;
  create index api_keys_by_organization on api_keys (organization_id);
  ${COUNT_CHANGES}

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
    primary key (organization_id, id)
  ) strict, without rowid;
  create index open_calls on calls (instance_id) where status = 'open';

  create table attempts (
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
    primary key (call_id, number)
  ) strict, without rowid;
  create trigger attempts_go_with_their_call after delete on calls begin
    delete from attempts where call_id = old.id;
  end;

  create table key_spend (
    key_id text not null,
    utc_day text not null,
    amount_nano integer not null,
    primary key (key_id, utc_day)
  ) strict, without rowid;
`;
