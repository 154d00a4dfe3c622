import { hkdfSync } from 'node:crypto';
import type { Actor, AuditEvent, Audited } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import type { Permission } from '../core/permissions.ts';
import type { Clock, Ids, KeyStore, Storage } from '../core/ports.ts';
import { sortingPart } from '../core/record-id.ts';
import type { ApiKey } from '../core/records.ts';
import type { Secret } from '../core/secret.ts';
import type { Setting, SettingChange, SettingKind, SettingKinds } from '../core/settings.ts';
import type { AuditReader, SettingsStore } from '../core/settings-store.ts';
import type { WebhookStore } from '../core/webhooks.ts';
import type { RandomBytes } from '../keys/format.ts';
import type { KeyParts } from '../keys/keys.ts';
import { tellOfEndedKeys } from './ended-keys.ts';
import { demandMayChange } from './grants.ts';
import { type NotifyParts, notify, type WebhookNews } from './notify.ts';

/** What services of administration work with. */
export type AdminParts = {
  settings: SettingsStore;
  keys: KeyStore;
  audit: AuditReader;
  webhooks: WebhookStore;
  /** The database never has it. */
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

/** Who administers which organization, and what they may. */
export type Administrator = {
  organizationId: string;
  actor: Actor;
  permissions: ReadonlySet<Permission>;
  /** The project that the request names, and what they may there: `permissions`, and what holds in it alone. */
  project?: { id: string; permissions: ReadonlySet<Permission> };
  /** Where they may what was asked for in some projects alone: these. */
  onlyProjects?: ReadonlySet<string>;
  /** Where no permission in particular was asked for: reads what they may in projects beyond `permissions`. */
  inProjects?(): Promise<readonly { id: string; permissions: readonly Permission[] }[]>;
  /** Where it comes from; `null` for a command. */
  request: { id: string; address: string | null } | null;
};

/** An administrator at work: what every service is given. */
export type Administration = AdminParts & { by: Administrator };

/** What a change is called in the audit log, as OpenAI calls it where it has a word, and what is told of it. */
export type ChangeNote = {
  type: string;
  resourceId: string;
  project?: { id: string; name: string } | null;
  details: Readonly<Record<string, unknown>>;
  /** The key that is made along with what the note is of: endpoints are told of it as of any other. */
  firstKey?: Pick<ApiKey, 'id' | 'projectId'> | undefined;
};

/**
 * Does all of the changes or none, and tells the audit log in the same transaction, and then endpoints that want to know. Throws
 * `forbidden` as `demandMayChange` does, and `conflict` where somebody was faster.
 */
export async function change(
  admin: Administration,
  changes: readonly SettingChange[],
  note: ChangeNote,
): Promise<void> {
  await demandMayChange(admin, changes);
  const outcome = await admin.settings.change(admin.by.organizationId, changes, audited(admin, note));
  if (outcome === 'changed') throw changedMeanwhile();
  if (outcome === 'taken') throw new GatewayError('conflict', 'There is one already.');
  const { organizationId } = admin.by;
  const { type, resourceId: id, project, firstKey } = note;
  await tell(admin, { organizationId, type, data: { id, project_id: project?.id ?? null } });
  await kept(tellOfEndedKeys(admin, changes), `the keys that ended with ${type} of ${id}`);
  if (firstKey !== undefined) await tellOfKey(admin, 'api_key.created', { organizationId, ...firstKey });
}

/** Tells endpoints that want to know what was done to a key. */
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

/** What is done is not refused because of a notice that could not be kept. */
function kept(notices: Promise<void>, what: string): Promise<void> {
  return notices.catch((cause: unknown) =>
    process.emitWarning(new Error(`The webhooks for ${what} could not be kept.`, { cause })),
  );
}

/** The entry of the audit log that tells of a change by this administrator. */
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

/** The key of the audit log's chain. It comes of the pepper, so that there is no further secret to keep. */
export function auditKey(pepper: Secret): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', pepper.reveal(), '', 'headgate audit log', 32));
}

/** A new setting, which is kept by `change`. Ids sort by time. */
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

/** The same with some of it changed, as its next version. */
export function changed<Kind extends SettingKind>(
  setting: Setting<Kind>,
  value: Partial<SettingKinds[Kind]>,
): Setting<Kind> {
  return { ...setting, version: setting.version + 1, value: { ...setting.value, ...value } };
}

/** The members that are other than before. */
export function differing<Value extends object>(value: Value, before: Value): Partial<Value> {
  const names = (Object.keys(value) as (keyof Value)[]).filter(
    (name) => JSON.stringify(value[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Partial<Value>;
}

/**
 * What puts it in its place; what is to be kept of it must be all that a reader may see.
 *
 * @param most - how many of its kind what it belongs to may have: of those that are made at one moment, no more are
 */
export function put<Kind extends SettingKind>(setting: Setting<Kind>, most?: number): SettingChange {
  return { put: setting, ...(most !== undefined && { most }) } as SettingChange;
}

export function removed({ kind, id, parentId, version }: Setting<SettingKind>): SettingChange {
  return { remove: { kind, id, parentId, version } };
}

/** What has all of a change left undone where a setting that it builds on was changed or removed meanwhile. */
export function unchanged({ kind, id, parentId, version }: Setting<SettingKind>): SettingChange {
  return { unchanged: { kind, id, parentId, version } };
}

/** The setting of this id, or a `not_found` that says the same of what another organization has. */
export async function found<Kind extends SettingKind>(
  admin: Administration,
  kind: Kind,
  id: string,
  parentId: string | null = null,
): Promise<Setting<Kind>> {
  return (await admin.settings.find(admin.by.organizationId, kind, id, parentId)) ?? noSuch(NAMES[kind] ?? 'setting');
}

/** Throws `conflict` where a caller wants to change another version than there is. */
export function demandVersion({ version }: { version: number }, wanted: number | undefined): void {
  if (wanted !== undefined && wanted !== version) throw changedMeanwhile();
}

/** In the place of a setting that was never set. */
export const UNSET = { version: 0 } as const;

/** What settings are called in errors. */
const NAMES: Partial<Record<SettingKind, string>> = {
  project: 'project',
  service_account: 'service account',
  member: 'user',
  project_member: 'user of this project',
  group: 'group',
  group_member: 'user of this group',
  project_group: 'group of this project',
  role: 'role',
  role_assignment: 'role of theirs',
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
  return new GatewayError('conflict', 'It was changed in the meantime: read it again, and decide anew.');
}

/** A fault of what was asked for, at a field of it. */
export function invalid(param: string, fault: string): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` ${fault}.`, { param });
}
