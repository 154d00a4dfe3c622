import { type FormEvent, useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useChange, useWhole } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Section } from '../../parts/facts.tsx';
import { FormFailure, faultOf } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { Lines } from '../../parts/lines.tsx';
import { setInText } from '../../parts/set-in.ts';
import type { Model } from './choose.ts';
import { NotSetHere } from './not-set-here.tsx';

type Alias = Answer<'listAliases'>['data'][number];

const CHANGED = ['listAliases', 'retrieveCatalogEntry', 'listCatalog'] as const;

/** Names that lead to a model or route: those that are set up here are added and deleted. */
export function OtherNames({ model: { id } }: { model: Model }) {
  const { may } = useSession();
  const [does, setDoes] = useState<'add' | Alias | null>(null);
  const { items, error } = useWhole('listAliases');
  const isWriter = may('api.aliases.write');
  const close = () => setDoes(null);
  const names = items?.filter(({ target, leads_to: leadsTo }) => leadsTo === id || target === id) ?? null;
  return (
    <Section
      title="Other names"
      actions={isWriter && items !== null && <Button onClick={() => setDoes('add')}>Add a name</Button>}
    >
      {error !== null && items === null ? (
        <NotSetHere error={error} />
      ) : (
        <Lines
          none="It has none that was set up here."
          lines={
            names?.map((alias) => ({
              id: alias.id,
              name: <span className="font-mono text-small">{alias.id}</span>,
              about: alias.off ?? setInText(alias.set_in) ?? (alias.target === id ? '' : `through ${alias.target}`),
              action:
                isWriter && alias.origin === 'settings'
                  ? { label: 'Delete', name: `Delete the name ${alias.id}`, onClick: () => setDoes(alias) }
                  : undefined,
            })) ?? null
          }
        />
      )}
      {does === 'add' && <AddName target={id} onClose={close} />}
      {does !== null && does !== 'add' && <DeleteName alias={does} onClose={close} />}
    </Section>
  );
}

function AddName({ target, onClose }: { target: string; onClose: () => void }) {
  const [id, setId] = useState('');
  const create = useChange('createAlias', CHANGED);
  const save = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ body: { id, target } }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="add-name" kind="primary" isBusy={create.isPending}>
        Add name
      </Button>
    </>
  );
  return (
    <Dialog title={`Another name of ${target}`} onClose={onClose} foot={foot}>
      <form id="add-name" onSubmit={save} className="grid gap-3">
        <TextField
          label="Name"
          required
          hint="The model name that callers send. It can be called within a second."
          value={id}
          error={faultOf(create.error, 'id') ?? faultOf(create.error, 'target')}
          onChange={({ target: field }) => setId(field.value.trim())}
        />
        <FormFailure error={create.error} fields={['id', 'target']} />
      </form>
    </Dialog>
  );
}

function DeleteName({ alias, onClose }: { alias: Alias; onClose: () => void }) {
  const remove = useChange('deleteAlias', CHANGED);
  return (
    <Confirm
      title={`Delete ${alias.id}?`}
      action="Delete name"
      error={remove.error}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ path: { alias_id: alias.id } }, { onSuccess: onClose })}
    >
      <p>Calls that send this name are refused from then on, unless something else is called so.</p>
    </Confirm>
  );
}
