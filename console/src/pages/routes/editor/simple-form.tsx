import { useState } from 'react';
import { useRead } from '../../../api/use.ts';
import { FilterSelect, SelectField } from '../../../parts/field.tsx';

const STRATEGIES = [
  { value: 'priority', label: 'The first that can answer' },
  { value: 'cheapest', label: 'The cheapest for the call' },
  { value: 'fastest', label: 'The fastest of late' },
  { value: 'weighted', label: 'Each its share' },
];

/** Writes the beginning of a definition: the strategy and the targets. What is more is typed. */
export function SimpleForm({ onChange }: { onChange: (yaml: string) => void }) {
  const catalog = useRead('listCatalog');
  const [strategy, setStrategy] = useState('priority');
  const [targets, setTargets] = useState<readonly string[]>(['echo']);
  const models = (catalog.data?.data ?? []).filter(({ origin }) => origin === 'vendor').map(({ id }) => id);
  const change = (next: { strategy?: string; targets?: readonly string[] }) => {
    const said = { strategy, targets, ...next };
    setStrategy(said.strategy);
    setTargets(said.targets);
    // A JSON string is a string of YAML, too.
    const lines = said.targets.map((target) => `  - ${JSON.stringify(target)}\n`);
    onChange(`strategy: [${said.strategy}]\ntargets:\n${lines.join('')}`);
  };
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">As a form</legend>
      <SelectField
        label="Who answers"
        choices={STRATEGIES}
        value={strategy}
        onChange={(event) => change({ strategy: event.target.value })}
      />
      <div className="grid gap-1">
        <span className="text-table font-medium">Targets, in your order</span>
        <div className="flex flex-wrap gap-2">
          {[...targets, ''].map((target, place) => (
            <FilterSelect
              // biome-ignore lint/suspicious/noArrayIndexKey: a place may hold any model
              key={place}
              label={`Target ${place + 1}`}
              value={target}
              onChange={(model) =>
                change({
                  targets: [...targets.slice(0, place), model, ...targets.slice(place + 1)].filter(
                    (each) => each !== '',
                  ),
                })
              }
              choices={[
                { value: '', label: place === targets.length ? 'Add a target…' : 'Take it away' },
                ...(models.includes(target) || target === '' ? models : [target, ...models]).map((id) => ({
                  value: id,
                  label: id,
                })),
              ]}
            />
          ))}
        </div>
      </div>
    </fieldset>
  );
}
