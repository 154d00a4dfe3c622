import { useRead } from '../../api/use.ts';
import { SignInForm } from '../../parts/sign-in-form.tsx';
import { Notice } from '../../parts/states.tsx';
import { useAddress } from '../../shell/address.ts';
import { ownAddress } from '../../shell/own-address.ts';
import { Visitor } from '../../shell/visitor.tsx';

/** Leads on to the page that somebody wanted. */
export function SignIn() {
  const [{ to }] = useAddress();
  const next = ownAddress(to, window.location.origin);
  const { data } = useRead('getSignIn', {});
  return (
    <Visitor title="Sign in">
      {!window.isSecureContext && (
        <Notice tone="warn">
          This address is not safe: it is neither HTTPS nor this machine itself. Browsers have no passkeys here, and the
          gateway signs nobody in. Use the address that <code className="font-mono">server.public_url</code> says, or
          localhost.
        </Notice>
      )}
      {data?.has_owner === false && (
        <Notice tone="warn">
          <p>
            Nobody is an owner of this gateway yet. Open the link that it printed when it started, or print another one
            with <code className="font-mono">npx headgate owner-link</code>.
          </p>
        </Notice>
      )}
      <SignInForm onSignedIn={() => window.location.assign(next)} />
    </Visitor>
  );
}
