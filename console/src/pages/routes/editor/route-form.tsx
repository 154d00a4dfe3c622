import { useRead } from '../../../api/use.ts';
import { SelectField } from '../../../parts/field.tsx';
import { ModelField } from '../../../parts/model-field.tsx';
import { NumberInput } from '../../../parts/number-input.tsx';
import {
  besideForm,
  type Definition,
  modelOf,
  strategyOf,
  strategyWith,
  type Target,
  targetsOf,
  targetWith,
  withMember,
} from './definition.ts';
import { NumbersForm } from './numbers-form.tsx';
import { ParametersForm } from './parameters-form.tsx';
import { RulesForm } from './rules-form.tsx';

const STRATEGIES = [
  { value: 'priority', label: 'The first that can answer' },
  { value: 'cheapest', label: 'The cheapest for the call' },
  { value: 'fastest', label: 'The fastest of late' },
  { value: 'weighted', label: 'Each its share' },
  { value: 'smart', label: 'The one that is worth its price for the prompt' },
];
/** `unpriced` of a route; the first is what it is where nothing is said. */
const UNPRICED = [
  { value: 'skip', label: 'Are left out: others serve it' },
  { value: 'serve', label: 'Serve it: it counts with what was held for it' },
  { value: 'refuse', label: 'Have it refused' },
];
/** Several strategies, or one with settings of its own. */
const OWN = 'own';

type Props = {
  yaml: string;
  /** What the gateway read of it last, with what was changed since. */
  definition: Definition;
  onChange: (yaml: string, definition: Definition) => void;
};

/** The same definition as a form: each field writes its member of the text, and leaves all else there as it is. */
export function RouteForm({ yaml, definition, onChange }: Props) {
  const catalog = useRead('listCatalog');
  const models = (catalog.data?.data ?? []).filter(({ origin }) => origin === 'vendor').map(({ id }) => id);
  const strategy = strategyOf(definition);
  const write = (name: string, value: unknown) => {
    const text = withMember(yaml, definition, name, value);
    if (text !== null) onChange(text, { ...definition, [name]: value });
  };
  const isWritable = withMember(yaml, definition, 'fallbacks', definition.fallbacks) !== null;
  const targets = targetsOf(definition, 'targets');
  return (
    <fieldset className="grid gap-4" disabled={!isWritable}>
      <legend className="sr-only">As a form</legend>
      {!isWritable && (
        <p className="text-table text-weak">The text is not a member a line: it is changed below, and shown here.</p>
      )}
      <SelectField
        label={strategy && strategy.rules.length > 0 ? 'Who answers where no rule says it' : 'Who answers'}
        choices={[...STRATEGIES, ...(strategy === null ? [{ value: OWN, label: 'As the definition says below' }] : [])]}
        value={strategy?.word ?? OWN}
        onChange={({ target: { value } }) =>
          value !== OWN && write('strategy', strategyWith(strategy?.rules ?? [], value))
        }
      />
      <Targets
        title="Targets, in your order"
        label="Target"
        targets={targets}
        models={models}
        hasWeights={strategy?.word === 'weighted'}
        mayBeNone={false}
        onChange={(next) => write('targets', next)}
      />
      {strategy && (
        <RulesForm
          rules={strategy.rules}
          targets={targets.map(modelOf)}
          onChange={(rules) => write('strategy', strategyWith(rules, strategy.word))}
        />
      )}
      <Targets
        title="Fallbacks, where no target can answer"
        label="Fallback"
        targets={targetsOf(definition, 'fallbacks')}
        models={models}
        hasWeights={false}
        mayBeNone
        onChange={(next) => write('fallbacks', next.length === 0 ? undefined : next)}
      />
      <NumbersForm definition={definition} write={write} />
      <ParametersForm definition={definition} write={write} />
      <SelectField
        label="Targets without a price, for a call under a budget"
        choices={UNPRICED}
        value={String(definition.unpriced ?? 'skip')}
        onChange={({ target: { value } }) => write('unpriced', value === 'skip' ? undefined : value)}
      />
      <BesideForm paths={besideForm(definition)} />
    </fieldset>
  );
}

/** What is set in the text and has no field: it is not lost, and can be found. */
function BesideForm({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <p className="text-small text-weak">
      Set in the text alone, and kept as it stands there:{' '}
      {paths.map((path, index) => (
        <span key={path}>
          {index > 0 && ', '}
          <code className="font-mono">{path}</code>
        </span>
      ))}
      .
    </p>
  );
}

type TargetsProps = {
  title: string;
  label: string;
  targets: readonly Target[];
  models: readonly string[];
  hasWeights: boolean;
  mayBeNone: boolean;
  onChange: (targets: readonly Target[]) => void;
};

function Targets({ title, label, targets, models, hasWeights, mayBeNone, onChange }: TargetsProps) {
  const change = (place: number, target: Target) =>
    onChange(targets.map((each, index) => (index === place ? target : each)));
  const without = (place: number) => onChange(targets.filter((_, index) => index !== place));
  const isRemovable = mayBeNone || targets.length > 1;
  return (
    <div className="grid gap-1">
      <span className="text-table font-medium">{title}</span>
      <ul className="grid gap-2">
        {targets.map((target, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place may hold any model
          <li key={place} className="flex flex-wrap items-center gap-2">
            <ModelField
              label={`${label} ${place + 1}`}
              value={modelOf(target)}
              models={models}
              onChange={(model) =>
                model === '' ? isRemovable && without(place) : change(place, targetWith(target, { model }))
              }
              {...(isRemovable && { onRemove: () => without(place) })}
            />
            {hasWeights && (
              <NumberInput
                label={`Weight of ${modelOf(target)}`}
                placeholder="1"
                value={typeof target === 'string' ? null : (target.weight ?? null)}
                onChange={(weight) => change(place, targetWith(target, { weight }))}
              />
            )}
          </li>
        ))}
        <li>
          <ModelField
            key={targets.length}
            label={`${label} ${targets.length + 1}`}
            value=""
            models={models}
            placeholder={`Add a ${label.toLowerCase()}…`}
            onChange={(model) => onChange([...targets, model])}
          />
        </li>
      </ul>
    </div>
  );
}
