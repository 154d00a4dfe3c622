import { z } from 'zod';
import {
  created,
  cursorQuery,
  deletedOf,
  idText,
  ifVersion,
  inSeconds,
  nameText,
  pageJson,
  pageOf,
  version,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, flag, named, text } from '../../api/schema.ts';
import type { Setting } from '../../core/settings.ts';
import type { Administration } from '../administration.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  addToGroup,
  createGroup,
  deleteGroup,
  findGroup,
  findGroupMember,
  type GroupInFull,
  listGroupMembers,
  listGroups,
  removeFromGroup,
  renameGroup,
  withMemberships,
} from './service.ts';

/** OpenAI's default and maximum of a page of groups. */
const GROUPS_PAGE = { limit: 100, max: 1000 };

const group = named(
  'Group',
  z.object({
    id: text,
    object: z.literal('group'),
    name: text,
    created_at: created,
    group_type: z.literal('group'),
    is_scim_managed: flag,
    member_count: count,
    role_count: count.describe('Roles assigned to it in the organization.'),
    projects: z.object({ object: z.literal('list'), data: z.array(z.object({ id: text, name: text })) }),
    version,
  }),
);

const groupUser = named(
  'GroupUser',
  z.object({
    id: text,
    email: text,
    name: text,
    user_type: z.literal('user'),
    is_service_account: flag,
    picture: z.null(),
  }),
);

export const LIST_GROUPS = operation('listGroups', 'GET /v1/organization/groups', {
  tag: 'Organization',
  summary: 'List the groups of the organization.',
  access: { permission: 'api.groups.read' },
  query: cursorQuery(GROUPS_PAGE),
  answer: { description: 'A page of groups.', schema: pageOf('GroupList', group) },
});

export const CREATE_GROUP = operation('createGroup', 'POST /v1/organization/groups', {
  tag: 'Organization',
  summary: 'Create a group.',
  access: { permission: 'api.groups.write' },
  body: { schema: named('GroupRequest', z.strictObject({ name: nameText })) },
  answer: { description: 'The group.', schema: group },
});

export const RETRIEVE_GROUP = operation('retrieveGroup', 'GET /v1/organization/groups/{group_id}', {
  tag: 'Organization',
  summary: 'Get a group.',
  access: { permission: 'api.groups.read' },
  answer: { description: 'The group.', schema: group },
});

export const UPDATE_GROUP = operation('updateGroup', 'POST /v1/organization/groups/{group_id}', {
  tag: 'Organization',
  summary: 'Rename a group.',
  access: { permission: 'api.groups.write' },
  body: { schema: named('GroupUpdate', z.strictObject({ name: nameText, if_version: ifVersion })) },
  answer: { description: 'The group.', schema: group },
  errors: ['conflict'],
});

export const DELETE_GROUP = operation('deleteGroup', 'DELETE /v1/organization/groups/{group_id}', {
  tag: 'Organization',
  summary: 'Delete a group. Those who are in it lose what they had by it.',
  access: { permission: 'api.groups.write' },
  answer: { description: 'It was deleted.', schema: deletedOf('GroupDeleted', 'group.deleted') },
});

export const LIST_GROUP_USERS = operation('listGroupUsers', 'GET /v1/organization/groups/{group_id}/users', {
  tag: 'Organization',
  summary: 'List the members of a group.',
  access: { permission: 'api.groups.read' },
  query: cursorQuery(GROUPS_PAGE),
  answer: { description: 'A page of members.', schema: pageOf('GroupUserList', groupUser) },
});

export const ADD_GROUP_USER = operation('addGroupUser', 'POST /v1/organization/groups/{group_id}/users', {
  tag: 'Organization',
  summary: 'Add a member to a group.',
  description: 'Nobody can add a member to a group with more permissions than their own.',
  access: { permission: 'api.groups.write', grave: true },
  body: { schema: named('GroupUserRequest', z.strictObject({ user_id: idText })) },
  answer: {
    description: 'The member was added.',
    schema: named('GroupUserAdded', z.object({ object: z.literal('group.user'), group_id: text, user_id: text })),
  },
  errors: ['conflict'],
});

