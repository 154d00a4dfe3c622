import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormFailure, faultOf } from './failure.tsx';
import { SelectField } from './field.tsx';
import { moment } from './format.ts';
import { SecretOnce } from './secret-once.tsx';

const OVERLAPS = [
  { value: '0', label: 'Ends at once' },
  { value: '3600', label: 'Goes on for an hour' },
  { value: '86400', label: 'Goes on for a day' },
  { value: '604800', label: 'Goes on for a week' },
  { value: '2592000', label: 'Goes on for 30 days' },
];

type Props = {
  /** Whose secret it is. */
  name: string;
  /** What came of it; `until` (Unix seconds): how long the earlier secret is taken, `null` where there was none. */
  done: { secret: string; until: number | null } | null;
  error: Error | null;
  isBusy: boolean;
  /** There is no key yet: one is made. */
  isFirst?: boolean;
  /** Further fields. */
  children?: ReactNode;
  onRotate: (overlapSeconds: number) => void;
  onClose: () => void;
};

/** Gives a key another secret, or makes the first; the one that it has may go on for a while. */
export function RotateSecret({ name, done, error, isBusy, isFirst = false, children, onRotate, onClose }: Props) {
  const [overlap, setOverlap] = useState('86400');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRotate(Number(overlap));
  };
  if (done) {
    return (
      <SecretOnce
        title={`${name} has ${isFirst ? 'a key' : 'another secret'}`}
        label="API key"
        secret={done.secret}
        onDone={onClose}
      >
        {done.until !== null && (
          <p className="text-table text-weak">
            {overlap === '0'
              ? 'The earlier secret is refused from now on.'
              : `The earlier secret is taken until ${moment(done.until)}.`}
          </p>
        )}
      </SecretOnce>
    );
  }
  const foot = (
    <>
      <Button disabled={isBusy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="rotate-secret" kind="primary" isBusy={isBusy}>
        {isFirst ? 'Make key' : 'Rotate secret'}
      </Button>
    </>
  );
  return (
    <Dialog
      title={isFirst ? `Make a key of ${name}` : `Rotate the secret of ${name}`}
      isHeld={isBusy}
      onClose={onClose}
      foot={foot}
    >
      <form id="rotate-secret" onSubmit={submit} className="grid gap-3">
        <p className="text-weak">
          {isFirst
            ? 'It has none yet, and calls nothing.'
            : 'The key gets a new secret, and keeps its name, limits and history. Let the old one go on until all who use it have the new one.'}
        </p>
        {children}
        {!isFirst && (
          <SelectField
            label="The secret that it has now"
            choices={OVERLAPS}
            value={overlap}
            error={faultOf(error, 'overlap_seconds')}
            onChange={({ target }) => setOverlap(target.value)}
          />
        )}
        <FormFailure error={error} fields={['overlap_seconds']} />
      </form>
    </Dialog>
  );
}
