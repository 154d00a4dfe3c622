import { type FormEvent, useState } from 'react';
import { KEY_LISTS } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { useChange, useWhole } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Failure, FormFailure, faultOf } from '../../parts/failure.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/states.tsx';
import { useAddress } from '../../shell/address.ts';

/** `secret`: of a key that was made on this page, and is kept nowhere else. */
export type ChosenKey = { id: string; name: string; secret: string | null };
export const NO_KEY: ChosenKey = { id: '', name: '', secret: null };
/** Stands where the secret of a key is to be put. */
export const PLACEHOLDER = 'hg_live_…';

type Props = { chosen: ChosenKey; onChoose: (key: ChosenKey) => void };

/** A key that is there, or one that is made here. */
export function ChooseKey({ chosen, onChoose }: Props) {
  const { mayIn } = useSession();
  const [address, change] = useAddress();
  const projects = useWhole('listProjects');
  if (projects.items === null) return projects.error && <Failure error={projects.error} />;
  const open = projects.items.filter(({ status }) => status === 'active');
  const project = open.find(({ id }) => id === address.project) ?? open.find((each) => each.is_default) ?? open[0];
  if (project === undefined) return <p className="text-weak">There is no project that you may make keys in.</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {open.length > 1 && chosen.secret === null && (
        <SelectField
          label="Project"
          value={project.id}
          choices={open.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => {
            onChoose(NO_KEY);
            change({ project: event.target.value });
          }}
        />
      )}
      {chosen.secret !== null ? (
        <MadeKey name={chosen.name} secret={chosen.secret} onLeave={() => onChoose(NO_KEY)} />
      ) : (
        <>
          {mayIn(project.id, 'api.keys.write') && <MakeKey projectId={project.id} onMade={onChoose} />}
          {mayIn(project.id, 'api.keys.read') && (
            <KeysThere projectId={project.id} chosen={chosen} onChoose={onChoose} />
          )}
        </>
      )}
    </div>
  );
}

function MadeKey({ name, secret, onLeave }: { name: string; secret: string; onLeave: () => void }) {
  return (
    <>
      <Copyable label={`Secret of ${name}`} text={secret} />
      <Notice tone="warn">
        It is shown only now, and it stands in what is beside. Keep it where secrets are kept.
      </Notice>
      <div>
        <Button onClick={onLeave}>I have kept it</Button>
      </div>
    </>
  );
}

/** Whose a new key is: others than one's own are for those who may change members. */
const OWNERS = [
  { value: 'you', label: 'You' },
  { value: 'service_account', label: 'A service account of its own' },
  { value: 'project', label: 'The project' },
];

function MakeKey({ projectId, onMade }: { projectId: string; onMade: (key: ChosenKey) => void }) {
  const { mayIn } = useSession();
  const [name, setName] = useState('');
  const [owner, setOwner] = useState('you');
  const key = useChange('createProjectApiKey', KEY_LISTS);
  const account = useChange('createServiceAccount', [...KEY_LISTS, 'listServiceAccounts']);
  const { error, isPending } = owner === 'service_account' ? account : key;
  const make = (event: FormEvent) => {
    event.preventDefault();
    const path = { project_id: projectId };
    if (owner === 'service_account')
      account.mutate(
        { path, body: { name } },
        { onSuccess: ({ api_key }) => api_key !== null && onMade({ id: api_key.id, name, secret: api_key.value }) },
      );
    else
      key.mutate(
        { path, body: { name, ...(owner === 'project' && { user_id: null }) } },
        { onSuccess: ({ id, value }) => onMade({ id, name, secret: value }) },
      );
  };
  return (
    <form onSubmit={make} className="grid gap-3">
      <TextField
        label="Name of a new key"
        placeholder="billing-bot"
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={faultOf(error, 'name')}
      />
      {mayIn(projectId, 'api.members.write') && mayIn(projectId, 'api.service_accounts.write') && (
        <SelectField
          label="Whose it is"
          value={owner}
          choices={OWNERS}
          onChange={(event) => setOwner(event.target.value)}
        />
      )}
      <FormFailure error={error} fields={['name']} />
      <div>
        <Button type="submit" kind="primary" icon="key" isBusy={isPending}>
          Create key
        </Button>
      </div>
    </form>
  );
}

function KeysThere({ projectId, chosen, onChoose }: Props & { projectId: string }) {
  const keys = useWhole('listProjectApiKeys', { path: { project_id: projectId } });
  if (keys.error) return <Failure error={keys.error} />;
  if (keys.items === null) return <div className="skeleton h-14" aria-hidden="true" />;
  const active = keys.items.filter(({ status }) => status === 'active');
  if (active.length === 0) return null;
  return (
    <SelectField
      label="Or one that is there"
      value={chosen.id}
      choices={[
        { value: '', label: 'Choose a key' },
        ...active.map(({ id, name, redacted_value }) => ({ value: id, label: `${name} (${redacted_value})` })),
      ]}
      onChange={(event) => onChoose(active.map(unknownSecret).find(({ id }) => id === event.target.value) ?? NO_KEY)}
      hint={chosen.id !== '' && 'Its secret is known to nobody but who kept it: put it in yourself.'}
    />
  );
}

function unknownSecret({ id, name }: { id: string; name: string }): ChosenKey {
  return { id, name, secret: null };
}
