import { z } from 'zod';
import {
  created,
  cursorQuery,
  deletedOf,
  idText,
  inSeconds,
  inSecondsOrNull,
  pageJson,
  pageOf,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, seconds, text } from '../../api/schema.ts';
import { PREDEFINED_ROLES } from '../../core/permissions.ts';
import type { Assignee } from '../../core/settings.ts';
import { findGroup } from '../groups/service.ts';
import { shownUser, user } from '../members/api.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import { ROLES_PAGE, role, roleFields, roleJson } from './api.ts';
import { assignRole, findHeldRole, type HeldRole, listHeldRoles, unassignRole } from './assignments.ts';

const heldRole = named(
  'AssignedRole',
  z.object({
    ...roleFields,
    assignment_sources: z
      .array(z.object({ principal_id: text, principal_type: z.enum(['user', 'group']) }))
      .describe('The user, or groups of the user, with the role.'),
    created_at: seconds.nullable().describe('When it was assigned directly; `null` if only through groups.'),
    created_by: z.null(),
    created_by_user_obj: z.null(),
    metadata: z.null(),
    updated_at: z.null(),
  }),
);
const heldRoles = pageOf('AssignedRoleList', heldRole);
const wanted = named('RoleAssignmentRequest', z.strictObject({ role_id: idText }));

const userRole = named('UserRoleAssignment', z.object({ object: z.literal('user.role'), role, user }));
const groupRole = named(
  'GroupRoleAssignment',
  z.object({
    object: z.literal('group.role'),
    role,
    group: z.object({ object: z.literal('group'), id: text, name: text, created_at: created, scim_managed: flag }),
  }),
);
const ofUser = { assigned: userRole, deleted: deletedOf('UserRoleDeleted', 'user.role.deleted') };
const ofGroup = { assigned: groupRole, deleted: deletedOf('GroupRoleDeleted', 'group.role.deleted') };

type RolesPath =
  | `/v1/${'organization' | 'projects/{project_id}'}/users/{user_id}/roles`
  | `/v1/${'organization' | 'projects/{project_id}'}/groups/{group_id}/roles`;

/** The operations on roles of users or groups, in the organization or in a project. */
function operationsAt<Assigned extends z.ZodType, Deleted extends z.ZodType>(
  of: 'User' | 'Group' | 'ProjectUser' | 'ProjectGroup',
  path: RolesPath,
  answers: { assigned: Assigned; deleted: Deleted },
) {
  const whose = `a ${of.endsWith('User') ? 'user' : 'group'}${of.startsWith('Project') ? ' in a project' : ''}`;
  const may = {
    read: { permission: 'api.roles.read' },
    write: { permission: 'api.roles.write', grave: true },
  } as const;
  return {
    list: operation(`list${of}Roles`, `GET ${path}`, {
      tag: 'Organization',
      summary: `List the roles of ${whose}.`,
      access: may.read,
      query: cursorQuery(ROLES_PAGE),
      answer: { description: 'A page of roles.', schema: heldRoles },
    }),
    assign: operation(`assign${of}Role`, `POST ${path}`, {
      tag: 'Organization',
      summary: `Assign a role to ${whose}.`,
      description: 'Nobody can give a permission that they do not have.',
      access: may.write,
      body: { schema: wanted },
      answer: { description: 'The assignment.', schema: answers.assigned },
      errors: ['conflict'],
    }),
    retrieve: operation(`retrieve${of}Role`, `GET ${path}/{role_id}`, {
      tag: 'Organization',
      summary: `Get a role of ${whose}.`,
      access: may.read,
      answer: { description: 'The role.', schema: heldRole },
    }),
    unassign: operation(`unassign${of}Role`, `DELETE ${path}/{role_id}`, {
      tag: 'Organization',
      summary: `Remove a role from ${whose}.`,
      access: may.write,
      answer: { description: 'It was removed.', schema: answers.deleted },
    }),
  };
}

const USERS = operationsAt('User', '/v1/organization/users/{user_id}/roles', ofUser);
const GROUPS = operationsAt('Group', '/v1/organization/groups/{group_id}/roles', ofGroup);
const PROJECT_USERS = operationsAt('ProjectUser', '/v1/projects/{project_id}/users/{user_id}/roles', ofUser);
const PROJECT_GROUPS = operationsAt('ProjectGroup', '/v1/projects/{project_id}/groups/{group_id}/roles', ofGroup);

export const ROLE_ASSIGNMENT_OPERATIONS = resource([
  ...[USERS, PROJECT_USERS].flatMap((operations) => [
    ...reading(operations),
    operations.assign.handledBy(async ({ administrator, path, body }, parts: SettingsParts) => {
      const given = await assignRole(atWork(parts, administrator), assigneeIn(path), body.role_id);
      const shown = await shownUser(parts, administrator, path.user_id!);
      return { object: 'user.role' as const, role: roleJson(given), user: shown };
    }),
    operations.unassign.handledBy(async ({ administrator, path }, parts: SettingsParts) => {
      await unassignRole(atWork(parts, administrator), assigneeIn(path), path.role_id);
      return { id: path.role_id, object: 'user.role.deleted' as const, deleted: true as const };
    }),
  ]),
  ...[GROUPS, PROJECT_GROUPS].flatMap((operations) => [
    ...reading(operations),
    operations.assign.handledBy(async ({ administrator, path, body }, parts: SettingsParts) => {
      const admin = atWork(parts, administrator);
      const given = await assignRole(admin, assigneeIn(path), body.role_id);
      const { id, value, createdAt } = await findGroup(admin, path.group_id!);
      const group = { object: 'group' as const, id, name: value.name, created_at: inSeconds(createdAt) };
      return { object: 'group.role' as const, role: roleJson(given), group: { ...group, scim_managed: false } };
    }),
    operations.unassign.handledBy(async ({ administrator, path }, parts: SettingsParts) => {
      await unassignRole(atWork(parts, administrator), assigneeIn(path), path.role_id);
      return { id: path.role_id, object: 'group.role.deleted' as const, deleted: true as const };
    }),
  ]),
]);

function reading({ list, retrieve }: Pick<typeof USERS, 'list' | 'retrieve'>) {
  return resource([
    list.handledBy(async ({ administrator, path, query }, parts) =>
      pageJson(await listHeldRoles(atWork(parts, administrator), assigneeIn(path), query), heldRoleJson),
    ),
    retrieve.handledBy(async ({ administrator, path }, parts) =>
      heldRoleJson(await findHeldRole(atWork(parts, administrator), assigneeIn(path), path.role_id)),
    ),
  ]);
}

function assigneeIn({ user_id, group_id, project_id }: Readonly<Record<string, string>>): Assignee {
  const projectId = project_id ?? null;
  return user_id === undefined ? { type: 'group', id: group_id!, projectId } : { type: 'user', id: user_id, projectId };
}

function heldRoleJson({ id, role: held, since, from }: HeldRole) {
  return {
    id,
    name: held.name,
    description: held.description,
    permissions: held.permissions,
    predefined_role: PREDEFINED_ROLES.has(id),
    resource_type: held.resourceType,
    assignment_sources: from.map(({ type, id: principal_id }) => ({ principal_id, principal_type: type })),
    created_at: inSecondsOrNull(since),
    created_by: null,
    created_by_user_obj: null,
    metadata: null,
    updated_at: null,
  };
}
