/**
 * Organizations, what people set up in them as documents (`core/settings.ts`), and the log of all changes. `parent_id` is empty
 * where there is none. `counters.changes` grows with each change of organizations, settings and keys, and with the end of a session;
 * `route_changes` grows with each change of routes and models in force. Processes that share the data poll them.
 * Whoever changes any of this locks `change_turn` first, which has nothing in it.
 */
export const organizationsTables = `
  create table counters (
    name text collate "C" primary key,
    value bigint not null
  );
  insert into counters values ('changes', 0), ('checks', 0), ('route_changes', 0), ('removed_groups', 0);

  create table organizations (
    id text collate "C" primary key,
    name text collate "C" not null,
    created_at bigint not null
  );

  create table settings (
    organization_id text collate "C" not null references organizations (id),
    kind text collate "C" not null,
    parent_id text collate "C" not null,
    id text collate "C" not null,
    version bigint not null,
    created_at bigint not null,
    value text collate "C" not null,
    primary key (organization_id, kind, parent_id, id)
  );
  create index settings_by_id on settings (organization_id, kind, id);
  create index members_by_person on settings (id) where kind = 'member';
  create index prices_by_model
    on settings (organization_id, (value::json ->> 'model'), (value::json ->> 'from'), id)
    where kind = 'price_override';
  create index members_by_email on settings (organization_id, (value::json ->> 'email')) where kind = 'member';
  create index owners on settings (organization_id, ((value::json ->> 'role') = 'owner'), id) where kind = 'member';
  create index open_projects on settings (organization_id, ((value::json ->> 'archivedAt') is null), id)
    where kind = 'project';
  create index open_invites on settings
    (organization_id, (value::json ->> 'invitedBy'), ((value::json ->> 'acceptedAt') is null), id)
    where kind = 'invite';

  create table change_turn ();

  create table audit_log (
    number bigint primary key,
    organization_id text collate "C" not null,
    id text collate "C" not null unique,
    type text collate "C" not null,
    at bigint not null,
    actor_id text collate "C",
    actor_email text collate "C",
    project_id text collate "C",
    resource_id text collate "C" not null,
    event text collate "C" not null,
    link bytea not null
  );
  create index audit_log_by_organization on audit_log (organization_id, id);
  create index audit_log_by_actor on audit_log (organization_id, actor_id, id);
  create index audit_log_by_email on audit_log (organization_id, actor_email, id);
  create index audit_log_by_user
    on audit_log (organization_id, (event::json #>> '{actor,userId}'), id);
  create index audit_log_by_type on audit_log (organization_id, type, id);
  create index audit_log_by_project on audit_log (organization_id, project_id, id) where project_id is not null;
  create index audit_log_by_group on audit_log (organization_id, (type || chr(10) || coalesce(project_id, '') || chr(10) || coalesce(actor_id, '') || chr(10)
    || coalesce(actor_email, '') || chr(10)
    || coalesce(event::json #>> '{actor,userId}', '')), id);
  create index audit_log_by_resource on audit_log (organization_id, resource_id, (type || chr(10) || coalesce(project_id, '') || chr(10) || coalesce(actor_id, '') || chr(10)
    || coalesce(actor_email, '') || chr(10)
    || coalesce(event::json #>> '{actor,userId}', '')), id);
  create function audit_log_is_kept_1() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is neither changed nor cut';
    end
  $$;
  create trigger audit_log_is_kept before update or delete or truncate on audit_log
    execute function audit_log_is_kept_1();

  create table webhook_deliveries (
    id text collate "C" not null primary key,
    organization_id text collate "C" not null,
    endpoint_id text collate "C" not null,
    created_at bigint not null,
    event text collate "C" not null,
    attempts bigint not null default 0,
    next_at bigint,
    delivered_at bigint,
    last_status bigint,
    last_fault text collate "C"
  );
  create index webhook_deliveries_by_endpoint on webhook_deliveries (organization_id, endpoint_id, id);
  create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where next_at is not null;
  create index webhook_deliveries_over on webhook_deliveries (created_at) where next_at is null;

  create table told_thresholds (
    budget_id text collate "C" not null,
    period text collate "C" not null,
    threshold text collate "C" not null,
    told_at bigint not null,
    primary key (budget_id, period, threshold)
  );
`;
