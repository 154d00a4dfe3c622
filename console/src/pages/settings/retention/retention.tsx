import { type FormEvent, useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { Notice, PageHead, SkeletonRows } from '../../../parts/states.tsx';
import { SettingsPage } from '../settings.tsx';

type Kept = Answer<'retrieveDataRetention'>['type'];

const TYPES: readonly { value: Kept; label: string }[] = [
  { value: 'zero_data_retention', label: 'Nothing is kept' },
  { value: 'modified_abuse_monitoring', label: 'Kept for abuse monitoring, without content' },
  { value: 'enhanced_zero_data_retention', label: 'Nothing is kept (enhanced)' },
  { value: 'enhanced_modified_abuse_monitoring', label: 'Kept for abuse monitoring (enhanced)' },
];

/** What the gateway keeps of calls, and what the organization says of it. */
export function Retention() {
  const { may } = useSession();
  const { data, error } = useRead('retrieveDataRetention');
  return (
    <SettingsPage>
      <PageHead title="Data and retention">What is kept of calls.</PageHead>
      <div className="max-w-3xl">
        <Section title="What this gateway keeps">
          <Facts
            facts={[
              ['Prompts and answers', 'Not kept.'],
              [
                'Of each call',
                'When it was, its model, provider and key, how many tokens it used, what it cost, how long it took, and the kind of its error.',
              ],
              ['Changes of settings', 'Kept in the audit log, without secrets.'],
              ['Secrets of keys', 'Only what tells them apart: a hash, and their first and last characters.'],
            ]}
          />
        </Section>
        <Section title="What your organization says">
          <p className="text-table text-weak">
            Kept and given back to programs that ask by OpenAI’s administration API. It changes nothing here; what a
            vendor keeps is settled with that vendor.
          </p>
          {error && <Failure error={error} />}
          {!error && data === undefined && <SkeletonRows rows={1} />}
          {data && <Statement type={data.type} isWriter={may('api.settings.write')} />}
        </Section>
      </div>
    </SettingsPage>
  );
}

function Statement({ type, isWriter }: { type: Kept; isWriter: boolean }) {
  const [chosen, setChosen] = useState<Kept | null>(null);
  const shown = chosen ?? type;
  const update = useChange('updateDataRetention', ['retrieveDataRetention']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ body: { retention_type: shown } }, { onSuccess: () => setChosen(null) });
  };
  if (!isWriter) return <p>{TYPES.find(({ value }) => value === type)?.label}</p>;
  return (
    <form onSubmit={save} className="grid max-w-md gap-3">
      <SelectField
        label="Retention"
        choices={TYPES}
        value={shown}
        onChange={({ target }) => setChosen(target.value as Kept)}
      />
      {update.error && <Failure error={update.error} />}
      {update.isSuccess && chosen === null && <Notice tone="good">Saved.</Notice>}
      <div>
        <Button type="submit" isBusy={update.isPending} disabled={shown === type}>
          Save
        </Button>
      </div>
    </form>
  );
}
