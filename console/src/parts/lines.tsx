import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { FilterSelect } from './field.tsx';
import { SkeletonRows } from './states.tsx';

export type Line = {
  id: string;
  name: ReactNode;
  /** Said beside the name, weaker. */
  about?: ReactNode;
  /** What can be done with it. */
  action?: { label: string; name: string; onClick: () => void } | undefined;
};

/** A short list within a sheet: what each is, and the one thing that can be done with it. `null`: not read yet. */
export function Lines({ lines, none, isBusy }: { lines: readonly Line[] | null; none: string; isBusy?: boolean }) {
  if (lines === null) return <SkeletonRows rows={2} />;
  if (lines.length === 0) return <p className="text-table text-weak">{none}</p>;
  return (
    <ul className="grid text-table">
      {lines.map(({ id, name, about, action }) => (
        <li key={id} className="flex items-center gap-2 border-b border-line py-1.5">
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            <span className="font-medium">{name}</span> <span className="text-weak">{about}</span>
          </span>
          {action && (
            <Button kind="quiet" isSmall disabled={isBusy} aria-label={action.name} onClick={action.onClick}>
              {action.label}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

type AddProps = {
  /** What is chosen: "Member to add". */
  label: string;
  action: string;
  choices: readonly { id: string; name: string }[];
  isBusy: boolean;
  onAdd: (id: string) => void;
};

/** Chooses one of some, and adds it to such a list. */
export function AddLine({ label, action, choices, isBusy, onAdd }: AddProps) {
  const [chosen, setChosen] = useState('');
  if (choices.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <FilterSelect
        label={label}
        value={chosen}
        onChange={setChosen}
        choices={[{ value: '', label: 'Choose…' }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <Button
        disabled={chosen === '' || isBusy}
        onClick={() => {
          onAdd(chosen);
          setChosen('');
        }}
      >
        {action}
      </Button>
    </div>
  );
}
