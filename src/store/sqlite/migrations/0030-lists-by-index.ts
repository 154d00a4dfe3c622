/**
 * Lists read what they show, and not what a filter leaves out: keys in the order in which they were made, of an organization, a
 * project, an owner or a product; members by address and owners; projects that are open; entries of the audit log by what was done,
 * where and to what.
 */
export const listsByIndex = `
  create index api_keys_listed on api_keys (organization_id, access, created_at, id) where revoked_at is null;
  create index api_keys_listed_by_project on api_keys (organization_id, project_id, access, created_at, id)
    where revoked_at is null;
  create index api_keys_listed_by_owner on api_keys (organization_id, owner_id, access, created_at, id)
    where revoked_at is null and owner_id is not null;
  create index api_keys_revoked on api_keys (organization_id, revoked_at) where revoked_at is not null;
  create index api_keys_ending on api_keys (organization_id, expires_at)
    where expires_at is not null and revoked_at is null;

  create index members_by_email on settings (organization_id, json_extract(value, '$.email')) where kind = 'member';
  create index owners on settings (organization_id, json_extract(value, '$.role') = 'owner', id) where kind = 'member';
  create index open_projects on settings (organization_id, json_extract(value, '$.archivedAt') is null, id)
    where kind = 'project';

  create index audit_log_by_type on audit_log (organization_id, type, id);
  create index audit_log_by_project on audit_log (organization_id, project_id, id) where project_id is not null;
  create index audit_log_by_resource on audit_log (organization_id, resource_id, id);
`;
