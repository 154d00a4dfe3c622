import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError, stayIn } from '../api/call.ts';
import { useIsCut, useRead, WHOLE_LIST } from '../api/use.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Failure } from '../parts/failure.tsx';
import { exact } from '../parts/format.ts';
import { Notice, SkeletonRows } from '../parts/states.tsx';
import { Commands } from './commands.tsx';
import { Rail } from './rail.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { useKeys } from './use-keys.ts';

/** What every page of a signed-in person stands in. Whoever is not signed in is led to where they can. */
export function Shell() {
  const session = useRead('getSession');
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<'find' | 'keys' | null>(null);
  const { pathname, href } = useLocation();
  useKeys(setShown);
  const organizationId = session.data?.organization_id ?? null;
  useLayoutEffect(() => stayIn(organizationId), [organizationId]);
  useStartOverFor(session.data?.person.id ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the drawer
  useEffect(() => setOpen(false), [pathname]);
  const isSignedOut = session.error instanceof ApiError && session.error.status === 401;
  // Whoever has a page open signs in over it, and loses nothing of what they have typed there.
  const isVisitor = isSignedOut && session.data === undefined;
  useEffect(() => {
    if (isVisitor) window.location.replace(`/sign-in?to=${encodeURIComponent(href)}`);
  }, [isVisitor, href]);

  if (session.data === undefined) {
    return (
      <main className="mx-auto max-w-xl p-8">
        {session.error && !isVisitor ? <Failure error={session.error} /> : <SkeletonRows rows={4} />}
      </main>
    );
  }
  return (
    <div className="min-h-dvh min-[720px]:grid min-[720px]:grid-cols-[56px_minmax(0,1fr)] min-[1100px]:grid-cols-[232px_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-20 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the page
      </a>
      <div className="flex h-12 items-center gap-2 border-b border-line px-3 min-[720px]:hidden">
        <IconButton icon="menu" label="Open the menu" aria-expanded={isOpen} onClick={() => setOpen(true)} />
        <span className="flex-1 font-semibold">Headgate</span>
        <IconButton icon="search" label="Find anything" onClick={() => setShown('find')} />
      </div>
      <Rail
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onFind={() => setShown('find')}
        onKeys={() => setShown('keys')}
      />
      <main id="content" tabIndex={-1} className="min-w-0 px-4 py-5 outline-none min-[720px]:px-6">
        <LongList onFind={() => setShown('find')} />
        <Outlet />
      </main>
      {shown === 'find' && <Commands onClose={() => setShown(null)} />}
      {shown === 'keys' && <Shortcuts onClose={() => setShown(null)} />}
      <SignInAgain endedAt={isSignedOut ? session.errorUpdatedAt : null} />
    </div>
  );
}

/** What was read and typed is of whoever opened the page: it starts over where another person has signed in in another tab. */
function useStartOverFor(personId: string | null): void {
  const opener = useRef(personId);
  useLayoutEffect(() => {
    opener.current ??= personId;
    if (opener.current !== personId) window.location.reload();
  }, [personId]);
}

/** Where a list is longer than a page reads, the page says so, and how the rest is found: on the gateway, which knows all of it. */
function LongList({ onFind }: { onFind: () => void }) {
  if (!useIsCut()) return null;
  return (
    <div className="mb-4">
      <Notice tone="warn">
        <p>A list that this page goes by is longer than {exact(WHOLE_LIST)}: the rest of it is not shown here.</p>
        <div className="mt-1.5">
          <Button isSmall onClick={onFind}>
            Find something by its name
          </Button>
        </div>
      </Notice>
    </div>
  );
}
