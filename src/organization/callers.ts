import type { FindCaller } from '../api/operation.ts';
import type { Administrator } from '../core/administrator.ts';
import { userIdOf } from '../core/audit.ts';
import { GatewayError } from '../core/errors.ts';
import type { SignedIn } from '../core/people.ts';
import type { Permission } from '../core/permissions.ts';
import type { Caller, OrganizationStore } from '../core/ports.ts';
import { NO_KEY, narrowerScope } from '../core/records.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { clientAddress, type Site } from '../http/browser.ts';
import { unknownPath } from '../http/unknown-path.ts';
import { isInFirstOrganization } from './organizations.ts';
import {
  administratorByKey,
  administratorFor,
  demandPermission,
  type OrganizationMember,
  type PermissionSource,
  permissionsInProjects,
  usageReach,
} from './permissions.ts';

/** What callers are found with. */
export type CallerParts = {
  settings: PermissionSource;
  organizations: Pick<OrganizationStore, 'list'>;
  site: Site;
};

/** Finds callers on a network by their keys, or by the memberships of signed-in people. */
export function callerFinder(parts: CallerParts): FindCaller {
  return async (asked, access) => {
    if (access === 'operator' || access === 'storeless') throw unknownPath([], asked.method, asked.url);
    const { caller } = asked.context;
    if (typeof access !== 'object') return { administrator: null, caller };
    if ('people' in access) return { administrator: null, caller: await callerOf(parts, asked, access) };
    if (!('permission' in access)) return { administrator: null, caller };
    const administrator = await administratorOf(parts, asked, access);
    const signedIn = asked.browser?.signedIn ?? null;
    return { administrator, caller: signedIn === null ? caller : await personAsCaller(parts, administrator, signedIn) };
  };
}

async function callerOf(
  parts: CallerParts,
  asked: ApiRequest,
  { people: permission, somewhere }: { people: Permission; somewhere?: true },
): Promise<Caller> {
  const { context, browser, raw } = asked;
  const { settings, site } = parts;
  const request = { id: context.requestId, address: raw && clientAddress(raw, site) };
  if (!browser?.signedIn) return callerByKey(settings, context.caller!, { permission, somewhere, request });
  const member = memberOf(browser.signedIn);
  const by = await administratorFor(settings, member, { projectId: null, request });
  await permitted({ settings, member, by }, { permission, somewhere });
  return personAsCaller(parts, by, browser.signedIn);
}

/**
 * A person's key may do no more than the person may now: a model key reads no more usage than the person, and no more
 * than its scope.
 */
async function callerByKey(
  settings: PermissionSource,
  caller: Caller,
  { request, ...access }: { permission: Permission; somewhere?: true | undefined; request: Administrator['request'] },
): Promise<Caller> {
  const { key, organization } = caller;
  if (key.owner?.type !== 'user') return caller;
  const administers = key.access === 'administration';
  if (!administers && (access.permission !== 'api.usage.read' || key.usage === 'own')) return caller;
  const member = { organizationId: organization.id, userId: key.owner.id };
  const by = await administratorFor(settings, member, { projectId: key.projectId, request });
  if (administers) await permitted({ settings, member, by }, access);
  return { ...caller, key: { ...key, usage: narrowerScope(key.usage, usageReach(by, key.projectId)) } };
}

/**
 * Whoever may read the settings of the first organization sees targets of routes and vendor costs, because that
 * organization is the operator's.
 */
async function personAsCaller(
  { organizations }: CallerParts,
  by: Administrator,
  { person }: SignedIn,
): Promise<Caller> {
  const { id, email: name, createdAt } = person;
  const { organizationId } = by;
  const admin = by.permissions.has('api.settings.read') && (await isInFirstOrganization({ organizations, by }));
  return {
    organization: { id: organizationId, name: '', createdAt: 0 },
    key: {
      ...NO_KEY,
      id,
      organizationId,
      name,
      createdAt,
      owner: { type: 'user', id },
      admin,
      usage: usageReach(by, null),
    },
  };
}

async function administratorOf(
  { settings, site }: CallerParts,
  asked: ApiRequest,
  access: { permission: Permission | null; somewhere?: true },
): Promise<Administrator> {
  const { context, browser, raw } = asked;
  const { project_id: projectId = null } = asked.params as { project_id?: string };
  const request = { id: context.requestId, address: raw && clientAddress(raw, site) };
  if (browser?.signedIn) {
    const member = memberOf(browser.signedIn);
    const by = await administratorFor(settings, member, { projectId, request });
    return permitted({ settings, member, by }, access);
  }
  const { key } = context.caller!;
  const by = await administratorByKey(settings, key, { projectId, request });
  const userId = userIdOf(by.actor);
  if (userId !== null)
    return permitted({ settings, member: { organizationId: by.organizationId, userId }, by }, access);
  if (access.permission !== null) demandPermission(by, access.permission);
  return by;
}

type Permitting = { settings: PermissionSource; member: OrganizationMember; by: Administrator };

/** Rejects with `forbidden` if a member has the permission neither there nor, if that is enough, in any project. */
async function permitted(
  { settings, member, by }: Permitting,
  { permission, somewhere }: { permission: Permission | null; somewhere?: true | undefined },
): Promise<Administrator> {
  if (permission === null) {
    let read: ReturnType<typeof permissionsInProjects> | null = null;
    return {
      ...by,
      inProjects() {
        read ??= permissionsInProjects(settings, member);
        return read;
      },
    };
  }
  if (somewhere && !by.permissions.has(permission)) {
    const there = await permissionsInProjects(settings, member);
    const ids = there.filter(({ permissions }) => permissions.includes(permission)).map(({ id }) => id);
    if (ids.length > 0) return { ...by, onlyProjects: new Set(ids) };
  }
  demandPermission(by, permission);
  return by;
}

function memberOf({ person, session }: SignedIn): { organizationId: string; userId: string } {
  if (session.organizationId === null)
    throw new GatewayError('forbidden', 'You are not a member of any organization. Ask for an invitation.');
  return { organizationId: session.organizationId, userId: person.id };
}
