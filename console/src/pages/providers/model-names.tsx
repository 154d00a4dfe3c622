import { type FormEvent, useState } from 'react';
import type { ProviderUpdate } from '../../api/generated.ts';
import { useChange } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Section } from '../../parts/facts.tsx';
import { FormFailure, faultOf } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import type { Provider } from './state.tsx';

type Values = Readonly<Record<string, unknown>>;
/** A model of a definition. What else is said of it stays. */
type Named = Values & { id: string; upstream?: string; defaults?: Values; force?: Values };

function namesOf({ definition }: Provider): readonly Named[] {
  return (definition.models ?? []) as readonly Named[];
}

/** Names that a provider's models have here beside the vendor's own, and the parameters that calls by them get. */
export function ModelNames({ provider, isOurs }: { provider: Provider; isOurs: boolean }) {
  const [place, setPlace] = useState<number | null>(null);
  const names = namesOf(provider);
  if (names.length === 0 && !isOurs) return null;
  return (
    <Section
      title="Names of models"
      actions={
        isOurs && (
          <Button icon="plus" onClick={() => setPlace(names.length)}>
            Add a name
          </Button>
        )
      }
    >
      {names.length === 0 && (
        <p className="text-weak">Its models have the vendor’s names and no parameters of yours.</p>
      )}
      <ul>
        {names.map((named, index) => (
          <li key={named.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
            <span className="min-w-0 flex-1 truncate font-medium">{named.id}</span>
            {named.upstream !== undefined && <span className="font-mono text-small text-faint">{named.upstream}</span>}
            <span className="text-small text-weak">{parametersOf(named)}</span>
            {isOurs && (
              <Button kind="quiet" onClick={() => setPlace(index)}>
                Change name
              </Button>
            )}
          </li>
        ))}
      </ul>
      {place !== null && <ModelNameForm provider={provider} place={place} onClose={() => setPlace(null)} />}
    </Section>
  );
}

function parametersOf({ defaults = {}, force = {} }: Named): string {
  return [...Object.keys(force), ...Object.keys(defaults)].join(', ');
}

type FormProps = { provider: Provider; place: number; onClose: () => void };

function ModelNameForm({ provider, place, onClose }: FormProps) {
  const names = namesOf(provider);
  const named = names[place];
  const [said, setSaid] = useState<Named>(named ?? { id: '' });
  const update = useChange('updateProvider', ['listProviders', 'listCatalog', 'getStatus']);
  const [opened] = useState(provider.version);
  const at = (member: string) => `models.${place}.${member}`;
  const change = (member: string, value: unknown) =>
    setSaid(({ [member]: _, ...rest }) => withMember(rest, member, value));
  const save = (models: readonly Named[]) => {
    const body = { models, ...(opened !== null && { if_version: opened }) } as ProviderUpdate;
    update.mutate({ path: { provider_id: provider.id }, body }, { onSuccess: onClose });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(named === undefined ? [...names, said] : names.with(place, said));
  };
  return (
    <Dialog
      title={named === undefined ? 'Add a name of a model' : `Change ${named.id}`}
      onClose={onClose}
      foot={
        <>
          {named !== undefined && (
            <Button kind="danger" onClick={() => save(names.toSpliced(place, 1))}>
              Remove name
            </Button>
          )}
          <Button type="submit" form="model-name" kind="primary" isBusy={update.isPending}>
            {named === undefined ? 'Add name' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form id="model-name" onSubmit={submit} className="grid gap-4">
        <TextField
          label="Name that callers use"
          required
          hint={`It is called as ${provider.id}/${said.id === '' ? 'name' : said.id}.`}
          error={faultOf(update.error, at('id'))}
          value={said.id}
          onChange={({ target }) => change('id', target.value)}
        />
        <TextField
          label="The vendor’s name for it"
          hint="Left empty, it is the same. One model may have several names here."
          error={faultOf(update.error, at('upstream'))}
          value={said.upstream ?? ''}
          onChange={({ target }) => change('upstream', target.value === '' ? undefined : target.value)}
        />
        <JsonField
          label="Parameters where the caller says none, as JSON"
          placeholder='{ "temperature": 0.2 }'
          error={faultOf(update.error, at('defaults'))}
          value={said.defaults}
          onChange={(value) => change('defaults', value)}
        />
        <JsonField
          label="Parameters whatever the caller says, as JSON"
          placeholder='{ "reasoning_effort": "high" }'
          error={faultOf(update.error, at('force'))}
          value={said.force}
          onChange={(value) => change('force', value)}
        />
        <FormFailure error={update.error} fields={['id', 'upstream', 'defaults', 'force'].map(at)} />
      </form>
    </Dialog>
  );
}

/** The id stays, even if it is empty while another is typed. */
function withMember(rest: Values, member: string, value: unknown): Named {
  return { ...rest, ...(value !== undefined && { [member]: value }) } as Named;
}
