import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { TextField } from './field.tsx';

type Props = {
  title: string;
  /** What the button says: "Revoke key". */
  action: string;
  /** What it will do, or break. */
  children: ReactNode;
  /** A name that is to be typed before it can be done. */
  typed?: string | null;
  error: Error | null;
  isBusy: boolean;
  /** Nothing can be done before something is known. */
  isDisabled?: boolean;
  /** What comes of it is shown once: it stays open until then. */
  isHeld?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that cannot be taken back. */
export function Confirm({
  title,
  action,
  children,
  typed = null,
  error,
  isBusy,
  isDisabled,
  isHeld = false,
  ...on
}: Props) {
  const [name, setName] = useState('');
  const isNamed = typed === null || asShown(name) === asShown(typed);
  return (
    <Dialog
      title={title}
      isHeld={isHeld}
      onClose={on.onClose}
      foot={
        <>
          <Button disabled={isHeld} onClick={on.onClose}>
            Cancel
          </Button>
          <Button kind="danger" form="confirm" type="submit" isBusy={isBusy} disabled={!isNamed || isDisabled === true}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id="confirm"
        className="grid gap-3 [overflow-wrap:anywhere]"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed && isDisabled !== true) on.onConfirm();
        }}
      >
        {children}
        {typed !== null && (
          <TextField label={`Type ${typed} to go on`} value={name} onChange={(event) => setName(event.target.value)} />
        )}
        {error && <Failure error={error} />}
      </form>
    </Dialog>
  );
}

/** As a page shows it: several spaces are one, and there is no telling how an accent is written. */
function asShown(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').trim();
}
