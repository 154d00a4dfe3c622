import { SelectField } from '../../../parts/field.tsx';
import { Lines } from '../../../parts/lines.tsx';
import { holderOf, useHolders } from './holders.ts';

type Props = { chosen: readonly string[]; error: string | null; onChange: (chosen: string[]) => void };

/** Whom a budget is for: several share it. */
export function HoldersField({ chosen, error, onChange }: Props) {
  const { choices, nameOf } = useHolders();
  const others = choices.filter(({ id }) => !chosen.includes(id));
  const nameOfChoice = (choice: string) => {
    const { type, id = '' } = holderOf(choice);
    return nameOf({ type, id });
  };
  return (
    <div className="grid gap-2">
      <SelectField
        label="Who spends it"
        hint="Several share it. Of a group or a person, the keys that people own."
        error={error}
        value=""
        onChange={({ target }) => target.value !== '' && onChange([...chosen, target.value])}
        choices={[
          { value: '', label: chosen.length === 0 ? 'Choose…' : 'Add another…' },
          ...others.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {chosen.length > 0 && (
        <Lines
          none=""
          lines={chosen.map((choice) => {
            const name = nameOfChoice(choice);
            const remove = () => onChange(chosen.filter((each) => each !== choice));
            return { id: choice, name, action: { label: 'Take away', name: `Take away ${name}`, onClick: remove } };
          })}
        />
      )}
    </div>
  );
}