export const RETRIEVE_GROUP_USER = operation(
  'retrieveGroupUser',
  'GET /v1/organization/groups/{group_id}/users/{user_id}',
  {
    tag: 'Organization',
    summary: 'Get a member of a group.',
    access: { permission: 'api.groups.read' },
    answer: { description: 'The member.', schema: groupUser },
  },
);

export const REMOVE_GROUP_USER = operation(
  'removeGroupUser',
  'DELETE /v1/organization/groups/{group_id}/users/{user_id}',
  {
    tag: 'Organization',
    summary: 'Remove a member from a group.',
    access: { permission: 'api.groups.write' },
    answer: {
      description: 'The member was removed.',
      schema: deletedOf('GroupUserRemoved', 'group.user.deleted'),
    },
  },
);

export const GROUP_OPERATIONS = resource([
  LIST_GROUPS.handledBy(async ({ administrator, query }, parts) => {
    const admin = atWork(parts, administrator);
    const { items, hasMore } = await listGroups(admin, query);
    return pageJson({ items: await withMemberships(admin, items), hasMore }, groupJson);
  }),
  CREATE_GROUP.handledBy(async ({ administrator, body }, parts) => {
    const admin = atWork(parts, administrator);
    return told(admin, await createGroup(admin, body.name));
  }),
  RETRIEVE_GROUP.handledBy(async ({ administrator, path }, parts) => {
    const admin = atWork(parts, administrator);
    return told(admin, await findGroup(admin, path.group_id));
  }),
  UPDATE_GROUP.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    return told(admin, await renameGroup(admin, path.group_id, body.name, body.if_version));
  }),
  DELETE_GROUP.handledBy(async ({ administrator, path }, parts) => {
    await deleteGroup(atWork(parts, administrator), path.group_id);
    return { id: path.group_id, object: 'group.deleted' as const, deleted: true as const };
  }),
  LIST_GROUP_USERS.handledBy(async ({ administrator, path, query }, parts) =>
    pageJson(await listGroupMembers(atWork(parts, administrator), path.group_id, query), groupUserJson),
  ),
  ADD_GROUP_USER.handledBy(async ({ administrator, path, body }, parts) => {
    await addToGroup(atWork(parts, administrator), path.group_id, body.user_id);
    return { object: 'group.user' as const, group_id: path.group_id, user_id: body.user_id };
  }),
  RETRIEVE_GROUP_USER.handledBy(async ({ administrator, path }, parts) =>
    groupUserJson(await findGroupMember(atWork(parts, administrator), path.group_id, path.user_id)),
  ),
  REMOVE_GROUP_USER.handledBy(async ({ administrator, path }, parts) => {
    await removeFromGroup(atWork(parts, administrator), path.group_id, path.user_id);
    return { id: path.user_id, object: 'group.user.deleted' as const, deleted: true as const };
  }),
]);

async function told(admin: Administration, group: Setting<'group'>) {
  return groupJson((await withMemberships(admin, [group]))[0]!);
}

function groupJson({ group: { id, createdAt, version: current, value }, members, roles, projects }: GroupInFull) {
  return {
    id,
    object: 'group' as const,
    name: value.name,
    created_at: inSeconds(createdAt),
    group_type: 'group' as const,
    is_scim_managed: false,
    member_count: members,
    role_count: roles,
    projects: { object: 'list' as const, data: projects },
    version: current,
  };
}

function groupUserJson({ id, value }: Setting<'member'>) {
  return {
    id,
    email: value.email,
    // OpenAI's clients expect a name.
    name: value.name ?? value.email,
    user_type: 'user' as const,
    is_service_account: false,
    picture: null,
  };
}
