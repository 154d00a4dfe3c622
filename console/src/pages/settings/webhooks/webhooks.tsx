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
import { EditEndpoint } from './edit-endpoint.tsx';
import { type Endpoint, EndpointSheet } from './endpoint-sheet.tsx';

/** Where the organization is told of events. */
export function Webhooks() {
  const { may } = useSession();
  const [{ open, create }, change] = useAddress();
  const [secret, setSecret] = useState<string | null>(null);
  const endpoints = useWhole('listWebhookEndpoints');
  const opened = endpoints.items?.find(({ id }) => id === open);
  const isWriter = may('api.webhooks.write');
  const button = isWriter && (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Add endpoint
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="Webhooks" actions={button}>
        Addresses of yours that are told of events, signed as Standard Webhooks says.
      </PageHead>
      <Table
        label="Endpoints"
        columns={COLUMNS}
        rows={endpoints.items}
        error={endpoints.error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          <Empty title="No endpoints yet" icon="connect" action={button}>
            An endpoint is told when a budget is reached, a key is made or a project is archived.
          </Empty>
        }
      />
      {create && isWriter && (
        <EditEndpoint
          endpoint={null}
          onClose={() => change({ create: undefined })}
          onSaved={(made) => {
            if (made !== undefined) setSecret(made);
            change({ create: undefined });
          }}
        />
      )}
      {opened && secret === null && (
        <EndpointSheet
          key={opened.id}
          endpoint={opened}
          onSecret={setSecret}
          onClose={() => change({ open: undefined })}
        />
      )}
      {secret !== null && (
        <SecretOnce
          title="The endpoint has a secret"
          label="Signing secret"
          secret={secret}
          onDone={() => setSecret(null)}
        >
          <p className="text-table text-weak">Your endpoint checks with it that a request is this gateway’s.</p>
        </SecretOnce>
      )}
    </SettingsPage>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name }) => (
      <span title={name} className="block max-w-56 truncate max-md:max-w-44">
        {name}
      </span>
    ),
  },
  {
    id: 'url',
    title: 'Address',
    isMinor: true,
    cell: ({ url }) => (
      <span title={url} className="block max-w-80 truncate text-weak">
        {url}
      </span>
    ),
  },
  { id: 'events', title: 'Events', isNumber: true, cell: ({ event_types }) => event_types.length },
  { id: 'changed', title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
];
