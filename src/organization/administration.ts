import { hkdfSync } from 'node:crypto';
import type { Administrator } from '../core/administrator.ts';
import type { AuditEvent, Audited } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import type { Clock, Ids, KeyStore, Storage } from '../core/ports.ts';
import { sortingPart } from '../core/record-id.ts';
import type { ApiKey } from '../core/records.ts';
import type { Secret } from '../core/secret.ts';
import type { Setting, SettingChange, SettingKind, SettingKinds } from '../core/settings.ts';
import type { AuditReader, SettingsStore } from '../core/settings-store.ts';
import type { WebhookStore } from '../core/webhooks.ts';
import type { RandomBytes } from '../keys/format.ts';
import type { KeyParts } from '../keys/keys.ts';
import { tellOfEndedKeys } from './api-keys/ended-keys.ts';
import { demandMayChange } from './grants.ts';
import { type NotifyParts, notify, type WebhookNews } from './webhooks/notify.ts';

/** What services of administration need. */
export type AdminParts = {
  settings: SettingsStore;
  keys: KeyStore;
  audit: AuditReader;
  webhooks: WebhookStore;
  /** Never stored in the database. */
  pepper: Secret;
  clock: Clock;
  ids: Ids;
  random: RandomBytes;
};

export function adminPartsOf(
  { pepper, clock, ids, random }: KeyParts,
  { settings, keys, audit, webhooks }: Pick<Storage, 'settings' | 'keys' | 'audit' | 'webhooks'>,
): AdminParts {
  return { settings, keys, audit, webhooks, pepper, clock, ids, random };
}

/** The first argument of every service: an administrator with the parts of administration. */
export type Administration = AdminParts & { by: Administrator };

/** The name and details of a change in the audit log, as OpenAI names it where possible. */
export type ChangeNote = {
  type: string;
  resourceId: string;
  project?: { id: string; name: string } | null;
  details: Readonly<Record<string, unknown>>;
  /** A key that is created by the same change; endpoints are notified as for any other key. */
  firstKey?: Pick<ApiKey, 'id' | 'projectId'> | undefined;
};

/**
 * Applies all changes or none, with their audit entries in the same transaction, then notifies endpoints. Throws
 * `forbidden` as `demandMayChange` does, and `conflict` if a concurrent change came first.
 */
export async function change(
  admin: Administration,
  changes: readonly SettingChange[],
  note: ChangeNote,
): Promise<void> {
  await demandMayChange(admin, changes);
  const outcome = await admin.settings.change(admin.by.organizationId, changes, audited(admin, note));
  if (outcome === 'changed') throw changedMeanwhile();
  if (outcome === 'taken') throw new GatewayError('conflict', 'It already exists.');
  const { organizationId } = admin.by;
  const { type, resourceId: id, project, firstKey } = note;
  await tell(admin, { organizationId, type, data: { id, project_id: project?.id ?? null } });
  await kept(tellOfEndedKeys(admin, changes), `the keys that ended with ${type} of ${id}`);
  if (firstKey !== undefined) await tellOfKey(admin, 'api_key.created', { organizationId, ...firstKey });
}

/** Notifies endpoints of a change of a key. */
export function tellOfKey(
  parts: NotifyParts,
  type: `api_key.${string}`,
  { id, organizationId, projectId }: Pick<ApiKey, 'id' | 'organizationId' | 'projectId'>,
): Promise<void> {
  return tell(parts, { organizationId, type, data: { id, project_id: projectId } });
}

function tell(parts: NotifyParts, news: WebhookNews): Promise<void> {
  return kept(notify(parts, news), `${news.type} of ${news.data.id}`);
}

/** A notification that could not be stored does not fail the change. */
function kept(notices: Promise<void>, what: string): Promise<void> {
  return notices.catch((cause: unknown) =>
    process.emitWarning(new Error(`The webhooks for ${what} could not be stored.`, { cause })),
  );
}

