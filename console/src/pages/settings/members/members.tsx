import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { SearchField } from '../../../parts/field.tsx';
import { counted } from '../../../parts/format.ts';
import { Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { Time } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { Invite } from './invite.tsx';
import { Invites } from './invites.tsx';
import { type Member, MemberSheet } from './member-sheet.tsx';
import { Roles } from './roles.tsx';

/** Who is in the organization, who is invited, and what each may. */
export function Members() {
  const { may } = useSession();
  const [{ view = 'members', invite }, change] = useAddress();
  const isWriter = may('api.members.write');
  const inviteButton = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => change({ invite: 'yes' }, { replace: false })}>
      Invite somebody
    </Button>
  );
  const createRole = may('api.roles.write') && (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Create role
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="Members and roles" actions={view === 'roles' ? createRole : inviteButton}>
        Who signs in here, and what they may do.
      </PageHead>
      <Tabs
        label="Members, invitations and roles"
        name="view"
        chosen={view}
        views={[
          { value: 'members', label: 'Members' },
          { value: 'invites', label: 'Invitations' },
          ...(may('api.roles.read') ? [{ value: 'roles', label: 'Roles' }] : []),
        ]}
      />
      {view === 'invites' ? <Invites /> : view === 'roles' ? <Roles /> : <MemberList />}
      {invite && isWriter && <Invite onClose={() => change({ invite: undefined })} />}
    </SettingsPage>
  );
}

function MemberList() {
  const { person } = useSession();
  const [{ q = '', open }, change] = useAddress();
  const { items, error } = useWhole('listUsers');
  const wanted = q.trim().toLowerCase();
  const shown = items?.filter(({ name, email }) => `${name ?? ''} ${email}`.toLowerCase().includes(wanted)) ?? null;
  const opened = items?.find(({ id }) => id === open);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Search members" value={q} onChange={(each) => change({ q: each })} />
        {shown && <span className="text-small text-faint">{counted(shown.length, 'member')}</span>}
      </div>
      <Table
        label="Members"
        columns={COLUMNS}
        rows={shown}
        error={error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={<Empty title="Nobody is called that">Change the search above.</Empty>}
      />
      {opened && (
        <MemberSheet
          key={opened.id}
          member={opened}
          isSelf={opened.id === person.id}
          onClose={() => change({ open: undefined })}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Member>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name, email }) => (
      <span title={name ?? email} className="block max-w-60 truncate max-md:max-w-48">
        {name ?? email}
      </span>
    ),
  },
  {
    id: 'email',
    title: 'Email',
    isMinor: true,
    cell: ({ email }) => (
      <span title={email} className="block max-w-64 truncate text-weak">
        {email}
      </span>
    ),
  },
  {
    id: 'role',
    title: 'Role',
    cell: ({ role }) => (role === 'owner' ? 'Owner' : <span className="text-weak">Reader</span>),
  },
  {
    id: 'projects',
    title: 'Projects',
    isMinor: true,
    cell: ({ projects: { data }, role }) => {
      const names = role === 'owner' ? 'All' : data.map(({ name }) => name).join(', ');
      return (
        <span title={names} className="block max-w-48 truncate text-weak">
          {names || '—'}
        </span>
      );
    },
  },
  { id: 'added', title: 'Since', isMinor: true, cell: ({ added_at }) => <Time at={added_at} /> },
];
