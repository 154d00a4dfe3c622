import { z } from 'zod';
import {
  created,
  cursorQuery,
  deletedOf,
  idText,
  ifVersion,
  inSeconds,
  pageJson,
  pageOf,
  pageQuery,
  personEmail,
  version,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, text } from '../../api/schema.ts';
import { projectRole } from '../invites/api.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  addGroupToProject,
  addToProject,
  findProjectGroup,
  findProjectPerson,
  listProjectGroups,
  listProjectPeople,
  type ProjectPerson,
  type ProjectUserGroup,
  removeFromProject,
  removeGroupFromProject,
  updateProjectPerson,
} from './people.ts';

const projectUser = named(
  'ProjectUser',
  z.object({
    id: text,
    object: z.literal('organization.project.user'),
    email: text,
    name: text.nullable(),
    role: projectRole,
    added_at: created,
    version,
  }),
);

const projectGroup = named(
  'ProjectGroup',
  z.object({
    object: z.literal('project.group'),
    project_id: text,
    group_id: text,
    group_name: text,
    group_type: z.literal('group'),
    created_at: created,
  }),
);

export const LIST_PROJECT_USERS = operation('listProjectUsers', 'GET /v1/organization/projects/{project_id}/users', {
  tag: 'Organization',
  summary: 'List the users of a project.',
  access: { permission: 'api.members.read' },
  query: pageQuery(),
  answer: { description: 'A page of users.', schema: pageOf('ProjectUserList', projectUser) },
});

export const ADD_PROJECT_USER = operation('addProjectUser', 'POST /v1/organization/projects/{project_id}/users', {
  tag: 'Organization',
  summary: 'Add a member to a project, by id or email.',
  description: 'Nobody can give more permissions in a project than their own.',
  access: { permission: 'api.members.write', grave: true },
  body: {
    schema: named(
      'ProjectUserRequest',
      z
        .strictObject({ role: projectRole, user_id: idText.nullish(), email: personEmail.nullish() })
        .refine(({ user_id, email }) => (user_id == null) !== (email == null), {
          path: ['user_id'],
          message: 'or `email` must be given, but not both',
        }),
    ),
  },
  answer: { description: 'The user.', schema: projectUser },
  errors: ['conflict'],
});

export const RETRIEVE_PROJECT_USER = operation(
  'retrieveProjectUser',
  'GET /v1/organization/projects/{project_id}/users/{user_id}',
  {
    tag: 'Organization',
    summary: 'Get a user of a project.',
    access: { permission: 'api.members.read' },
    answer: { description: 'The user.', schema: projectUser },
  },
);

export const UPDATE_PROJECT_USER = operation(
  'updateProjectUser',
  'POST /v1/organization/projects/{project_id}/users/{user_id}',
  {
    tag: 'Organization',
    summary: 'Change a user’s role in a project.',
    access: { permission: 'api.members.write', grave: true },
    body: {
      schema: named('ProjectUserUpdate', z.strictObject({ role: projectRole.nullish(), if_version: ifVersion })),
    },
    answer: { description: 'The user.', schema: projectUser },
    errors: ['conflict'],
  },
);

export const REMOVE_PROJECT_USER = operation(
  'removeProjectUser',
  'DELETE /v1/organization/projects/{project_id}/users/{user_id}',
  {
    tag: 'Organization',
    summary:
      'Remove a user from a project. Their keys in it end at once, unless a group or their being an owner keeps them in it.',
    access: { permission: 'api.members.write', grave: true },
    answer: {
      description: 'The user was removed.',
      schema: deletedOf('ProjectUserDeleted', 'organization.project.user.deleted'),
    },
    errors: ['conflict'],
  },
);

export const LIST_PROJECT_GROUPS = operation('listProjectGroups', 'GET /v1/organization/projects/{project_id}/groups', {
  tag: 'Organization',
  summary: 'List the groups of a project.',
  access: { permission: 'api.groups.read' },
  query: cursorQuery({ limit: 100, max: 1000 }),
  answer: { description: 'A page of groups.', schema: pageOf('ProjectGroupList', projectGroup) },
});

