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
import { Time } from '../../../parts/values.tsx';
import { GivenRoles } from './given-roles.tsx';

export type Member = Answer<'retrieveUser'>;

type Props = { member: Member; isSelf: boolean; onClose: () => void };

/** What a member is and may, and the ways to change it. */
export function MemberSheet({ member, isSelf, onClose }: Props) {
  const { may, organization } = useSession();
  const [does, setDoes] = useState<'role' | 'remove' | null>(null);
  const isOwner = member.role === 'owner';
  const back = () => setDoes(null);
  if (does === 'role') return <ChangeRole member={member} isSelf={isSelf} onClose={back} />;
  if (does === 'remove') return <RemoveMember member={member} isSelf={isSelf} onClose={back} onRemoved={onClose} />;
  // Only an owner changes what owners are.
  const isWriter = may('api.members.write') && (!isOwner || organization?.role === 'owner');
  const foot = isWriter && (
    <>
      <Button kind="danger" onClick={() => setDoes('remove')}>
        {isSelf ? 'Leave the organization' : 'Remove member'}
      </Button>
      {organization?.role === 'owner' && (
        <Button onClick={() => setDoes('role')}>{isOwner ? 'Make a reader' : 'Make an owner'}</Button>
      )}
    </>
  );
  return (
    <Sheet title={nameOf(member)} onClose={onClose} foot={foot}>
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

/** Makes an owner of a reader, or the other way round. */
function ChangeRole({ member, isSelf, onClose }: Props) {
  const update = useChange('updateUser', ['listUsers', 'listUserRoles', 'getSession']);
  const name = nameOf(member);
  const isOwner = member.role === 'owner';
  const body = { role: isOwner ? 'reader' : 'owner', if_version: member.version } as const;
  const whom = isSelf ? 'yourself' : name;
  return (
    <Confirm
      title={isOwner ? `Make ${whom} a reader?` : `Make ${whom} an owner?`}
      action={isOwner ? 'Make a reader' : 'Make an owner'}
      error={update.error}
      isBusy={update.isPending}
      onClose={onClose}
      onConfirm={() => update.mutate({ path: { user_id: member.id }, body }, { onSuccess: onClose })}
    >
      {isOwner ? (
        <p>
          {isSelf ? 'You' : name} may from then on do only what {isSelf ? 'your' : 'their'} roles and projects say.
          {isSelf && ' Another owner has to make you an owner again.'}
        </p>
      ) : (
        <p>{name} may from then on do everything in this organization, also remove its other owners.</p>
      )}
    </Confirm>
  );
}

function RemoveMember({ member, isSelf, onClose, onRemoved }: Props & { onRemoved: () => void }) {
  const remove = useChange('deleteUser', isSelf ? [] : ['listUsers', ...KEY_LISTS]);
  // Whoever leaves is signed out, and led to where people sign in.
  const done = isSelf ? () => window.location.assign('/') : onRemoved;
  const name = nameOf(member);
  return (
    <Confirm
      title={isSelf ? 'Leave the organization?' : `Remove ${name}?`}
      action={isSelf ? 'Leave the organization' : 'Remove member'}
      typed={member.email}
      error={remove.error}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ path: { user_id: member.id } }, { onSuccess: done })}
    >
      <p>
        {isSelf ? 'You are' : `${name} is`} signed out at once, and the keys that are {isSelf ? 'yours' : 'theirs'} are
        refused. Keys of service accounts and of nobody go on.
      </p>
    </Confirm>
  );
}

function nameOf({ name, email }: Member): string {
  return name ?? email;
}
