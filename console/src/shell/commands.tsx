import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import type { Filters } from './address.ts';
import { useFound } from './found.ts';
import { menuPages } from './page.ts';
import { chooseTheme } from './theme.ts';

const ITEM =
  'flex cursor-pointer items-center justify-between gap-3 rounded-sm px-2 py-1.5 aria-selected:bg-accent-soft';
const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-faint';

/** Something to choose. */
type Choice = { id: string; name: string; beside?: ReactNode; choose: () => void };
type Choices = { heading: string; items: readonly Choice[] };

/** Finds pages, models, routes, keys, people and whatever else has a name, and does the commonest things. */
export function Commands({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState('');
  const go = (to: string, search: Filters = {}) => {
    onClose();
    void navigate({ to, search: search as never });
  };
  const own = useOwnChoices({ typed, go, onClose });
  const { groups, more, isLooking, error } = useFound(typed);
  const found = groups.map(({ heading, items }) => ({
    heading,
    items: items.map(({ id, name, about, to, search }) => ({ id, name, beside: about, choose: () => go(to, search) })),
  }));
  const all = [...own, ...found].filter(({ items }) => items.length > 0);
  const ids = all.flatMap(({ items }) => items.map(({ id }) => id));
  return (
    <Dialog title="Find" onClose={onClose}>
      <Command
        label="Find pages, models, keys, people and requests"
        className="grid gap-2"
        // The gateway has chosen and sorted what it found.
        shouldFilter={false}
        value={ids.includes(marked) ? marked : (ids[0] ?? '')}
        onValueChange={setMarked}
      >
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={(text) => {
            setTyped(text);
            setMarked('');
          }}
          placeholder="A page, a model, a key, a person, a request id…"
          className="h-9 w-full rounded-md border border-line-strong bg-raised px-2.5"
        />
        <Command.List className="max-h-80 overflow-y-auto">
          {ids.length === 0 && error === null && (
            <p className="px-2 py-6 text-center text-weak">{isLooking ? 'Looking…' : 'Nothing has that name.'}</p>
          )}
          {all.map((choices) => (
            <ChoiceGroup key={choices.heading} {...choices} />
          ))}
        </Command.List>
        {error && <Failure error={error} />}
        {more && <p className="text-small text-weak">There is more: go on typing to narrow it.</p>}
        <p className="text-small text-faint">/ goes to a page’s search, ? lists the keys, Esc closes.</p>
      </Command>
    </Dialog>
  );
}

function ChoiceGroup({ heading, items }: Choices) {
  return (
    <Command.Group heading={heading} className={GROUP}>
      {items.map(({ id, name, beside, choose }) => (
        <Command.Item key={id} value={id} onSelect={choose} className={ITEM}>
          <span className="truncate">{name}</span>
          {beside && <span className="max-w-40 truncate text-small text-faint">{beside}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

type OwnParts = { typed: string; go: (to: string, search?: Filters) => void; onClose: () => void };

/** What the console has itself: its pages, and the commonest things to do. */
function useOwnChoices({ typed, go, onClose }: OwnParts): Choices[] {
  const { may, maySee, maySomewhere } = useSession();
  const words = typed.trim().toLowerCase().split(/\s+/);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const pages = (['work', 'set-up', 'settings'] as const)
    .flatMap((menu) => menuPages(menu, maySee))
    .filter(({ title, path }) => fits(`${title} ${path}`))
    .map(({ path, title, key }) => ({
      id: `page ${path}`,
      name: title,
      beside: key && <kbd className="font-sans">g {key}</kbd>,
      choose: () => go(path),
    }));
  const themes = (['light', 'dark', 'system'] as const).map((theme) => ({
    id: `theme ${theme}`,
    name: `Theme: ${theme}`,
    choose: () => {
      chooseTheme(theme);
      onClose();
    },
  }));
  const doable = [
    ...(maySomewhere('api.keys.write')
      ? [{ id: 'create new key', name: 'Create an API key', choose: () => go('/settings/keys', { create: 'yes' }) }]
      : []),
    ...(may('api.members.write')
      ? [
          {
            id: 'invite member person',
            name: 'Invite somebody',
            choose: () => go('/settings/members', { invite: 'yes' }),
          },
        ]
      : []),
    ...themes,
  ].filter(({ id, name }) => fits(`${id} ${name}`));
  return [
    { heading: 'Pages', items: pages },
    { heading: 'Do', items: doable },
  ];
}
