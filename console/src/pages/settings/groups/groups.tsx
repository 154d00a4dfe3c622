import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { exact } from '../../../parts/format.ts';
import { NameDialog } from '../../../parts/name-dialog.tsx';
import { Empty, PageHead } from '../../../parts/states.tsx';
import { Table } from '../../../parts/table.tsx';
import { Time } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { GroupSheet } from './group-sheet.tsx';

/** Members who are given roles and projects together. */
export function Groups() {
  const { may } = useSession();
  const [{ open, create }, change] = useAddress();
  const { items, error } = useWhole('listGroups');
  const add = useChange('createGroup', ['listGroups']);
  const opened = items?.find(({ id }) => id === open);
  const isWriter = may('api.groups.write');
  const button = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Create group
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="Groups" actions={button}>
        Members who are given roles and projects together.
      </PageHead>
      <Table
        label="Groups"
        rows={items}
        error={error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        columns={[
          {
            id: 'name',
            title: 'Name',
            cell: ({ name }) => (
              <span title={name} className="block max-w-96 truncate max-md:max-w-44">
                {name}
              </span>
            ),
          },
          { id: 'members', title: 'Members', isNumber: true, cell: ({ member_count }) => exact(member_count) },
          { id: 'roles', title: 'Roles', isNumber: true, cell: ({ role_count }) => exact(role_count) },
          {
            id: 'projects',
            title: 'Projects',
            isMinor: true,
            cell: ({ projects: { data } }) => {
              const names = data.map(({ name }) => name).join(', ');
              return (
                <span title={names} className="block max-w-64 truncate text-weak">
                  {names || '—'}
                </span>
              );
            },
          },
          { id: 'made', title: 'Made', isMinor: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <Empty title="No groups yet" icon="person" action={button}>
            A group has members and roles: whoever is put into it may what it may.
          </Empty>
        }
      />
      {create && isWriter && (
        <NameDialog
          title="Create a group"
          action="Create group"
          error={add.error}
          isBusy={add.isPending}
          onClose={() => change({ create: undefined })}
          onSave={(name) =>
            add.mutate({ body: { name } }, { onSuccess: ({ id }) => change({ create: undefined, open: id }) })
          }
        />
      )}
      {opened && <GroupSheet key={opened.id} group={opened} onClose={() => change({ open: undefined })} />}
    </SettingsPage>
  );
}
