/**
 * What lists of calls are filtered by. A group is one combination of all that can be asked for, of which there are few; a
 * call is in one group, and within a group calls lie in the order of their ids. So one short row a call serves every filter
 * and every combination of filters. Where a group has no product or tool, the text is empty.
 *
 * Calls of before are put into their groups in the background (`store/sqlite/group-old-calls.ts`): of an organization
 * named in `ungrouped_calls`, those up to an id may still be in none.
 *
 * The limits that workers share have a file of their own since (`store/sqlite/leases.ts`).
 */
export const callGroups = `
  create table call_groups (
    number integer primary key,
    organization_id text not null,
    key_id text not null,
    source text not null,
    product text not null,
    tool_name text not null,
    model text not null,
    requested_model text not null,
    unique (organization_id, key_id, source, product, tool_name, model, requested_model)
  ) strict;

  create table grouped_calls (
    group_number integer not null,
    call_id text not null,
    primary key (group_number, call_id)
  ) strict, without rowid;

  create table ungrouped_calls (
    organization_id text primary key,
    up_to text not null
  ) strict, without rowid;
  insert into ungrouped_calls
    select id, (select max(calls.id) from calls where organization_id = organizations.id) from organizations
    where exists (select 1 from calls where organization_id = organizations.id);

  create trigger groups_lose_calls after delete on calls begin
    delete from grouped_calls where call_id = old.id and group_number = (
      select number from call_groups
      where organization_id = old.organization_id and key_id = old.key_id and source = old.source
        and product = coalesce(old.product, '') and tool_name = coalesce(old.tool_name, '')
        and model = old.model and requested_model = old.requested_model
    );
  end;

  drop table shared_limits;
  drop table limit_leases;
`;
