import { type FormEvent, useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useRead } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { type Choice, FilterSelect, SearchField } from '../../parts/field.tsx';
import { useTypedDay } from '../../parts/typed.ts';
import { zoneText } from '../../parts/zone.ts';
import { useAddress } from '../../shell/address.ts';
import { fieldOf, RANGE_CHOICES, secondsOf } from './range.ts';

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled by the caller' },
  { value: 'interrupted', label: 'Interrupted' },
];
/** Calls that were sent to no provider. They are not followed live. */
const REFUSED = { value: 'refused', label: 'Refused' };
const SOURCES = [
  { value: '', label: 'Any source' },
  { value: 'api_key', label: 'API keys' },
  { value: 'product', label: 'Products' },
  { value: 'developer_tool', label: 'Developer tools' },
  { value: 'console', label: 'The console' },
];
const MOST_CHOICES = 4_000;
/** Those of the address that say which calls are shown. */
export const FILTERS = ['model', 'api_key_id', 'status', 'source', 'product', 'tool'] as const;

/** Which calls are shown. What can be chosen is what was used in the last 30 days. */
export function LogFilters({ isLive }: { isLive: boolean }) {
  const [address, change] = useAddress();
  // Apart from each other: a few hundred keys with a few models each are more rows than an answer has.
  const keys = useUsed('key');
  const models = useUsed('model');
  const callers = useUsed('product,tool');
  const isNarrowed = [...FILTERS, 'range'].some((name) => address[name] !== undefined);
  const select = (name: (typeof FILTERS)[number] | 'range', label: string, choices: readonly Choice[]) => (
    <FilterSelect
      label={label}
      value={address[name] ?? ''}
      choices={choices}
      onChange={(value) => change({ [name]: value === '' ? undefined : value })}
    />
  );
  const products = choicesOf(callers, 'Any product', ({ product }) => product);
  const tools = choicesOf(callers, 'Any tool', ({ tool }) => tool);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <OpenRequest />
      {!isLive && select('range', 'Time', RANGE_CHOICES)}
      {!isLive && address.range === 'own' && <OwnTimes />}
      {select('status', 'Status', isLive ? STATUSES : [...STATUSES, REFUSED])}
      {select(
        'model',
        'Model',
        choicesOf(models, 'Any model', ({ model }) => model),
      )}
      {select('api_key_id', 'API key', keyChoices(keys))}
      {select('source', 'Source', SOURCES)}
      {(products.length > 1 || address.product !== undefined) && select('product', 'Product', products)}
      {(tools.length > 1 || address.tool !== undefined) && select('tool', 'Developer tool', tools)}
      {isNarrowed && (
        <Button
          kind="quiet"
          onClick={() =>
            change(Object.fromEntries([...FILTERS, 'range', 'start', 'end'].map((name) => [name, undefined])))
          }
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}

function useUsed(by: string): readonly UsedRow[] {
  return useRead('summarizeUsage', { query: { by, limit: MOST_CHOICES } }).data?.data ?? [];
}

/** Opens one call by what its caller knows of it. */
function OpenRequest() {
  const [, change] = useAddress();
  const [id, setId] = useState('');
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') change({ open: id.trim() }, { replace: false });
  };
  return (
    <form onSubmit={open} className="w-56">
      <SearchField label="Request id, then Enter" value={id} onChange={setId} />
    </form>
  );
}

function OwnTimes() {
  return (['start', 'end'] as const).map((name) => <OwnTime key={name} name={name} />);
}

function OwnTime({ name }: { name: 'start' | 'end' }) {
  const [address, change] = useAddress();
  const field = useTypedDay(fieldOf(address[name]), (day) => change({ [name]: secondsOf(day) }));
  return (
    <label className="inline-flex items-center gap-1.5 text-table text-weak">
      {name === 'start' ? 'from' : 'to'}
      <input
        type="datetime-local"
        {...field}
        className="h-8 rounded-md border border-line-strong bg-raised px-2 text-table text-text"
      />
      {zoneText(fieldOf(address[name]) === '' ? undefined : Number(address[name]))}
    </label>
  );
}

type UsedRow = Answer<'summarizeUsage'>['data'][number];

function choicesOf(rows: readonly UsedRow[], all: string, of: (row: UsedRow) => string | null | undefined): Choice[] {
  const names = [...new Set(rows.map(of).filter((name) => name != null))].sort();
  return [{ value: '', label: all }, ...names.map((name) => ({ value: name, label: name }))];
}

function keyChoices(rows: readonly UsedRow[]): Choice[] {
  const keys = new Map(rows.map(({ api_key_id: id = '', api_key_name: name }) => [id, name ?? id]));
  const choices = [...keys].map(([value, label]) => ({ value, label }));
  return [{ value: '', label: 'Any key' }, ...choices.sort((one, other) => one.label.localeCompare(other.label))];
}
