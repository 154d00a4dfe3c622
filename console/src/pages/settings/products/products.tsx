import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { SearchField } from '../../../parts/field.tsx';
import { exact } from '../../../parts/format.ts';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { Badge, Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Money } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { CreateProduct } from './create-product.tsx';
import { type Product, ProductSheet } from './product-sheet.tsx';

/** What the organization makes of models itself, each with keys of its own. */
export function Products() {
  const { may } = useSession();
  const [{ q = '', open, create }, change] = useAddress();
  const [secret, setSecret] = useState<{ name: string; value: string } | null>(null);
  const { items, error } = useWhole('listProducts');
  const opened = items?.find(({ id }) => id === open);
  const wanted = q.trim().toLowerCase();
  const shown = items?.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted)) ?? null;
  const isWriter = may('api.products.write');
  const button = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Create product
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="Products" actions={button}>
        Programs of your own, told apart in usage, whose keys call what you choose for each.
      </PageHead>
      {items !== null && items.length > 0 && (
        <div className="mb-3">
          <SearchField label="Search products" value={q} onChange={(each) => change({ q: each })} />
        </div>
      )}
      <Table
        label="Products"
        columns={COLUMNS}
        rows={shown}
        error={error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          items?.length ? (
            <Empty title="No product is like that">Change the search above.</Empty>
          ) : (
            <Empty title="No products yet" icon="connect" action={button}>
              A product has a name in usage and logs, a budget, and keys that may call what you choose for it.
            </Empty>
          )
        }
      />
      {create && isWriter && secret === null && (
        <CreateProduct onClose={() => change({ create: undefined })} onMade={setSecret} />
      )}
      {secret && (
        <SecretOnce
          title={`The product ${secret.name} is made`}
          label="API key"
          secret={secret.value}
          onDone={() => {
            setSecret(null);
            change({ create: undefined });
          }}
        />
      )}
      {opened && <ProductSheet key={opened.id} product={opened} onClose={() => change({ open: undefined })} />}
    </SettingsPage>
  );
}

/** Whether calls of a product are served. */
export function ProductState({ product: { off, routes, unserved, api_keys: keys } }: { product: Product }) {
  if (off !== null) return <Badge tone="bad">Not in force</Badge>;
  if (unserved.length === routes.length) return <Badge tone="bad">Calls nothing</Badge>;
  if (unserved.length > 0) return <Badge tone="warn">Some of it leads nowhere</Badge>;
  if (!keys.some(({ status }) => status === 'active')) return <Badge>No key</Badge>;
  return <Badge tone="good">In force</Badge>;
}

const COLUMNS: readonly Column<Product>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name, id }) => (
      <span title={`${name} (${id})`} className="block max-w-96 truncate max-md:max-w-36">
        {name}
      </span>
    ),
  },
  { id: 'state', title: 'State', cell: (product) => <ProductState product={product} /> },
  {
    id: 'routes',
    title: 'May call',
    isMinor: true,
    cell: ({ routes }) => (
      <span title={routes.join(', ')} className="block max-w-56 truncate">
        {routes.join(', ')}
      </span>
    ),
  },
  { id: 'keys', title: 'Keys', isNumber: true, isMinor: true, cell: ({ api_keys: keys }) => exact(keys.length) },
  {
    id: 'spent',
    title: 'Spent',
    isNumber: true,
    cell: ({ spent_usd: spent, spend_limit: limit }) => (
      <>
        <Money usd={spent} />
        {limit && (
          <span className="text-faint">
            {' '}
            of <Money usd={limit.amount_usd} />
          </span>
        )}
      </>
    ),
  },
];
