import { useRead } from './use.ts';

/** Who is signed in, in which organization, and what they may there. For parts that are shown to signed-in people only. */
export function useSession() {
  const { data } = useRead('getSession');
  if (data === undefined) throw new Error('Nobody is signed in.');
  const organization = data.organizations.find(({ id }) => id === data.organization_id) ?? null;
  return { ...data, organization, may: (permission: string) => data.permissions.includes(permission) };
}
