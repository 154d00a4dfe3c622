import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button, TextLink } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Membership, stateOf } from '../../../parts/membership.tsx';
import { NameDialog } from '../../../parts/name-dialog.tsx';
import { GivenRoles } from '../members/given-roles.tsx';

type Group = Answer<'retrieveGroup'>;
type Props = { group: Group; onClose: () => void };

/** Who is in a group, and what it may. */
export function GroupSheet({ group, onClose }: Props) {
  const { may } = useSession();
  const [does, setDoes] = useState<'rename' | 'delete' | null>(null);
  const rename = useChange('updateGroup', ['listGroups']);
  const remove = useChange('deleteGroup', ['listGroups']);
  const path = { group_id: group.id };
  const done = () => setDoes(null);
  if (does === 'rename') {
    return (
      <NameDialog
        title={`Rename ${group.name}`}
        action="Rename group"
        name={group.name}
        error={rename.error}
        isBusy={rename.isPending}
        onClose={done}
        onSave={(name) => rename.mutate({ path, body: { name, if_version: group.version } }, { onSuccess: done })}
      />
    );
  }
  if (does === 'delete') {
    return (
      <Confirm
        title={`Delete ${group.name}?`}
        action="Delete group"
        error={remove.error}
        isBusy={remove.isPending}
        onClose={done}
        onConfirm={() => remove.mutate({ path }, { onSuccess: onClose })}
      >
        <p>Those who are in it stay members, and lose at once what they had by it.</p>
      </Confirm>
    );
  }
  const foot = may('api.groups.write') && (
    <>
      <Button kind="danger" onClick={() => setDoes('delete')}>
        Delete group
      </Button>
      <Button onClick={() => setDoes('rename')}>Rename group</Button>
    </>
  );
  return (
    <Sheet title={group.name} onClose={onClose} foot={foot}>
      <GroupMembers groupId={group.id} />
      {may('api.roles.read') && <GroupRoles groupId={group.id} />}
      <Section title="Projects">
        {group.projects.data.length === 0 && (
          <p className="text-table text-weak">None. A group is put into a project at the project.</p>
        )}
        <ul className="grid text-table">
          {group.projects.data.map(({ id, name }) => (
            <li key={id} className="border-b border-line py-1.5 [overflow-wrap:anywhere]">
              <TextLink to="/settings/projects" search={{ open: id }}>
                {name}
              </TextLink>
            </li>
          ))}
        </ul>
      </Section>
    </Sheet>
  );
}

function GroupMembers({ groupId }: { groupId: string }) {
  const { may } = useSession();
  const path = { group_id: groupId };
  const inGroup = useWhole('listGroupUsers', { path });
  const people = useWhole('listUsers', {}, { enabled: may('api.members.read') });
  const add = useChange('addGroupUser', ['listGroupUsers', 'listGroups']);
  const remove = useChange('removeGroupUser', ['listGroupUsers', 'listGroups']);
  return (
    <Membership
      title="Members"
      none="Nobody yet."
      words={{
        ...{ choose: 'Member to put in', add: 'Put in', take: 'Take out' },
        loses:
          'They lose what they had by this group, and their keys in projects that they were in by it alone are revoked for good.',
      }}
      isWriter={may('api.groups.write')}
      members={
        inGroup.items?.map(({ id, name, email }) => ({
          ...{ id, name: name || email },
          ...(name && { about: email }),
        })) ?? null
      }
      others={(people.items ?? []).map(({ id, name, email }) => ({ id, name: name ?? email }))}
      state={stateOf(inGroup, add, remove)}
      onAdd={(user_id) => add.mutate({ path, body: { user_id } })}
      onTake={(user_id, done) => remove.mutate({ path: { ...path, user_id } }, { onSuccess: done })}
    />
  );
}

function GroupRoles({ groupId }: { groupId: string }) {
  const path = { group_id: groupId };
  const given = useWhole('listGroupRoles', { path });
  const give = useChange('assignGroupRole', ['listGroupRoles', 'listGroups', 'listUserRoles', 'getSession']);
  const take = useChange('unassignGroupRole', ['listGroupRoles', 'listGroups', 'listUserRoles', 'getSession']);
  return (
    <GivenRoles
      roles={given.items}
      principalId={groupId}
      error={given.error ?? give.error ?? take.error}
      isBusy={give.isPending || take.isPending}
      onGive={(role_id) => give.mutate({ path, body: { role_id } })}
      onTake={(role_id) => take.mutate({ path: { ...path, role_id } })}
    />
  );
}
