import { z } from 'zod';
import {
  created,
  idText,
  ifVersion,
  inSeconds,
  inSecondsOrNull,
  nameText,
  pageJson,
  pageOf,
  pageQuery,
  readable,
  version,
  yesOrNo,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, named, seconds, text } from '../../api/schema.ts';
import type { Setting } from '../../core/settings.ts';
import type { Administration } from '../administration.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  archiveProject,
  createProject,
  findProject,
  listProjects,
  type ProjectInFull,
  updateProject,
  withCounts,
} from './service.ts';

const project = named(
  'Project',
  z.object({
    id: text,
    object: z.literal('organization.project'),
    name: text,
    created_at: created,
    archived_at: seconds.nullable(),
    status: z.enum(['active', 'archived']),
    external_key_id: text.nullable(),
    geography: text.nullable(),
    is_default: z.boolean().describe('Where keys are that name no project. It cannot be archived.'),
    member_count: count.describe('Directly added people; owners are in all projects, and groups add their members.'),
    group_count: count,
    key_count: count.describe('API keys that are not revoked.'),
    version,
  }),
);

const kept = readable(idText).nullish().describe('Stored and returned, without effect.');

export const LIST_PROJECTS = operation('listProjects', 'GET /v1/organization/projects', {
  tag: 'Organization',
  summary: 'List the projects of the organization, or those that the caller may read.',
  access: { permission: 'api.projects.read', somewhere: true },
  query: pageQuery().extend({ include_archived: yesOrNo.default(false) }),
  answer: { description: 'A page of projects.', schema: pageOf('ProjectList', project) },
});

export const CREATE_PROJECT = operation('createProject', 'POST /v1/organization/projects', {
  tag: 'Organization',
  summary: 'Create a project.',
  access: { permission: 'api.projects.write' },
  body: {
    schema: named(
      'ProjectRequest',
      z.strictObject({ name: nameText, external_key_id: kept, geography: kept, residency: kept }),
    ),
  },
  answer: { description: 'The project.', schema: project },
});

export const RETRIEVE_PROJECT = operation('retrieveProject', 'GET /v1/organization/projects/{project_id}', {
  tag: 'Organization',
  summary: 'Get a project.',
  access: { permission: 'api.projects.read' },
  answer: { description: 'The project.', schema: project },
});

export const UPDATE_PROJECT = operation('updateProject', 'POST /v1/organization/projects/{project_id}', {
  tag: 'Organization',
  summary: 'Change a project.',
  access: { permission: 'api.projects.write' },
  body: {
    schema: named(
      'ProjectUpdate',
      z.strictObject({ name: nameText.nullish(), external_key_id: kept, geography: kept, if_version: ifVersion }),
    ),
  },
  answer: { description: 'The project.', schema: project },
});

export const ARCHIVE_PROJECT = operation('archiveProject', 'POST /v1/organization/projects/{project_id}/archive', {
  tag: 'Organization',
  summary: 'Archive a project permanently. Its keys are revoked.',
  access: { permission: 'api.projects.write', grave: true },
  answer: { description: 'The project.', schema: project },
});

export const PROJECT_OPERATIONS = resource([
  LIST_PROJECTS.handledBy(async ({ administrator, query: { include_archived, ...page } }, parts) => {
    const admin = atWork(parts, administrator);
    const { items, hasMore } = await listProjects(admin, { ...page, includeArchived: include_archived });
    return pageJson({ items: await withCounts(admin, items), hasMore }, projectJson);
  }),
  CREATE_PROJECT.handledBy(async ({ administrator, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { name, external_key_id: externalKeyId = null, geography = null } = body;
    return told(admin, await createProject(admin, { name, externalKeyId, geography }));
  }),
  RETRIEVE_PROJECT.handledBy(async ({ administrator, path }, parts) => {
    const admin = atWork(parts, administrator);
    return told(admin, await findProject(admin, path.project_id));
  }),
  UPDATE_PROJECT.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { name, external_key_id, geography, if_version } = body;
    const edit = {
      ...(name != null && { name }),
      ...(external_key_id !== undefined && { externalKeyId: external_key_id }),
      ...(geography !== undefined && { geography }),
    };
    return told(admin, await updateProject(admin, path.project_id, edit, if_version));
  }),
  ARCHIVE_PROJECT.handledBy(async ({ administrator, path }, parts) => {
    const admin = atWork(parts, administrator);
    return told(admin, await archiveProject(admin, path.project_id));
  }),
]);

async function told(admin: Administration, project: Setting<'project'>) {
  return projectJson((await withCounts(admin, [project]))[0]!);
}

function projectJson({ project: { id, createdAt, version: current, value }, members, groups, keys }: ProjectInFull) {
  return {
    id,
    object: 'organization.project' as const,
    name: value.name,
    created_at: inSeconds(createdAt),
    archived_at: inSecondsOrNull(value.archivedAt),
    status: value.archivedAt === null ? ('active' as const) : ('archived' as const),
    external_key_id: value.externalKeyId,
    geography: value.geography,
    is_default: value.isDefault,
    member_count: members,
    group_count: groups,
    key_count: keys,
    version: current,
  };
}
