import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Time } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { type AdminKey, AdminKeySheet, hasEnded, makerOf } from './admin-key-sheet.tsx';
import { CreateAdminKey } from './create-admin-key.tsx';

/** The keys that change settings, and call no models. */
export function AdminKeys() {
  const { may } = useSession();
  const [{ open, create }, change] = useAddress();
  const [made, setMade] = useState<{ name: string; value: string } | null>(null);
  const keys = useWhole('listAdminApiKeys', { query: { order: 'desc' } });
  const opened = keys.items?.find(({ id }) => id === open);
  const isWriter = may('api.admin_keys.write');
  const button = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Create administration key
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="Administration keys" actions={button}>
        What scripts change these settings with. They call no models.
      </PageHead>
      <Table
        label="Administration keys"
        columns={COLUMNS}
        rows={keys.items}
        error={keys.error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          <Empty title="No administration keys yet" icon="key" action={button}>
            A script with such a key does what the console does: it makes projects and keys, and reads usage.
          </Empty>
        }
      />
      {create && isWriter && made === null && (
        <CreateAdminKey onClose={() => change({ create: undefined })} onMade={setMade} />
      )}
      {made && (
        <SecretOnce
          title={`The key ${made.name} is made`}
          label="Administration key"
          secret={made.value}
          onDone={() => {
            setMade(null);
            change({ create: undefined });
          }}
        >
          <p className="text-table text-weak">
            Send it as <code className="font-mono">Authorization: Bearer …</code> to{' '}
            <code className="font-mono [overflow-wrap:anywhere]">{window.location.origin}/v1/organization</code>.
          </p>
        </SecretOnce>
      )}
      {opened && <AdminKeySheet key={opened.id} adminKey={opened} onClose={() => change({ open: undefined })} />}
    </SettingsPage>
  );
}

const COLUMNS: readonly Column<AdminKey>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name }) => (
      <span title={name} className="block max-w-80 truncate max-md:max-w-36">
        {name}
      </span>
    ),
  },
  {
    id: 'secret',
    title: 'Key',
    isMinor: true,
    cell: ({ redacted_value: value }) => <code className="font-mono text-small">{value}</code>,
  },
  {
    id: 'maker',
    title: 'Made by',
    isMinor: true,
    cell: (key) => (
      <span title={makerOf(key)} className="block max-w-40 truncate">
        {makerOf(key)}
      </span>
    ),
  },
  { id: 'made', title: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
  {
    id: 'ends',
    title: 'Ends',
    cell: (key) => (
      <>
        {hasEnded(key) && 'Ended '}
        <Time at={key.expires_at} never="Never" />
      </>
    ),
  },
];
