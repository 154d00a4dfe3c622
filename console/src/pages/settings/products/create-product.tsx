import { type FormEvent, useState } from 'react';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { EndsOnField, secondsUntilEndOf } from '../../../parts/ends-on.tsx';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { PRODUCT_FIELDS, ProductFields, productBody } from './product-fields.tsx';

const FIELDS = ['id', 'project_id', 'expires_in_seconds', ...PRODUCT_FIELDS];
const NEW = { name: '', routes: ['system'], amount: '', interval: 'month' };

type Props = { onClose: () => void; onMade: (made: { name: string; value: string }) => void };

/** Makes a product with its first key. */
export function CreateProduct({ onClose, onMade }: Props) {
  const { may } = useSession();
  const [id, setId] = useState('');
  const [form, setForm] = useState<Parameters<typeof productBody>[0]>(NEW);
  const [projectId, setProjectId] = useState('');
  const [endsOn, setEndsOn] = useState('');
  const projects = useWhole('listProjects', {}, { enabled: may('api.projects.read') });
  const create = useChange('createProduct', ['listProducts', ...KEY_LISTS]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = form.name.trim();
    const body = {
      ...productBody(form),
      ...{ id, expires_in_seconds: secondsUntilEndOf(endsOn) },
      ...(name !== '' && { name }),
      ...(projectId !== '' && { project_id: projectId }),
    };
    create.mutate({ body }, { onSuccess: (made) => onMade({ name: made.name, value: made.api_key.value }) });
  };
  const foot = (
    <>
      <Button disabled={create.isPending} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="create-product" kind="primary" isBusy={create.isPending}>
        Create product
      </Button>
    </>
  );
  return (
    <Sheet title="Create a product" isHeld={create.isPending} onClose={onClose} foot={foot}>
      <form id="create-product" onSubmit={submit} className="grid gap-4">
        <TextField
          label="Id"
          required
          hint="Letters, digits, _ and -. Used in usage reports; it cannot be changed."
          value={id}
          error={faultOf(create.error, 'id')}
          onChange={({ target }) => setId(target.value.trim())}
        />
        <ProductFields form={form} error={create.error} onChange={(changes) => setForm({ ...form, ...changes })} />
        <SelectField
          label="Project of its key"
          choices={[
            { value: '', label: 'The default project' },
            ...(projects.items ?? [])
              .filter(({ is_default }) => !is_default)
              .map(({ id: value, name: label }) => ({ value, label })),
          ]}
          value={projectId}
          error={faultOf(create.error, 'project_id')}
          onChange={({ target }) => setProjectId(target.value)}
        />
        <EndsOnField value={endsOn} error={faultOf(create.error, 'expires_in_seconds')} onChange={setEndsOn} />
        <FormFailure error={create.error} fields={FIELDS} />
      </form>
    </Sheet>
  );
}
