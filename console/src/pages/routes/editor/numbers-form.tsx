import { TextField } from '../../../parts/field.tsx';
import { type Definition, mapWith } from './definition.ts';

/** Numbers of a definition, by where they stand in it. */
type Field = { path: readonly [member: string, ...string[]]; label: string; placeholder: string };

const LIMITS: readonly Field[] = [
  { path: ['limits', 'attempts'], label: 'Attempts of one call', placeholder: 'As for all calls' },
  { path: ['limits', 'max_prompt_tokens'], label: 'Longest prompt, in tokens', placeholder: 'No limit' },
  { path: ['limits', 'max_output_tokens'], label: 'Longest answer, in tokens', placeholder: 'No limit' },
];
const DEAREST: readonly Field[] = [
  { path: ['limits', 'max_price', 'input_per_1m'], label: 'Dearest input, $ a million tokens', placeholder: 'Any' },
  { path: ['limits', 'max_price', 'output_per_1m'], label: 'Dearest output, $ a million tokens', placeholder: 'Any' },
];
const PRICE: readonly Field[] = [
  { path: ['price', 'input_per_1m'], label: 'Charged for input, $ a million tokens', placeholder: 'What it costs' },
  { path: ['price', 'output_per_1m'], label: 'Charged for output, $ a million tokens', placeholder: 'What it costs' },
];

type Props = { definition: Definition; write: (member: string, value: unknown) => void };

/** What a route refuses, which targets are too dear for it, and what its callers are charged. */
export function NumbersForm({ definition, write }: Props) {
  return (
    <div className="grid gap-3 sm:grid-cols-6">
      {[LIMITS, DEAREST, PRICE].map((fields) =>
        fields.map(({ path, label, placeholder }) => (
          <div key={label} className={fields.length === 3 ? 'sm:col-span-2' : 'sm:col-span-3'}>
            <TextField
              label={label}
              type="number"
              min={0}
              step="any"
              placeholder={placeholder}
              value={numberAt(definition, path)}
              onChange={({ target: { value } }) =>
                write(path[0], valueWith(definition, path, value === '' ? undefined : Number(value)))
              }
            />
          </div>
        )),
      )}
    </div>
  );
}

function numberAt(definition: Definition, path: readonly string[]): number | '' {
  const found = path.reduce<unknown>((of, name) => (of as Record<string, unknown> | undefined)?.[name], definition);
  return typeof found === 'number' ? found : '';
}

/** The first member of a path with another number in it. */
function valueWith(of: unknown, [name = '', ...rest]: readonly string[], number: number | undefined): unknown {
  const now = (of as Record<string, unknown> | undefined)?.[name];
  if (rest.length === 0) return number;
  return mapWith(now, rest[0]!, valueWith(now, rest, number));
}
