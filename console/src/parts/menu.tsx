import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import type { IconName } from './icon.tsx';

export type MenuItem = { label: string; onSelect: () => void; isDangerous?: boolean; isChosen?: boolean };

/** What can be done with something, behind a button. */
export function Menu({
  label,
  icon = 'more',
  trigger,
  items,
}: {
  label: string;
  icon?: IconName;
  trigger?: ReactNode;
  items: readonly MenuItem[];
}) {
  const button = useRef<HTMLButtonElement>(null);
  // What stands outside of an open dialog lies under it and cannot be pressed.
  const [dialog, setDialog] = useState<HTMLElement | null>(null);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={() => setDialog(button.current?.closest('dialog') ?? null)}>
      <DropdownMenu.Trigger ref={button} asChild>
        {trigger ?? <IconButton icon={icon} label={label} />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={dialog}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-10 min-w-44 rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {items.map(({ label: words, onSelect, isDangerous, isChosen }) => (
            <DropdownMenu.Item
              key={words}
              onSelect={onSelect}
              className={`flex cursor-pointer items-center justify-between gap-3 rounded-sm px-2 py-1.5 outline-none data-highlighted:bg-sunken ${isDangerous ? 'text-bad' : ''}`}
            >
              <span className="max-w-64 truncate">{words}</span>
              {isChosen && <span aria-hidden="true">✓</span>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
