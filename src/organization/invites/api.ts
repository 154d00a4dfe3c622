import { z } from 'zod';
import {
  created,
  deletedOf,
  idText,
  inSeconds,
  inSecondsOrNull,
  pageJson,
  pageOf,
  pageQuery,
  personEmail,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, seconds, text } from '../../api/schema.ts';
import { PROJECT_ROLES } from '../../core/settings.ts';
import { memberRole } from '../members/api.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { INVITE_MAIL, mailInvite } from './mail.ts';
import { createInvite, deleteInvite, findInvite, INVITE_DAYS, listInvites, type ShownInvite } from './service.ts';

/** The most projects of an invite. */
const MAX_PROJECTS = 100;
const MAX_GROUPS = 100;

export const projectRole = z.enum(PROJECT_ROLES, `must be one of ${PROJECT_ROLES.join(', ')}`);

const invited = {
  id: text,
  object: z.literal('organization.invite'),
  email: text,
  role: memberRole,
  projects: z.array(z.object({ id: text, role: projectRole })),
  groups: z.array(text).describe('Ids of the groups that the person joins.'),
  status: z
    .enum(['accepted', 'expired', 'pending'])
    .describe('An invite is also `expired` if its sender could no longer send it.'),
  created_at: created,
  expires_at: seconds,
  accepted_at: seconds.nullable(),
};
const invite = named('Invite', z.object(invited));

export const LIST_INVITES = operation('listInvites', 'GET /v1/organization/invites', {
  tag: 'Organization',
  summary: 'List invites, including accepted and expired ones.',
  access: { permission: 'api.members.read' },
  query: pageQuery(),
  answer: { description: 'A page of invites.', schema: pageOf('InviteList', invite) },
});

export const CREATE_INVITE = operation('createInvite', 'POST /v1/organization/invites', {
  client: 'settings.invites.create',
  tag: 'Organization',
  summary: `Invite somebody for ${INVITE_DAYS} days.`,
  description: 'Nobody can invite with more permissions than their own: only an owner invites owners.',
  access: { permission: 'api.members.write', grave: true },
  body: {
    schema: named(
      'InviteRequest',
      z.strictObject({
        email: personEmail,
        role: memberRole,
        projects: z
          .array(z.strictObject({ id: idText, role: projectRole }, 'must be an object'), 'must be a list')
          .max(MAX_PROJECTS, `may have at most ${MAX_PROJECTS}`)
          .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'names a project twice')
          .nullish(),
        groups: z
          .array(idText, 'must be a list')
          .max(MAX_GROUPS, `may have at most ${MAX_GROUPS}`)
          .refine((list) => new Set(list).size === list.length, 'names a group twice')
          .nullish()
          .describe('Ids of groups that the person joins. Not in OpenAI’s API.'),
      }),
    ),
  },
  answer: {
    description: 'The invite with its link.',
    schema: named(
      'InviteCreated',
      z.object({
        ...invited,
        invite_token: text.describe('The secret of the link, shown only here. Whoever has it can accept the invite.'),
        invite_link: text.nullable().describe('The link; `null` if browsers cannot sign in (`server.public_url`).'),
        mail: z.enum(INVITE_MAIL).describe('Whether the link was mailed; `off`: there is no mail server, or no link.'),
      }),
    ),
  },
  errors: ['conflict', 'not_found'],
});

export const RETRIEVE_INVITE = operation('retrieveInvite', 'GET /v1/organization/invites/{invite_id}', {
  tag: 'Organization',
  summary: 'Get an invite.',
  access: { permission: 'api.members.read' },
  answer: { description: 'The invite.', schema: invite },
});

export const DELETE_INVITE = operation('deleteInvite', 'DELETE /v1/organization/invites/{invite_id}', {
  tag: 'Organization',
  summary: 'Withdraw an open invite.',
  access: { permission: 'api.members.write', grave: true },
  answer: { description: 'It was withdrawn.', schema: deletedOf('InviteDeleted', 'organization.invite.deleted') },
  errors: ['conflict'],
});

export const INVITE_OPERATIONS = resource([
  LIST_INVITES.handledBy(async ({ administrator, query }, parts) =>
    pageJson(await listInvites(atWork(parts, administrator), query), json),
  ),
  CREATE_INVITE.handledBy(async ({ administrator, body: { projects, groups, ...wanted } }, parts) => {
    const admin = atWork(parts, administrator);
    const { invite: made, token } = await createInvite(admin, {
      ...wanted,
      projects: projects ?? [],
      groups: groups ?? [],
    });
    const link = parts.site.linkTo(token);
    const mail = await mailInvite(parts.sendMail(), made.value.email, link);
    return { ...json({ id: made.id, invite: made, status: 'pending' }), invite_token: token, invite_link: link, mail };
  }),
  RETRIEVE_INVITE.handledBy(async ({ administrator, path }, parts) =>
    json(await findInvite(atWork(parts, administrator), path.invite_id)),
  ),
  DELETE_INVITE.handledBy(async ({ administrator, path }, parts) => {
    await deleteInvite(atWork(parts, administrator), path.invite_id);
    return { id: path.invite_id, object: 'organization.invite.deleted' as const, deleted: true as const };
  }),
]);

function json({ id, invite: { createdAt, value }, status }: ShownInvite) {
  return {
    id,
    object: 'organization.invite' as const,
    email: value.email,
    role: value.role,
    projects: value.projects,
    groups: [...(value.groups ?? [])],
    status,
    created_at: inSeconds(createdAt),
    expires_at: inSeconds(value.expiresAt),
    accepted_at: inSecondsOrNull(value.acceptedAt),
  };
}
