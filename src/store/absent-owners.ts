import { type RawBuilder, sql } from 'kysely';
import { member, table } from './dialect.ts';

/**
 * Whether a key is of a person whom nothing puts into its project: no place of their own, no group, and not being an owner, who
 * is in all. `organization/projects/places.ts` says the same of one person.
 *
 * @param exceptGroupId - a group that puts nobody anywhere
 */
export function isOfAbsent(exceptGroupId: string | null): RawBuilder<boolean> {
  return sql<boolean>`api_keys.owner_type = 'user' and api_keys.project_id is not null
  and not exists (
    select 1 from ${table('settings')} as own where own.organization_id = api_keys.organization_id
      and own.kind = 'project_member' and own.parent_id = api_keys.project_id and own.id = api_keys.owner_id)
  and not exists (
    select 1 from ${table('settings')} as member where member.organization_id = api_keys.organization_id
      and member.kind = 'member' and member.parent_id = '' and member.id = api_keys.owner_id
      and ${member('member.value', 'role')} = 'owner')
  and not exists (
    select 1 from ${table('settings')} as in_group
      join ${table('settings')} as of_group on of_group.organization_id = in_group.organization_id
        and of_group.kind = 'project_group' and of_group.id = in_group.parent_id
      where in_group.organization_id = api_keys.organization_id and in_group.kind = 'group_member'
        and in_group.id = api_keys.owner_id and of_group.parent_id = api_keys.project_id
        and in_group.parent_id is distinct from ${exceptGroupId})`;
}
