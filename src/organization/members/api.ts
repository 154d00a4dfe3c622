import { z } from 'zod';
import {
  created,
  deletedOf,
  idText,
  ifVersion,
  inSeconds,
  keptText,
  manyOf,
  pageJson,
  pageOf,
  pageQuery,
  version,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, text } from '../../api/schema.ts';
import { MEMBER_ROLES } from '../../core/settings.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  findMember,
  listMembers,
  type MemberInProjects,
  type MembershipEdit,
  removeMember,
  updateMember,
  withProjects,
} from './service.ts';

export const memberRole = z.enum(MEMBER_ROLES, `must be one of ${MEMBER_ROLES.join(', ')}`);

/** A person in the organization. */
export const user = named(
  'OrganizationUser',
  z.object({
    id: text,
    object: z.literal('organization.user'),
    email: text,
    name: text.nullable(),
    role: memberRole.describe('An owner may do everything; a reader only what roles allow.'),
    added_at: created,
    created,
    developer_persona: text.nullable(),
    technical_level: text.nullable(),
    is_service_account: flag,
    is_scim_managed: flag,
    projects: z.object({
      object: z.literal('list'),
      data: z.array(z.object({ id: text, name: text, role: text })),
    }),
    user: z.object({
      object: z.literal('user'),
      id: text,
      email: text,
      name: text.nullable(),
      enabled: flag,
      banned: flag,
    }),
    version,
  }),
);

export const LIST_USERS = operation('listUsers', 'GET /v1/organization/users', {
  tag: 'Organization',
  summary: 'List the members of the organization.',
  access: { permission: 'api.members.read' },
  query: pageQuery().extend({ emails: manyOf(text).exactOptional().describe('Only members with these emails.') }),
  answer: { description: 'A page of members.', schema: pageOf('OrganizationUserList', user) },
});

export const RETRIEVE_USER = operation('retrieveUser', 'GET /v1/organization/users/{user_id}', {
  tag: 'Organization',
  summary: 'Get a member.',
  access: { permission: 'api.members.read' },
  answer: { description: 'The member.', schema: user },
});

export const UPDATE_USER = operation('updateUser', 'POST /v1/organization/users/{user_id}', {
  tag: 'Organization',
  summary: 'Change a member’s role.',
  description:
    'Only an owner can make somebody an owner or end that. A former owner loses the keys in projects that they are no longer in. ' +
    'The last owner cannot be changed: 409.',
  access: { permission: 'api.members.write', grave: true },
  body: {
    schema: named(
      'OrganizationUserUpdate',
      z.strictObject({
        role: memberRole.nullish(),
        role_id: idText.nullish().describe('A role to assign.'),
        developer_persona: keptText,
        technical_level: keptText,
        if_version: ifVersion,
      }),
    ),
  },
  answer: { description: 'The member.', schema: user },
  errors: ['conflict'],
});

export const DELETE_USER = operation('deleteUser', 'DELETE /v1/organization/users/{user_id}', {
  tag: 'Organization',
  summary: 'Remove a member from the organization. Their keys and sessions end at once.',
  access: { permission: 'api.members.write', grave: true },
  answer: {
    description: 'The member was removed.',
    schema: deletedOf('OrganizationUserDeleted', 'organization.user.deleted'),
  },
  errors: ['conflict'],
});

export const USER_OPERATIONS = resource([
  LIST_USERS.handledBy(async ({ administrator, query: { emails, ...page } }, parts) => {
    const admin = atWork(parts, administrator);
    const lowerCase = emails?.map((email) => email.toLowerCase());
    const { items, hasMore } = await listMembers(admin, { ...page, emails: lowerCase });
    return pageJson({ items: await withProjects(admin, items), hasMore }, userJson);
  }),
  RETRIEVE_USER.handledBy(async ({ administrator, path }, parts) => shownUser(parts, administrator, path.user_id)),
  UPDATE_USER.handledBy(async ({ administrator, path, body }, parts) => {
    const { role, role_id, developer_persona, technical_level, if_version } = body;
    const edit: MembershipEdit = {
      ...(role != null && { role }),
      ...(role_id != null && { roleId: role_id }),
      ...(developer_persona !== undefined && { developerPersona: developer_persona }),
      ...(technical_level !== undefined && { technicalLevel: technical_level }),
    };
    await updateMember(atWork(parts, administrator), path.user_id, edit, if_version);
    return shownUser(parts, administrator, path.user_id);
  }),
  DELETE_USER.handledBy(async ({ administrator, path }, parts) => {
    await removeMember(atWork(parts, administrator), path.user_id);
    return { id: path.user_id, object: 'organization.user.deleted' as const, deleted: true as const };
  }),
]);

/** The present member. Rejects with `not_found`. */
export async function shownUser(parts: SettingsParts, by: Parameters<typeof atWork>[1], id: string) {
  const admin = atWork(parts, by);
  const [shown] = await withProjects(admin, [await findMember(admin, id)]);
  return userJson(shown!);
}

function userJson({ id, member, projects }: MemberInProjects) {
  const { email, name, role, developerPersona = null, technicalLevel = null } = member.value;
  return {
    id,
    object: 'organization.user' as const,
    email,
    name,
    role,
    added_at: inSeconds(member.createdAt),
    created: inSeconds(member.createdAt),
    developer_persona: developerPersona,
    technical_level: technicalLevel,
    is_service_account: false,
    is_scim_managed: false,
    projects: { object: 'list' as const, data: projects },
    user: { object: 'user' as const, id, email, name, enabled: true, banned: false },
    version: member.version,
  };
}
