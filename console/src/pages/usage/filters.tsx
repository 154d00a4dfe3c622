import { useState } from 'react';
import { useRead } from '../../api/use.ts';
import { Failure } from '../../parts/failure.tsx';
import { FilterSelect } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { DIMENSIONS, type Dimension, idOf, nameOf } from '../../parts/usage.ts';
import type { Filters } from '../../shell/address.ts';
import { type Asked, DIMENSION_NAMES, queryOf } from './asked.ts';

const MAX_CHOICES = 500;

type Props = { asked: Asked; change: (changes: Filters) => void };

/** What calls are counted: each filter with a way to take it away, and a way to add one. */
export function FilterFields({ asked, change }: Props) {
  const set = DIMENSION_NAMES.filter((each) => asked.filters[each] !== undefined);
  return (
    <>
      {set.map((each) => (
        <SetFilter key={each} dimension={each} asked={asked} onRemove={() => change({ [each]: undefined })} />
      ))}
      <AddFilter asked={asked} change={change} />
    </>
  );
}

function SetFilter({ dimension, asked, onRemove }: { dimension: Dimension; asked: Asked; onRemove: () => void }) {
  const value = asked.filters[dimension]!;
  // A key stands in the address by its id, and is told by its name.
  const isKey = dimension === 'key';
  const named = useRead('summarizeUsage', { query: { ...queryOf(asked), by: 'key', limit: 1 } }, { enabled: isKey });
  const row = named.data?.data.find((each) => idOf(each, dimension) === value);
  const name = row && isKey ? nameOf(row, 'key') : nameOf({ [dimension]: value } as never, dimension);
  const words = isKey && !row ? value : name;
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={`Remove the filter ${DIMENSIONS[dimension].title}: ${words}`}
      className="inline-flex h-8 max-w-80 items-center gap-1.5 rounded-md border border-accent bg-raised px-2 text-table hover:bg-sunken"
    >
      <span className="whitespace-nowrap text-weak">{DIMENSIONS[dimension].title}</span>
      <span className="truncate font-medium">{words}</span>
      <Icon name="close" size={12} />
    </button>
  );
}

function AddFilter({ asked, change }: Props) {
  const [dimension, setDimension] = useState<Dimension | ''>('');
  const query = { ...queryOf(asked), by: dimension, limit: MAX_CHOICES };
  const found = useRead('summarizeUsage', { query }, { enabled: dimension !== '' });
  const free = DIMENSION_NAMES.filter((each) => asked.filters[each] === undefined);
  if (free.length === 0) return null;
  const choose = (value: string) => {
    if (dimension !== '' && value !== '') change({ [dimension]: value });
    setDimension('');
  };
  const isOf = (by: readonly string[] | undefined) => dimension !== '' && by?.length === 1 && by[0] === dimension;
  const rows = isOf(found.data?.by) ? found.data!.data : [];
  const things = rows.flatMap((row) => {
    const value = dimension === '' ? null : idOf(row, dimension);
    return value === null ? [] : [{ value, label: nameOf(row, dimension as Dimension) }];
  });
  return (
    <>
      <FilterSelect
        label="Add a filter"
        value={dimension}
        choices={[
          { value: '', label: 'Filter by…' },
          ...free.map((each) => ({ value: each, label: DIMENSIONS[each].title })),
        ]}
        onChange={(value) => setDimension(value as Dimension | '')}
      />
      {dimension !== '' && (
        <FilterSelect
          label={`Only this ${DIMENSIONS[dimension].title}`}
          value=""
          choices={[
            { value: '', label: found.isFetching && rows.length === 0 ? 'Looking…' : `Choose one of ${things.length}` },
            ...things,
          ]}
          onChange={choose}
        />
      )}
      {dimension !== '' && found.error && <Failure error={found.error} />}
    </>
  );
}
