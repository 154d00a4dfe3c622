import { type FormEvent, useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Failure, FormFailure, faultOf } from '../../../parts/failure.tsx';
import { TextField } from '../../../parts/field.tsx';
import { Badge, Notice, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Time } from '../../../parts/values.tsx';
import { SettingsPage } from '../settings.tsx';
import { Passkeys } from './passkeys.tsx';

/** How the person themselves signs in, and where they are signed in. */
export function SignInSettings() {
  const { person } = useSession();
  return (
    <SettingsPage>
      <PageHead title="Sign-in and sessions">How you sign in, and where you are signed in.</PageHead>
      <div className="max-w-3xl">
        <Section title="You">
          <Facts
            facts={[
              ['Name', person.name ?? '—'],
              ['Email', person.email],
            ]}
          />
        </Section>
        <Passkeys />
        <Password />
        <Sessions />
      </div>
    </SettingsPage>
  );
}

function Password() {
  const { has_password: has, person } = useSession();
  const [password, setPassword] = useState('');
  const change = useChange('setPassword', ['getSession', 'listSessions']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ body: { password } }, { onSuccess: () => setPassword('') });
  };
  return (
    <Section title="Password">
      <p className="text-table text-weak">
        {has ? 'You have one.' : 'You have none.'} When you set another, all other sessions of yours end.
      </p>
      <form onSubmit={save} className="grid max-w-sm gap-3">
        <input type="email" autoComplete="username" value={person.email} readOnly hidden />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 12 characters."
          value={password}
          error={faultOf(change.error, 'password')}
          onChange={({ target }) => setPassword(target.value)}
        />
        <FormFailure error={change.error} fields={['password']} />
        {change.isSuccess && password === '' && <Notice tone="good">The password is set.</Notice>}
        <div>
          <Button type="submit" isBusy={change.isPending}>
            Set password
          </Button>
        </div>
      </form>
    </Section>
  );
}

type Session = Answer<'listSessions'>['data'][number];
const WAYS = { password: 'Password', passkey: 'Passkey', link: 'Link' } as const;

function Sessions() {
  const { data, error } = useRead('listSessions');
  const end = useChange('endSession', ['listSessions']);
  const columns: Column<Session>[] = [
    {
      id: 'where',
      title: 'Where',
      cell: ({ user_agent: agent, is_current: isCurrent }) => (
        <span className="flex items-center gap-2">
          <span title={agent ?? undefined} className="block max-w-56 truncate max-md:max-w-36">
            {agent === null ? 'Not said' : browserOf(agent)}
          </span>
          {isCurrent && <Badge tone="good">This one</Badge>}
        </span>
      ),
    },
    { id: 'ip', title: 'Address', isMinor: true, cell: ({ ip_address }) => ip_address ?? '—' },
    { id: 'way', title: 'By', isMinor: true, cell: ({ way }) => WAYS[way] },
    { id: 'signed', title: 'Signed in', isMinor: true, cell: ({ signed_in_at }) => <Time at={signed_in_at} /> },
    { id: 'seen', title: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
    {
      id: 'do',
      title: 'Action',
      cell: ({ id, is_current: isCurrent }) =>
        isCurrent ? null : (
          <Button
            kind="quiet"
            isSmall
            disabled={end.isPending}
            onClick={() => end.mutate({ path: { session_id: id } })}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Section title="Sessions">
      <Table
        label="Sessions"
        columns={columns}
        rows={data?.data ?? null}
        error={error}
        rowId={({ id }) => id}
        empty={<p>None.</p>}
      />
      {end.error && <Failure error={end.error} />}
    </Section>
  );
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** "Firefox on Linux"; what is not known is said as the browser says it. */
function browserOf(agent: string): string {
  const [, browser] = BROWSERS.find(([pattern]) => pattern.test(agent)) ?? [];
  const [, system] = SYSTEMS.find(([pattern]) => pattern.test(agent)) ?? [];
  if (browser === undefined) return agent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
