import type { Given } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useList, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { FilterSelect } from '../../../parts/field.tsx';
import { Menu } from '../../../parts/menu.tsx';
import { Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Time } from '../../../parts/values.tsx';
import { zoneText } from '../../../parts/zone.ts';
import { type Filters, useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { actorOf, addressOf, type Entry, EVENT_TYPES, resourceOf } from './entry.ts';
import { EntrySheet } from './entry-sheet.tsx';
import { csvOf, jsonLinesOf, save } from './export.ts';

const PAGE = 100;
const DAY = 86_400;
const TIMES = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
];

/** Who changed what, newest first. */
export function AuditLog() {
  const { may } = useSession();
  const [address, change] = useAddress();
  const log = useList('listAuditLogs', { query: queryOf(address) });
  const projects = useWhole(
    'listProjects',
    { query: { include_archived: true } },
    { enabled: may('api.projects.read') },
  );
  const members = useWhole('listUsers', {}, { enabled: may('api.members.read') });
  const people = new Map((members.items ?? []).map(({ id, name, email }) => [id, name ?? email ?? id]));
  const adminKeys = useWhole('listAdminApiKeys', {}, { enabled: may('api.admin_keys.read') });
  const opened = log.items?.find(({ id }) => id === address.open);
  const items = log.items ?? [];
  const isFiltered = ['type', 'project', 'actor', 'days'].some((name) => address[name] !== undefined);
  return (
    <SettingsPage>
      <PageHead
        title="Audit log"
        actions={
          <Menu
            label="Export what is shown"
            trigger={<Button icon="download">Export</Button>}
            items={[
              { label: `${items.length} entries as CSV`, onSelect: () => save('audit-log.csv', csvOf(items)) },
              {
                label: `${items.length} entries as JSON lines`,
                onSelect: () => save('audit-log.jsonl', jsonLinesOf(items)),
              },
            ]}
          />
        }
      >
        Who changed what. Times are {zoneText()}.
      </PageHead>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <FilterSelect
          label="What happened"
          value={address.type ?? ''}
          onChange={(type) => change({ type: type || undefined })}
          choices={[{ value: '', label: 'All events' }, ...EVENT_TYPES.map((type) => ({ value: type, label: type }))]}
        />
        <FilterSelect
          label="Project"
          value={address.project ?? ''}
          onChange={(project) => change({ project: project || undefined })}
          choices={[
            { value: '', label: 'All projects' },
            ...(projects.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <FilterSelect
          label="Who"
          value={address.actor ?? ''}
          onChange={(actor) => change({ actor: actor || undefined })}
          choices={[
            { value: '', label: 'Everybody' },
            ...(members.items ?? []).map(({ id, name, email }) => ({ value: id, label: name ?? email })),
            ...(adminKeys.items ?? []).map(({ id, name }) => ({ value: id, label: `Key: ${name}` })),
          ]}
        />
        <FilterSelect
          label="When"
          value={address.days ?? ''}
          onChange={(days) => change({ days: days || undefined })}
          choices={TIMES}
        />
      </div>
      <Table
        label="Audit log"
        columns={columnsOf(people)}
        rows={log.items}
        error={log.error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        more={log}
        empty={
          <Empty title={isFiltered ? 'Nothing like that happened' : 'Nothing happened yet'}>
            {isFiltered ? 'Change the filters above.' : 'Every change of a setting is written here.'}
          </Empty>
        }
      />
      {opened && <EntrySheet key={opened.id} entry={opened} onClose={() => change({ open: undefined })} />}
    </SettingsPage>
  );
}

/** Whole days, so that the same is asked for while the page is open. */
function queryOf({ type, project, actor, days }: Filters): NonNullable<Given<'listAuditLogs'>['query']> {
  const since = days === undefined ? Number.NaN : Math.floor(Date.now() / 1000 / DAY) * DAY - (Number(days) - 1) * DAY;
  return {
    limit: PAGE,
    ...(type !== undefined && { event_types: [type] }),
    ...(project !== undefined && { project_ids: [project] }),
    ...(actor !== undefined && { actor_ids: [actor] }),
    ...(Number.isFinite(since) && { effective_at: { gte: since } }),
  };
}

/** @param people - by their ids, what they are called: of some entries, a sign-in among them, the id alone is kept */
const columnsOf = (people: ReadonlyMap<string, string>): readonly Column<Entry>[] => [
  {
    id: 'type',
    title: 'Event',
    cell: ({ type }) => (
      <span title={type} className="block truncate font-mono text-small max-md:max-w-32">
        {type}
      </span>
    ),
  },
  {
    id: 'what',
    title: 'What',
    cell: (entry) => <Short text={people.get(resourceOf(entry)) ?? resourceOf(entry)} />,
  },
  { id: 'who', title: 'Who', isMinor: true, cell: (entry) => <Short text={actorOf(entry)} /> },
  { id: 'project', title: 'Project', isMinor: true, cell: ({ project }) => <Short text={project?.name ?? '—'} /> },
  { id: 'address', title: 'Address', isMinor: true, cell: (entry) => addressOf(entry) ?? '—' },
  { id: 'when', title: 'When', cell: ({ effective_at }) => <Time at={effective_at} /> },
];

function Short({ text }: { text: string }) {
  return (
    <span title={text} className="block max-w-48 truncate max-md:max-w-24">
      {text}
    </span>
  );
}