/** The audit entry for a change by this administrator. */
export function audited(admin: Administration, { type, resourceId, project = null, details }: ChangeNote): Audited {
  const { by, clock, ids, pepper } = admin;
  const at = clock.now();
  const event: AuditEvent = {
    id: `audit_log-${sortingPart(ids.recordId(at))}`,
    organizationId: by.organizationId,
    type,
    at,
    actor: by.actor,
    project,
    resourceId,
    details,
    request: by.request,
  };
  return { event, key: auditKey(pepper) };
}

/** The key of the audit log's chain, derived from the pepper so that there is no further secret to store. */
export function auditKey(pepper: Secret): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', pepper.reveal(), '', 'headgate audit log', 32));
}

/** A new setting, not stored yet (see `change`). Ids sort by time. */
export function made<Kind extends SettingKind>(
  { clock, ids }: Pick<AdminParts, 'clock' | 'ids'>,
  kind: Kind,
  {
    prefix,
    id,
    parentId = null,
    value,
  }: { prefix?: string; id?: string; parentId?: string | null; value: SettingKinds[Kind] },
): Setting<Kind> {
  const createdAt = clock.now();
  return {
    kind,
    id: id ?? `${prefix}_${sortingPart(ids.recordId(createdAt))}`,
    parentId,
    version: 1,
    createdAt,
    value,
  };
}

/** The next version of a setting with these changes. */
export function changed<Kind extends SettingKind>(
  setting: Setting<Kind>,
  value: Partial<SettingKinds[Kind]>,
): Setting<Kind> {
  return { ...setting, version: setting.version + 1, value: { ...setting.value, ...value } };
}

/** The changed members. */
export function differing<Value extends object>(value: Value, before: Value): Partial<Value> {
  const names = (Object.keys(value) as (keyof Value)[]).filter(
    (name) => JSON.stringify(value[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Partial<Value>;
}

/**
 * The change that creates it. Everything in it must be readable by its readers.
 *
 * @param most - the most settings of its kind with the same parent, also for simultaneous requests
 */
export function put<Kind extends SettingKind>(setting: Setting<Kind>, most?: number): SettingChange {
  return { put: setting, ...(most !== undefined && { most }) } as SettingChange;
}

export function removed({ kind, id, parentId, version }: Setting<SettingKind>): SettingChange {
  return { remove: { kind, id, parentId, version } };
}

/** Makes the whole change fail if a setting that it depends on was changed or removed meanwhile. */
export function unchanged({ kind, id, parentId, version }: Setting<SettingKind>): SettingChange {
  return { unchanged: { kind, id, parentId, version } };
}

/** The setting with this id. Throws the same `not_found` for settings of other organizations. */
export async function found<Kind extends SettingKind>(
  admin: Administration,
  kind: Kind,
  id: string,
  parentId: string | null = null,
): Promise<Setting<Kind>> {
  return (await admin.settings.find(admin.by.organizationId, kind, id, parentId)) ?? noSuch(NAMES[kind] ?? 'setting');
}

/** Throws `conflict` if the requested version is not the present one. */
export function demandVersion({ version }: { version: number }, wanted: number | undefined): void {
  if (wanted !== undefined && wanted !== version) throw changedMeanwhile();
}

/** Stands for a setting that was never set. */
export const UNSET = { version: 0 } as const;

/** The names of settings in errors. */
const NAMES: Partial<Record<SettingKind, string>> = {
  project: 'project',
  service_account: 'service account',
  member: 'user',
  project_member: 'user of this project',
  group: 'group',
  group_member: 'user of this group',
  project_group: 'group of this project',
  role: 'role',
  role_assignment: 'role assignment',
  invite: 'invite',
  spend_limit: 'spend limit',
  spend_alert: 'spend alert',
  webhook_endpoint: 'webhook endpoint',
  budget: 'budget',
  route: 'route',
  route_version: 'version of this route',
  provider: 'provider',
  product: 'product',
  price_override: 'price override',
  alias: 'alias',
};

export function noSuch(what: string): never {
  throw new GatewayError('not_found', `There is no ${what} with this id.`);
}

function changedMeanwhile(): GatewayError {
  return new GatewayError('conflict', 'It was changed by another request. Read it again before you change it.');
}

/** A fault at a field of the request. */
export function invalid(param: string, fault: string): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` ${fault}.`, { param });
}
