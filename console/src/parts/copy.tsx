import { type RefObject, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** What came of a press; `null`: nothing was pressed of late. */
type Outcome = 'copied' | 'selected' | null;
const WORDS = { copied: 'Copied', selected: 'Press Ctrl-C' } as const;

/** Copies a text that stands on the page. Where the browser lets no page copy, it is selected there, for the person to copy. */
function useCopied(text: string): [Outcome, () => void, RefObject<HTMLElement | null>] {
  const [outcome, setOutcome] = useState<Outcome>(null);
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    const isCopied = await copyText(text);
    if (!isCopied && shown.current) window.getSelection()?.selectAllChildren(shown.current);
    setOutcome(isCopied ? 'copied' : 'selected');
    setTimeout(() => setOutcome(null), isCopied ? 1_500 : 6_000);
  };
  return [outcome, () => void copy(), shown];
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
  const [outcome, copy, shown] = useCopied(id);
  return (
    <button
      type="button"
      onClick={copy}
      title={outcome === null ? `Copy ${id}` : WORDS[outcome]}
      aria-label={`Copy ${id}`}
      className="inline-flex max-w-full items-center gap-1 rounded-sm font-mono text-small text-weak select-text hover:text-text"
    >
      <span ref={shown} className="truncate">
        {id}
      </span>
      <Icon name={outcome === 'copied' ? 'check' : 'copy'} size={12} />
      {outcome === 'selected' && <span className="font-sans">{WORDS.selected}</span>}
    </button>
  );
}

/** Copies what is known once it is pressed. */
export function CopyButton({ text, title, children }: { text: () => string; title: string; children: string }) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  return (
    <Button
      icon={isCopied ? 'check' : 'copy'}
      title={title}
      onClick={async () => {
        setCopied(await copyText(text()));
        setTimeout(() => setCopied(null), 1_500);
      }}
    >
      {isCopied === null ? children : isCopied ? 'Copied' : 'Not copied'}
    </Button>
  );
}

/** Text that is copied as it is: a key, a link, a command. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [outcome, copy, shown] = useCopied(text);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 text-table font-medium">{label}</span>
        <Button kind="quiet" isSmall icon={outcome === 'copied' ? 'check' : 'copy'} onClick={copy}>
          {outcome === null ? 'Copy' : WORDS[outcome]}
        </Button>
      </div>
      <section
        ref={shown}
        tabIndex={0}
        aria-label={label}
        className="min-w-0 overflow-x-auto whitespace-pre rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-table"
      >
        {text}
      </section>
    </div>
  );
}
