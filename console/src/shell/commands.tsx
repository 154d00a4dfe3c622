import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { useAllKeys } from '../api/keys.ts';
import { useSession } from '../api/session.ts';
import { useRead, useWhole } from '../api/use.ts';
import { Dialog } from '../parts/dialog.tsx';
import { menuPages } from './page.ts';
import { chooseTheme } from './theme.ts';

const ITEM =
  'flex cursor-pointer items-center justify-between gap-3 rounded-sm px-2 py-1.5 aria-selected:bg-accent-soft';
const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-faint';
/** Of each kind so many at most are offered: what is typed narrows them. */
const SHOWN = 20;
/** Names are looked for once so much is typed. */
const LEAST_TYPED = 2;

/** Something that is found by its name or its id, and where it is. */
type Found = { id: string; name: string; about: string; to: string; search: Record<string, string> };

/** Finds pages, models, routes, keys, members and requests, and does the commonest things. */
export function Commands({ onClose }: { onClose: () => void }) {
  const { may, maySee, maySomewhere } = useSession();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const go = (to: string, search: Record<string, string> = {}) => {
    onClose();
    void navigate({ to, search: search as never });
  };
  const found = useFound(typed);
  const pages = (['work', 'set-up', 'settings'] as const).flatMap((menu) => menuPages(menu, maySee));
  return (
    <Dialog title="Find" onClose={onClose}>
      <Command label="Find pages, models, keys, people and requests" className="grid gap-2">
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="A page, a model, a key, a person, a request id…"
          className="h-9 w-full rounded-md border border-line-strong bg-raised px-2.5"
        />
        <Command.List className="max-h-80 overflow-y-auto">
          <Command.Empty className="px-2 py-6 text-center text-weak">Nothing has that name.</Command.Empty>
          {/^(req_|usage_|[0-9a-f]{8}-)/.test(typed.trim()) && (
            <Command.Item value={typed} onSelect={() => go('/logs', { open: typed.trim() })} className={ITEM}>
              Open the request {typed.trim()}
            </Command.Item>
          )}
          <Command.Group heading="Pages" className={GROUP}>
            {pages.map(({ path, title, key }) => (
              <Command.Item key={path} value={`${title} ${path}`} onSelect={() => go(path)} className={ITEM}>
                {title}
                {key && <kbd className="font-sans text-small text-faint">g {key}</kbd>}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Do" className={GROUP}>
            {maySomewhere('api.keys.write') && (
              <Command.Item
                value="create key API key new"
                onSelect={() => go('/settings/keys', { create: 'yes' })}
                className={ITEM}
              >
                Create an API key
              </Command.Item>
            )}
            {may('api.members.write') && (
              <Command.Item
                value="invite member person"
                onSelect={() => go('/settings/members', { invite: 'yes' })}
                className={ITEM}
              >
                Invite somebody
              </Command.Item>
            )}
            {(['light', 'dark', 'system'] as const).map((theme) => (
              <Command.Item
                key={theme}
                value={`theme ${theme}`}
                onSelect={() => {
                  chooseTheme(theme);
                  onClose();
                }}
                className={ITEM}
              >
                Theme: {theme}
              </Command.Item>
            ))}
          </Command.Group>
          {Object.entries(found).map(
            ([heading, items]) =>
              items.length > 0 && (
                <Command.Group key={heading} heading={heading} className={GROUP}>
                  {items.slice(0, SHOWN).map(({ id, name, about, to, search }) => (
                    <Command.Item
                      key={id}
                      value={`${heading} ${name} ${id}`}
                      onSelect={() => go(to, search)}
                      className={ITEM}
                    >
                      <span className="truncate">{name}</span>
                      <span className="max-w-40 truncate text-small text-faint">{about}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ),
          )}
        </Command.List>
        <p className="text-small text-faint">/ goes to a page’s search, ? lists the keys, Esc closes.</p>
      </Command>
    </Dialog>
  );
}

/** What has what is typed in its name or its id, by its kind. `try` and a name lead to the playground. */
function useFound(typed: string): Record<string, Found[]> {
  const { may, maySomewhere } = useSession();
  const [, tries, wanted = ''] = /^(try\s+)?(.*)$/.exec(typed.trim().toLowerCase()) ?? [];
  const isSought = wanted.length >= LEAST_TYPED;
  const catalog = useRead('listCatalog', {}, { enabled: isSought });
  const keys = useAllKeys({ enabled: isSought && maySomewhere('api.keys.read') });
  const members = useWhole('listUsers', {}, { enabled: isSought && may('api.members.read') });
  const fits = (...words: (string | null | undefined)[]) =>
    isSought && words.some((word) => word?.toLowerCase().includes(wanted));
  const models = (catalog.data?.data ?? []).filter(({ id }) => fits(id));
  if (tries !== undefined) {
    const tried = ({ id, provider_label: about }: (typeof models)[number]) => ({ id, about, search: { model: id } });
    return { Try: models.map((model) => ({ ...tried(model), name: `try ${model.id}`, to: '/playground' })) };
  }
  const opened = (to: string, id: string, { name, about }: Pick<Found, 'name' | 'about'>) => ({
    ...{ id, name, about, to },
    search: { open: id },
  });
  return {
    Models: models
      .filter(({ origin }) => origin === 'vendor')
      .map(({ id, provider_label: about }) => opened('/models', id, { name: id, about })),
    Routes: models
      .filter(({ origin }) => origin !== 'vendor')
      .map(({ id, name }) => opened('/routes', id, { name: id, about: name })),
    'API keys': (keys.items ?? [])
      .filter(({ id, name, redacted_value: hint }) => fits(name, id, hint))
      .map(({ id, name, project }) => opened('/settings/keys', id, { name, about: project.name })),
    Members: (members.items ?? [])
      .filter(({ id, name, email }) => fits(name, email, id))
      .map(({ id, name, email }) => opened('/settings/members', id, { name: name ?? '', about: email ?? '' })),
  };
}
