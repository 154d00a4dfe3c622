import { type FormEvent, useState } from 'react';
import type { Given } from '../../../api/call.ts';
import type { Project } from '../../../api/keys.ts';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { LIMIT_FIELDS, LimitFields, limitsBody, NO_LIMITS } from './limits.tsx';

const FIELDS = ['name', 'user_id', 'service_account_id', ...LIMIT_FIELDS];
const YOU = 'you';
const NOBODY = 'nobody';
const NEW_ACCOUNT = 'new';

type Props = { projects: readonly Project[]; projectId: string | undefined; onClose: () => void };

/** Makes a key, and then shows its secret, once. */
export function CreateKey({ projects, projectId: wanted, onClose }: Props) {
  const { mayIn } = useSession();
  const writable = projects.filter(({ id }) => mayIn(id, 'api.keys.write'));
  const first = writable.find(({ id }) => id === wanted) ?? defaultOf(writable);
  const [projectId, setProjectId] = useState(first?.id ?? '');
  const [name, setName] = useState('');
  const [owner, setOwner] = useState(YOU);
  const [accountName, setAccountName] = useState('');
  const [limits, setLimits] = useState(NO_LIMITS);
  const addAccount = useChange('createServiceAccount', ['listServiceAccounts']);
  const create = useChange('createProjectApiKey', KEY_LISTS);
  const path = { project_id: projectId };

  async function submit(event: FormEvent) {
    event.preventDefault();
    try {
      let of = owner;
      if (owner === NEW_ACCOUNT) {
        const body = { name: accountName, create_service_account_only: true };
        of = `account ${(await addAccount.mutateAsync({ path, body })).id}`;
        // Where the key is refused, the account is there already.
        setOwner(of);
      }
      await create.mutateAsync({ path, body: { ...ownerBody(of), ...limitsBody(limits), name } });
    } catch {
      // The form says what is wrong.
    }
  }
  if (create.data) {
    return (
      <SecretOnce
        title={`The key ${create.data.name} is made`}
        label="API key"
        secret={create.data.value}
        onDone={onClose}
      >
        <p className="text-table text-weak">
          Send it as <code className="font-mono">Authorization: Bearer …</code> to{' '}
          <code className="font-mono [overflow-wrap:anywhere]">{window.location.origin}/v1</code>.
        </p>
      </SecretOnce>
    );
  }
  const isBusy = create.isPending || addAccount.isPending;
  const foot = (
    <>
      <Button disabled={isBusy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="create-key" kind="primary" isBusy={isBusy}>
        Create key
      </Button>
    </>
  );
  return (
    <Sheet title="Create an API key" isHeld={isBusy} onClose={onClose} foot={foot}>
      <form id="create-key" onSubmit={submit} className="grid gap-4">
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={200}
          hint="What it is for: “billing-bot in production”."
          value={name}
          error={faultOf(create.error, 'name')}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label="Project"
          choices={writable.map(({ id, name: words }) => ({ value: id, label: words }))}
          value={projectId}
          onChange={({ target }) => {
            setProjectId(target.value);
            setOwner(YOU);
          }}
        />
        <OwnerField {...{ projectId, owner, error: create.error }} onChange={setOwner} />
        {owner === NEW_ACCOUNT && (
          <TextField
            label="Name of the service account"
            required
            maxLength={200}
            value={accountName}
            error={faultOf(addAccount.error, 'name')}
            onChange={({ target }) => setAccountName(target.value)}
          />
        )}
        <LimitFields
          limits={limits}
          error={create.error}
          onChange={(changes) => setLimits({ ...limits, ...changes })}
        />
        <FormFailure error={addAccount.error} fields={['name']} />
        <FormFailure error={create.error} fields={FIELDS} />
      </form>
    </Sheet>
  );
}

type OwnerProps = { projectId: string; owner: string; error: Error | null; onChange: (owner: string) => void };

/** Whose the key is: one's own, or, for those who may change members, of anybody in the project, or of nobody. */
function OwnerField({ projectId, owner, error, onChange }: OwnerProps) {
  const { may, mayIn, person } = useSession();
  const mayOthers = mayIn(projectId, 'api.members.write');
  const path = { project_id: projectId };
  const accounts = useWhole(
    'listServiceAccounts',
    { path },
    { enabled: mayOthers && mayIn(projectId, 'api.service_accounts.read') },
  );
  const members = useWhole('listUsers', {}, { enabled: mayOthers && may('api.members.read') });
  const people = (members.items ?? []).filter(
    ({ id: userId, role, projects }) =>
      userId !== person.id && (role === 'owner' || projects.data.some(({ id }) => id === projectId)),
  );
  return (
    <SelectField
      label="Owner"
      hint="A service account for a program, a person for their own work. A person’s key ends when they leave."
      value={owner}
      error={faultOf(error, 'user_id') ?? faultOf(error, 'service_account_id')}
      onChange={({ target }) => onChange(target.value)}
      choices={[
        { value: YOU, label: 'You' },
        ...(mayOthers && mayIn(projectId, 'api.service_accounts.write')
          ? [{ value: NEW_ACCOUNT, label: 'A new service account…' }]
          : []),
        ...(accounts.items ?? []).map(({ id, name }) => ({
          value: `account ${id}`,
          label: `Service account: ${name}`,
        })),
        ...people.map(({ id, name, email }) => ({ value: `user ${id}`, label: `Person: ${name ?? email}` })),
        ...(mayOthers ? [{ value: NOBODY, label: 'Nobody in particular' }] : []),
      ]}
    />
  );
}

function ownerBody(owner: string): Pick<Given<'createProjectApiKey'>['body'], 'user_id' | 'service_account_id'> {
  const [kind, id = ''] = owner.split(' ');
  if (kind === 'user') return { user_id: id };
  if (kind === NOBODY) return { user_id: null };
  return kind === 'account' ? { service_account_id: id } : {};
}

function defaultOf(projects: readonly Project[]): Project | undefined {
  return projects.find(({ is_default }) => is_default) ?? projects[0];
}
