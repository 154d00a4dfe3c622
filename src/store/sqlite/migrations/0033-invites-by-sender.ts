/** Whoever is removed has their open invites withdrawn: they are found by who sent them, and not among all. */
export const invitesBySender = `
  create index open_invites on settings
    (organization_id, json_extract(value, '$.invitedBy'), json_extract(value, '$.acceptedAt') is null, id)
    where kind = 'invite';
`;
