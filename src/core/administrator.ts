import type { Actor } from './audit.ts';
import type { Permission } from './permissions.ts';

/** An administrator's organization and permissions. */
export type Administrator = {
  organizationId: string;
  actor: Actor;
  permissions: ReadonlySet<Permission>;
  /** The project of the request and the permissions there: `permissions`, including those that apply only in it. */
  project?: { id: string; permissions: ReadonlySet<Permission> };
  /** The only projects with the requested permission, if it is not organization-wide. */
  onlyProjects?: ReadonlySet<string>;
  /** Reads permissions in projects beyond `permissions`, if no particular one was requested. */
  inProjects?(): Promise<readonly { id: string; permissions: readonly Permission[] }[]>;
  /** The origin of the request; `null` for a command. */
  request: { id: string; address: string | null } | null;
};
