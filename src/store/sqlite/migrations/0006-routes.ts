/** `counters.route_changes` is moved by triggers, so that no writer of routes or models in force can forget it. */
const COUNT_CHANGES = ['routes', 'live_route_models']
  .flatMap((table) =>
    ['insert', 'update', 'delete'].map(
      (change) => `
  create trigger ${table}_${change}_counted after ${change} on ${table} begin
    update counters set value = value + 1 where name = 'route_changes';
  end;`,
    ),
  )
  .join('');

/**
 * The columns and tables that routes need. Of a call only what is unusual is stored: no credential is the only one that its
 * provider has, and without `charged_otherwise` the vendor charged what the caller is charged (`vendor_cost_nano` is not
 * looked at then, and is null where nobody knows). Decisions lie apart, being larger than all else of their call. With a
 * call goes all that was kept beside it. Its last attempt has a row in `earlier_attempts` where it ended otherwise than it.
 */
export const routes = `
  alter table calls add column product text;
  alter table calls add column tool_name text;
  alter table calls add column tool_version text;
  alter table calls add column credential text;
  alter table calls add column possibly_billed integer;
  alter table calls add column charged_otherwise integer;
  alter table calls add column vendor_cost_nano integer;

  alter table earlier_attempts add column credential text;
  alter table earlier_attempts add column possibly_billed integer;
  drop view attempts;
  create view attempts as
    select call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id, started_at,
      ended_at, usage_source, coalesce(credential, 'default') as credential, coalesce(possibly_billed, 0) as possibly_billed
    from earlier_attempts
    union all
    select id, attempts, provider, upstream_model, status, upstream_status, error_kind, upstream_request_id,
      attempted_at, settled_at, usage_source, coalesce(credential, 'default'), coalesce(possibly_billed, 0)
    from calls
    where attempts > 0 and (id, attempts) not in (select call_id, number from earlier_attempts);

  alter table api_keys add column product text;
  alter table api_keys add column admin integer not null default 0;
  create index api_keys_by_product on api_keys (product) where product is not null;

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

  create table routes (
    id text primary key,
    definition text not null,
    origin text not null,
    updated_at integer not null
  ) strict, without rowid;
  create table route_versions (
    version text primary key,
    definition text not null
  ) strict, without rowid;

  create table route_models (
    number integer primary key,
    id text not null unique,
    route_id text not null,
    created_at integer not null,
    source text not null,
    rows integer not null,
    evaluation text not null,
    weights blob not null
  ) strict;
  create index route_models_by_route on route_models (route_id, created_at);
  create table live_route_models (
    route_id text primary key,
    model_id text not null references route_models (id)
  ) strict, without rowid;
  create table route_rows (
    number integer primary key,
    route_id text not null,
    id text not null,
    origin text not null,
    at integer not null,
    features text not null,
    scores text not null,
    propensity real not null,
    unique (route_id, id)
  ) strict;

  create table feedback (
    call_id text primary key,
    organization_id text not null,
    key_id text not null,
    score real not null,
    note text,
    at integer not null
  ) strict, without rowid;

  create trigger decisions_go_with_their_call after delete on calls begin
    delete from decisions where organization_id = old.organization_id and call_id = old.id;
    delete from feedback where call_id = old.id;
  end;

  insert into counters values ('route_changes', 0);
  ${COUNT_CHANGES}
`;
