/**
 * Calls by more names than are told apart of a key's day share a group whose model is `other` (and whose tool is, where there
 * is one), and groups go when their last call is gone: `counters.removed_groups` moves then, so that nobody who remembers the
 * number of one goes on using it.
 */
export const groupsEnd = `
  insert into counters values ('removed_groups', 0);

  create trigger call_groups_removed after delete on call_groups begin
    update counters set value = value + 1 where name = 'removed_groups';
  end;
  create trigger usage_groups_removed after delete on usage_groups begin
    update counters set value = value + 1 where name = 'removed_groups';
  end;

  drop trigger groups_lose_calls;
  create trigger groups_lose_calls after delete on calls begin
    delete from grouped_calls where call_id = old.id and group_number in (
      select number from call_groups
      where organization_id = old.organization_id and key_id = old.key_id and source = old.source
        and product = coalesce(old.product, '') and tool_name = coalesce(old.tool_name, '')
        and model = old.model and requested_model = old.requested_model
      union all
      select number from call_groups
      where organization_id = old.organization_id and key_id = old.key_id and source = old.source
        and product = coalesce(old.product, '') and tool_name = iif(old.tool_name is null, '', 'other')
        and model = 'other' and requested_model = 'other'
    );
  end;
`;