export const ADD_PROJECT_GROUP = operation('addProjectGroup', 'POST /v1/organization/projects/{project_id}/groups', {
  tag: 'Organization',
  summary: 'Add a group to a project, with a role there.',
  description: 'Nobody can give more permissions in a project than their own.',
  access: { permission: 'api.groups.write', grave: true },
  body: {
    schema: named(
      'ProjectGroupRequest',
      z.strictObject({ group_id: idText, role: idText.describe('The id of a role; or `owner`, or `member`.') }),
    ),
  },
  answer: { description: 'The group.', schema: projectGroup },
  errors: ['conflict'],
});

export const RETRIEVE_PROJECT_GROUP = operation(
  'retrieveProjectGroup',
  'GET /v1/organization/projects/{project_id}/groups/{group_id}',
  {
    tag: 'Organization',
    summary: 'Get a group of a project.',
    access: { permission: 'api.groups.read' },
    answer: { description: 'The group.', schema: projectGroup },
  },
);

export const REMOVE_PROJECT_GROUP = operation(
  'removeProjectGroup',
  'DELETE /v1/organization/projects/{project_id}/groups/{group_id}',
  {
    tag: 'Organization',
    summary: 'Remove a group from a project, with its roles there.',
    access: { permission: 'api.groups.write', grave: true },
    answer: {
      description: 'The group was removed.',
      schema: deletedOf('ProjectGroupDeleted', 'project.group.deleted'),
    },
    errors: ['conflict'],
  },
);

export const PROJECT_PEOPLE_OPERATIONS = resource([
  LIST_PROJECT_USERS.handledBy(async ({ administrator, path, query }, parts) =>
    pageJson(await listProjectPeople(atWork(parts, administrator), path.project_id, query), userJson),
  ),
  ADD_PROJECT_USER.handledBy(async ({ administrator, path, body: { user_id, email, role } }, parts) => {
    const who = user_id == null ? { email: email! } : { userId: user_id };
    return userJson(await addToProject(atWork(parts, administrator), path.project_id, who, role));
  }),
  RETRIEVE_PROJECT_USER.handledBy(async ({ administrator, path }, parts) =>
    userJson(await findProjectPerson(atWork(parts, administrator), path.project_id, path.user_id)),
  ),
  UPDATE_PROJECT_USER.handledBy(async ({ administrator, path, body: { role, if_version } }, parts) => {
    const admin = atWork(parts, administrator);
    const who = { projectId: path.project_id, userId: path.user_id };
    return userJson(await updateProjectPerson(admin, who, role ?? null, if_version));
  }),
  REMOVE_PROJECT_USER.handledBy(async ({ administrator, path }, parts) => {
    await removeFromProject(atWork(parts, administrator), path.project_id, path.user_id);
    return { id: path.user_id, object: 'organization.project.user.deleted' as const, deleted: true as const };
  }),
  LIST_PROJECT_GROUPS.handledBy(async ({ administrator, path, query }, parts) =>
    pageJson(await listProjectGroups(atWork(parts, administrator), path.project_id, query), groupJson),
  ),
  ADD_PROJECT_GROUP.handledBy(async ({ administrator, path, body: { group_id, role } }, parts) =>
    groupJson(await addGroupToProject(atWork(parts, administrator), path.project_id, group_id, role)),
  ),
  RETRIEVE_PROJECT_GROUP.handledBy(async ({ administrator, path }, parts) =>
    groupJson(await findProjectGroup(atWork(parts, administrator), path.project_id, path.group_id)),
  ),
  REMOVE_PROJECT_GROUP.handledBy(async ({ administrator, path }, parts) => {
    await removeGroupFromProject(atWork(parts, administrator), path.project_id, path.group_id);
    return { id: path.group_id, object: 'project.group.deleted' as const, deleted: true as const };
  }),
]);

function userJson({ id, place, member }: ProjectPerson) {
  return {
    id,
    object: 'organization.project.user' as const,
    email: member.value.email,
    name: member.value.name,
    role: place.value.role,
    added_at: inSeconds(place.createdAt),
    version: place.version,
  };
}

function groupJson({ id, place, group }: ProjectUserGroup) {
  return {
    object: 'project.group' as const,
    project_id: place.parentId!,
    group_id: id,
    group_name: group.value.name,
    group_type: 'group' as const,
    created_at: inSeconds(place.createdAt),
  };
}
