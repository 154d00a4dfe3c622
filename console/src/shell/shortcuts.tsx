import { useSession } from '../api/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { menuPages } from './page.ts';

/** The keys that work everywhere, for whoever presses `?`. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { maySee } = useSession();
  const pages = (['work', 'set-up'] as const).flatMap((menu) => menuPages(menu, maySee));
  const keys = [
    ['Ctrl K', 'Find anything, or do something'],
    ['/', 'The search of the page'],
    ...pages.flatMap(({ key, title }) => (key === undefined ? [] : [[`g ${key}`, title] as const])),
    ['?', 'These keys'],
    ['Esc', 'Close what is open'],
  ] as const;
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-table">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-small">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
