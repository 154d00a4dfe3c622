import type { Answer } from '../../api/call.ts';
import { useList } from '../../api/use.ts';
import { TextLink } from '../../parts/button.tsx';
import { exact } from '../../parts/format.ts';
import { Badge } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';

type Access = Answer<'listModelAccess'>['data'][number];

/** Which projects may use a model, and how many of their keys. */
export function WhoMay({ id }: { id: string }) {
  const access = useList('listModelAccess', { path: { model_id: id }, query: { limit: 20 } });
  return (
    <Table
      label="Who may use it"
      columns={COLUMNS}
      rows={access.items}
      error={access.error}
      rowId={(project) => project.id}
      detail={(project) => ({ to: '/settings/projects', search: { open: project.id } })}
      more={access}
      empty={<p className="text-table text-weak">There is no project that is in use.</p>}
    />
  );
}

const COLUMNS: readonly Column<Access>[] = [
  {
    id: 'project',
    title: 'Project',
    cell: ({ name }) => (
      <span title={name} className="block max-w-56 truncate max-md:max-w-32">
        {name}
      </span>
    ),
  },
  {
    id: 'may',
    title: 'May use it',
    cell: ({ permitted }) => (permitted ? <Badge tone="good">Yes</Badge> : <Badge>No</Badge>),
  },
  { id: 'keys', title: 'Keys that may', cell: (access) => <Keys of={access} /> },
];

/** How many keys of a project may, and which may not though the project may. */
function Keys({ of: { id, api_keys: keys } }: { of: Access }) {
  if (keys === null) return '—';
  const { total, permitted, refused } = keys;
  if (total === 0) return <span className="text-faint">It has none</span>;
  return (
    <span className="grid">
      <TextLink to="/settings/keys" search={{ project: id }}>
        {exact(permitted)} of {exact(total)}
      </TextLink>
      {refused.length > 0 && (
        <span className="max-w-56 text-small text-weak [overflow-wrap:anywhere]">
          Not{' '}
          {refused.map((key, index) => (
            <span key={key.id}>
              {index > 0 && ', '}
              <TextLink to="/settings/keys" search={{ open: key.id }}>
                {key.name}
              </TextLink>
            </span>
          ))}
          {total - permitted > refused.length && ` and ${exact(total - permitted - refused.length)} more`}
        </span>
      )}
    </span>
  );
}
