import { useRead } from './use.ts';

/** Who is signed in, in which organization, and what they may there. For parts that are shown to signed-in people only. */
export function useSession() {
  const { data } = useRead('getSession');
  if (data === undefined) throw new Error('Nobody is signed in.');
  const organization = data.organizations.find(({ id }) => id === data.organization_id) ?? null;
  const may = (permission: string) => data.permissions.includes(permission);
  const mayIn = (projectId: string, permission: string) =>
    may(permission) ||
    data.projects.some(({ id, permissions }) => id === projectId && permissions.includes(permission));
  const maySomewhere = (permission: string) =>
    may(permission) || data.projects.some(({ permissions }) => permissions.includes(permission));
  /** Whether a page is for this person. */
  const maySee = ({ permission, inProjects }: { permission?: string; inProjects?: true }) =>
    permission === undefined || (inProjects ? maySomewhere(permission) : may(permission));
  return { ...data, organization, may, mayIn, maySomewhere, maySee };
}
