import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button, TextLink } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { Time } from '../../../parts/values.tsx';
import { GivenRoles } from './given-roles.tsx';

export type Member = Answer<'retrieveUser'>;

type Props = { member: Member; isSelf: boolean; onClose: () => void };

/** What a member is and may, and the ways to change it. */
export function MemberSheet({ member, isSelf, onClose }: Props) {
  const { may, organization } = useSession();
  const [isRemoving, setRemoving] = useState(false);
  const update = useChange('updateUser', ['listUsers', 'listUserRoles', 'getSession']);
  const path = { user_id: member.id };
  const name = member.name ?? member.email;
  const isOwner = member.role === 'owner';
  const role = isOwner ? 'reader' : 'owner';
  if (isRemoving)
    return <RemoveMember member={member} isSelf={isSelf} onClose={() => setRemoving(false)} onRemoved={onClose} />;
  // Only an owner changes what owners are.
  const isWriter = may('api.members.write') && (!isOwner || organization?.role === 'owner');
  const foot = isWriter && (
    <>
      <Button kind="danger" onClick={() => setRemoving(true)}>
        {isSelf ? 'Leave the organization' : 'Remove member'}
      </Button>
      {organization?.role === 'owner' && (
        <Button
          isBusy={update.isPending}
          onClick={() => update.mutate({ path, body: { role, if_version: member.version } })}
        >
          {isOwner ? 'Make a reader' : 'Make an owner'}
        </Button>
      )}
    </>
  );
  return (
    <Sheet title={name} onClose={onClose} foot={foot}>
      {update.error && <Failure error={update.error} />}
      <Section title="Member">
        <Facts
          facts={[
            ['Name', member.name ?? '—'],
            ['Email', member.email],
            ['Role', isOwner ? 'Owner: may do everything' : 'Reader: may what their roles and projects say'],
            ['Since', <Time key="since" at={member.added_at} />],
            ['Id', <Id key="id" id={member.id} />],
          ]}
        />
      </Section>
      {may('api.roles.read') && <MemberRoles userId={member.id} isOwner={isOwner} />}
      <Section title="Projects">
        {member.projects.data.length === 0 && <p className="text-weak">{isOwner ? 'All, as an owner.' : 'None.'}</p>}
        <ul className="grid text-table">
          {member.projects.data.map((project) => (
            <li key={project.id} className="border-b border-line py-1.5 [overflow-wrap:anywhere]">
              <TextLink to="/settings/projects" search={{ open: project.id }}>
                {project.name}
              </TextLink>{' '}
              <span className="text-weak">as {project.role}</span>
            </li>
          ))}
        </ul>
      </Section>
    </Sheet>
  );
}

function MemberRoles({ userId, isOwner }: { userId: string; isOwner: boolean }) {
  const path = { user_id: userId };
  const given = useWhole('listUserRoles', { path });
  const give = useChange('assignUserRole', ['listUserRoles', 'getSession']);
  const take = useChange('unassignUserRole', ['listUserRoles', 'getSession']);
  return (
    <GivenRoles
      roles={given.items}
      principalId={userId}
      {...(isOwner && { none: 'None are needed: an owner may do everything.' })}
      error={given.error ?? give.error ?? take.error}
      isBusy={give.isPending || take.isPending}
      onGive={(role_id) => give.mutate({ path, body: { role_id } })}
      onTake={(role_id) => take.mutate({ path: { ...path, role_id } })}
    />
  );
}

function RemoveMember({ member, isSelf, onClose, onRemoved }: Props & { onRemoved: () => void }) {
  // Whoever leaves is signed out, and led to where people sign in.
  const remove = useChange('deleteUser', isSelf ? ['getSession'] : ['listUsers', ...KEY_LISTS]);
  const name = member.name ?? member.email;
  return (
    <Confirm
      title={isSelf ? 'Leave the organization?' : `Remove ${name}?`}
      action={isSelf ? 'Leave the organization' : 'Remove member'}
      typed={member.email}
      error={remove.error}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ path: { user_id: member.id } }, { onSuccess: onRemoved })}
    >
      <p>
        {isSelf ? 'You are' : `${name} is`} signed out at once, and the keys that are {isSelf ? 'yours' : 'theirs'} are
        refused. Keys of service accounts and of nobody go on.
      </p>
    </Confirm>
  );
}
