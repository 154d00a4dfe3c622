import { z } from 'zod';
import { inSeconds, manyOf, pageJson, pageOf, pageQuery, yesOrNo } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, seconds, text, wholeNumber } from '../../api/schema.ts';
import type { Actor, AuditEvent } from '../../core/audit.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { listAuditLogs } from './service.ts';

const actor = z.object({
  type: z.enum(['session', 'api_key', 'operator']).describe('`operator`: the operator, by a command.'),
  session: z.object({ ip_address: text.exactOptional(), user: z.object({ id: text, email: text }) }).exactOptional(),
  api_key: z
    .object({ id: text, type: z.enum(['user', 'service_account']), user: z.object({ id: text }).exactOptional() })
    .exactOptional(),
});

const entry = named(
  'AuditLog',
  z
    .looseObject({
      id: text,
      object: z.literal('organization.audit_log'),
      type: text.describe('The event, such as `project.created`.'),
      effective_at: seconds,
      actor,
      project: z.object({ id: text, name: text }).exactOptional(),
      request: z.object({ id: text, ip_address: text.nullable() }).nullable(),
    })
    .describe('The details are in a member named like its `type`.'),
);

const moment = wholeNumber(0, 8.64e12);

export const LIST_AUDIT_LOGS = operation('listAuditLogs', 'GET /v1/organization/audit_logs', {
  tag: 'Organization',
  summary: 'List changes with their actors, newest first.',
  access: { permission: 'api.audit_logs.read' },
  query: pageQuery().extend({
    effective_at: z
      .object({
        gt: moment.exactOptional(),
        gte: moment.exactOptional(),
        lt: moment.exactOptional(),
        lte: moment.exactOptional(),
      })
      .exactOptional()
      .describe('Unix seconds: `effective_at[gte]=1795000000`.'),
    event_types: manyOf(text).exactOptional(),
    actor_ids: manyOf(text).exactOptional().describe('Ids of people, including what they did by key, or of keys.'),
    actor_emails: manyOf(text)
      .exactOptional()
      .describe('Members by email, including what they did by key; for former members, what they did signed in.'),
    project_ids: manyOf(text).exactOptional(),
    resource_ids: manyOf(text).exactOptional(),
    tenant_only: yesOrNo.exactOptional().describe('There are no tenants: `true` finds nothing.'),
  }),
  answer: { description: 'A page of entries.', schema: pageOf('AuditLogList', entry) },
});

export const AUDIT_OPERATIONS = resource([
  LIST_AUDIT_LOGS.handledBy(async ({ administrator, query }, parts) => {
    const { gt, gte, lt, lte } = query.effective_at ?? {};
    if (query.tenant_only === true) return pageJson({ items: [] as AuditEvent[], hasMore: false }, entryJson);
    const page = await listAuditLogs(atWork(parts, administrator), {
      limit: query.limit,
      after: query.after,
      before: query.before,
      order: query.order,
      types: query.event_types,
      actorIds: query.actor_ids,
      actorEmails: query.actor_emails,
      projectIds: query.project_ids,
      resourceIds: query.resource_ids,
      from: latest(gte, gt === undefined ? undefined : gt + 1),
      until: earliest(lt, lte === undefined ? undefined : lte + 1),
    });
    return pageJson(page, entryJson);
  }),
]);

/** In Unix ms. */
function latest(...moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.max(...known) * 1000;
}

function earliest(...moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known) * 1000;
}

function entryJson({ id, type, at, actor: by, project, resourceId, details, request }: AuditEvent) {
  return {
    id,
    object: 'organization.audit_log' as const,
    type,
    effective_at: inSeconds(at),
    actor: actorJson(by, request?.address ?? null),
    ...(project !== null && { project }),
    request: request === null ? null : { id: request.id, ip_address: request.address },
    [type]: { id: resourceId, ...details },
  };
}

function actorJson(by: Actor, address: string | null) {
  if (by.type === 'operator') return { type: 'operator' as const };
  if (by.type === 'session') {
    const user = { id: by.userId, email: by.email };
    return { type: 'session' as const, session: { ...(address !== null && { ip_address: address }), user } };
  }
  const user = by.userId === null ? {} : { user: { id: by.userId } };
  return { type: 'api_key' as const, api_key: { id: by.keyId, type: 'user' as const, ...user } };
}
