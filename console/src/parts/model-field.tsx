import { useEffect, useId, useState } from 'react';
import { IconButton } from './button.tsx';

type Props = {
  label: string;
  value: string;
  /** What is offered while somebody types; another name may be typed, too. */
  models: readonly string[];
  placeholder?: string;
  onChange: (model: string) => void;
  /** Left out, it cannot be taken away. */
  onRemove?: () => void;
};

/** A model or route, found by typing: a menu of all would have thousands. It is chosen once it is one of them, or the field is left. */
export function ModelField({ label, value, models, placeholder, onChange, onRemove }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const choose = (model: string) => {
    if (model.trim() !== value) onChange(model.trim());
  };
  return (
    <span className="inline-flex items-center">
      <input
        type="text"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        list={id}
        placeholder={placeholder}
        value={typed}
        onFocus={(event) => event.currentTarget.select()}
        onChange={({ target: { value: text }, nativeEvent }) => {
          setTyped(text);
          // While it is typed, `gpt-4o` may become `gpt-4o-mini`.
          const isBegun = isTyped(nativeEvent) && models.some((each) => each !== text && each.startsWith(text));
          if (models.includes(text) && !isBegun) choose(text);
        }}
        onBlur={() => choose(typed)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          choose(typed);
        }}
        className="h-8 w-60 max-w-[calc(100vw-5rem)] rounded-md border border-line-strong bg-raised px-2.5 text-table"
      />
      <datalist id={id}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      {onRemove && <IconButton icon="close" label={`Remove ${value}`} onClick={onRemove} />}
    </span>
  );
}

/** What is taken from the list comes without a word of how, or as a replacement. */
function isTyped(event: Event): boolean {
  return event instanceof InputEvent && event.inputType !== '' && event.inputType !== 'insertReplacementText';
}
