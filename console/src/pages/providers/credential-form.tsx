import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormFailure, faultOf } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { counted } from '../../parts/format.ts';
import type { Provider } from './state.tsx';

type Credential = Provider['credentials'][number];
type Props = { provider: Provider; credential: Credential | null; onClose: () => void };
const RENEWS = ['listProviders', 'getStatus'] as const;
const FIELDS = ['name', 'key', 'weight'];

/** Another credential, or a change of one: a key that is left empty stays as it is. */
export function CredentialForm({ provider, credential, onClose }: Props) {
  const [said, setSaid] = useState({ name: credential?.name ?? '', key: '', weight: String(credential?.weight ?? 1) });
  const [isRemoving, setRemoving] = useState(false);
  const add = useChange('createProviderCredential', RENEWS);
  const update = useChange('updateProviderCredential', RENEWS);
  const error = add.error ?? update.error;
  const path = { provider_id: provider.id };
  const field = (name: keyof typeof said) => ({
    value: said[name],
    error: faultOf(error, name),
    onChange: (event: { target: { value: string } }) => setSaid({ ...said, [name]: event.target.value }),
  });
  const done = { onSuccess: onClose };

  function submit(event: FormEvent) {
    event.preventDefault();
    const weight = Number(said.weight);
    if (credential === null) {
      const name = said.name === '' ? {} : { name: said.name };
      return add.mutate({ path, body: { ...name, key: said.key, weight } }, done);
    }
    const body = {
      ...(said.name !== credential.name && { name: said.name }),
      ...(said.key !== '' && { key: said.key }),
      ...(weight !== credential.weight && { weight }),
    };
    update.mutate({ path: { ...path, credential_id: credential.id! }, body }, done);
  }
  if (isRemoving && credential !== null) {
    return <RemoveCredential {...{ provider, credential }} onClose={() => setRemoving(false)} onRemoved={onClose} />;
  }
  return (
    <Dialog
      title={credential === null ? 'Add a credential' : `Change ${credential.name}`}
      onClose={onClose}
      foot={
        <>
          {credential !== null && (
            <Button kind="danger" onClick={() => setRemoving(true)}>
              Remove credential
            </Button>
          )}
          <Button type="submit" form="credential" kind="primary" isBusy={add.isPending || update.isPending}>
            {credential === null ? 'Add credential' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form id="credential" onSubmit={submit} className="grid gap-4">
        <TextField label="Name" required={credential !== null} hint="Name for targets of routes." {...field('name')} />
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          required={credential === null}
          hint={credential === null ? 'Kept encrypted, and never shown again.' : 'Left empty, it stays as it is.'}
          {...field('key')}
        />
        <TextField
          label="Weight"
          type="number"
          min={0}
          required
          hint="Its share of the calls beside the others; 0: only where a route names it."
          {...field('weight')}
        />
        <FormFailure error={error} fields={FIELDS} />
      </form>
    </Dialog>
  );
}

type RemoveProps = { provider: Provider; credential: Credential; onClose: () => void; onRemoved: () => void };

function RemoveCredential({ provider, credential, onClose, onRemoved }: RemoveProps) {
  const remove = useChange('deleteProviderCredential', RENEWS);
  const others = provider.credentials.length - 1;
  return (
    <Confirm
      title={`Remove ${credential.name}?`}
      action="Remove credential"
      error={remove.error}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({ path: { provider_id: provider.id, credential_id: credential.id! } }, { onSuccess: onRemoved })
      }
    >
      <p>
        Its key is forgotten, and calls go by it no longer.{' '}
        {others === 0
          ? `${provider.label} has no other, and is called without a key from then on.`
          : `${provider.label} goes on with its ${counted(others, 'other credential')}.`}
      </p>
    </Confirm>
  );
}
