import { lazy, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { useWhole } from '../../api/use.ts';
import type { Doing } from './first-steps.tsx';

// They belong to pages of their own, and are loaded only where somebody does a step here.
const AddProvider = lazy(async () => ({ default: (await import('../providers/add-provider.tsx')).AddProvider }));
const CreateKey = lazy(async () => ({ default: (await import('../settings/keys/create-key.tsx')).CreateKey }));
const Invite = lazy(async () => ({ default: (await import('../settings/members/invite.tsx')).Invite }));

/** A first step, done over the overview: the same forms as on the pages that they belong to. */
export function DoStep({ step, onClose }: { step: Doing; onClose: () => void }) {
  const { may } = useSession();
  const isKey = step === 'key' && may('api.keys.write');
  const projects = useWhole('listProjects', {}, { enabled: isKey });
  return (
    <Suspense>
      {step === 'provider' && may('api.providers.write') && <AddProvider onClose={onClose} onAdded={onClose} />}
      {isKey && projects.items && <CreateKey projects={projects.items} projectId={undefined} onClose={onClose} />}
      {step === 'invite' && may('api.members.write') && <Invite onClose={onClose} />}
    </Suspense>
  );
}
