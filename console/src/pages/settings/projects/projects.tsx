import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { FilterSelect, SearchField } from '../../../parts/field.tsx';
import { NameDialog } from '../../../parts/name-dialog.tsx';
import { Badge, Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Time } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { type Project, ProjectSheet } from './project-sheet.tsx';

/** Where keys are, and what is shared and limited together. */
export function Projects() {
  const { may } = useSession();
  const [{ q = '', open, create, archived }, change] = useAddress();
  const { items, error } = useWhole('listProjects', { query: { include_archived: true } });
  const add = useChange('createProject', ['listProjects']);
  const opened = items?.find(({ id }) => id === open);
  const wanted = q.trim().toLowerCase();
  const shown =
    items?.filter(
      ({ name, status }) => name.toLowerCase().includes(wanted) && (status === 'archived') === (archived === 'yes'),
    ) ?? null;
  const isWriter = may('api.projects.write');
  const button = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Create project
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="Projects" actions={button}>
        Keys of a project share its models, rates and budget.
      </PageHead>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Search projects" value={q} onChange={(each) => change({ q: each })} />
        <FilterSelect
          label="State"
          value={archived ?? ''}
          onChange={(each) => change({ archived: each })}
          choices={[
            { value: '', label: 'In use' },
            { value: 'yes', label: 'Archived' },
          ]}
        />
      </div>
      <Table
        label="Projects"
        columns={COLUMNS}
        rows={shown}
        error={error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          archived === 'yes' && q === '' ? (
            <Empty title="No project is archived">
              One that is archived keeps its history, and its keys are refused.
            </Empty>
          ) : (
            <Empty title="No project is like that">Change the search or the filter above.</Empty>
          )
        }
      />
      {create && isWriter && (
        <NameDialog
          title="Create a project"
          action="Create project"
          hint="What it is for: a product, a team, a customer."
          error={add.error}
          isBusy={add.isPending}
          onClose={() => change({ create: undefined })}
          onSave={(name) =>
            add.mutate({ body: { name } }, { onSuccess: ({ id }) => change({ create: undefined, open: id }) })
          }
        />
      )}
      {opened && <ProjectSheet key={opened.id} project={opened} onClose={() => change({ open: undefined })} />}
    </SettingsPage>
  );
}

const COLUMNS: readonly Column<Project>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name }) => (
      <span title={name} className="block max-w-96 truncate max-md:max-w-48">
        {name}
      </span>
    ),
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ status, is_default: isDefault }) =>
      status === 'archived' ? (
        <Badge>Archived</Badge>
      ) : isDefault ? (
        <Badge>Default</Badge>
      ) : (
        <Badge tone="good">In use</Badge>
      ),
  },
  { id: 'made', title: 'Made', isMinor: true, cell: ({ created_at }) => <Time at={created_at} /> },
];
