import { Link, Navigate, useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { menuPages } from '../../shell/page.ts';

/** The first of the settings that a person may see. */
export function Settings() {
  const { maySee } = useSession();
  const [first] = menuPages('settings', maySee);
  return first === undefined ? <p>There are no settings that you may see.</p> : <Navigate to={first.path} replace />;
}

/** What each page of the settings stands in: the others beside it, or behind a button where there is no room for them. */
export function SettingsPage({ children }: { children: ReactNode }) {
  const { maySee } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const pages = menuPages('settings', maySee);
  const here = pages.find(({ path }) => path === pathname);
  return (
    <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[176px_minmax(0,1fr)]">
      <nav aria-label="Settings">
        <div className="lg:hidden">
          <Menu
            label="Pages of the settings"
            items={pages.map(({ path, title }) => ({
              label: title,
              isChosen: path === pathname,
              onSelect: () => void navigate({ to: path, search: {} as never }),
            }))}
            trigger={
              <Button icon="settings">
                Settings: {here?.title} <Icon name="down" size={14} />
              </Button>
            }
          />
        </div>
        <div className="flex flex-col gap-1 max-lg:hidden">
          {pages.map(({ path, title }) => (
            <Link
              key={path}
              to={path}
              search={{} as never}
              className="rounded-md px-2 py-1 text-weak hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-text"
            >
              {title}
            </Link>
          ))}
        </div>
      </nav>
      <div className="min-w-0 max-w-[1200px]">{children}</div>
    </div>
  );
}
