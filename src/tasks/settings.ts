import type { AuditEvent, AuditQuery, AuditVerdict } from '../core/audit.ts';
import type { NanoDollars } from '../core/money.ts';
import type { ApiKey } from '../core/records.ts';
import type { Page, PageQuery, Setting } from '../core/settings.ts';
import { auditKey, change } from '../organization/administration.ts';
import { deleteSpendLimit, type SpendOwner, setSpendLimit } from '../organization/alerts/service.ts';
import { createAdminKey, deleteAdminKey, listAdminKeys } from '../organization/api-keys/service.ts';
import { listAuditLogs } from '../organization/audit/service.ts';
import { spentOfMonth } from '../organization/limits/use.ts';
import { archiveProject, createProject, listProjects, updateProject } from '../organization/projects/service.ts';
import type { NewSecret } from '../organization/service-accounts/service.ts';
import { operatorAtWork } from './administration.ts';
import type { Task } from './task.ts';

/** `organizationId`: `null` for the first. */
export type InOrganization<Input = unknown> = { organizationId: string | null } & Input;

/** The page size of lists that commands read. */
const AT_ONCE = 100;

/** All pages of a list. */
export async function wholeList<Item extends { id: string }>(
  read: (query: PageQuery) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const { items: more, hasMore } = await read({ limit: AT_ONCE, after: items.at(-1)?.id });
    items.push(...more);
    if (!hasMore) return items;
  }
}

export const listProjectsTask: Task<InOrganization<{ archived: boolean }>, Setting<'project'>[]> = {
  name: 'projects.list',
  ofNothing: () => [],
  async run(services, { organizationId, archived }) {
    const admin = await operatorAtWork(services, organizationId);
    return wholeList((page) => listProjects(admin, { ...page, includeArchived: archived }));
  },
};

export const createProjectTask: Task<InOrganization<{ projectName: string }>, Setting<'project'>> = {
  name: 'projects.create',
  run: async (services, { organizationId, projectName }) =>
    createProject(await operatorAtWork(services, organizationId), { name: projectName }),
};

export const renameProjectTask: Task<InOrganization<{ id: string; projectName: string }>, Setting<'project'>> = {
  name: 'projects.rename',
  run: async (services, { organizationId, id, projectName }) =>
    updateProject(await operatorAtWork(services, organizationId), id, { name: projectName }),
};

export const archiveProjectTask: Task<InOrganization<{ id: string }>, Setting<'project'>> = {
  name: 'projects.archive',
  run: async (services, { organizationId, id }) => archiveProject(await operatorAtWork(services, organizationId), id),
};

export const listAdminKeysTask: Task<InOrganization, ApiKey[]> = {
  name: 'admin-keys.list',
  ofNothing: () => [],
  async run(services, { organizationId }) {
    const admin = await operatorAtWork(services, organizationId);
    return wholeList((page) => listAdminKeys(admin, page));
  },
};

export const createAdminKeyTask: Task<InOrganization<{ keyName: string; expiresAt: number | null }>, NewSecret> = {
  name: 'admin-keys.create',
  run: async (services, { organizationId, keyName: name, expiresAt }) =>
    createAdminKey(await operatorAtWork(services, organizationId), { name, expiresAt }),
};

export const revokeAdminKeyTask: Task<InOrganization<{ id: string }>, null> = {
  name: 'admin-keys.revoke',
  async run(services, { organizationId, id }) {
    await deleteAdminKey(await operatorAtWork(services, organizationId), id);
    return null;
  },
};

/** Spend limits of the UTC month, of the organization (`projectId` is `null`) and of each project that has one. */
/** A monthly limit (UTC), what was spent this month, and its next reset (Unix ms). */
export type KeptSpendLimit = {
  projectId: SpendOwner;
  projectName: string | null;
  cents: number;
  spent: NanoDollars;
  endsAt: number;
};

export const listSpendLimitsTask: Task<InOrganization, KeptSpendLimit[]> = {
  name: 'budgets.list',
  ofNothing: () => [],
  async run(services, { organizationId }) {
    const admin = await operatorAtWork(services, organizationId);
    const { settings, by } = admin;
    const limits = await settings.all(by.organizationId, 'spend_limit');
    const { spent, endsAt } = await spentOfMonth(admin, limits, services.storage.thresholds);
    const projects = new Map(
      (await settings.all(by.organizationId, 'project')).map(({ id, value }) => [id, value.name]),
    );
    return limits.map(({ parentId, value }, index) => ({
      projectId: parentId,
      projectName: parentId === null ? null : (projects.get(parentId) ?? null),
      cents: value.cents,
      spent: spent[index]!,
      endsAt,
    }));
  },
};

/** `cents` is `null` to remove the limit. */
export const setSpendLimitTask: Task<InOrganization<{ projectId: SpendOwner; cents: number | null }>, null> = {
  name: 'budgets.set',
  async run(services, { organizationId, projectId, cents }) {
    const admin = await operatorAtWork(services, organizationId);
    if (cents === null) await deleteSpendLimit(admin, projectId);
    else await setSpendLimit(admin, projectId, { cents });
    return null;
  },
};

export const listAuditTask: Task<InOrganization<{ query: AuditQuery }>, Page<AuditEvent>> = {
  name: 'audit.list',
  ofNothing: () => ({ items: [], hasMore: false }),
  run: async (services, { organizationId, query }) =>
    listAuditLogs(await operatorAtWork(services, organizationId), query),
};

/**
 * Verifies the log of all organizations. With `accept`, a log with an unbroken chain counts as complete from now on,
 * and the first organization's log records this.
 */
export const verifyAuditTask: Task<{ accept: boolean }, AuditVerdict> = {
  name: 'audit.verify',
  ofNothing: () => ({ entries: 0, fault: null }),
  async run(services, { accept }) {
    const { audit } = services.storage;
    const key = auditKey((await services.keyParts()).pepper);
    if (!accept) return audit.verify(key);
    const verdict = await audit.accept(key);
    if (verdict.fault !== null) return verdict;
    const admin = await operatorAtWork(services, null);
    await change(admin, [], { type: 'audit_log.accepted', resourceId: admin.by.organizationId, details: {} });
    return verdict;
  },
};
