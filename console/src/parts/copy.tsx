import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

function useCopied(text: string): [boolean, () => void] {
  const [isCopied, setCopied] = useState(false);
  return [
    isCopied,
    () => {
      void copyText(text).then((copied) => {
        setCopied(copied);
        setTimeout(() => setCopied(false), 1_500);
      });
    },
  ];
}

/** Tells whether it is on the clipboard. Browsers have one for pages only where an address is safe: HTTPS, or this machine. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** As a person would: by selecting it. What is outside of an open dialog cannot be selected. */
function copySelected(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('aria-hidden', 'true');
  field.className = 'fixed top-0 left-0 size-px opacity-0';
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return isCopied;
}

/** An id: small, and copied by a press. */
export function Id({ id }: { id: string }) {
  const [isCopied, copy] = useCopied(id);
  return (
    <button
      type="button"
      onClick={copy}
      title={isCopied ? 'Copied' : `Copy ${id}`}
      aria-label={`Copy ${id}`}
      className="inline-flex max-w-full items-center gap-1 rounded-sm font-mono text-small text-weak hover:text-text"
    >
      <span className="truncate">{id}</span>
      <Icon name={isCopied ? 'check' : 'copy'} size={12} />
    </button>
  );
}

/** Copies what is known once it is pressed. */
export function CopyButton({ text, title, children }: { text: () => string; title: string; children: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      icon={isCopied ? 'check' : 'copy'}
      title={title}
      onClick={async () => {
        setCopied(await copyText(text()));
        setTimeout(() => setCopied(false), 1_500);
      }}
    >
      {isCopied ? 'Copied' : children}
    </Button>
  );
}

/** Text that is copied as it is: a key, a link, a command. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopied(text);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 text-table font-medium">{label}</span>
        <Button kind="quiet" isSmall icon={isCopied ? 'check' : 'copy'} onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <section
        tabIndex={0}
        aria-label={label}
        className="min-w-0 overflow-x-auto whitespace-pre rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-table"
      >
        {text}
      </section>
    </div>
  );
}
