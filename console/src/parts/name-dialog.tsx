import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormFailure, faultOf } from './failure.tsx';
import { TextField } from './field.tsx';

type Props = {
  title: string;
  action: string;
  name?: string;
  hint?: string;
  error: Error | null;
  isBusy: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
};

/** Asks for a name: of something new, or another for something that is there. */
export function NameDialog({ title, action, name: before = '', hint, error, isBusy, onSave, onClose }: Props) {
  const [name, setName] = useState(before);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(name);
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="name" kind="primary" isBusy={isBusy}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} foot={foot}>
      <form id="name" onSubmit={submit} className="grid gap-3">
        <TextField
          label="Name"
          required
          maxLength={200}
          hint={hint}
          value={name}
          error={faultOf(error, 'name')}
          onChange={({ target }) => setName(target.value)}
        />
        <FormFailure error={error} fields={['name']} />
      </form>
    </Dialog>
  );
}
