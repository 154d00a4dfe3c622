import type { FormEvent } from 'react';
import type { Given } from '../../../api/call.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { useEdit } from '../../../parts/edit.ts';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { CheckField, TextField } from '../../../parts/field.tsx';
import type { Endpoint } from './endpoint-sheet.tsx';

type Body = Given<'createWebhookEndpoint'>['body'];

type Props = {
  /** `null`: another is made. */
  endpoint: Endpoint | null;
  onClose: () => void;
  /** With the secret of one that was made. */
  onSaved: (secret?: string) => void;
};

/** An endpoint's name, address, and what it is told of. */
export function EditEndpoint({ endpoint, onClose, onSaved }: Props) {
  const types = useRead('listWebhookEventTypes');
  const create = useChange('createWebhookEndpoint', ['listWebhookEndpoints']);
  const update = useChange('updateWebhookEndpoint', ['listWebhookEndpoints']);
  const { error } = endpoint === null ? create : update;
  const { name = '', url = '', event_types = [], version = 0 } = endpoint ?? {};
  const now = { name, url, event_types: event_types as readonly string[] };
  const { typed, changes, set, seen } = useEdit({ now, version }, error);
  const chosen = typed.event_types;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (endpoint === null) {
      create.mutate({ body: typed as Body }, { onSuccess: ({ signing_secret }) => onSaved(signing_secret) });
    } else {
      const path = { webhook_id: endpoint.id };
      const body = { ...(changes as Partial<Body>), if_version: seen };
      update.mutate({ path, body }, { onSuccess: () => onSaved() });
    }
  };
  const foot = (
    <>
      <Button disabled={create.isPending} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="endpoint" kind="primary" isBusy={create.isPending || update.isPending}>
        {endpoint === null ? 'Add endpoint' : 'Save endpoint'}
      </Button>
    </>
  );
  return (
    <Dialog
      title={endpoint === null ? 'Add an endpoint' : `Change ${endpoint.name}`}
      isHeld={create.isPending}
      onClose={onClose}
      foot={foot}
    >
      <form id="endpoint" onSubmit={save} className="grid gap-3">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={typed.name}
          error={faultOf(error, 'name')}
          onChange={({ target }) => set({ name: target.value })}
        />
        <TextField
          label="Address"
          type="url"
          required
          placeholder="https://"
          hint="Over https, and public."
          value={typed.url}
          error={faultOf(error, 'url')}
          onChange={({ target }) => set({ url: target.value })}
        />
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-table font-medium">Events</legend>
          {types.data?.data.map((type) => (
            <CheckField
              key={type}
              label={type}
              checked={chosen.includes(type)}
              onChange={({ target }) =>
                set({ event_types: target.checked ? [...chosen, type] : chosen.filter((each) => each !== type) })
              }
            />
          ))}
          {faultOf(error, 'event_types') && (
            <p role="alert" className="text-small text-bad">
              {faultOf(error, 'event_types')}
            </p>
          )}
        </fieldset>
        <FormFailure error={error} fields={['name', 'url', 'event_types']} />
      </form>
    </Dialog>
  );
}
