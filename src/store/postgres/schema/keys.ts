/**
 * API keys, and what was spent. A secret that was replaced works until its `ends_at`. `key_use` has the begin of each key's last
 * call. `key_spend` has sums by the ids of keys and of budgets; `worker_spend` what each living worker added to them, so that the
 * account of a dead worker can be replaced by what it really spent. No index has names or lists of models: an entry of an index has
 * at most 2,700 bytes.
 */
export const keysTables = `
  create table api_keys (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organizations (id),
    name text collate "C" not null,
    source text collate "C" not null,
    hint text collate "C" not null,
    hash bytea not null unique,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    allowed_models text collate "C",
    requests_per_minute bigint,
    tokens_per_minute bigint,
    spend_limit_nano bigint,
    spend_limit_per text collate "C",
    product text collate "C",
    admin bigint not null default 0,
    usage_scope text collate "C" not null default 'organization',
    disabled_at bigint,
    project_id text collate "C",
    owner_type text collate "C",
    owner_id text collate "C",
    access text collate "C" not null default 'models',
    scopes text collate "C" not null default '[]',
    ip_ranges text collate "C",
    version bigint not null default 1,
    maker_type text collate "C",
    maker_id text collate "C",
    usage_chosen bigint not null default 0,
    check ((spend_limit_nano is null) = (spend_limit_per is null))
  );
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
  create index api_keys_ending_by_project on api_keys (organization_id, project_id, expires_at)
    where expires_at is not null and revoked_at is null;
  create index api_keys_with_old_usage_by_project on api_keys (organization_id, project_id, id)
    where usage_chosen = 0 and usage_scope = 'organization' and revoked_at is null;

  create table earlier_secrets (
    hash bytea primary key,
    key_id text collate "C" not null references api_keys (id),
    ends_at bigint not null
  );
  create index earlier_secrets_by_key on earlier_secrets (key_id);

  create table key_use (
    key_id text collate "C" primary key,
    last_used_at bigint not null
  );

  create table key_spend (
    key_id text collate "C" not null,
    utc_day text collate "C" not null,
    amount_nano bigint not null,
    primary key (key_id, utc_day)
  );

  create table worker_spend (
    instance_id text collate "C" not null,
    key_id text collate "C" not null,
    utc_day text collate "C" not null,
    amount_nano bigint not null,
    primary key (instance_id, key_id, utc_day)
  );
`;
