import { startAuthentication } from '@simplewebauthn/browser';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../api/call.ts';
import { Button } from './button.tsx';
import { Failure } from './failure.tsx';
import { TextField } from './field.tsx';
import { HAS_PASSKEYS } from './has-passkeys.ts';

/** Signs in by password or passkey. `email`: of a person who is known already. */
export function SignInForm({ email: known, onSignedIn }: { email?: string; onSignedIn: () => void | Promise<void> }) {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function attempt(way: () => Promise<unknown>) {
    setBusy(true);
    setError(null);
    try {
      await way();
      await onSignedIn();
    } catch (failed) {
      setError(
        failed instanceof ApiError ? failed : new Error('The passkey was not used: it was refused, or took too long.'),
      );
    } finally {
      setBusy(false);
    }
  }
  const withPasskey = () =>
    attempt(async () => {
      const optionsJSON = (await call('passkeySignInOptions', {})) as never;
      const response = await startAuthentication({ optionsJSON });
      await call('signInWithPasskey', { body: { response: response as never } });
    });
  const withPassword = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => call('signInWithPassword', { body: { email, password } }));
  };
  return (
    <div className="grid gap-4">
      <form onSubmit={withPassword} className="grid gap-3">
        <TextField
          label="Email address"
          type="email"
          autoComplete="username"
          required
          readOnly={known !== undefined}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {error && <Failure error={error} />}
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Sign in
        </Button>
      </form>
      {HAS_PASSKEYS && (
        <Button icon="key" onClick={withPasskey} disabled={isBusy}>
          Sign in with a passkey
        </Button>
      )}
    </div>
  );
}
