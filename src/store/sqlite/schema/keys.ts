/**
 * API keys, and what was spent. A secret that was replaced works until its `ends_at`. `key_use` has the begin of each key's last
 * call. `key_spend` has sums by the ids of keys and of budgets; `worker_spend` what each living worker added to them, so that the
 * account of a dead worker can be replaced by what it really spent.
 */
export const keysTables = `
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
    product text,
    admin integer not null default 0,
    usage_scope text not null default 'organization',
    disabled_at integer,
    project_id text,
    owner_type text,
    owner_id text,
    access text not null default 'models',
    scopes text not null default '[]',
    ip_ranges text,
    version integer not null default 1,
    maker_type text,
    maker_id text,
    usage_chosen integer not null default 0,
    check ((spend_limit_nano is null) = (spend_limit_per is null))
  ) strict, without rowid;
  create index api_keys_by_organization on api_keys (organization_id);
  create index api_keys_by_product on api_keys (product) where product is not null;
  create index api_keys_by_project on api_keys (organization_id, project_id, owner_id);
  create index api_keys_with_old_usage on api_keys (organization_id, id)
    where usage_chosen = 0 and usage_scope = 'organization' and revoked_at is null;
  create index api_keys_listed on api_keys (organization_id, access, created_at, id) where revoked_at is null;
  create index api_keys_listed_by_project on api_keys (organization_id, project_id, access, created_at, id)
    where revoked_at is null;
  create index api_keys_listed_by_owner on api_keys (organization_id, owner_id, access, created_at, id)
    where revoked_at is null and owner_id is not null;
  create index api_keys_revoked on api_keys (organization_id, revoked_at) where revoked_at is not null;
  create index api_keys_ending on api_keys (organization_id, expires_at)
    where expires_at is not null and revoked_at is null;
  create index api_keys_searched on api_keys (
      organization_id, access, project_id, lower(name), (name || id || replace(hint, '…', '...') glob '*[^ -~]*'),
      lower(id || ' ' || replace(hint, '…', '...')), name, id, hint, revoked_at)
    where revoked_at is null;
  create index api_keys_by_models on api_keys
    (organization_id, access, project_id, allowed_models, disabled_at, expires_at, product, revoked_at) where revoked_at is null;
  create index api_keys_ending_by_project on api_keys (organization_id, project_id, expires_at)
    where expires_at is not null and revoked_at is null;
  create index api_keys_with_old_usage_by_project on api_keys (organization_id, project_id, id)
    where usage_chosen = 0 and usage_scope = 'organization' and revoked_at is null;

  create table earlier_secrets (
    hash blob primary key,
    key_id text not null references api_keys (id),
    ends_at integer not null
  ) strict, without rowid;
  create index earlier_secrets_by_key on earlier_secrets (key_id);

  create table key_use (
    key_id text primary key,
    last_used_at integer not null
  ) strict, without rowid;

  create table key_spend (
    key_id text not null,
    utc_day text not null,
    amount_nano integer not null,
    primary key (key_id, utc_day)
  ) strict, without rowid;

  create table worker_spend (
    instance_id text not null,
    key_id text not null,
    utc_day text not null,
    amount_nano integer not null,
    primary key (instance_id, key_id, utc_day)
  ) strict, without rowid;
`;
