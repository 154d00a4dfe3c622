import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/states.tsx';
import { useTyped } from '../../parts/typed.ts';
import type { Filters } from '../../shell/address.ts';
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
  isInAddress,
  onChange,
}: {
  setting: Setting;
  models: readonly Entry[];
  isInAddress: boolean;
  onChange: (changes: Partial<Setting>) => void;
}) {
  const system = useTyped(setting.system, (typed) => onChange({ system: typed }));
  const temperature = useTyped(setting.temperature, (typed) => onChange({ temperature: typed }));
  const topP = useTyped(setting.topP, (typed) => onChange({ topP: typed }));
  const maxTokens = useTyped(setting.maxTokens, (typed) => onChange({ maxTokens: typed }));
  const tools = useTyped(setting.tools, (typed) => onChange({ tools: typed }));
  const schema = useTyped(setting.schema, (typed) => onChange({ schema: typed }));
  const lacks = (ability: Ability) => {
    const found = lacking(models, ability);
    return found === undefined ? {} : { disabled: true, hint: `${found.id} does not know this.` };
  };
  return (
    <div className="grid gap-3">
      {!isInAddress && (
        <Notice tone="warn">
          This is too long for an address: a link to this page has only a part of it, and it is gone once you leave the
          page or load it again.
        </Notice>
      )}
      <TextArea label="System prompt" rows={3} {...system} />
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label="Temperature"
          inputMode="decimal"
          placeholder="Default"
          {...temperature}
          {...lacks('temperature')}
        />
        <TextField label="Top P" inputMode="decimal" placeholder="Default" {...topP} {...lacks('temperature')} />
        <SelectField
          label="Reasoning effort"
          choices={EFFORTS}
          value={setting.effort}
          onChange={({ target }) => onChange({ effort: target.value })}
          {...lacks('reasoning')}
        />
        <TextField label="Max tokens" inputMode="numeric" placeholder="Default" {...maxTokens} />
      </div>
      <details open={setting.tools !== '' || setting.schema !== ''}>
        <summary className="cursor-pointer text-weak">Tools and structured output</summary>
        <div className="mt-2 grid gap-3">
          <TextArea
            label="Tools, as a JSON list"
            isMono
            placeholder='[{"type": "function", "function": {"name": "…"}}]'
            {...tools}
            {...lacks('tools')}
          />
          <TextArea
            label="JSON schema of the answer"
            isMono
            placeholder='{"type": "object", …}'
            {...schema}
            {...lacks('structured_output')}
          />
        </div>
      </details>
    </div>
  );
}

type Ability = 'tools' | 'reasoning' | 'temperature' | 'structured_output';

/** What a model has to know for a part of the setting. */
const NEEDS: Partial<Record<keyof Setting, Ability>> = {
  ...{ temperature: 'temperature', topP: 'temperature' },
  ...{ effort: 'reasoning', tools: 'tools', schema: 'structured_output' },
};

function lacking(models: readonly Entry[], ability: Ability): Entry | undefined {
  return models.find(({ capabilities }) => capabilities?.[ability] === false);
}

const NAMES = Object.keys(NO_SETTING) as (keyof Setting)[];
/** Servers refuse an address of more than 8 KB, or headers of more than 32 KB together with it. */
const MOST_IN_ADDRESS = 6_000;

/** The setting stands in the address, but for what would make that longer than servers take. */
export function useSetting(address: Filters, change: (changes: Filters) => void) {
  const [beside, setBeside] = useState<Partial<Setting>>({});
  return {
    setting: { ...address, ...beside },
    isInAddress: Object.keys(beside).length === 0,
    changeSetting(changes: Partial<Setting>) {
      const said = { ...beside, ...changes };
      const names = NAMES.filter((name) => said[name] !== undefined);
      let inAddress: Filters = { ...address, ...Object.fromEntries(names.map((name) => [name, undefined])) };
      const tooLong: Partial<Setting> = {};
      for (const name of names.sort((one, other) => said[one]!.length - said[other]!.length)) {
        const longer = { ...inAddress, [name]: said[name] };
        if (lengthOf(longer) <= MOST_IN_ADDRESS) inAddress = longer;
        else tooLong[name] = said[name]!;
      }
      setBeside(tooLong);
      change(Object.fromEntries(names.map((name) => [name, inAddress[name]])));
    },
  };
}

function lengthOf(address: Filters): number {
  const said = Object.entries(address).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(said).toString().length;
}

/** The setting without what one of the models does not know: that cannot be taken away while it is greyed. */
export function settingIn(said: Filters, models: readonly Entry[]): Setting {
  const isKnown = (name: keyof Setting) => NEEDS[name] === undefined || lacking(models, NEEDS[name]) === undefined;
  return Object.fromEntries(NAMES.map((name) => [name, isKnown(name) ? (said[name] ?? '') : ''])) as Setting;
}
