import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { Membership } from '../../../parts/membership.tsx';

type GivenRole = Answer<'listUserRoles'>['data'][number];

type Props = {
  /** What was given; `null`: not read yet. */
  roles: readonly GivenRole[] | null;
  error: Error | null;
  isBusy: boolean;
  /** To whom a role is given itself, and not by a group. */
  principalId: string;
  /** Said where none was given. */
  none?: string;
  onGive: (roleId: string) => void;
  onTake: (roleId: string) => void;
};

/** What an owner is; it is not given as other roles are. */
const OWNER_ROLE = 'role_owner';

/** The roles that a person or a group has, and a way to give and take them. */
export function GivenRoles({ roles, error, isBusy, principalId, none = 'None.', onGive, onTake }: Props) {
  const { may } = useSession();
  const all = useWhole('listRoles', { query: { limit: 1000 } }, { enabled: may('api.roles.read') });
  return (
    <Membership
      title="Roles"
      none={none}
      words={{ choose: 'Role to give', add: 'Give role', take: 'Take', takeNamed: 'Take the role' }}
      isWriter={may('api.roles.write')}
      members={
        roles?.map(({ id, name, description, assignment_sources: sources }) => {
          const isOwn = sources.some(({ principal_id }) => principal_id === principalId);
          return {
            ...{ id, name, about: `${description ?? ''}${isOwn ? '' : ' By a group.'}` },
            isFixed: !isOwn || id === OWNER_ROLE,
          };
        }) ?? null
      }
      // Nobody gives what they may not do themselves.
      others={(all.items ?? []).filter(({ id, permissions }) => id !== OWNER_ROLE && permissions.every(may))}
      state={{ error, isBusy }}
      onAdd={onGive}
      onTake={onTake}
    />
  );
}
