import { useState, useSyncExternalStore } from 'react';
import { call } from '../api/call.ts';
import { useSession } from '../api/session.ts';
import { type SignInReason, signInAgain } from '../api/sign-in-again.ts';
import { queries } from '../api/use.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';

const WORDS: Record<SignInReason, { title: string; about: string }> = {
  recent: {
    title: 'Confirm that it is you',
    about: 'What you are about to do wants a sign-in of the last ten minutes.',
  },
  ended: {
    title: 'Sign in again',
    about: 'Your session has ended. The page stays as it is, with what you have typed.',
  },
};

/**
 * Asks for a sign-in of this moment over the page, where one is needed, and then goes on with what needed it.
 *
 * @param endedAt - when the session was last found to have ended
 */
export function SignInAgain({ endedAt }: { endedAt: number | null }) {
  const { person, organization_id } = useSession();
  const asked = useSyncExternalStore(signInAgain.subscribe, signInAgain.asked);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const why = asked ?? (endedAt !== null && endedAt !== leftAt ? 'ended' : null);
  if (why === null) return null;
  const { title, about } = WORDS[why];
  const leave = () => {
    signInAgain.answer(false);
    setLeftAt(endedAt);
  };
  const goOn = async () => {
    // Another person's passkey may have been used: this page, and what was typed on it, is not theirs.
    if ((await call('getSession', {})).person.id !== person.id) return window.location.reload();
    // The session that has begun looks at the first organization of the person.
    if (organization_id !== null) await call('chooseOrganization', { body: { organization_id } });
    void queries.invalidateQueries();
    signInAgain.answer(true);
  };
  return (
    <Dialog title={title} onClose={leave}>
      <p className="mb-4 text-weak">{about}</p>
      <SignInForm email={person.email} onSignedIn={goOn} />
    </Dialog>
  );
}
