import { type FormEvent, useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Id } from '../../../parts/copy.tsx';
import { useEdit } from '../../../parts/edit.ts';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Failure, FormFailure, faultOf } from '../../../parts/failure.tsx';
import { TextField } from '../../../parts/field.tsx';
import { counted } from '../../../parts/format.ts';
import { setInText } from '../../../parts/set-in.ts';
import { PageHead, SkeletonRows } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { SettingsPage } from '../settings.tsx';

type Organization = Answer<'retrieveOrganization'>;
type Configured = Answer<'listConfiguration'>['data'][number];

/** What the organization is called, what the person is in it, and what the configuration file rules. */
export function General() {
  const { organization, permissions, may } = useSession();
  const own = useRead('retrieveOrganization', {}, { enabled: may('api.settings.read') });
  const [saves, setSaves] = useState(0);
  if (organization === null) {
    return (
      <SettingsPage>
        <PageHead title="General" />
        <p className="text-weak">You are in no organization.</p>
      </SettingsPage>
    );
  }
  return (
    <SettingsPage>
      <PageHead title="General" />
      <div className="max-w-3xl">
        <Facts
          facts={[
            ['Organization', organization.name],
            ['Id', <Id key="id" id={organization.id} />],
            [
              'Address for calls',
              <code key="address" className="font-mono">
                {window.location.origin}/v1
              </code>,
            ],
            [
              'You are',
              organization.role === 'owner'
                ? 'An owner: you may do everything'
                : `A reader with ${permissions.length} permissions`,
            ],
          ]}
        />
        {own.data && <Rename key={saves} organization={own.data} onSaved={() => setSaves(saves + 1)} />}
        {own.isLoading && <SkeletonRows rows={3} />}
        {own.error && (
          <div className="mt-4">
            <Failure error={own.error} />
          </div>
        )}
      </div>
      {may('api.settings.read') && <Configuration />}
    </SettingsPage>
  );
}

function Rename({ organization, onSaved }: { organization: Organization; onSaved: () => void }) {
  const { may } = useSession();
  const update = useChange('updateOrganization', ['retrieveOrganization', 'getSession']);
  const { name: now, version } = organization;
  const { typed, set, seen } = useEdit({ now: { name: now }, version }, update.error);
  const place = setInText(organization.name_set_in);
  if (place !== null) return <p className="mt-4 text-small text-faint">The name: {place}.</p>;
  if (!may('api.settings.write')) return null;
  function submit(event: FormEvent) {
    event.preventDefault();
    update.mutate({ body: { name: typed.name, if_version: seen } }, { onSuccess: onSaved });
  }
  return (
    <Section title="Name">
      <form onSubmit={submit} className="grid max-w-md gap-3">
        <TextField
          label="Name of the organization"
          required
          maxLength={200}
          value={typed.name}
          error={faultOf(update.error, 'name')}
          onChange={(event) => set({ name: event.target.value })}
        />
        <FormFailure error={update.error} fields={['name']} />
        <div>
          <Button type="submit" kind="primary" isBusy={update.isPending} disabled={typed.name.trim() === now}>
            Save name
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** The settings of the configuration, as they are in force: they are changed in the file alone. What nobody set is shown when it is asked for. */
function Configuration() {
  const { data, error } = useRead('listConfiguration');
  const [isWhole, setWhole] = useState(false);
  const all = data?.data ?? null;
  const set = all?.filter(({ from }) => from !== 'default') ?? null;
  const rest = (all?.length ?? 0) - (set?.length ?? 0);
  const isOffered = rest > 0 && !isWhole;
  return (
    <Section title="What the configuration file rules">
      <Table
        label="Settings of the configuration"
        columns={COLUMNS}
        rows={isWhole ? all : set}
        error={error}
        rowId={({ name }) => name}
        empty={<p className="text-table text-weak">Nothing is set there.</p>}
      />
      {isOffered && (
        <div>
          <Button onClick={() => setWhole(true)}>Show the {counted(rest, 'setting')} that nobody set</Button>
        </div>
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<Configured>[] = [
  {
    id: 'name',
    title: 'Setting',
    cell: ({ name, description }) => (
      <span title={description} className="font-mono text-small">
        {name}
      </span>
    ),
  },
  {
    id: 'value',
    title: 'Value',
    cell: ({ value }) => (
      <span className="font-mono text-small [overflow-wrap:anywhere]">
        {typeof value === 'string' ? value : value === null ? '—' : JSON.stringify(value)}
      </span>
    ),
  },
  {
    id: 'from',
    title: 'Set',
    cell: ({ from, set_in: place }) => (
      <span className="text-faint">
        {setInText(place) ?? { file: 'In the file', environment: 'By the environment', default: 'By default' }[from]}
      </span>
    ),
  },
];
