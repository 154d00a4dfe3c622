import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Copyable } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './states.tsx';

type Props = {
  title: string;
  /** What it is: "API key", "Link of the invitation". */
  label: string;
  secret: string;
  children?: ReactNode;
  onDone: () => void;
};

/** A secret that is shown this once: only its own button closes it, so that it is not lost by a press beside it, or by Back. */
export function SecretOnce({ title, label, secret, children, onDone }: Props) {
  const [wasLeft, setLeft] = useState(false);
  return (
    <Dialog
      title={title}
      isShownOnce
      onClose={() => setLeft(true)}
      foot={
        <Button kind="primary" onClick={onDone}>
          I have kept it
        </Button>
      }
    >
      <div className="grid gap-4">
        <Copyable label={label} text={secret} />
        <Notice tone="warn">
          {wasLeft ? 'Press “I have kept it” once you have: it cannot be shown again.' : 'It is shown only this once.'}
        </Notice>
        {children}
      </div>
    </Dialog>
  );
}
