import { SignInForm } from '../../parts/sign-in-form.tsx';
import { useAddress } from '../../shell/address.ts';
import { Visitor } from '../../shell/visitor.tsx';

/** Leads on to the page that somebody wanted. */
export function SignIn() {
  const [{ to }] = useAddress();
  // Another site's address may stand there: only a path of this one is followed.
  const next = to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
  return (
    <Visitor title="Sign in">
      <SignInForm onSignedIn={() => window.location.assign(next)} />
    </Visitor>
  );
}
