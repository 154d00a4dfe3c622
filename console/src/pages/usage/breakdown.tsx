import { Link } from '@tanstack/react-router';
import { Button, TextLink } from '../../parts/button.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { type Dimension, idOf, nameOf, type Summary } from '../../parts/usage.ts';
import type { Filters } from '../../shell/address.ts';
import { hasPage } from '../../shell/page.ts';
import { type Asked, nextBy, titleOf } from './asked.ts';
import { columnsOf, type Row } from './columns.tsx';
import { csvOf, download } from './csv.ts';

/** Left out of the table on narrow screens, not of the file. */
const MINOR = ['input_tokens', 'output_tokens', 'cached_share', 'failed_calls', 'error_rate'];

type Props = {
  asked: Asked;
  summary: Summary | null;
  address: Filters;
  /** The summary is of what was asked before: a file of it would have the name of what is asked now. */
  isOfAnother: boolean;
};

/** Everything by what it was asked by, what comes to most first, and all of it together. */
export function Breakdown({ asked, summary, address, isOfAnother }: Props) {
  // While another answer is on its way, the one before it stays: it says itself what it is by.
  const by = summary?.by[0] ?? asked.by;
  const rows = summary && rowsOf(summary, by);
  const total: Row | null = summary && { id: 'all', name: 'All', value: null, sums: summary.totals };
  const columns = columnsOf(asked.measure, asked.isCompared);
  const shown: Column<Row>[] = [
    { id: 'name', title: titleOf(by), cell: (row) => <Name row={row} by={by} address={address} /> },
    ...columns.map(({ id, title, cell }) => ({
      ...{ id, title, cell, isNumber: true as const },
      ...(MINOR.includes(id) && { isMinor: true as const }),
    })),
  ];
  const file = `usage-by-${by}-${asked.period.first}-to-${asked.period.last}.csv`;
  return (
    <section aria-label="Usage in numbers">
      <div className="mb-1 flex items-center justify-between gap-2">
        <h2 className="text-[16px] font-semibold">
          By {titleOf(by).replace(/^(?!API)./, (letter) => letter.toLowerCase())}
        </h2>
        <Button
          icon="download"
          kind="quiet"
          disabled={rows === null || total === null || isOfAnother}
          onClick={() => rows && total && download(file, csvOf(titleOf(by), columns, [...rows, total]))}
        >
          Download CSV
        </Button>
      </div>
      <Table
        label={`Usage by ${titleOf(by)}`}
        columns={shown}
        rows={rows}
        rowId={({ id }) => id}
        empty={<p className="py-6 text-center text-weak">No calls in this period.</p>}
        totals={
          total && (
            <tr>
              {shown.map(({ id, cell, isNumber, isMinor }) => (
                <td
                  key={id}
                  className={`px-2 py-2 first:pl-0 last:pr-0 ${isNumber ? 'text-right tabular-nums whitespace-nowrap' : ''} ${isMinor ? 'max-md:hidden' : ''}`}
                >
                  {id === 'name' ? total.name : cell(total)}
                </td>
              ))}
            </tr>
          )
        }
      />
    </section>
  );
}

function rowsOf({ data, rest }: Summary, by: Asked['by']): Row[] {
  const rows = data.map((row): Row => {
    if (by === 'day') return { id: row.day!, name: row.day!, value: row.day!, sums: row };
    const value = idOf(row, by);
    return { id: `=${value ?? ''}`, name: nameOf(row, by), value, sums: row };
  });
  return rest === null ? rows : [...rows, { id: 'rest', name: `${rest.rows} others`, value: null, sums: rest }];
}

/** A name leads to what is of it alone. */
function Name({ row: { name, value }, by, address }: { row: Row; by: Asked['by']; address: Filters }) {
  if (value === null) return <span className="text-weak">{name}</span>;
  const narrowed =
    by === 'day' ? { from: value, to: value, period: undefined, by: undefined } : { [by]: value, by: nextBy(by) };
  return (
    <span className="flex max-w-[min(24rem,46vw)] min-w-32 items-baseline gap-2">
      <Link
        to="."
        search={{ ...address, ...narrowed } as never}
        title={name}
        className={`truncate font-medium hover:underline ${by === 'key' && name === value ? 'font-mono' : ''}`}
      >
        <bdi>{name}</bdi>
      </Link>
      <Opened by={by} value={value} />
    </span>
  );
}

/** Where more is told of a thing, and where it can be stopped. */
function Opened({ by, value }: { by: Dimension | 'day'; value: string }) {
  const to = by === 'key' ? '/settings/keys' : by === 'model' ? '/models' : null;
  if (to === null || !hasPage(to)) return null;
  return (
    <span className="text-small whitespace-nowrap">
      <TextLink to={to} search={{ open: value }}>
        Open
      </TextLink>
    </span>
  );
}
