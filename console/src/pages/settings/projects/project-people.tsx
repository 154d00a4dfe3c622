import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Membership, stateOf } from '../../../parts/membership.tsx';

type Props = { projectId: string; isOver: boolean };

/** Who is in a project; owners of the organization are in all. */
export function ProjectMembers({ projectId, isOver }: Props) {
  const { may } = useSession();
  const path = { project_id: projectId };
  const inProject = useWhole('listProjectUsers', { path });
  const people = useWhole('listUsers', {}, { enabled: may('api.members.write') });
  const add = useChange('addProjectUser', ['listProjectUsers', 'listUsers', 'listProjects']);
  const remove = useChange('removeProjectUser', ['listProjectUsers', 'listUsers', ...KEY_LISTS]);
  return (
    <Membership
      title="Members"
      none="Nobody but the organization’s owners."
      words={{
        ...{ choose: 'Member to put in', add: 'Put in as a member', take: 'Take out' },
        loses:
          'They lose what they may in this project, and their keys in it are revoked for good, unless a group has them in it, too.',
      }}
      isWriter={may('api.members.write') && !isOver}
      members={
        inProject.items?.map(({ id, name, email, role }) => ({
          ...{ id, name: name ?? email },
          about: role === 'owner' ? 'owner: may do everything here' : 'member: makes keys and sees usage here',
        })) ?? null
      }
      others={(people.items ?? [])
        .filter(({ role }) => role !== 'owner')
        .map(({ id, name, email }) => ({ id, name: name ?? email }))}
      state={stateOf(inProject, add, remove)}
      onAdd={(user_id) => add.mutate({ path, body: { user_id, role: 'member' } })}
      onTake={(user_id, done) => remove.mutate({ path: { ...path, user_id } }, { onSuccess: done })}
    />
  );
}

/** Groups whose members are in a project. */
export function ProjectGroups({ projectId, isOver }: Props) {
  const { may } = useSession();
  const path = { project_id: projectId };
  const inProject = useWhole('listProjectGroups', { path });
  const groups = useWhole('listGroups');
  const add = useChange('addProjectGroup', ['listProjectGroups', 'listProjects', 'listGroups']);
  const remove = useChange('removeProjectGroup', ['listProjectGroups', 'listProjects', 'listGroups']);
  return (
    <Membership
      title="Groups"
      none="None."
      words={{
        ...{ choose: 'Group to put in', add: 'Put in as members', take: 'Take out' },
        loses:
          'Whoever is in the project by this group alone loses what they may in it, and their keys in it are revoked for good.',
      }}
      isWriter={may('api.groups.write') && !isOver}
      members={inProject.items?.map(({ group_id: id, group_name: name }) => ({ id, name })) ?? null}
      others={groups.items ?? []}
      state={stateOf(inProject, add, remove)}
      onAdd={(group_id) => add.mutate({ path, body: { group_id, role: 'member' } })}
      onTake={(group_id, done) => remove.mutate({ path: { ...path, group_id } }, { onSuccess: done })}
    />
  );
}
