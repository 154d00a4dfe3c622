import type { ReactNode } from 'react';
import { changeText } from '../../parts/change.ts';
import { Change } from '../../parts/figure.tsx';
import { decimalText, percent } from '../../parts/format.ts';
import { type Compared, errorRate, MEASURES, type Measure } from '../../parts/usage.ts';
import { Count, Money } from '../../parts/values.tsx';

/** A row of the table: a thing, all others, or all. */
export type Row = { id: string; name: string; value: string | null; sums: Compared };

/** A column, as it is shown and as it is exported. */
export type UsageColumn = { id: string; title: string; cell: (row: Row) => ReactNode; text: (row: Row) => string };

const NO_COST = 'The price of none of these calls is known.';

const NUMBERS: readonly UsageColumn[] = [
  {
    id: 'spend_usd',
    title: 'Spend',
    cell: ({ sums }) => <Money usd={sums.cost_usd} why={NO_COST} />,
    text: ({ sums }) => decimalText(sums.cost_usd),
  },
  counted('calls', 'Calls', ({ calls }) => calls),
  counted('input_tokens', 'Input', (sums) => sums.input_tokens),
  counted('output_tokens', 'Output', (sums) => sums.output_tokens),
  shared('cached_share', 'Cached', MEASURES.cached.of),
  counted('failed_calls', 'Failed', (sums) => sums.failed_calls),
  shared('error_rate', 'Error rate', errorRate),
];

function counted(id: string, title: string, of: (sums: Compared) => number): UsageColumn {
  return { id, title, cell: ({ sums }) => <Count count={of(sums)} />, text: ({ sums }) => String(of(sums)) };
}

function shared(id: string, title: string, of: (sums: Compared) => number | null): UsageColumn {
  return { id, title, cell: ({ sums }) => percent(of(sums)), text: ({ sums }) => decimalText(of(sums)) };
}

/** The columns behind the name: the numbers, and what the chosen measure was before, where that is asked for. */
export function columnsOf(measure: Measure, isCompared: boolean): UsageColumn[] {
  if (!isCompared) return [...NUMBERS];
  const { of, format, title } = MEASURES[measure];
  const isShare = 'isShare' in MEASURES[measure];
  const both = ({ sums }: Row) => ({ now: of(sums), before: of(sums.previous), isShare });
  return [
    ...NUMBERS,
    {
      id: `previous_${measure}`,
      title: `${title} before`,
      cell: ({ sums }) => format(of(sums.previous)),
      text: ({ sums }) => decimalText(of(sums.previous)),
    },
    { id: 'change', title: 'Change', cell: (row) => <Change {...both(row)} />, text: (row) => changeText(both(row)) },
  ];
}
