import { useId, useState } from 'react';
import { Icon } from './icon.tsx';

type Props = {
  label: string;
  hint?: string;
  error?: string | null;
  values: readonly string[];
  onChange: (values: string[]) => void;
  placeholder?: string;
  /** What may be meant, offered as it is typed. */
  suggestions?: readonly string[];
};

const MANY = /[\s,;]+/;

/** Several short texts, such as models or addresses: each is taken by Enter, a comma, or leaving the field. */
export function ListField({ label, hint, error, values, onChange, placeholder, suggestions }: Props) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const take = (text: string) => {
    const added = text.split(MANY).filter((each) => each !== '');
    if (added.length > 0) onChange([...new Set([...values, ...added])]);
    setTyped('');
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-table font-medium">
        {label}
      </label>
      {values.length > 0 && (
        <ul aria-label={`${label}: chosen`} className="flex flex-wrap gap-1">
          {values.map((value) => (
            <li
              key={value}
              className="inline-flex max-w-full items-center gap-1 rounded-sm bg-sunken py-0.5 pr-0.5 pl-2 text-table"
            >
              <span className="truncate">{value}</span>
              <button
                type="button"
                aria-label={`Take away ${value}`}
                onClick={() => onChange(values.filter((each) => each !== value))}
                className="rounded-sm p-1 text-weak hover:text-text"
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        type="text"
        autoComplete="off"
        value={typed}
        placeholder={placeholder}
        list={suggestions ? `${id}-list` : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-about` : undefined}
        onChange={({ target: { value } }) => (MANY.test(value) ? take(value) : setTyped(value))}
        onBlur={() => take(typed)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed === '') return;
          event.preventDefault();
          take(typed);
        }}
        className="h-8 w-full rounded-md border border-line-strong bg-raised px-2.5 text-body text-text placeholder:text-faint aria-invalid:border-bad"
      />
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {(error || hint) && (
        <p
          id={`${id}-about`}
          role={error ? 'alert' : undefined}
          className={`text-small ${error ? 'text-bad' : 'text-faint'}`}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}
