/**
 * Search reads of each key what it looks at, and no key itself; keys that end, those of old usage, and who may use a model are
 * read by project, and not of all projects.
 */
export const searchedKeys = `
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
`;
