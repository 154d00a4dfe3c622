import { useSession } from '../../../api/session.ts';
import { Button } from '../../../parts/button.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { FilterSelect, SearchField } from '../../../parts/field.tsx';
import { counted } from '../../../parts/format.ts';
import { Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Money, Time } from '../../../parts/values.tsx';
import { type Filters, useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { CreateKey } from './create-key.tsx';
import { KeySheet } from './key-sheet.tsx';
import { ownerName, type ProjectKey, SORTS, sortNamed, useOpened, useProjectKeys } from './project-keys.ts';
import { KeyStatus } from './status.tsx';

const STATUSES = [
  { value: '', label: 'Any state' },
  { value: 'active', label: 'On' },
  { value: 'disabled', label: 'Turned off' },
  { value: 'expired', label: 'Ended' },
];

/** The keys that call models: who has which, what each costs, and the way to stop one. */
export function Keys() {
  const { may, maySomewhere } = useSession();
  const [address, change] = useAddress();
  const { projects, keys, error } = useProjectKeys(address.project, may('api.usage.read'));
  const shown = keys === null ? null : shownOf(keys, address);
  const opened = useOpened(keys, address.open);
  const isWriter = maySomewhere('api.keys.write');
  const create = (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Create key
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="API keys" actions={isWriter && create}>
        What programs and people call models with.
      </PageHead>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Search keys" value={address.q ?? ''} onChange={(q) => change({ q })} />
        <FilterSelect
          label="Project"
          value={address.project ?? ''}
          onChange={(project) => change({ project })}
          choices={[
            { value: '', label: 'All projects' },
            ...(projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <FilterSelect
          label="State"
          value={address.status ?? ''}
          onChange={(status) => change({ status })}
          choices={STATUSES}
        />
        <FilterSelect
          label="Order"
          value={address.sort ?? ''}
          onChange={(sort) => change({ sort })}
          choices={Object.entries(SORTS).map(([value, { label }]) => ({
            value: value === 'newest' ? '' : value,
            label,
          }))}
        />
        {shown !== null && <span className="text-small text-faint">{counted(shown.length, 'key')}</span>}
      </div>
      <Table
        label="API keys"
        columns={may('api.usage.read') ? COLUMNS : COLUMNS.filter(({ id }) => id !== 'today')}
        rows={shown}
        error={error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          keys?.length ? (
            <Empty title="No key is like that">Change the search or the filters above.</Empty>
          ) : (
            <Empty title="No keys yet" icon="key" action={isWriter && create}>
              A key lets a program call models. Give each program its own, so that each can be limited and stopped.
            </Empty>
          )
        }
      />
      {keys !== null && error && <Failure error={error} />}
      {address.create && projects !== null && isWriter && (
        <CreateKey projects={projects} projectId={address.project} onClose={() => change({ create: undefined })} />
      )}
      {opened && <KeySheet key={opened.id} apiKey={opened} onClose={() => change({ open: undefined })} />}
    </SettingsPage>
  );
}

function shownOf(keys: readonly ProjectKey[], { q = '', status, sort }: Filters): ProjectKey[] {
  const wanted = q.trim().toLowerCase();
  return keys
    .filter((key) => {
      if (status !== undefined && status !== '' && key.status !== status) return false;
      const words = [key.name, key.id, key.redacted_value, key.project.name, ownerName(key)];
      return wanted === '' || words.some((each) => each.toLowerCase().includes(wanted));
    })
    .sort(SORTS[sortNamed(sort)].by);
}

const COLUMNS: readonly Column<ProjectKey>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name }) => (
      <span title={name} className="block max-w-60 truncate max-md:max-w-36">
        {name}
      </span>
    ),
  },
  { id: 'project', title: 'Project', isMinor: true, cell: ({ project }) => <Short text={project.name} /> },
  {
    id: 'owner',
    title: 'Owner',
    isMinor: true,
    cell: (key) =>
      key.owner.type === undefined ? <span className="text-faint">Nobody</span> : <Short text={ownerName(key)} />,
  },
  { id: 'status', title: 'State', cell: (key) => <KeyStatus apiKey={key} /> },
  {
    id: 'today',
    title: 'Today (UTC)',
    isNumber: true,
    cell: ({ today }) => (today === null ? '—' : <Money usd={today.costUsd} />),
  },
  {
    id: 'spent',
    title: 'Spent',
    isNumber: true,
    isMinor: true,
    cell: (key) => (
      <>
        <Money usd={key.spent_usd} />
        {key.spend_limit && (
          <span className="text-faint">
            {' '}
            of <Money usd={key.spend_limit.amount_usd} />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'used',
    title: 'Last used',
    isMinor: true,
    cell: ({ last_used_at }) => <Time at={last_used_at} never="Never" />,
  },
  { id: 'ends', title: 'Ends', isMinor: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
];

function Short({ text }: { text: string }) {
  return (
    <span title={text} className="block max-w-36 truncate">
      {text}
    </span>
  );
}
