import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useSession } from '../api/session.ts';
import { queries } from '../api/use.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/failure.tsx';
import { PAGES, type Page } from './page.ts';
import { Shell } from './shell.tsx';
import { NotForYou, Unknown } from './unknown.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: Unknown });
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Shell });

function routeOf(page: Page) {
  return createRoute({
    getParentRoute: () => (page.isPublic ? root : signedIn),
    path: page.path,
    component: lazyRouteComponent(async () => ({
      default: page.isPublic ? await loaded(page) : await permitted(page),
    })),
    errorComponent: Broken,
  });
}

/** A page that cannot be loaded is told of where it would stand; the router would load the whole console anew instead. */
async function loaded(page: Page): Promise<ComponentType> {
  try {
    return await page.load();
  } catch {
    throw new Error('This page could not be loaded. Is the gateway still running, or is it of another version by now?');
  }
}

/** A page for those who may see it, whichever address they have come by. */
async function permitted(page: Page): Promise<ComponentType> {
  const Permitted = await loaded(page);
  return () => {
    const { maySee } = useSession();
    return maySee(page) ? <Permitted /> : <NotForYou page={page} />;
  };
}

/** In place of a page that could not be loaded, or that failed. */
function Broken({ error }: { error: unknown }) {
  return (
    <div className="grid max-w-xl justify-items-start gap-3">
      <Failure error={error as Error} />
      <Button onClick={() => window.location.reload()}>Load the page again</Button>
    </div>
  );
}

const tree = root.addChildren([
  signedIn.addChildren(PAGES.filter(({ isPublic }) => !isPublic).map(routeOf)),
  ...PAGES.filter(({ isPublic }) => isPublic).map(routeOf),
]);

/** What stands behind `?` is plain text in both directions, as people and programs write it. */
export const router = createRouter({
  routeTree: tree,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPreload: 'intent',
  scrollRestoration: true,
});

/** Whoever comes back to a page that could not be read has it read again. */
router.subscribe('onBeforeLoad', () =>
  queries.removeQueries({ type: 'inactive', predicate: ({ state }) => state.status === 'error' }),
);
