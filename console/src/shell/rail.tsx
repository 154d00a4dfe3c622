import { Link, useLocation } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { useChange } from '../api/use.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { chooseZone, type Zone, zone } from '../parts/zone.ts';
import { menuPages, type Page } from './page.ts';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const TIMES: readonly Zone[] = ['utc', 'local'];
const BUTTON =
  'flex w-full items-center gap-2.5 rounded-md px-2 h-8 text-left text-weak hover:bg-sunken hover:text-text';
/** Words beside a sign: the rail folds to its signs on middling screens, and is a drawer on narrow ones. */
const WORDS = 'min-w-0 flex-1 truncate min-[720px]:max-[1099px]:sr-only';

type Props = { isOpen: boolean; onClose: () => void; onFind: () => void; onKeys: () => void };

/** Where everything is. Pages that a person may not see are not in it. */
export function Rail({ isOpen, onClose, onFind, onKeys }: Props) {
  const { maySee, person, organization, organizations } = useSession();
  const choose = useChange('chooseOrganization');
  const signOut = useChange('signOut');
  const theme = useTheme();
  const leave = () => signOut.mutate({} as never, { onSuccess: () => window.location.assign('/sign-in') });
  return (
    <>
      {signOut.error && (
        <Dialog title="You are still signed in" onClose={signOut.reset}>
          <Failure error={signOut.error} />
        </Dialog>
      )}
      {choose.error && (
        <Dialog title="The organization is the same as before" onClose={choose.reset}>
          <Failure error={choose.error} />
        </Dialog>
      )}
      {isOpen && (
        <button
          type="button"
          aria-label="Close the menu"
          onClick={onClose}
          className="fixed inset-0 z-10 bg-black/35 min-[720px]:hidden"
        />
      )}
      <nav
        aria-label="Headgate"
        className={`z-10 flex flex-col gap-0.5 border-r border-line bg-ground p-2 max-[719px]:fixed max-[719px]:inset-y-0 max-[719px]:left-0 max-[719px]:w-[260px] min-[720px]:sticky min-[720px]:top-0 min-[720px]:h-dvh ${isOpen ? '' : 'max-[719px]:hidden'}`}
      >
        <Menu
          label="Organization"
          items={organizations.map(({ id, name }) => ({
            label: name,
            isChosen: id === organization?.id,
            onSelect: () =>
              choose.mutate({ body: { organization_id: id } }, { onSuccess: () => window.location.assign('/') }),
          }))}
          trigger={
            <button
              type="button"
              className="mb-2 flex w-full items-center gap-2.5 rounded-md px-1.5 h-9 text-left hover:bg-sunken"
            >
              <img src="/icon.svg" alt="" width="22" height="22" />
              <span className={`${WORDS} font-semibold`}>{organization?.name ?? 'No organization'}</span>
              <span className="text-faint min-[720px]:max-[1099px]:hidden">
                <Icon name="down" size={14} />
              </span>
            </button>
          }
        />
        <button type="button" onClick={onFind} className={BUTTON}>
          <Icon name="search" />
          <span className={WORDS}>Find</span>
          <kbd className="font-sans text-small text-faint min-[720px]:max-[1099px]:hidden">Ctrl K</kbd>
        </button>
        {menuPages('work', maySee).map((page) => (
          <RailLink key={page.path} page={page} />
        ))}
        <hr className="my-2 border-line" />
        {menuPages('set-up', maySee).map((page) => (
          <RailLink key={page.path} page={page} />
        ))}
        <div className="mt-auto" />
        <Menu
          label="Theme"
          items={THEMES.map((each) => ({
            label: each === 'system' ? 'As the system' : each === 'light' ? 'Light' : 'Dark',
            isChosen: each === theme,
            onSelect: () => chooseTheme(each),
          }))}
          trigger={
            <button type="button" className={BUTTON}>
              <Icon name="sun" />
              <span className={WORDS}>Theme</span>
            </button>
          }
        />
        <Menu
          label="Help"
          items={[
            { label: 'Keys', onSelect: onKeys },
            ...(menuPages('set-up', maySee).some(({ path }) => path === '/connect')
              ? [{ label: 'Send a first call', onSelect: () => window.location.assign('/connect') }]
              : []),
            { label: 'The HTTP API', onSelect: () => window.location.assign('/openapi.json') },
          ]}
          trigger={
            <button type="button" className={BUTTON}>
              <Icon name="help" />
              <span className={WORDS}>Help</span>
            </button>
          }
        />
        <Menu
          label="You"
          items={[
            ...TIMES.map((each) => ({
              label: each === 'utc' ? 'Times in UTC' : 'Times as this clock has them',
              isChosen: each === zone(),
              // Every page shows the same after a reload, but for its times.
              onSelect: () => {
                chooseZone(each);
                window.location.reload();
              },
            })),
            { label: 'Your sign-in and sessions', onSelect: () => window.location.assign('/settings/sign-in') },
            { label: 'Sign out', onSelect: leave },
          ]}
          trigger={
            <button type="button" className={BUTTON}>
              <Icon name="person" />
              <span className={WORDS}>{person.name ?? person.email}</span>
            </button>
          }
        />
      </nav>
    </>
  );
}

function RailLink({ page: { path, title, menu } }: { page: Page }) {
  const { pathname } = useLocation();
  const [, first = ''] = path.split('/');
  const isHere = path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`/${first}/`);
  return (
    <Link
      to={path}
      search={{} as never}
      aria-current={isHere ? 'page' : undefined}
      title={title}
      className={`flex h-8 items-center gap-2.5 rounded-md px-2 ${isHere ? 'bg-accent-soft font-medium text-text' : 'text-weak hover:bg-sunken hover:text-text'}`}
    >
      <Icon name={menu?.icon ?? 'right'} />
      <span className={WORDS}>{title}</span>
    </Link>
  );
}
