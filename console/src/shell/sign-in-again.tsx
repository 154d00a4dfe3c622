import { useSession } from '../api/session.ts';
import { signInAgain } from '../api/sign-in-again.ts';
import { queries } from '../api/use.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';

/** Asks for a sign-in of this moment, and then goes on with what needed it. */
export function SignInAgain() {
  const { person } = useSession();
  return (
    <Dialog title="Confirm that it is you" onClose={() => signInAgain.answer(false)}>
      <p className="mb-4 text-weak">What you are about to do wants a sign-in of the last ten minutes.</p>
      <SignInForm
        email={person.email}
        onSignedIn={() => {
          void queries.invalidateQueries({ queryKey: ['getSession'] });
          signInAgain.answer(true);
        }}
      />
    </Dialog>
  );
}
