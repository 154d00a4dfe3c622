import { startRegistration } from '@simplewebauthn/browser';
import { type FormEvent, useEffect, useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { ApiError, call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { Failure, FormFailure, faultOf } from '../../parts/failure.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { HAS_PASSKEYS } from '../../parts/has-passkeys.ts';
import { SkeletonRows } from '../../parts/states.tsx';
import { LINK_SECRET } from '../../shell/link-secret.ts';
import { Visitor } from '../../shell/visitor.tsx';

const MISSING =
  'This page opens a link of an owner or an invitation: the part of it behind # is missing. Open the link again.';
const FIELDS = ['email', 'name', 'password'];
const NO_PASSKEY = 'The device made no passkey: it was refused, or took too long.';

/** Opens a link: of the first owner, or an invitation. */
export function Welcome() {
  const link = LINK_SECRET;
  const [found, setFound] = useState<Answer<'lookAtLink'> | null>(null);
  const [error, setError] = useState<Error | null>(link === '' ? new ApiError(MISSING, {}) : null);
  useEffect(() => {
    if (link !== '') call('lookAtLink', { body: { link } }).then(setFound, setError);
  }, []);
  if (error !== null) {
    return (
      <Visitor title="Welcome">
        <Failure error={error} />
      </Visitor>
    );
  }
  if (found === null) {
    return (
      <Visitor title="Welcome">
        <SkeletonRows rows={4} />
      </Visitor>
    );
  }
  const isOwner = found.type === 'owner';
  return (
    <Visitor
      title={isOwner ? 'Make this yours' : 'You are invited'}
      about={isOwner ? 'You become the owner of this gateway.' : 'Say who you are, and you are in.'}
    >
      <Opening link={link} knownEmail={found.email} isOwner={isOwner} />
    </Visitor>
  );
}

type Link = { link: string; knownEmail: string | null; isOwner: boolean };

function Opening({ link, knownEmail, isOwner }: Link) {
  const [said, setSaid] = useState({ email: knownEmail ?? '', name: '', password: '' });
  const [organization, setOrganization] = useState('');
  /** The link was opened, which it can be once; what was to be done behind it may have failed. */
  const [isIn, setIn] = useState(false);
  /** The password that the person has by now. */
  const [kept, setKept] = useState('');
  const [wantsPasskey, setWantsPasskey] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = (name: keyof typeof said) => ({
    value: said[name],
    error: isIn && name !== 'password' ? null : faultOf(error, name),
    onChange: (event: { target: { value: string } }) => setSaid({ ...said, [name]: event.target.value }),
  });

  async function open(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const { password, ...rest } = said;
      if (!isIn) await call('openLink', { body: { link, ...rest, ...(password !== '' && { password }) } });
      else if (password !== '' && password !== kept) await call('setPassword', { body: { password } });
      setIn(true);
      setKept(password === '' ? kept : password);
      if (organization.trim() !== '') await call('updateOrganization', { body: { name: organization.trim() } });
      if (wantsPasskey) await addPasskey();
      window.location.assign('/');
    } catch (failed) {
      setError(failed instanceof ApiError ? failed : new Error(NO_PASSKEY));
      setBusy(false);
    }
  }
  return (
    <form onSubmit={open} className="grid gap-3">
      <TextField
        label="Email address"
        type="email"
        autoComplete="username"
        required
        readOnly={knownEmail !== null}
        {...field('email')}
      />
      <TextField label="Your name" autoComplete="name" required maxLength={200} {...field('name')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters."
        required={!wantsPasskey && kept === ''}
        {...field('password')}
      />
      {isOwner && (
        <TextField
          label="Name of the organization"
          autoComplete="organization"
          maxLength={200}
          hint="It can be changed later, in the settings."
          value={organization}
          error={isIn ? faultOf(error, 'name') : null}
          onChange={(event) => setOrganization(event.target.value)}
        />
      )}
      {HAS_PASSKEYS && (
        <CheckField
          label="Add a passkey of this device"
          hint="Then a password is not needed."
          checked={wantsPasskey}
          onChange={(event) => setWantsPasskey(event.target.checked)}
        />
      )}
      <FormFailure error={error} fields={FIELDS} />
      {isIn && !isBusy && (
        <p className="text-table">
          {kept === '' ? (
            'You are signed in. To sign in again later, you need a passkey or a password.'
          ) : (
            <>
              You are signed in, and may{' '}
              <a href="/" className="underline">
                go on without it
              </a>
              .
            </>
          )}
        </p>
      )}
      <Button type="submit" kind="primary" isBusy={isBusy}>
        {isIn ? 'Try again' : 'Sign in'}
      </Button>
    </form>
  );
}

async function addPasskey(): Promise<void> {
  const optionsJSON = (await call('passkeyOptions', {})) as never;
  const response = await startRegistration({ optionsJSON });
  await call('addPasskey', { body: { name: 'This device', response: response as never } });
}
