import type { Answer } from '../../../api/call.ts';

export type Entry = Answer<'listAuditLogs'>['data'][number];

/** What can stand in the log. */
export const EVENT_TYPES = [
  ...['created', 'updated', 'deleted'].map((what) => `alias.${what}`),
  ...['created', 'updated', 'rotated', 'deleted'].map((what) => `api_key.${what}`),
  'audit_log.accepted',
  ...['created', 'updated', 'deleted'].map((what) => `budget.${what}`),
  'data_retention.updated',
  ...['created', 'updated', 'deleted', 'user.added', 'user.deleted'].map((what) => `group.${what}`),
  ...['sent', 'accepted', 'deleted'].map((what) => `invite.${what}`),
  'login.failed',
  'login.succeeded',
  'logout.succeeded',
  'organization.updated',
  'owner_link.created',
  ...['created', 'updated', 'ended'].map((what) => `price_override.${what}`),
  ...['created', 'updated', 'deleted'].map((what) => `product.${what}`),
  ...[
    'created',
    'updated',
    'archived',
    'user.added',
    'user.updated',
    'user.deleted',
    'group.added',
    'group.deleted',
  ].map((what) => `project.${what}`),
  ...['updated', 'deleted'].map((what) => `model_permissions.${what}`),
  ...['created', 'updated', 'deleted'].map((what) => `provider.${what}`),
  ...['created', 'updated', 'deleted'].map((what) => `provider_credential.${what}`),
  'provider_credentials.rewrapped',
  'rate_limit.updated',
  ...['created', 'updated', 'deleted', 'assignment.created', 'assignment.deleted'].map((what) => `role.${what}`),
  ...['created', 'updated', 'deleted'].map((what) => `route.${what}`),
  ...['created', 'updated', 'deleted'].map((what) => `service_account.${what}`),
  ...['created', 'updated', 'deleted', 'triggered'].map((what) => `spend_alert.${what}`),
  ...['updated', 'deleted', 'reached'].map((what) => `spend_limit.${what}`),
  ...['updated', 'deleted'].map((what) => `user.${what}`),
  ...['created', 'updated', 'secret_rotated', 'deleted'].map((what) => `webhook_endpoint.${what}`),
];

/** Who it was: a person by their email, or what key it was. */
export function actorOf({ actor }: Entry): string {
  if (actor.type === 'operator') return 'Operator, by a command';
  return actor.session?.user.email ?? `Key ${actor.api_key?.id ?? ''}`;
}

export function addressOf({ actor, request }: Entry): string | null {
  return actor.session?.ip_address ?? request?.ip_address ?? null;
}

/** What is told of it: its member of the name of its type. */
export function detailsOf(entry: Entry): Record<string, unknown> {
  const told = entry[entry.type];
  return typeof told === 'object' && told !== null ? (told as Record<string, unknown>) : {};
}

const NAMES = ['name', 'role_name', 'group_name', 'email'];

/** What was changed: by its name where the entry has it, else by its id. */
export function resourceOf(entry: Entry): string {
  const { id, ...told } = detailsOf(entry);
  for (const each of [told, told.data, told.changes_requested, told.before]) {
    if (typeof each !== 'object' || each === null) continue;
    const found = NAMES.map((name) => (each as Record<string, unknown>)[name]).find((name) => typeof name === 'string');
    if (found !== undefined) return found as string;
  }
  const { project } = entry;
  return project && id === project.id ? project.name : String(id ?? '—');
}
