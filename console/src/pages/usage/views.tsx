import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import type { Filters } from '../../shell/address.ts';

type View = { name: string; address: Filters };

const MAX_VIEWS = 100;

/** Views that were saved in this browser, by organization. */
function useViews(): [readonly View[], (views: readonly View[]) => void] {
  const { organization } = useSession();
  const keptAs = `headgate.usage-views.${organization?.id ?? ''}`;
  const [views, setViews] = useState(() => read(keptAs));
  const keep = (next: readonly View[]) => {
    localStorage.setItem(keptAs, JSON.stringify(next));
    setViews(next);
  };
  return [views, keep];
}

function read(keptAs: string): readonly View[] {
  try {
    const kept = JSON.parse(localStorage.getItem(keptAs) ?? '[]') as unknown;
    return Array.isArray(kept)
      ? (kept as View[]).filter(({ name, address }) => typeof name === 'string' && address)
      : [];
  } catch {
    return [];
  }
}

/** Saves what the page shows now under a name, and opens what was saved. */
export function Views({ address, onClose }: { address: Filters; onClose: () => void }) {
  const [views, keep] = useViews();
  const [name, setName] = useState('');
  const { views: _, ...shown } = address;
  const isFull = views.length >= MAX_VIEWS;
  const save = (event: FormEvent) => {
    event.preventDefault();
    keep([...views.filter((view) => view.name !== name.trim()), { name: name.trim(), address: shown }]);
    setName('');
  };
  return (
    <Dialog title="Saved views" onClose={onClose}>
      <div className="grid gap-4">
        {views.length === 0 ? (
          <p className="text-weak">None yet. A view is what this page shows: measure, filters and period.</p>
        ) : (
          <ul aria-label="Saved views" className="divide-y divide-line border-y border-line">
            {views.map((view) => (
              <li key={view.name} className="flex items-center gap-2 py-1">
                <Link
                  to="/usage"
                  search={view.address as never}
                  onClick={onClose}
                  className="min-w-0 flex-1 truncate font-medium hover:underline"
                >
                  {view.name}
                </Link>
                <IconButton
                  icon="close"
                  label={`Delete the view ${view.name}`}
                  onClick={() => keep(views.filter((each) => each !== view))}
                />
              </li>
            ))}
          </ul>
        )}
        <form onSubmit={save} className="grid gap-2">
          <TextField
            label="Save what is shown now as"
            hint="Kept in this browser."
            error={isFull ? `There can be ${MAX_VIEWS} views: delete one first.` : null}
            value={name}
            required
            maxLength={60}
            onChange={({ target }) => setName(target.value)}
          />
          <div>
            <Button type="submit" kind="primary" disabled={name.trim() === '' || isFull}>
              Save view
            </Button>
          </div>
        </form>
      </div>
    </Dialog>
  );
}
