import { createHmac } from 'node:crypto';
import type { Administrator } from '../../core/administrator.ts';
import { GatewayError } from '../../core/errors.ts';
import type { SignedIn, Visit } from '../../core/people.ts';
import type { Caller, KeyChecker } from '../../core/ports.ts';
import { defaultProjectId } from '../../core/settings.ts';
import { mintKey } from '../../keys/format.ts';
import { MAX_NAME_LENGTH } from '../../keys/keys.ts';
import type { AdminParts } from '../administration.ts';
import { administratorFor, demandPermission } from '../permissions.ts';
import { createProjectKey } from './service.ts';

/** The most revoked keys of a person in a project: each is checked first. */
const MAX_REVOKED = 20;

/** `projectId`: `null` for the organization's default project. */
export type ConsoleCall = { projectId: string | null; visit: Visit };

/**
 * Rejects with `forbidden` if a person may not call models from the console in a project. Returns their permissions
 * there.
 */
export async function demandConsoleCalls(
  admin: Pick<AdminParts, 'settings'>,
  { person, session: { organizationId } }: SignedIn,
  { projectId, visit }: ConsoleCall,
): Promise<{ by: Administrator; project: string }> {
  if (organizationId === null) throw new GatewayError('forbidden', 'You are not a member of any organization.');
  const project = projectId ?? defaultProjectId(organizationId);
  const request = { id: visit.requestId, address: visit.address };
  const member = { organizationId, userId: person.id };
  const by = await administratorFor(admin.settings, member, { projectId: project, request });
  demandPermission(by, 'api.keys.write');
  return { by, project };
}

/**
 * The key for a signed-in person's calls from the console: their own key in the project, whose secret nobody has. It is
 * created with the first call, and again after it was revoked. Like any key of the project, it is subject to the limits
 * of the key, the person and the project.
 *
 * Rejects with `forbidden` if they may not create keys there, and as the check of keys does.
 */
export async function consoleCaller(
  admin: AdminParts,
  checker: KeyChecker,
  { person, session }: SignedIn,
  { projectId, visit }: ConsoleCall,
): Promise<Caller> {
  const { by, project } = await demandConsoleCalls(admin, { person, session }, { projectId, visit });
  const { organizationId } = by;
  const since = (await admin.settings.find(organizationId, 'member', person.id))?.createdAt ?? 0;
  for (let number = 0; ; number += 1) {
    // The secret is derived from the pepper and not stored. Each revoked key has a successor.
    const random = () =>
      createHmac('sha256', admin.pepper.reveal())
        .update(
          JSON.stringify(['console', organizationId, project, person.id, since, ...(number === 0 ? [] : [number])]),
        )
        .digest();
    const secret = mintKey(random);
    try {
      return await checker.check(secret);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.kind === 'revoked_api_key' && number < MAX_REVOKED) continue;
      if (error.kind !== 'invalid_api_key') throw error;
    }
    const name = `Playground of ${person.name ?? person.email}`.slice(0, MAX_NAME_LENGTH);
    const owner = { type: 'user', id: person.id } as const;
    await createProjectKey({ ...admin, by, random }, project, { name, source: 'console', owner }).catch((error) => {
      // A simultaneous call came first.
      if (!(error instanceof GatewayError) || error.kind !== 'conflict') throw error;
    });
    return await checker.check(secret);
  }
}
