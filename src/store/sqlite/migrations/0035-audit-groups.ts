/**
 * A group is all that entries of the audit log are asked for by, but for the resource, in one text: filters that no entry passes
 * together are told by the groups that there are, and not by all entries that one of them lets through. The groups of a resource
 * are found by it.
 */
const GROUP = `type || char(10) || coalesce(project_id, '') || char(10) || coalesce(actor_id, '') || char(10)
    || coalesce(actor_email, '') || char(10)
    || coalesce(case when json_valid(event) then json_extract(event, '$.actor.userId') end, '')`;

export const auditGroups = `
  create index audit_log_by_group on audit_log (organization_id, (${GROUP}), id);
  drop index audit_log_by_resource;
  create index audit_log_by_resource on audit_log (organization_id, resource_id, (${GROUP}), id);
`;
