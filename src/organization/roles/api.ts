import { z } from 'zod';
import { cursorQuery, deletedOf, ifVersion, nameText, pageJson, pageOf, readable, version } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, text } from '../../api/schema.ts';
import { PERMISSIONS } from '../../core/permissions.ts';
import { textFault } from '../../core/printable-text.ts';
import { atWork } from '../parts.ts';
import type { ShownRole } from '../permissions.ts';
import { resource } from '../resource.ts';
import { createRole, deleteRole, findRole, listRoles, updateRole } from './service.ts';

/** OpenAI's default and maximum of a page of roles. */
export const ROLES_PAGE = { limit: 1000, max: 1000 };
/** The longest description of a role. */
const MAX_DESCRIPTION = 1000;

/** The members of a role in every answer. */
export const roleFields = {
  id: text,
  name: text,
  description: text.nullable(),
  permissions: z.array(text),
  predefined_role: flag.describe('A predefined role, which cannot be changed.'),
  resource_type: z.enum(['api.organization', 'api.project']),
};
export const role = named('Role', z.object({ ...roleFields, object: z.literal('role'), version }));

const permissions = z
  .array(z.enum(PERMISSIONS, `must be one of ${PERMISSIONS.join(', ')}`), 'must be a list')
  .max(PERMISSIONS.length, `may have at most ${PERMISSIONS.length}`)
  .transform((list) => [...new Set(list)]);
const description = readable(
  z.string('must be text').max(MAX_DESCRIPTION, `must have at most ${MAX_DESCRIPTION} characters`),
  textFault,
).nullish();
const wanted = named('RoleRequest', z.strictObject({ role_name: nameText, description, permissions }));
const edit = named(
  'RoleUpdate',
  z.strictObject({
    role_name: nameText.nullish(),
    description,
    permissions: permissions.nullish(),
    if_version: ifVersion,
  }),
);
const list = pageOf('RoleList', role);
const deleted = deletedOf('RoleDeleted', 'role.deleted');

/** The operations on roles of the organization or of a project. */
function operationsAt(of: '' | 'Project', path: '/v1/organization/roles' | '/v1/projects/{project_id}/roles') {
  const where = of === '' ? 'the organization' : 'a project';
  const may = {
    read: { permission: 'api.roles.read' },
    write: { permission: 'api.roles.write', grave: true },
  } as const;
  return {
    list: operation(`list${of}Roles`, `GET ${path}`, {
      tag: 'Organization',
      summary: `List the roles of ${where}: predefined ones first, then its own.`,
      access: may.read,
      query: cursorQuery(ROLES_PAGE),
      answer: { description: 'A page of roles.', schema: list },
    }),
    create: operation(`create${of}Role`, `POST ${path}`, {
      tag: 'Organization',
      summary: `Create a role of ${where}.`,
      description: 'Nobody can create a role with a permission that they do not have.',
      access: may.write,
      body: { schema: wanted },
      answer: { description: 'The role.', schema: role },
    }),
    retrieve: operation(`retrieve${of}Role`, `GET ${path}/{role_id}`, {
      tag: 'Organization',
      summary: `Get a role of ${where}.`,
      access: may.read,
      answer: { description: 'The role.', schema: role },
    }),
    update: operation(`update${of}Role`, `POST ${path}/{role_id}`, {
      tag: 'Organization',
      summary: `Change a role of ${where}, for everybody who has it.`,
      access: may.write,
      body: { schema: edit },
      answer: { description: 'The role.', schema: role },
      errors: ['conflict'],
    }),
    delete: operation(`delete${of}Role`, `DELETE ${path}/{role_id}`, {
      tag: 'Organization',
      summary: `Delete a role of ${where}. Whoever had it has it no more.`,
      access: may.write,
      answer: { description: 'It was deleted.', schema: deleted },
      errors: ['conflict'],
    }),
  };
}

const ORGANIZATION_ROLES = operationsAt('', '/v1/organization/roles');
const PROJECT_ROLES_API = operationsAt('Project', '/v1/projects/{project_id}/roles');

export const ROLE_OPERATIONS = resource(
  [ORGANIZATION_ROLES, PROJECT_ROLES_API].flatMap((operations) => [
    operations.list.handledBy(async ({ administrator, path, query }, parts) =>
      pageJson(await listRoles(atWork(parts, administrator), query, path.project_id ?? null), roleJson),
    ),
    operations.create.handledBy(async ({ administrator, path, body }, parts) => {
      const { role_name: name, description: words = null, permissions: given } = body;
      const made = { name, description: words, permissions: given };
      return roleJson(await createRole(atWork(parts, administrator), made, path.project_id ?? null));
    }),
    operations.retrieve.handledBy(async ({ administrator, path }, parts) =>
      roleJson(await findRole(atWork(parts, administrator), path.role_id, path.project_id ?? null)),
    ),
    operations.update.handledBy(async ({ administrator, path, body }, parts) => {
      const changes = {
        ...(body.role_name != null && { name: body.role_name }),
        ...(body.description !== undefined && { description: body.description }),
        ...(body.permissions != null && { permissions: body.permissions }),
      };
      const at = { id: path.role_id, projectId: path.project_id ?? null };
      return roleJson(await updateRole(atWork(parts, administrator), at, changes, body.if_version));
    }),
    operations.delete.handledBy(async ({ administrator, path }, parts) => {
      const at = { id: path.role_id, projectId: path.project_id ?? null };
      await deleteRole(atWork(parts, administrator), at);
      return { id: at.id, object: 'role.deleted' as const, deleted: true as const };
    }),
  ]),
);

/** A role in answers about its holders. */
export function roleJson({ id, role: { name, description: words, ...rest }, setting }: ShownRole) {
  return {
    id,
    object: 'role' as const,
    name,
    description: words,
    permissions: rest.permissions,
    predefined_role: setting === null,
    resource_type: rest.resourceType,
    version: setting?.version ?? 1,
  };
}
