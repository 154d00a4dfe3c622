/**
 * What somebody did is found without reading the whole log: by the actor, by the address of who was signed in, and by the person,
 * who may have acted by a key and is then told by the entry alone. What is no JSON was changed by somebody: it may be kept, so
 * that `verify` finds it.
 */
export const auditActors = `
  create index audit_log_by_actor on audit_log (organization_id, actor_id, id);
  create index audit_log_by_email on audit_log (organization_id, actor_email, id);
  create index audit_log_by_user
    on audit_log (organization_id, case when json_valid(event) then json_extract(event, '$.actor.userId') end, id);
`;
