import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useRead } from '../../api/use.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { SearchField } from '../../parts/field.tsx';
import { exact, money } from '../../parts/format.ts';
import { Badge, Empty, PageHead } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useAddress } from '../../shell/address.ts';
import {
  abilitiesOf,
  chosen,
  contextText,
  endOf,
  FILTERS,
  findable,
  type Model,
  priceSource,
  priceText,
} from './choose.ts';
import { Comparison, comparedOf, MOST_COMPARED } from './comparison.tsx';
import { ModelFilters } from './filters.tsx';
import { ModelSheet } from './model-sheet.tsx';

/** Rows that are drawn at first, and by each press on "Show more": a list of all would be drawn anew at each letter. */
const ROWS = 50;
/** How long after the last letter the search stands in the address, in ms. */
const SETTLED_MS = 300;

/** All models that can be called. The catalog is read once; each letter that is typed looks through it here. */
export function Models() {
  const [address, change] = useAddress();
  const catalog = useRead('listCatalog');
  const models = useMemo(() => catalog.data?.data ?? [], [catalog.data]);
  const all = useMemo(() => findable(models), [models]);
  const [typed, setTyped] = useTypedSearch();
  // The field follows each letter at once; the list comes behind it, and is given up for the next letter.
  const sought = useDeferredValue(typed);
  const found = useMemo(() => chosen(all, sought, address), [all, sought, address]);
  const opened = address.open;
  return (
    <>
      <PageHead title="Models">
        {catalog.data ? `${exact(found.length)} of ${exact(models.length)} models. ` : ''}Prices are for a million
        tokens.
      </PageHead>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <SearchField label="Search models" value={typed} onChange={setTyped} />
        <ModelFilters models={models} isRead={catalog.data !== undefined} />
      </div>
      <Comparison models={models} />
      <ModelTable
        models={catalog.data === undefined ? null : found}
        error={catalog.error}
        compared={address.compare ?? ''}
        isEmpty={models.length === 0}
      />
      {opened !== undefined && <ModelSheet id={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

/** What is typed, which stands in the address once nothing more is typed. */
function useTypedSearch(): [string, (typed: string) => void] {
  const [{ search = '' }, change] = useAddress();
  const [typed, setTyped] = useState(search);
  // The address that this field wrote is not read back: more may have been typed until it came.
  const written = useRef(search);
  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    setTyped(search);
  }, [search]);
  useEffect(() => {
    if (typed === search) return;
    const timer = setTimeout(() => {
      written.current = typed;
      change({ search: typed === '' ? undefined : typed });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed, search, change]);
  return [typed, setTyped];
}

type TableProps = { models: readonly Model[] | null; error: Error | null; compared: string; isEmpty: boolean };

const ModelTable = memo(function ModelTable({ models, error, compared, isEmpty }: TableProps) {
  const [, change] = useAddress();
  const [shown, setShown] = useState(ROWS);
  const columns = useMemo(() => columnsOf(comparedOf(compared), change), [compared, change]);
  return (
    <Table
      label="Models"
      columns={columns}
      rows={models === null ? null : models.slice(0, shown)}
      rowId={({ id }) => id}
      error={error}
      detail={({ id }) => ({ search: { open: id } })}
      more={{
        hasMore: (models?.length ?? 0) > shown,
        readOn: () => setShown(shown + ROWS),
        isReadingOn: false,
      }}
      empty={isEmpty ? <NoModels /> : <NoneOfThese />}
    />
  );
});

function columnsOf(compared: readonly string[], change: ReturnType<typeof useAddress>[1]): Column<Model>[] {
  const compare = (id: string) => {
    const rest = compared.filter((each) => each !== id);
    const ids = rest.length < compared.length ? rest : [...compared, id];
    change({ compare: ids.length === 0 ? undefined : ids.join(',') });
  };
  return [
    { id: 'model', title: 'Model', cell: ({ id, name }) => <Name title={name}>{id}</Name> },
    { id: 'brand', title: 'Vendor', isMinor: true, cell: ({ brand }) => <Name>{brand ?? ''}</Name> },
    { id: 'provider', title: 'Provider', isMinor: true, cell: ({ provider_label }) => <Name>{provider_label}</Name> },
    { id: 'input', title: 'Input', isNumber: true, cell: (model) => <Price model={model} of="input_per_1m" /> },
    { id: 'output', title: 'Output', isNumber: true, cell: (model) => <Price model={model} of="output_per_1m" /> },
    {
      id: 'context',
      title: 'Context',
      isNumber: true,
      isMinor: true,
      cell: ({ context_window: tokens }) => (
        <span title={tokens === null ? 'Not known' : exact(tokens)}>{contextText(tokens)}</span>
      ),
    },
    { id: 'abilities', title: 'Abilities', isMinor: true, cell: (model) => <Abilities model={model} /> },
    {
      id: 'compare',
      title: 'Compare',
      isMinor: true,
      cell: ({ id }) => (
        <input
          type="checkbox"
          aria-label={`Compare ${id}`}
          checked={compared.includes(id)}
          disabled={compared.length >= MOST_COMPARED && !compared.includes(id)}
          onChange={() => compare(id)}
          className="size-4 accent-accent"
        />
      ),
    },
  ];
}

/** On one line; on narrow screens there is room for prices beside it. */
function Name({ title, children }: { title?: string; children: string }) {
  return (
    <span title={title} className="block max-w-40 truncate md:max-w-80">
      {children}
    </span>
  );
}

function Price({ model, of }: { model: Model; of: 'input_per_1m' | 'output_per_1m' }) {
  const range = model.pricing.range?.[of];
  // Both ends would widen the column for all: they stand in the model's sheet.
  const text = range != null && range.min < range.max ? `from ${money(range.min)}` : priceText(model, of);
  return <span title={priceSource(model)}>{text}</span>;
}

function Abilities({ model }: { model: Model }) {
  const end = endOf(model);
  return (
    <span className="flex min-w-48 flex-wrap gap-1">
      {model.origin !== 'vendor' && <Badge tone="accent">route</Badge>}
      {end !== null && <Badge tone="warn">{end}</Badge>}
      {abilitiesOf(model).map((ability) => (
        <Badge key={ability}>{ability.split(' ')[0]}</Badge>
      ))}
    </span>
  );
}

function NoneOfThese() {
  const [, change] = useAddress();
  const clear = () => change({ ...Object.fromEntries(['search', ...FILTERS].map((name) => [name, undefined])) });
  return (
    <Empty title="No model fits" icon="models" action={<Button onClick={clear}>Show all models</Button>}>
      Take a filter away, or search for a part of the name.
    </Empty>
  );
}

function NoModels() {
  return (
    <Empty
      title="No models yet"
      icon="models"
      action={
        <ButtonLink to="/providers" kind="primary">
          Add a provider
        </ButtonLink>
      }
    >
      The models of your providers are listed here, with what they can do and what they cost.
    </Empty>
  );
}
