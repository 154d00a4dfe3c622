import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Session } from '../core/people.ts';
import { PERMISSIONS, type Permission } from '../core/permissions.ts';
import type { ApiKey } from '../core/records.ts';
import { Secret } from '../core/secret.ts';
import type { MemberRole, SettingChange, SettingKind } from '../core/settings.ts';
import { key, NOON, temporaryFolder } from '../store/fixtures.test.ts';
import { openStorage } from '../store/open.ts';
import type { Administration } from './administration.ts';
import { administratorFor } from './permissions.ts';

export const ORGANIZATION = 'org_1';
export const DAY_MS = 86_400_000;

/** An organization to administer, with its own store; the clock stays at `NOON` until a test moves it. */
export async function organizationOf(t: TestContext) {
  const storage = await openStorage({ folder: temporaryFolder(t), instanceId: 'instance_1', durability: 'normal' });
  t.after(() => storage.close());
  await storage.organizations.create({ id: ORGANIZATION, name: 'First', createdAt: NOON });
  const clock = { time: NOON, now: () => clock.time, monotonic: () => clock.time };
  let made = 0;
  const next = () => String(++made).padStart(8, '0');
  /** A command with all permissions of an owner. */
  const admin: Administration = {
    ...storage,
    pepper: new Secret('pepper'),
    clock,
    ids: {
      requestId: () => `req_${next()}`,
      keyId: () => `key_${next()}`,
      recordId: () => `usage_${next()}`,
    } as unknown as Administration['ids'],
    random: (size) => Buffer.alloc(size, ++made % 200),
    by: { organizationId: ORGANIZATION, actor: { type: 'operator' }, permissions: new Set(PERMISSIONS), request: null },
  };
  const keep = async (...changes: SettingChange[]) =>
    assert.equal(await storage.settings.change(ORGANIZATION, changes, null), 'done');
  return {
    storage,
    clock,
    admin,
    keep,
    /** A person with these permissions in the organization and in one project. */
    as: (userId: string, permissions: readonly Permission[], project?: [id: string, ...Permission[]]) => {
      const by = { ...admin.by, actor: { type: 'session', userId, email: `${userId}@example.com` } as const };
      const [id, ...there] = project ?? [];
      const inProject = id === undefined ? {} : { project: { id, permissions: new Set([...permissions, ...there]) } };
      return { ...admin, by: { ...by, permissions: new Set(permissions), ...inProject } };
    },
    /** A member with permissions. */
    asMember: async (userId: string, projectId: string | null = null): Promise<Administration> => {
      const member = { organizationId: ORGANIZATION, userId };
      return { ...admin, by: await administratorFor(storage.settings, member, { projectId, request: null }) };
    },
    /** Wraps the administrator so that another change comes just before the first. */
    after: (...changes: SettingChange[]): Administration => ({
      ...admin,
      settings: {
        ...storage.settings,
        async change(...asked) {
          const first = changes.splice(0);
          if (first.length > 0) await keep(...first);
          return storage.settings.change(...asked);
        },
      },
    }),
    idsOf: async (kind: SettingKind) => (await storage.settings.all(ORGANIZATION, kind)).map(({ id }) => id),
    /** The ids of keys that are not revoked. */
    keysLeft: async (access: ApiKey['access'] = 'models') =>
      (await storage.settings.keys(ORGANIZATION, { access, limit: 100 })).items.map(({ id }) => id),
    /** Sessions that get a new secret at their next request. */
    renewed: async (...userIds: string[]) => {
      const sessions = await Promise.all(userIds.map((id) => storage.people.sessions(id)));
      return sessions.flat().flatMap(({ userId, mustRenew }) => (mustRenew ? [userId] : []));
    },
  };
}

export function setting(
  kind: SettingKind,
  id: string,
  { parentId = null, ...value }: Record<string, unknown> = {},
): SettingChange {
  return { put: { kind, id, parentId, version: 1, createdAt: NOON, value } } as SettingChange;
}

export function project(id: string, changes: object = {}): SettingChange {
  const plain = { name: id, archivedAt: null, isDefault: false, externalKeyId: null, geography: null, models: null };
  return setting('project', id, { ...plain, ...changes });
}

/** A member who is signed in. */
export function member(id: string, role: MemberRole = 'reader'): SettingChange[] {
  const email = `${id}@example.com`;
  const times = { createdAt: NOON, lastSignedInAt: null };
  return [
    setting('member', id, { email, name: null, role }),
    { addPerson: { id, email, name: null, passwordHash: null, ...times } },
    signIn(id, ORGANIZATION),
  ];
}

export function signIn(userId: string, organizationId: string): SettingChange {
  const id = `sess_${userId}_${organizationId}`;
  const times = { signedInAt: NOON, seenAt: NOON, endsAt: NOON + DAY_MS };
  const visit = { address: null, userAgent: null };
  const session: Session = { id, userId, organizationId, way: 'link', mustRenew: false, ...times, ...visit };
  return { addSession: { session, hash: new Uint8Array(Buffer.from(id)), replaces: null } };
}

/** A key of a person in a project. */
export function keyIn(projectId: string, userId: string | null, changes: Partial<ApiKey> = {}): SettingChange {
  const id = `${userId ?? 'nobody'} in ${projectId}`;
  const owner = userId === null ? null : ({ type: 'user', id: userId } as const);
  const made = key({ id, projectId, owner, ...changes });
  return { addKey: { key: made, hash: Buffer.from(made.id) } };
}
