/**
 * Keys of before this had no scope of usage that somebody chose: they read the whole organization's calls unless a command said
 * otherwise. Which of them still do is asked often and is few, so that an index has these alone.
 */
export const usageChosen = `
  alter table api_keys add column usage_chosen integer not null default 0;
  create index api_keys_with_old_usage on api_keys (organization_id, id)
    where usage_chosen = 0 and usage_scope = 'organization' and revoked_at is null;
`;
