import { useSession } from '../../api/session.ts';
import { useList } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { exact, percent } from '../../parts/format.ts';
import { Empty, PageHead } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { AddProvider } from './add-provider.tsx';
import { ProviderSheet } from './provider-sheet.tsx';
import { originWords, type Provider, ProviderState } from './state.tsx';

/** How often the states are read again, in ms. */
const EVERY_MS = 10_000;

/** Who serves models, how they do, and with which credentials. */
export function Providers() {
  const { may } = useSession();
  const [address, change] = useAddress();
  const { items, error, ...more } = useList('listProviders', { query: { limit: 100 } }, { every: EVERY_MS });
  const opened = items?.find(({ id }) => id === address.open);
  const add = may('api.providers.write') && (
    <Button kind="primary" icon="plus" onClick={() => change({ add: 'yes' }, { replace: false })}>
      Add provider
    </Button>
  );
  return (
    <>
      <PageHead title="Providers" actions={add}>
        Vendors and servers that answer calls of models.
      </PageHead>
      <Table
        label="Providers"
        columns={COLUMNS}
        rows={items}
        rowId={({ id }) => id}
        error={error}
        more={more}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          <Empty title="No provider yet" icon="providers" action={add}>
            A provider serves models: a vendor with your key, or a server of your own.
          </Empty>
        }
      />
      {address.add && (
        <AddProvider
          onClose={() => change({ add: undefined })}
          onAdded={(id) => change({ add: undefined, open: id })}
        />
      )}
      {opened && <ProviderSheet key={opened.id} provider={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

const COLUMNS: readonly Column<Provider>[] = [
  { id: 'name', title: 'Name', cell: ({ label }) => label },
  { id: 'state', title: 'State', cell: (provider) => <ProviderState provider={provider} /> },
  { id: 'models', title: 'Models', isNumber: true, cell: ({ models }) => exact(models) },
  {
    id: 'credentials',
    title: 'Credentials',
    isMinor: true,
    cell: ({ credentials }) => (
      <span className="font-mono text-small text-faint">
        {credentials.length === 0
          ? 'none'
          : credentials.map(({ name, hint }) => (hint === '' ? name : `…${hint}`)).join(' ')}
      </span>
    ),
  },
  { id: 'errors', title: 'Failed', isNumber: true, isMinor: true, cell: ({ error_rate: rate }) => percent(rate) },
  {
    id: 'error',
    title: 'Last error',
    isMinor: true,
    cell: ({ last_error: last }) =>
      last === null ? (
        <span className="text-faint">—</span>
      ) : (
        <span className="block max-w-80 truncate" title={last.message}>
          <Time at={last.at} /> {last.message}
        </span>
      ),
  },
  {
    id: 'origin',
    title: 'Set in',
    isMinor: true,
    cell: (provider) => <span className="text-faint">{originWords(provider) ?? 'These settings'}</span>,
  },
];
