import { JsonField } from '../../../parts/json-field.tsx';
import type { Definition } from './definition.ts';

type Props = { definition: Definition; write: (member: string, value: unknown) => void };

const FIELDS = [
  {
    member: 'defaults',
    label: 'Parameters where the caller says none, as JSON',
    placeholder: '{ "temperature": 0.2, "max_output_tokens": 4000 }',
  },
  {
    member: 'force',
    label: 'Parameters whatever the caller says, as JSON',
    placeholder: '{ "reasoning_effort": "high" }',
  },
] as const;

/** What calls of a route are given, and what overrules them. */
export function ParametersForm({ definition, write }: Props) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {FIELDS.map(({ member, label, placeholder }) => (
        <JsonField
          key={member}
          label={label}
          placeholder={placeholder}
          value={definition[member] as Readonly<Record<string, unknown>> | undefined}
          onChange={(value) => write(member, value)}
        />
      ))}
    </div>
  );
}
