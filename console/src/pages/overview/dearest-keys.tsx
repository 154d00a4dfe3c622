import { Link } from '@tanstack/react-router';
import { TextLink } from '../../parts/button.tsx';
import { Change } from '../../parts/figure.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { nameOf, type Summary } from '../../parts/usage.ts';
import { Count, Money } from '../../parts/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { hasPage } from '../../shell/page.ts';

export const DEAREST = 5;
type Row = Summary['data'][number];

/** It leads to what it has used, and beside it to where it is stopped. */
function Name({ row }: { row: Row }) {
  const [{ period, from, to }] = useAddress();
  const name = nameOf(row, 'key');
  return (
    <span className="flex max-w-[min(24rem,50vw)] min-w-32 items-baseline gap-2">
      <Link
        to="/usage"
        search={{ key: row.api_key_id, period, from, to } as never}
        title={name}
        className="truncate font-medium hover:underline"
      >
        <bdi>{name}</bdi>
      </Link>
      {row.api_key_id && hasPage('/settings/keys') && (
        <span className="text-small whitespace-nowrap">
          <TextLink to="/settings/keys" search={{ open: row.api_key_id }}>
            Open key
          </TextLink>
        </span>
      )}
    </span>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'key', title: 'API key', cell: (row) => <Name row={row} /> },
  { id: 'spend', title: 'Spend', cell: ({ cost_usd }) => <Money usd={cost_usd} />, isNumber: true },
  { id: 'calls', title: 'Calls', cell: ({ calls }) => <Count count={calls} />, isNumber: true },
  {
    id: 'change',
    title: 'Change',
    cell: ({ cost_usd, previous }) => <Change now={cost_usd} before={previous.cost_usd} />,
    isNumber: true,
    isMinor: true,
  },
];

/** The keys that cost most: from here it is one step to where a key is stopped. */
export function DearestKeys({ summary }: { summary: Summary }) {
  const [{ period, from, to }] = useAddress();
  return (
    <div>
      <div className="mb-1 flex items-baseline gap-3">
        <h2 className="text-[16px] font-semibold">Dearest keys</h2>
        <TextLink to="/usage" search={{ by: 'key', period, from, to }}>
          All keys
        </TextLink>
      </div>
      <Table
        label="Dearest keys"
        columns={COLUMNS}
        rows={summary.data}
        rowId={({ api_key_id }) => api_key_id ?? ''}
        empty={null}
      />
    </div>
  );
}
