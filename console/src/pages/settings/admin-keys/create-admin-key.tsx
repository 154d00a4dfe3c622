import { type FormEvent, useState } from 'react';
import { useChange } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { EndsOnField, secondsUntilEndOf } from '../../../parts/ends-on.tsx';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { TextField } from '../../../parts/field.tsx';

type Props = { onClose: () => void; onMade: (made: { name: string; value: string }) => void };

/** Makes a key that may do all that its maker may with settings. */
export function CreateAdminKey({ onClose, onMade }: Props) {
  const [name, setName] = useState('');
  const [endsOn, setEndsOn] = useState('');
  const create = useChange('createAdminApiKey', ['listAdminApiKeys']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ body: { name, expires_in_seconds: secondsUntilEndOf(endsOn) } }, { onSuccess: onMade });
  };
  const foot = (
    <>
      <Button disabled={create.isPending} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="create-admin-key" kind="primary" isBusy={create.isPending}>
        Create administration key
      </Button>
    </>
  );
  return (
    <Dialog title="Create an administration key" isHeld={create.isPending} onClose={onClose} foot={foot}>
      <form id="create-admin-key" onSubmit={submit} className="grid gap-4">
        <p className="text-table text-weak">Whoever has it changes these settings as you can.</p>
        <TextField
          label="Name"
          required
          maxLength={200}
          hint="What it is for: “Terraform of the platform team”."
          value={name}
          error={faultOf(create.error, 'name')}
          onChange={({ target }) => setName(target.value)}
        />
        <EndsOnField value={endsOn} error={faultOf(create.error, 'expires_in_seconds')} onChange={setEndsOn} />
        <FormFailure error={create.error} fields={['name', 'expires_in_seconds']} />
      </form>
    </Dialog>
  );
}
