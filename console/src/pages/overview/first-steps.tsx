import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useRead, useWhole } from '../../api/use.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { hasPage } from '../../shell/page.ts';

const HIDDEN_AS = 'headgate.first-steps';

/** `does`: what is opened over the overview; without it the step leads to another page. */
type Step = {
  title: string;
  about: string;
  action: string;
  to: string;
  does?: Doing;
  isDone: boolean | null;
};
export type Doing = 'provider' | 'key' | 'invite';

/** What is left to do before the gateway is of use, each step gone once it is done. */
export function FirstSteps({ steps, onHide }: { steps: readonly Step[]; onHide: () => void }) {
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="first-steps" className="max-w-[760px] rounded-md border border-line bg-raised px-4 py-3">
      <div className="flex items-center justify-between gap-2">
        <h2 id="first-steps" className="text-[16px] font-semibold">
          First steps
        </h2>
        <Button kind="quiet" onClick={onHide}>
          Hide these
        </Button>
      </div>
      <ol className="divide-y divide-line">
        {steps.map(({ title, about, action, to, does }, index) => (
          <li key={title} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium">{title}</p>
              <p className="text-weak">{about}</p>
            </div>
            <ButtonLink
              to={does === undefined ? to : '/'}
              kind={index === 0 ? 'primary' : 'plain'}
              {...(does && { search: { step: does } })}
            >
              {action}
            </ButtonLink>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What is left of them for the person; `null` until it is known. */
export function useSteps(): { steps: Step[] | null; hide: () => void } {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN_AS) === 'hidden');
  const all = useAllSteps(!isHidden);
  const isKnown = isHidden || all.every(({ isDone }) => isDone !== null);
  const hide = () => {
    localStorage.setItem(HIDDEN_AS, 'hidden');
    setHidden(true);
  };
  const left = isHidden ? [] : all.filter(({ isDone, to }) => !isDone && hasPage(to));
  return { steps: isKnown ? left : null, hide };
}

/** Those that the person may do. What is done is `null` while it is not known. */
function useAllSteps(isShown: boolean): Step[] {
  const { may } = useSession();
  const sees = {
    providers: isShown && may('api.settings.read') && may('api.providers.write'),
    keys: isShown && may('api.keys.write') && may('api.projects.read'),
    calls: isShown && may('api.usage.read'),
    members: isShown && may('api.members.write'),
  };
  const status = useRead('getStatus', {}, { enabled: sees.providers, every: 30_000 });
  const projects = useWhole('listProjects', {}, { enabled: sees.keys });
  const first = projects.items?.find(({ is_default }) => is_default) ?? projects.items?.[0];
  const path = { project_id: first?.id ?? '' };
  const keys = useRead(
    'listProjectApiKeys',
    { path, query: { limit: 2 } },
    { enabled: sees.keys && first !== undefined },
  );
  const calls = useRead('listUsage', { query: { limit: 1 } }, { enabled: sees.calls });
  const users = useRead('listUsers', { query: { limit: 2 } }, { enabled: sees.members });
  const invites = useRead('listInvites', { query: { limit: 1 } }, { enabled: sees.members });
  const hasKey = () => (projects.items?.length ?? 0) > 1 || (keys.data?.data.length ?? 0) > 1;
  const hasOthers = () => (users.data?.data.length ?? 0) + (invites.data?.data.length ?? 0) > 1;
  return [
    sees.providers && {
      ...{ title: 'Add a provider', about: 'A vendor of models, and your key with it.' },
      ...{ action: 'Add provider', to: '/providers', does: 'provider' as const },
      isDone: told([status], () => status.data!.providers.length > 0),
    },
    sees.keys && {
      ...{ title: 'Make a key', about: 'What calls have in place of the vendors’ keys: limited and revoked here.' },
      ...{
        action: 'Create key',
        to: '/settings/keys',
        does: 'key' as const,
        isDone: told([projects, keys], hasKey),
      },
    },
    sees.calls && {
      ...{ title: 'Send a call', about: 'With your own SDK, at this address.', action: 'Show me how', to: '/connect' },
      isDone: told([calls], () => calls.data!.data.length > 0),
    },
    sees.members && {
      ...{ title: 'Invite someone', about: 'Each person signs in as themselves, with a role.' },
      ...{
        action: 'Invite',
        to: '/settings/members',
        does: 'invite' as const,
        isDone: told([users, invites], hasOthers),
      },
    },
  ].filter((step) => step !== false);
}

type Asked = { data?: unknown; items?: unknown; error: Error | null };

/** Of what cannot be read it is not known whether it is left to do: it is not said to be. */
function told(reads: readonly Asked[], isDone: () => boolean): boolean | null {
  if (reads.some(({ error }) => error !== null)) return true;
  return reads.some(({ data, items }) => (data ?? items ?? null) === null) ? null : isDone();
}
