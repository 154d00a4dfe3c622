import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { useRead } from '../api/use.ts';
import { Dialog } from '../parts/dialog.tsx';
import { menuPages } from './page.ts';
import { chooseTheme } from './theme.ts';

const ITEM =
  'flex cursor-pointer items-center justify-between gap-3 rounded-sm px-2 py-1.5 aria-selected:bg-accent-soft';
const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-faint';
/** Of so many models at most the names are offered: what is typed narrows them. */
const MODELS_SHOWN = 30;

/** Finds pages, models and requests, and does the commonest things. */
export function Commands({ onClose }: { onClose: () => void }) {
  const { may } = useSession();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const catalog = useRead('listCatalog', {}, { enabled: typed.length > 1 });
  const go = (to: string, search: Record<string, string> = {}) => {
    onClose();
    void navigate({ to, search: search as never });
  };
  const wanted = typed.trim().toLowerCase();
  const models = (catalog.data?.data ?? []).filter(({ id }) => wanted.length > 1 && id.toLowerCase().includes(wanted));
  const pages = (['work', 'set-up', 'settings'] as const).flatMap((menu) => menuPages(menu, may));
  return (
    <Dialog title="Find" onClose={onClose}>
      <Command label="Find pages, models and requests" className="grid gap-2">
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="A page, a model, a request id…"
          className="h-9 w-full rounded-md border border-line-strong bg-raised px-2.5"
        />
        <Command.List className="max-h-80 overflow-y-auto">
          <Command.Empty className="px-2 py-6 text-center text-weak">Nothing has that name.</Command.Empty>
          {/^(req_|call_|[0-9a-f]{8}-)/.test(typed.trim()) && (
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
            {may('api.keys.write') && (
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
          {models.length > 0 && (
            <Command.Group heading="Models" className={GROUP}>
              {models.slice(0, MODELS_SHOWN).map(({ id, provider_label }) => (
                <Command.Item key={id} value={id} onSelect={() => go('/models', { open: id })} className={ITEM}>
                  <span className="truncate">{id}</span>
                  <span className="text-small text-faint">{provider_label}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
        <p className="text-small text-faint">/ goes to a page’s search, Esc closes.</p>
      </Command>
    </Dialog>
  );
}
