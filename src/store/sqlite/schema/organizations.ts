/**
 * Organizations, what people set up in them as documents (`core/settings.ts`), and the log of all changes. `parent_id` is empty
 * where there is none. `counters.changes` grows with each change of organizations, settings and keys, and with the end of a session;
 * `route_changes` grows with each change of routes and models in force. Processes that share the data poll them.
 */
export const organizationsTables = `
  create table counters (
    name text primary key,
    value integer not null
  ) strict, without rowid;
  insert into counters values ('changes', 0), ('checks', 0), ('route_changes', 0), ('removed_groups', 0);

  create table organizations (
    id text primary key,
    name text not null,
    created_at integer not null
  ) strict, without rowid;

  create table settings (
    organization_id text not null references organizations (id),
    kind text not null,
    parent_id text not null,
    id text not null,
    version integer not null,
    created_at integer not null,
    value text not null,
    primary key (organization_id, kind, parent_id, id)
  ) strict, without rowid;
  create index settings_by_id on settings (organization_id, kind, id);
  create index members_by_person on settings (id) where kind = 'member';
  create index prices_by_model
    on settings (organization_id, json_extract(value, '$.model'), json_extract(value, '$.from'), id)
    where kind = 'price_override';
  create index members_by_email on settings (organization_id, json_extract(value, '$.email')) where kind = 'member';
  create index owners on settings (organization_id, json_extract(value, '$.role') = 'owner', id) where kind = 'member';
  create index open_projects on settings (organization_id, json_extract(value, '$.archivedAt') is null, id)
    where kind = 'project';
  create index open_invites on settings
    (organization_id, json_extract(value, '$.invitedBy'), json_extract(value, '$.acceptedAt') is null, id)
    where kind = 'invite';

  create table audit_log (
    number integer primary key,
    organization_id text not null,
    id text not null unique,
    type text not null,
    at integer not null,
    actor_id text,
    actor_email text,
    project_id text,
    resource_id text not null,
    event text not null,
    link blob not null
  ) strict;
  create index audit_log_by_organization on audit_log (organization_id, id);
  create index audit_log_by_actor on audit_log (organization_id, actor_id, id);
  create index audit_log_by_email on audit_log (organization_id, actor_email, id);
  create index audit_log_by_user
    on audit_log (organization_id, case when json_valid(event) then json_extract(event, '$.actor.userId') end, id);
  create index audit_log_by_type on audit_log (organization_id, type, id);
  create index audit_log_by_project on audit_log (organization_id, project_id, id) where project_id is not null;
  create index audit_log_by_group on audit_log (organization_id, (type || char(10) || coalesce(project_id, '') || char(10) || coalesce(actor_id, '') || char(10)
    || coalesce(actor_email, '') || char(10)
    || coalesce(case when json_valid(event) then json_extract(event, '$.actor.userId') end, '')), id);
  create index audit_log_by_resource on audit_log (organization_id, resource_id, (type || char(10) || coalesce(project_id, '') || char(10) || coalesce(actor_id, '') || char(10)
    || coalesce(actor_email, '') || char(10)
    || coalesce(case when json_valid(event) then json_extract(event, '$.actor.userId') end, '')), id);
  create trigger audit_log_is_not_changed before update on audit_log begin
    select raise(abort, 'the audit log is not changed');
  end;
  create trigger audit_log_is_not_cut before delete on audit_log begin
    select raise(abort, 'the audit log is not cut');
  end;

  create table webhook_deliveries (
    id text not null primary key,
    organization_id text not null,
    endpoint_id text not null,
    created_at integer not null,
    event text not null,
    attempts integer not null default 0,
    next_at integer,
    delivered_at integer,
    last_status integer,
    last_fault text
  ) strict, without rowid;
  create index webhook_deliveries_by_endpoint on webhook_deliveries (organization_id, endpoint_id, id);
  create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where next_at is not null;
  create index webhook_deliveries_over on webhook_deliveries (created_at) where next_at is null;

  create table told_thresholds (
    budget_id text not null,
    period text not null,
    threshold text not null,
    told_at integer not null,
    primary key (budget_id, period, threshold)
  ) strict, without rowid;
`;
