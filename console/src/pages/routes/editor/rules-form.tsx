import { Button, IconButton } from '../../../parts/button.tsx';
import { FilterSelect } from '../../../parts/field.tsx';
import { NumberInput } from '../../../parts/number-input.tsx';
import { type Rule, wordsOf } from './definition.ts';

type When = Rule['when'];
/** A condition that the form knows: how it is called, and what it is in a definition. */
type Condition = {
  label: string;
  /** `null`: this condition is another. */
  valueOf: (when: When) => number | string | true | null;
  when: (value: number | string | true) => When;
  /** What a new one has, and by what it is filled in. */
  first: number | string | true;
};

const flag = (name: string, label: string): Condition => ({
  label,
  valueOf: ({ [name]: value }) => (value === true ? true : null),
  when: () => ({ [name]: true }),
  first: true,
});
const length = (bound: 'above' | 'below', label: string): Condition => ({
  label,
  valueOf: ({ prompt_tokens: range }) => {
    const entries = Object.entries((range ?? {}) as Record<string, number>);
    return entries.length === 1 && entries[0]![0] === bound ? entries[0]![1] : null;
  },
  when: (value) => ({ prompt_tokens: { [bound]: value } }),
  first: 10_000,
});
const named = (name: string, label: string): Condition => ({
  label,
  valueOf: ({ [name]: value }) => (typeof value === 'string' ? value : null),
  when: (value) => ({ [name]: value }),
  first: name,
});

const CONDITIONS: Readonly<Record<string, Condition>> = {
  tools: flag('tools', 'With tools'),
  images: flag('images', 'With images'),
  structured_output: flag('structured_output', 'JSON is wanted'),
  stream: flag('stream', 'A stream is wanted'),
  above: length('above', 'Prompt tokens over'),
  below: length('below', 'Prompt tokens under'),
  tag: named('tag', 'With the tag'),
  product: named('product', 'Of the product'),
};
const KINDS = Object.entries(CONDITIONS).map(([value, { label }]) => ({ value, label }));

type Props = {
  rules: readonly Rule[];
  /** What a rule can name. */
  targets: readonly string[];
  onChange: (rules: readonly Rule[]) => void;
};

/** The rules of a route: where a call is like this, that target comes first. What is more than that is shown as it stands. */
export function RulesForm({ rules, targets, onChange }: Props) {
  const change = (place: number, rule: Rule | null) =>
    onChange(rules.flatMap((each, index) => (index !== place ? [each] : rule === null ? [] : [rule])));
  const [first = ''] = targets;
  return (
    <div className="grid gap-1">
      <span className="text-table font-medium">Rules, the first that holds counts</span>
      <ul className="grid gap-2">
        {rules.map((rule, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place may hold any rule
          <li key={place} className="flex flex-wrap items-center gap-2">
            <RuleFields rule={rule} place={place} targets={targets} onChange={(next) => change(place, next)} />
            <IconButton icon="close" label={`Remove rule ${place + 1}`} onClick={() => change(place, null)} />
          </li>
        ))}
      </ul>
      <div>
        <Button kind="quiet" icon="plus" onClick={() => onChange([...rules, { when: { tools: true }, use: [first] }])}>
          Add a rule
        </Button>
      </div>
    </div>
  );
}

type RuleProps = { rule: Rule; place: number; targets: readonly string[]; onChange: (rule: Rule) => void };

function RuleFields({ rule, place, targets, onChange }: RuleProps) {
  const { when, use, ...more } = rule;
  const [kind, condition] =
    Object.entries(CONDITIONS).find(([, each]) => Object.keys(when).length === 1 && each.valueOf(when) !== null) ?? [];
  if (kind === undefined || condition === undefined || use.length !== 1)
    return <code className="min-w-0 flex-1 font-mono text-small text-weak">{wordsOf({ when, use, ...more })}</code>;
  const value = condition.valueOf(when);
  const fill = (next: number | string) => onChange({ ...rule, when: condition.when(next) });
  const of = `of rule ${place + 1}`;
  return (
    <>
      <FilterSelect
        isSetting
        label={`Condition ${of}`}
        value={kind}
        choices={KINDS}
        onChange={(next) => onChange({ ...rule, when: CONDITIONS[next]!.when(CONDITIONS[next]!.first) })}
      />
      {typeof value === 'number' && (
        <NumberInput label={`Tokens ${of}`} value={value} onChange={(next) => fill(next ?? 0)} />
      )}
      {typeof value === 'string' && (
        <input
          type="text"
          aria-label={`Name ${of}`}
          value={value}
          onChange={(event) => fill(event.target.value)}
          className="h-8 w-28 rounded-md border border-line-strong bg-raised px-2.5 text-table"
        />
      )}
      <FilterSelect
        isSetting
        label={`Target ${of}`}
        value={use[0]!}
        choices={[...new Set([...targets, use[0]!])].map((target) => ({ value: target, label: `use ${target}` }))}
        onChange={(target) => onChange({ ...rule, use: [target] })}
      />
      <label className="inline-flex items-center gap-1.5 text-table text-weak">
        <input
          type="checkbox"
          checked={rule.only === true}
          onChange={({ target: { checked } }) => {
            const { only: _, ...rest } = rule;
            onChange(checked ? { ...rest, only: true } : rest);
          }}
          className="size-4 accent-accent"
        />
        alone
      </label>
    </>
  );
}
