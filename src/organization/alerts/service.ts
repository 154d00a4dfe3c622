import { GatewayError } from '../../core/errors.ts';
import { NANO_PER_CENT, type NanoDollars } from '../../core/money.ts';
import { nameFault } from '../../core/printable-text.ts';
import type { MoneyLimit, Page, PageQuery, Setting, SettingKinds } from '../../core/settings.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  invalid,
  made,
  noSuch,
  put,
  removed,
  UNSET,
} from '../administration.ts';
import { findProject, nameOf, openProject } from '../projects/service.ts';

/** Each organization and project has at most one. */
const LIMIT_ID = 'spend_limit';

/** The project, or the organization itself (`null`). */
export type SpendOwner = string | null;

export type SpendAlert = SettingKinds['spend_alert'];

export function amountOf({ cents }: MoneyLimit): NanoDollars {
  return BigInt(cents) * NANO_PER_CENT;
}

async function projectOf(admin: Administration, owner: SpendOwner) {
  return owner === null ? null : nameOf(await findProject(admin, owner));
}

export async function findSpendLimit(admin: Administration, owner: SpendOwner): Promise<Setting<'spend_limit'>> {
  await projectOf(admin, owner);
  return (await keptLimit(admin, owner)) ?? noLimit();
}

/** A limit is identified by its owner and has no id of its own. */
function noLimit(): never {
  throw new GatewayError('not_found', 'No spend limit is set here.');
}

function keptLimit({ settings, by }: Administration, owner: SpendOwner): Promise<Setting<'spend_limit'> | null> {
  return settings.find(by.organizationId, 'spend_limit', LIMIT_ID, owner);
}

/** The limits of the organization and its projects. */
export function allSpendLimits({ settings, by }: Administration): Promise<Setting<'spend_limit'>[]> {
  return settings.all(by.organizationId, 'spend_limit');
}

/** Sets the spend limit of a UTC month. */
export async function setSpendLimit(
  admin: Administration,
  owner: SpendOwner,
  { cents }: MoneyLimit,
  ifVersion?: number,
): Promise<Setting<'spend_limit'>> {
  const project = owner === null ? null : nameOf(await openProject(admin, owner));
  const before = await keptLimit(admin, owner);
  demandVersion(before ?? UNSET, ifVersion);
  const value = { cents, isEnforced: true };
  const next =
    before === null ? made(admin, 'spend_limit', { id: LIMIT_ID, parentId: owner, value }) : changed(before, value);
  await change(admin, [put(next)], {
    type: 'spend_limit.updated',
    resourceId: owner ?? admin.by.organizationId,
    project,
    details: { changes_requested: { threshold_amount: cents }, before: before?.value ?? null },
  });
  return next;
}

export async function deleteSpendLimit(admin: Administration, owner: SpendOwner): Promise<void> {
  const project = await projectOf(admin, owner);
  const before = (await keptLimit(admin, owner)) ?? noLimit();
  await change(admin, [removed(before)], {
    type: 'spend_limit.deleted',
    resourceId: owner ?? admin.by.organizationId,
    project,
    details: { before: before.value },
  });
}

export async function listSpendAlerts(
  admin: Administration,
  owner: SpendOwner,
  query: PageQuery,
): Promise<Page<Setting<'spend_alert'>>> {
  await projectOf(admin, owner);
  return admin.settings.list(admin.by.organizationId, 'spend_alert', { ...query, parentId: owner });
}

export async function findSpendAlert(
  admin: Administration,
  owner: SpendOwner,
  id: string,
): Promise<Setting<'spend_alert'>> {
  await projectOf(admin, owner);
  return (await admin.settings.find(admin.by.organizationId, 'spend_alert', id, owner)) ?? noSuch('spend alert');
}

export async function createSpendAlert(
  admin: Administration,
  owner: SpendOwner,
  value: SpendAlert,
): Promise<Setting<'spend_alert'>> {
  const project = owner === null ? null : nameOf(await openProject(admin, owner));
  demandPrefix(value.subjectPrefix);
  const alert = made(admin, 'spend_alert', { prefix: 'alert', parentId: owner, value });
  await change(admin, [put(alert)], {
    type: 'spend_alert.created',
    resourceId: alert.id,
    project,
    details: { data: value },
  });
  return alert;
}

export async function updateSpendAlert(
  admin: Administration,
  { owner, id, ifVersion }: { owner: SpendOwner; id: string; ifVersion?: number | undefined },
  value: SpendAlert,
): Promise<Setting<'spend_alert'>> {
  const project = owner === null ? null : nameOf(await openProject(admin, owner));
  const before = await findSpendAlert(admin, owner, id);
  demandVersion(before, ifVersion);
  if (value.subjectPrefix !== before.value.subjectPrefix) demandPrefix(value.subjectPrefix);
  const next = changed(before, value);
  await change(admin, [put(next)], {
    type: 'spend_alert.updated',
    resourceId: id,
    project,
    details: { changes_requested: value, before: before.value },
  });
  return next;
}

/** The subject of mail. A stored one is sent again with every change. */
function demandPrefix(prefix: string | null): void {
  const fault = prefix === null ? null : nameFault(prefix);
  if (fault !== null) throw invalid('notification_channel.subject_prefix', fault);
}

export async function deleteSpendAlert(admin: Administration, owner: SpendOwner, id: string): Promise<void> {
  const project = await projectOf(admin, owner);
  const before = await findSpendAlert(admin, owner, id);
  await change(admin, [removed(before)], {
    type: 'spend_alert.deleted',
    resourceId: id,
    project,
    details: { before: before.value },
  });
}
