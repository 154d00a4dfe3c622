import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useList } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Badge, Empty } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Time } from '../../../parts/values.tsx';

type InviteOf = Answer<'retrieveInvite'>;
const STATES = {
  pending: { tone: 'plain', label: 'Waiting' },
  accepted: { tone: 'good', label: 'Accepted' },
  expired: { tone: 'plain', label: 'Ended' },
} as const;

/** Those who were invited, newest first. */
export function Invites() {
  const { may } = useSession();
  const [withdraws, setWithdraws] = useState<InviteOf | null>(null);
  const invites = useList('listInvites', { query: { limit: 50, order: 'desc' } });
  const withdraw = useChange('deleteInvite', ['listInvites']);
  const columns: Column<InviteOf>[] = [
    {
      id: 'email',
      title: 'Email',
      cell: ({ email }) => (
        <span title={email} className="block max-w-72 truncate max-md:max-w-32">
          {email}
        </span>
      ),
    },
    {
      id: 'state',
      title: 'State',
      cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>,
    },
    { id: 'role', title: 'As', isMinor: true, cell: ({ role }) => (role === 'owner' ? 'Owner' : 'Reader') },
    { id: 'made', title: 'Invited', isMinor: true, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'ends',
      title: 'Ends',
      isMinor: true,
      cell: ({ status, expires_at }) => (status === 'accepted' ? '—' : <Time at={expires_at} />),
    },
    {
      id: 'do',
      title: 'Action',
      cell: (invite) =>
        may('api.members.write') &&
        invite.status !== 'accepted' && (
          <Button kind="quiet" isSmall onClick={() => setWithdraws(invite)}>
            Withdraw
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table
        label="Invitations"
        columns={columns}
        rows={invites.items}
        error={invites.error}
        rowId={({ id }) => id}
        more={invites}
        empty={
          <Empty title="Nobody is invited" icon="person">
            An invitation is a link that you send: whoever opens it says who they are, and is in.
          </Empty>
        }
      />
      {withdraws && (
        <Confirm
          title="Withdraw the invitation?"
          action="Withdraw invitation"
          error={withdraw.error}
          isBusy={withdraw.isPending}
          onClose={() => setWithdraws(null)}
          onConfirm={() =>
            withdraw.mutate({ path: { invite_id: withdraws.id } }, { onSuccess: () => setWithdraws(null) })
          }
        >
          <p>The link that was made for {withdraws.email} opens nothing from then on.</p>
        </Confirm>
      )}
    </>
  );
}
