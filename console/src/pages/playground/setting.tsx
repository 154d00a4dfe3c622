import type { Answer } from '../../api/call.ts';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { NO_SETTING, type Setting } from './call.ts';

type Entry = Answer<'listCatalog'>['data'][number];

const EFFORTS = [
  { value: '', label: 'Default' },
  ...['low', 'medium', 'high'].map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) })),
];

/** What all models on the page are called with. What one of them does not know is greyed, with the reason. */
export function SettingFields({
  setting,
  models,
  onChange,
}: {
  setting: Setting;
  models: readonly Entry[];
  onChange: (changes: Partial<Setting>) => void;
}) {
  const field = (name: keyof Setting) => ({
    value: setting[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  const lacks = (ability: 'tools' | 'reasoning' | 'temperature' | 'structured_output') => {
    const found = models.find(({ capabilities }) => capabilities !== null && !capabilities[ability]);
    return found === undefined ? {} : { disabled: true, hint: `${found.id} does not know this.` };
  };
  return (
    <div className="grid gap-3">
      <TextArea label="System prompt" rows={3} {...field('system')} />
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label="Temperature"
          inputMode="decimal"
          placeholder="Default"
          {...field('temperature')}
          {...lacks('temperature')}
        />
        <TextField
          label="Top P"
          inputMode="decimal"
          placeholder="Default"
          {...field('topP')}
          {...lacks('temperature')}
        />
        <SelectField label="Reasoning effort" choices={EFFORTS} {...field('effort')} {...lacks('reasoning')} />
        <TextField label="Max tokens" inputMode="numeric" placeholder="Default" {...field('maxTokens')} />
      </div>
      <details open={setting.tools !== '' || setting.schema !== ''}>
        <summary className="cursor-pointer text-weak">Tools and structured output</summary>
        <div className="mt-2 grid gap-3">
          <TextArea
            label="Tools, as a JSON list"
            isMono
            placeholder='[{"type": "function", "function": {"name": "…"}}]'
            {...field('tools')}
            {...lacks('tools')}
          />
          <TextArea
            label="JSON schema of the answer"
            isMono
            placeholder='{"type": "object", …}'
            {...field('schema')}
            {...lacks('structured_output')}
          />
        </div>
      </details>
    </div>
  );
}

/** The setting that stands in an address. */
export function settingIn(address: Readonly<Record<string, string | undefined>>): Setting {
  const names = Object.keys(NO_SETTING) as (keyof Setting)[];
  return Object.fromEntries(names.map((name) => [name, address[name] ?? ''])) as Setting;
}
