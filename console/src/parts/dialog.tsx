import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';

const FIRST_FIELD =
  '[cmdk-input], form :is(input:not([readonly], [type="checkbox"], [type="radio"]), select, textarea)';

/** Whether what is shown stands in a dialog, whose title is a heading above its own. */
export const InDialog = createContext(false);

type Props = {
  title: string;
  onClose: () => void;
  children: ReactNode;
  foot?: ReactNode;
  /** It stays open for now: what it waits for is shown once. */
  isHeld?: boolean;
  /** What it shows is shown once: Back does not take it away. */
  isShownOnce?: boolean;
};

/** Opens over the page, and is there until it is closed: by its own buttons, by Escape, or by a press beside it. */
export function Dialog(props: Props) {
  return (
    <Modal {...props} shape="m-auto w-[min(480px,calc(100vw-2rem))] max-h-[calc(100dvh-2rem)] rounded-md border" />
  );
}

/** The detail of something, at the right. Its address is the page's own, so that Back closes it. */
export function Sheet(props: Props) {
  return <Modal {...props} shape="sheet border-l" />;
}

function Modal({ title, onClose, children, foot, shape, ...more }: Props & { shape: string }) {
  const { isHeld = false, isShownOnce = false } = more;
  const close = () => {
    if (!isHeld) onClose();
  };
  useBlocker({
    shouldBlockFn: ({ action }) => {
      const isBack = action !== 'PUSH' && action !== 'REPLACE';
      if (isBack) close();
      return isBack;
    },
    enableBeforeUnload: false,
    disabled: !isHeld && !isShownOnce,
  });
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Whoever marks a text and lets go beside the dialog has not pressed beside it.
  const wasPressedBeside = useRef(false);
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // Whoever opens a form begins with its first field, not with the button that closes it.
    current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Escape is handled here: the browser would close a dialog and the sheet below it by one press.
      closedby="none"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onCancel={(event) => event.preventDefault()}
      onMouseDown={(event) => {
        wasPressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        if (event.target === dialog.current && wasPressedBeside.current) close();
      }}
      className={`bg-raised text-text border-line p-0 shadow-float ${shape}`}
    >
      <div className="flex h-full flex-col">
        <header className="flex items-center gap-3 border-b border-line py-2.5 pr-2 pl-5">
          <h2 id={titleId} className="min-w-0 flex-1 truncate text-[16px] font-semibold">
            {title}
          </h2>
          <IconButton icon="close" label="Close" disabled={isHeld} onClick={onClose} />
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
          <InDialog value>{children}</InDialog>
        </div>
        {foot && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{foot}</footer>}
      </div>
    </dialog>
  );
}
