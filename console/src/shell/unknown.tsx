import { useLocation } from '@tanstack/react-router';
import { ButtonLink } from '../parts/button.tsx';
import { Empty, PageHead } from '../parts/states.tsx';
import type { Page } from './page.ts';

/** An address that leads nowhere. */
export function Unknown() {
  const { pathname } = useLocation();
  return (
    <main className="p-6">
      <PageHead title="No such page" />
      <Empty title="There is nothing at this address" action={<ButtonLink to="/">Go to the overview</ButtonLink>}>
        {pathname} is none of the pages of this gateway.
      </Empty>
    </main>
  );
}

/** A page that the person may not see. */
export function NotForYou({ page: { title, permission } }: { page: Page }) {
  return (
    <>
      <PageHead title={title} />
      <Empty title="Your role does not see this page" action={<ButtonLink to="/">Go to the overview</ButtonLink>}>
        It needs the permission <code className="font-mono">{permission}</code>, which an owner can give you with a
        role.
      </Empty>
    </>
  );
}
