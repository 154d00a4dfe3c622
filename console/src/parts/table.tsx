import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Filters } from '../shell/address.ts';
import { Button } from './button.tsx';
import { Failure } from './failure.tsx';

export type Column<Row> = {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  isNumber?: true;
  /** Left out on narrow screens. */
  isMinor?: true;
};

type Props<Row> = {
  /** What the table is a list of, for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  /** `null`: not read yet. */
  rows: readonly Row[] | null;
  rowId: (row: Row) => string;
  error?: Error | null;
  /** Shown where there are no rows. */
  empty: ReactNode;
  /** Where the detail of a row is: its first cell is a link to it. */
  detail?: (row: Row) => { to?: string; search?: Filters };
  /** A row of sums. */
  totals?: ReactNode;
  more?: { hasMore: boolean; readOn: () => void; isReadingOn: boolean };
};

/** A list. What is wide scrolls in itself, never the page. Where no more of it could be read, that stands below what is there. */
export function Table<Row>({ label, columns, rows, rowId, error, empty, detail, totals, more }: Props<Row>) {
  if (error && rows === null) return <Failure error={error} />;
  if (rows === null) return <Coming columns={columns} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      <section tabIndex={0} aria-label={label} className="overflow-x-auto">
        <table className="w-full border-collapse text-table">
          <Head columns={columns} />
          <tbody>
            {rows.map((row) => (
              <tr key={rowId(row)} className="border-b border-line hover:bg-sunken">
                {columns.map((column, index) => (
                  <td key={column.id} className={`${placeOf(columns, index)} py-1.5 align-top`}>
                    {index === 0 && detail ? <RowLink {...detail(row)}>{column.cell(row)}</RowLink> : column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals && <tfoot className="font-medium">{totals}</tfoot>}
        </table>
      </section>
      {error && (
        <div className="pt-3">
          <Failure error={error} />
        </div>
      )}
      {more?.hasMore && (
        <div className="py-3">
          <Button onClick={more.readOn} isBusy={more.isReadingOn}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr className="border-b border-line text-left text-small text-faint">
        {columns.map(({ id, title }, index) => (
          <th key={id} scope="col" className={`${placeOf(columns, index)} py-1.5 font-medium whitespace-nowrap`}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** So many lines stand where a list will be. */
const COMING_ROWS = 8;

/** A list that is not read yet: its head, and a place for each of its cells. */
function Coming<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <div aria-hidden="true" className="overflow-x-hidden">
      <table className="w-full border-collapse text-table">
        <Head columns={columns} />
        <tbody>
          {Array.from({ length: COMING_ROWS }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing
            <tr key={row} className="border-b border-line">
              {columns.map(({ id, isNumber }, index) => (
                <td key={id} className={`${placeOf(columns, index)} py-1.5`}>
                  <div
                    className={`skeleton my-1 h-3 ${index === 0 ? 'w-24 md:w-40' : 'w-10 md:w-14'} ${isNumber ? 'ml-auto' : ''}`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers stand at the right. What is seen first and last of a line stands at its ends, on narrow screens, too. */
function placeOf<Row>(columns: readonly Column<Row>[], index: number): string {
  const { isNumber, isMinor } = columns[index]!;
  const isLastOnNarrow = index === columns.findLastIndex((column) => !column.isMinor);
  const classes = [
    'px-2 first:pl-0 last:pr-0',
    ...(isNumber ? ['text-right tabular-nums whitespace-nowrap'] : []),
    ...(isMinor ? ['max-md:hidden'] : []),
    ...(isLastOnNarrow ? ['max-md:pr-0'] : []),
  ];
  return classes.join(' ');
}

function RowLink({ to = '.', search, children }: { to?: string; search?: Filters; children: ReactNode }) {
  return (
    <Link
      to={to}
      search={((before: Filters) => (to === '.' ? { ...before, ...search } : (search ?? {}))) as never}
      className="block max-w-80 min-w-24 truncate font-medium hover:underline"
    >
      {children}
    </Link>
  );
}
