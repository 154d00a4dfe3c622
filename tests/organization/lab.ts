import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import OpenAI from 'openai';
import type { Session } from '../../src/core/people.ts';
import { PERMISSIONS } from '../../src/core/permissions.ts';
import type { MemberRole } from '../../src/core/settings.ts';
import { createIds } from '../../src/http/ids.ts';
import { createKey } from '../../src/keys/keys.ts';
import { loadPepper } from '../../src/keys/pepper.ts';
import type { Administration, AdminParts } from '../../src/organization/administration.ts';
import { acceptInvite, createInvite } from '../../src/organization/invites/service.ts';
import { mintSecret, sha256 } from '../../src/organization/sign-in/secrets.ts';
import { openStorage } from '../../src/store/open.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, type ServeOptions, startHeadgate } from '../support/headgate.ts';
import { documentedFetch } from './documented.ts';

/** A gateway with two organizations, whose people are made as those are who accept an invite. */
export type Company = AsyncDisposable & {
  headgate: Running;
  /** As the operator, beside the gateway. */
  admin(organizationId?: string): Administration;
  /** Makes a member. */
  hire(name: string, role?: MemberRole, organizationId?: string): Promise<Hired>;
  /** The official client with an admin key: of a member, or of nobody. */
  client(by: { userId: string | null; organizationId?: string }): Promise<OpenAI>;
  /** The secret of a key. */
  keyOf(by: { userId: string | null; organizationId?: string; access?: 'administration' | 'models' }): Promise<string>;
  /** The cookie of a browser in which a member has signed in for the first time: recently, for as long as a test may take. */
  cookieOf(member: Pick<Hired, 'id' | 'email'>, organizationId?: string): Promise<string>;
};

/** A member: their id, and the official client with a key of theirs. */
export type Hired = { id: string; email: string; key: string; client: OpenAI };

const HOUR_MS = 3_600_000;

export const [ACME, UMBRELLA] = ['acme', 'umbrella'] as const;

export async function startCompany(options: ServeOptions = {}): Promise<Company> {
  const config = `organizations: { ${ACME}: { name: Acme }, ${UMBRELLA}: { name: Umbrella } }\n${options.config ?? ''}`;
  const headgate = await startHeadgate({ ...options, config });
  const storage = await openStorage({ folder: headgate.data, instanceId: 'instance_test', durability: 'normal' });
  const parts: AdminParts = {
    settings: storage.settings,
    keys: storage.keys,
    audit: storage.audit,
    webhooks: storage.webhooks,
    pepper: loadPepper(headgate.data, null),
    clock: { now: Date.now, monotonic: () => performance.now() },
    ids: createIds(),
    random: randomBytes,
  };
  const documented = await documentedFetch(headgate.url);
  const clientWith = (adminAPIKey: string) =>
    new OpenAI({ baseURL: `${headgate.url}/v1`, adminAPIKey, apiKey: null, maxRetries: 0, fetch: documented });
  const company: Company = {
    headgate,
    admin: (organizationId = ACME) => ({
      ...parts,
      by: { organizationId, actor: { type: 'operator' }, permissions: new Set(PERMISSIONS), request: null },
    }),
    async hire(name, role = 'reader', organizationId = ACME) {
      const email = `${name}@example.com`;
      const { token } = await createInvite(company.admin(organizationId), { email, role, projects: [] });
      const person = { id: `user_${parts.ids.recordId(Date.now())}`, email, name };
      await acceptInvite(parts, token, { person, request: null });
      const key = await company.keyOf({ userId: person.id, organizationId });
      return { id: person.id, email, key, client: clientWith(key) };
    },
    client: async (by) => clientWith(await company.keyOf(by)),
    async keyOf({ userId, organizationId = ACME, access = 'administration' }) {
      const owner = userId === null ? null : { type: 'user' as const, id: userId };
      const { pepper, clock, ids, random } = parts;
      return (
        await createKey(
          { store: storage.keys, pepper, clock, ids, random },
          { organizationId, name: 'test', access, owner },
        )
      ).secret;
    },
    async cookieOf({ id: userId, email }, organizationId = ACME) {
      const now = Date.now();
      const secret = mintSecret(randomBytes);
      const session: Session = {
        id: `sess_${parts.ids.recordId(now)}`,
        userId,
        organizationId,
        way: 'password',
        signedInAt: now + HOUR_MS,
        seenAt: now + HOUR_MS,
        endsAt: now + 2 * HOUR_MS,
        mustRenew: false,
        address: null,
        userAgent: null,
      };
      const times = { createdAt: now, lastSignedInAt: now };
      const changes = [
        { addPerson: { id: userId, email, name: null, passwordHash: null, ...times } },
        { addSession: { session, hash: sha256(secret), replaces: null } },
      ];
      assert.equal(await storage.settings.change(organizationId, changes, null), 'done');
      return `__Host-headgate=${secret}`;
    },
    async [Symbol.asyncDispose]() {
      await storage.close();
      await headgate[Symbol.asyncDispose]();
    },
  };
  return company;
}

/** All of a list, page after page. */
export async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Until calls are answered by a model, which a change of their route brings about within a second. */
export async function untilServedBy(
  model: string,
  call: () => Promise<{ status: number; headers: Headers }>,
): Promise<void> {
  const begun = performance.now();
  for (let served = ''; served !== model; ) {
    const { status, headers } = await call();
    served = headers.get('service-model') ?? '';
    assert.ok(performance.now() - begun < WAIT_MS, `${status} ${served}, not ${model}`);
  }
}
