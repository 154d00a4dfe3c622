/**
 * Groups tell how their calls ended, too, so that a list of those that failed is found as one of a model's is. Calls are put
 * into their groups anew, in the background, as those of before groups are.
 */
export const groupsByStatus = `
  drop trigger groups_lose_calls;
  drop table grouped_calls;
  drop table call_groups;

  create table call_groups (
    number integer primary key,
    organization_id text not null,
    key_id text not null,
    source text not null,
    product text not null,
    tool_name text not null,
    model text not null,
    requested_model text not null,
    status text not null,
    unique (organization_id, key_id, source, product, tool_name, model, requested_model, status)
  ) strict;

  create table grouped_calls (
    group_number integer not null,
    call_id text not null,
    primary key (group_number, call_id)
  ) strict, without rowid;

  delete from ungrouped_calls;
  insert into ungrouped_calls
    select id, (select max(calls.id) from calls where organization_id = organizations.id) from organizations
    where exists (select 1 from calls where organization_id = organizations.id);
  update counters set value = value + 1 where name = 'removed_groups';

  create trigger call_groups_removed after delete on call_groups begin
    update counters set value = value + 1 where name = 'removed_groups';
  end;

  create trigger groups_lose_calls after delete on calls begin
    delete from grouped_calls where call_id = old.id and group_number in (
      select number from call_groups
      where organization_id = old.organization_id and key_id = old.key_id and source = old.source
        and product = coalesce(old.product, '') and tool_name = coalesce(old.tool_name, '')
        and model = old.model and requested_model = old.requested_model and status = old.status
      union all
      select number from call_groups
      where organization_id = old.organization_id and key_id = old.key_id and source = old.source
        and product = coalesce(old.product, '') and tool_name = iif(old.tool_name is null, '', 'other')
        and model = 'other' and requested_model = 'other' and status = old.status
    );
  end;
`;
