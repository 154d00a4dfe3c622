import { type FormEvent, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { Time } from '../../../parts/values.tsx';

const IN_PROJECT = [
  { value: 'member', label: 'Member: makes keys and sees usage there' },
  { value: 'owner', label: 'Owner: may do everything there' },
];

/** What became of the mail that has the link too. */
const MAILED = {
  sent: 'It was mailed to them, too.',
  failed: 'It could not be mailed to them: send it yourself.',
  off: 'Send it to them.',
} as const;

/** Invites a person; the link is shown once. */
export function Invite({ onClose }: { onClose: () => void }) {
  const { may, organization } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'owner' | 'reader'>('reader');
  const [projectId, setProjectId] = useState('');
  const [projectRole, setProjectRole] = useState('member');
  const projects = useWhole('listProjects', {}, { enabled: may('api.projects.read') });
  const create = useChange('createInvite', ['listInvites']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const inProjects = projectId === '' ? [] : [{ id: projectId, role: projectRole as 'member' | 'owner' }];
    create.mutate({ body: { email, role, projects: role === 'owner' ? [] : inProjects } });
  };
  if (create.data) {
    const { invite_link: link, invite_token: token, email: invited, expires_at: until, mail } = create.data;
    return (
      <SecretOnce
        title={`${invited} is invited`}
        label={link === null ? 'What the link carries' : 'Link of the invitation'}
        secret={link ?? token}
        onDone={onClose}
      >
        <p className="text-table text-weak">
          {MAILED[mail]} Whoever has it can join once. It ends <Time at={until} />.
        </p>
      </SecretOnce>
    );
  }
  const foot = (
    <>
      <Button disabled={create.isPending} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="invite" kind="primary" isBusy={create.isPending}>
        Make the invitation
      </Button>
    </>
  );
  return (
    <Dialog title="Invite somebody" isHeld={create.isPending} onClose={onClose} foot={foot}>
      <form id="invite" onSubmit={submit} className="grid gap-3">
        <TextField
          label="Email address"
          type="email"
          required
          value={email}
          error={faultOf(create.error, 'email')}
          onChange={({ target }) => setEmail(target.value)}
        />
        <SelectField
          label="They are"
          value={role}
          error={faultOf(create.error, 'role')}
          onChange={({ target }) => setRole(target.value as 'owner' | 'reader')}
          choices={[
            { value: 'reader', label: 'A reader: may what their roles and projects say' },
            ...(organization?.role === 'owner' ? [{ value: 'owner', label: 'An owner: may do everything' }] : []),
          ]}
        />
        {role === 'reader' && (
          <SelectField
            label="In the project"
            value={projectId}
            error={faultOf(create.error, 'projects')}
            onChange={({ target }) => setProjectId(target.value)}
            choices={[
              { value: '', label: 'None yet' },
              ...(projects.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        {role === 'reader' && projectId !== '' && (
          <SelectField
            label="There they are"
            value={projectRole}
            onChange={({ target }) => setProjectRole(target.value)}
            choices={IN_PROJECT}
          />
        )}
        <FormFailure error={create.error} fields={['email', 'role', 'projects']} />
      </form>
    </Dialog>
  );
}
