import { type FormEvent, useState } from 'react';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange } from '../../../api/use.ts';
import { Button, TextLink } from '../../../parts/button.tsx';
import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { useEdit } from '../../../parts/edit.ts';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Failure, FormFailure, faultOf } from '../../../parts/failure.tsx';
import { TextField } from '../../../parts/field.tsx';
import { exact } from '../../../parts/format.ts';
import { Money, Time } from '../../../parts/values.tsx';
import { LIMIT_FIELDS, LimitFields, limitsBody, limitsOf, USAGE_SCOPES } from './limits.tsx';
import { intervalInWords, mayManage, ownerName, type ProjectKey, ratesInWords } from './project-keys.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { KeyStatus } from './status.tsx';

type Props = { apiKey: ProjectKey; onClose: () => void };

/** All of a key, and what can be done with it. */
export function KeySheet({ apiKey: key, onClose }: Props) {
  const session = useSession();
  const { may } = session;
  const [does, setDoes] = useState<'change' | 'rotate' | 'revoke' | null>(null);
  const update = useChange('updateProjectApiKey', KEY_LISTS);
  const path = { project_id: key.project.id, api_key_id: key.id };
  const isOn = key.status !== 'disabled';
  if (does === 'rotate') return <RotateKey apiKey={key} onClose={() => setDoes(null)} />;
  if (does === 'revoke') return <RevokeKey apiKey={key} onClose={() => setDoes(null)} onRevoked={onClose} />;
  if (does === 'change') return <ChangeKey apiKey={key} onClose={() => setDoes(null)} />;
  const foot = mayManage(session, key) && (
    <>
      <Button kind="danger" onClick={() => setDoes('revoke')}>
        Revoke key
      </Button>
      <Button isBusy={update.isPending} onClick={() => update.mutate({ path, body: { enabled: !isOn } })}>
        {isOn ? 'Turn off' : 'Turn on'}
      </Button>
      <Button onClick={() => setDoes('rotate')}>Rotate secret</Button>
      <Button kind="primary" onClick={() => setDoes('change')}>
        Change limits
      </Button>
    </>
  );
  return (
    <Sheet title={key.name} onClose={onClose} foot={foot}>
      {update.error && <Failure error={update.error} />}
      <Section title="Key">
        <Facts
          facts={[
            ['Name', key.name],
            ['State', <KeyStatus key="state" apiKey={key} />],
            ['Id', <Id key="id" id={key.id} />],
            [
              'Begins and ends with',
              <code key="secret" className="font-mono">
                {key.redacted_value}
              </code>,
            ],
            [
              'Project',
              <TextLink key="project" to="/settings/projects" search={{ open: key.project.id }}>
                {key.project.name}
              </TextLink>,
            ],
            ['Owner', ownerInWords(key)],
            ['Made by', makerInWords(key)],
            ['Made', <Time key="made" at={key.created_at} />],
            ['Last used', <Time key="used" at={key.last_used_at} never="Never" />],
            ['Ends', <Time key="ends" at={key.expires_at} never="Never" />],
          ]}
        />
      </Section>
      <Section
        title="Use"
        actions={
          may('api.usage.read') && (
            <TextLink to="/logs" search={{ api_key_id: key.id }}>
              Its calls
            </TextLink>
          )
        }
      >
        <Facts
          facts={[
            ...(key.today === null ? [] : ([['Today (UTC)', <UsedToday key="today" today={key.today} />]] as const)),
            ['Spent', <Spent key="spent" apiKey={key} />],
          ]}
        />
      </Section>
      <Section title="Limits">
        <Facts
          facts={[
            ['Models', key.allowed_models?.join(', ') ?? 'All that its project may use'],
            ['Used from', key.ip_ranges?.join(', ') ?? 'Anywhere'],
            ['Rates', ratesInWords(key)],
            ['Usage that it reads', USAGE_SCOPES.find(({ value }) => value === key.usage)?.label],
            ['Budget', key.spend_limit === null ? 'None of its own' : <Budget key="budget" apiKey={key} />],
          ]}
        />
      </Section>
    </Sheet>
  );
}

function ownerInWords(key: ProjectKey): string {
  if (key.owner.type === undefined) return 'Nobody in particular';
  return `${ownerName(key)} (${key.owner.type === 'user' ? 'person' : 'service account'})`;
}

function makerInWords({ created_by: maker }: ProjectKey): string {
  if (maker === null) return 'Unknown: it was made before this was kept';
  if (maker.type === 'operator') return 'A command on the gateway’s machine';
  return maker.type === 'user' ? (maker.name ?? 'A person who has left') : `The key ${maker.name ?? maker.id}`;
}

function UsedToday({ today: { calls, costUsd } }: { today: NonNullable<ProjectKey['today']> }) {
  return (
    <>
      <Money usd={costUsd} /> in {exact(calls)} {calls === 1 ? 'call' : 'calls'}
    </>
  );
}

function Spent({
  apiKey: { spent_usd: spent, spend_limit: limit, spend_resets_at: resetsAt },
}: {
  apiKey: ProjectKey;
}) {
  return (
    <>
      <Money usd={spent} />{' '}
      {limit === null || limit.interval === 'life' ? 'in all its life' : `in this ${limit.interval}`}
      {resetsAt !== null && (
        <>
          ; it begins anew <Time at={resetsAt} />
        </>
      )}
    </>
  );
}

function Budget({ apiKey: { spend_limit: limit } }: { apiKey: ProjectKey }) {
  if (limit === null) return null;
  return (
    <>
      <Money usd={limit.amount_usd} /> {intervalInWords(limit.interval)}
    </>
  );
}

function ChangeKey({ apiKey: key, onClose }: Props) {
  const update = useChange('updateProjectApiKey', KEY_LISTS);
  const now = { name: key.name, ...limitsOf(key) };
  const { typed, changes, set, seen } = useEdit({ now, version: key.version }, update.error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const path = { project_id: key.project.id, api_key_id: key.id };
    const named = changes.name !== undefined && { name: changes.name };
    const body = { ...named, ...limitsBody(typed, now), if_version: seen };
    update.mutate({ path, body }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="change-key" kind="primary" isBusy={update.isPending}>
        Save limits
      </Button>
    </>
  );
  return (
    <Sheet title={`Change ${key.name}`} onClose={onClose} foot={foot}>
      <form id="change-key" onSubmit={save} className="grid gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={typed.name}
          error={faultOf(update.error, 'name')}
          onChange={({ target }) => set({ name: target.value })}
        />
        <LimitFields limits={typed} error={update.error} onChange={set} />
        <FormFailure error={update.error} fields={['name', ...LIMIT_FIELDS]} />
      </form>
    </Sheet>
  );
}
