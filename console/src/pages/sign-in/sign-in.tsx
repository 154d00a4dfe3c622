import { SignInForm } from '../../parts/sign-in-form.tsx';
import { Notice } from '../../parts/states.tsx';
import { useAddress } from '../../shell/address.ts';
import { ownAddress } from '../../shell/own-address.ts';
import { Visitor } from '../../shell/visitor.tsx';

/** Leads on to the page that somebody wanted. */
export function SignIn() {
  const [{ to }] = useAddress();
  const next = ownAddress(to, window.location.origin);
  return (
    <Visitor title="Sign in">
      {!window.isSecureContext && (
        <Notice tone="warn">
          This address is not safe: it is neither HTTPS nor this machine itself. Browsers have no passkeys here, and the
          gateway signs nobody in. Use the address that <code className="font-mono">server.public_url</code> says, or
          localhost.
        </Notice>
      )}
      <SignInForm onSignedIn={() => window.location.assign(next)} />
    </Visitor>
  );
}
