/** A change of settings may change what a key can do, so that it is counted where keys' are. */
const COUNT_CHANGES = ['insert', 'update', 'delete']
  .map(
    (change) => `
  create trigger settings_${change}_counted after ${change} on settings begin
    update counters set value = value + 1 where name = 'changes';
  end;`,
  )
  .join('');

/**
 * What people set up in organizations, as documents (`core/settings.ts`); whom keys belong to; the log of all changes. `parent_id` is empty where there is none.
 * Each organization has a default project from the beginning, in which are all keys of before.
 */
export const settings = `
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

  insert into settings
    select id, 'project', '', 'proj_00_' || id, 1, created_at,
      '{"name":"Default project","archivedAt":null,"isDefault":true,"externalKeyId":null,"geography":null,"models":null}'
    from organizations;
  create trigger organizations_have_a_default_project after insert on organizations begin
    insert into settings values (
      new.id, 'project', '', 'proj_00_' || new.id, 1, new.created_at,
      '{"name":"Default project","archivedAt":null,"isDefault":true,"externalKeyId":null,"geography":null,"models":null}'
    );
  end;
  ${COUNT_CHANGES}

  alter table api_keys add column project_id text;
  alter table api_keys add column owner_type text;
  alter table api_keys add column owner_id text;
  alter table api_keys add column access text not null default 'models';
  alter table api_keys add column scopes text not null default '[]';
  alter table api_keys add column ip_ranges text;
  update api_keys set project_id = 'proj_00_' || organization_id;
  create index api_keys_by_project on api_keys (organization_id, project_id, owner_id);

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
  create trigger audit_log_is_not_changed before update on audit_log begin
    select raise(abort, 'the audit log is not changed');
  end;
  create trigger audit_log_is_not_cut before delete on audit_log begin
    select raise(abort, 'the audit log is not cut');
  end;
`;
