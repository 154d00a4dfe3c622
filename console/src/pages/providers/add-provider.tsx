import { type FormEvent, useState } from 'react';
import type { Given } from '../../api/call.ts';
import { useChange, useRead } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import { FormFailure, faultOf } from '../../parts/failure.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { TestResult } from './test-result.tsx';

const OWN = '';
const DIALECTS = [
  { value: 'openai-chat', label: 'OpenAI chat completions' },
  { value: 'openai-responses', label: 'OpenAI responses' },
  { value: 'anthropic-messages', label: 'Anthropic messages' },
  { value: 'openai-embeddings', label: 'OpenAI embeddings' },
];
type Dialect = NonNullable<Given<'createProvider'>['body']['dialects']>[number];

/** Adds a vendor of the list, or an address; it can be tried before it is saved. */
export function AddProvider({ onClose, onAdded }: { onClose: () => void; onAdded: (id: string) => void }) {
  const presets = useRead('listProviderPresets');
  const [said, setSaid] = useState({ preset: OWN, id: '', base_url: '', key: '', dialect: 'openai-chat' });
  const test = useChange('testProvider');
  const add = useChange('createProvider', ['listProviders', 'listCatalog', 'getStatus']);
  const chosen = presets.data?.data.find(({ id }) => id === said.preset);
  const error = add.error ?? test.error;
  const hasAddress = chosen === undefined || chosen.base_url === null;
  const fields = ['id', ...(hasAddress ? ['base_url'] : []), 'key', 'credentials.0.key'];
  const change = (changes: Partial<typeof said>) => {
    // What was said of another address or key is not said of this one.
    test.reset();
    setSaid({ ...said, ...changes });
  };
  const field = (name: keyof typeof said) => ({
    value: said[name],
    error: faultOf(error, name),
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  const place = {
    ...(chosen && { preset: chosen.id }),
    ...(said.base_url !== '' && { base_url: said.base_url }),
    ...(!chosen && { dialects: [said.dialect as Dialect] }),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    const credentials = said.key === '' ? {} : { credentials: [{ key: said.key }] };
    test.reset();
    add.mutate({ body: { id: said.id, ...place, ...credentials } }, { onSuccess: ({ id }) => onAdded(id) });
  }
  return (
    <Sheet
      title="Add a provider"
      onClose={onClose}
      foot={
        <>
          <Button
            isBusy={test.isPending}
            onClick={() => {
              add.reset();
              test.mutate({ body: { ...place, ...(said.key !== '' && { key: said.key }) } });
            }}
          >
            Test it
          </Button>
          <Button type="submit" form="add-provider" kind="primary" isBusy={add.isPending}>
            Add provider
          </Button>
        </>
      }
    >
      <form id="add-provider" onSubmit={submit} className="grid gap-4">
        <SelectField
          label="Vendor"
          value={said.preset}
          onChange={({ target: { value } }) => change({ preset: value, id: value, base_url: '' })}
          choices={[
            { value: OWN, label: 'Another, by its address' },
            ...(presets.data?.data ?? []).map(({ id, label }) => ({ value: id, label })),
          ]}
        />
        <TextField
          label="Name in model ids"
          required
          hint={`Its models are called ${said.id || 'name'}/model.`}
          {...field('id')}
        />
        {hasAddress && (
          <TextField
            label="Address"
            type="url"
            required
            placeholder="https://models.example.com/v1"
            {...field('base_url')}
          />
        )}
        {chosen === undefined && <SelectField label="What it speaks" choices={DIALECTS} {...field('dialect')} />}
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          required={chosen?.needs_key ?? false}
          hint="Kept encrypted, and never shown again."
          {...field('key')}
          error={faultOf(error, 'key') ?? faultOf(error, 'credentials.0.key')}
        />
        {chosen && (
          <p className="text-small text-faint">
            Where keys are made:{' '}
            <a href={chosen.docs} rel="noreferrer noopener" target="_blank" className="underline">
              {chosen.label}
            </a>
          </p>
        )}
        {test.data && <TestResult result={test.data} />}
        <FormFailure error={error} fields={fields} />
      </form>
    </Sheet>
  );
}
