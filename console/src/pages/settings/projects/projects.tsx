import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { FilterSelect, SearchField } from '../../../parts/field.tsx';
import { exact } from '../../../parts/format.ts';
import { NameDialog } from '../../../parts/name-dialog.tsx';
import { Badge, Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Money, Time } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { type Project, ProjectSheet } from './project-sheet.tsx';
import { type ProjectUse, useProjectUse } from './project-use.ts';

/** Where keys are, and what is shared and limited together. */
export function Projects() {
  const { may } = useSession();
  const [{ q = '', open, create, archived }, change] = useAddress();
  const { items, error } = useWhole('listProjects', { query: { include_archived: true } });
  const use = useProjectUse();
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
        columns={columnsOf(use)}
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

/** What of a project the person may not see is left out; what is not known yet is a place for it. */
function columnsOf({ hidden, spentBy, limitOf }: ProjectUse): readonly Column<Project>[] {
  const columns: readonly Column<Project>[] = [
    {
      id: 'name',
      title: 'Name',
      cell: ({ name, is_default: isDefault }) => (
        <span title={name} className="flex max-w-96 items-center gap-2 max-md:max-w-40">
          <span className="truncate">{name}</span>
          {isDefault && <Badge>Default</Badge>}
        </span>
      ),
    },
    {
      id: 'members',
      title: 'Members',
      isNumber: true,
      isMinor: true,
      cell: ({ member_count }) => exact(member_count),
    },
    { id: 'groups', title: 'Groups', isNumber: true, isMinor: true, cell: ({ group_count }) => exact(group_count) },
    { id: 'keys', title: 'Keys', isNumber: true, cell: ({ key_count }) => exact(key_count) },
    {
      id: 'spent',
      title: 'This month (UTC)',
      isNumber: true,
      cell: ({ id }) => (spentBy === null ? '…' : <Money usd={spentBy(id)} />),
    },
    { id: 'limit', title: 'Monthly limit', isNumber: true, isMinor: true, cell: ({ id }) => limitCell(limitOf, id) },
    { id: 'made', title: 'Made', isMinor: true, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  return columns.filter(({ id }) => !hidden.includes(id));
}

function limitCell(limitOf: ProjectUse['limitOf'], projectId: string) {
  const limit = limitOf?.(projectId);
  if (limit === undefined) return '…';
  return limit === null ? <span className="text-weak">None</span> : <Money usd={limit} />;
}
