import { type ComponentProps, type ReactNode, useId } from 'react';
import { useTyped } from './typed.ts';

const BOX =
  'w-full rounded-md border border-line-strong bg-raised px-2.5 text-body text-text placeholder:text-faint disabled:bg-sunken disabled:text-weak aria-invalid:border-bad';

type About = { label: string; hint?: ReactNode; error?: string | null };

/** A label, what is filled in, and what is said of it: what is wrong stands in the place of the hint. */
function Labelled({ label, hint, error, id, children }: About & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-table font-medium">
        {label}
      </label>
      {children}
      {error ? (
        <p id={`${id}-about`} role="alert" className="text-small text-bad">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-about`} className="text-small text-faint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

function described(id: string, { hint, error }: Omit<About, 'label'>) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? `${id}-about` : undefined,
  } as const;
}

export function TextField({ label, hint, error, ...rest }: About & Omit<ComponentProps<'input'>, 'className'>) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, error: error ?? null, id }}>
      <input
        type="text"
        autoComplete="off"
        {...rest}
        {...described(id, { hint, error: error ?? null })}
        className={`${BOX} h-8`}
      />
    </Labelled>
  );
}

export function TextArea({
  label,
  hint,
  error,
  isMono,
  ...rest
}: About & { isMono?: boolean } & Omit<ComponentProps<'textarea'>, 'className'>) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, error: error ?? null, id }}>
      <textarea
        rows={4}
        {...rest}
        {...described(id, { hint, error: error ?? null })}
        className={`${BOX} py-1.5 ${isMono ? 'font-mono text-table' : ''}`}
      />
    </Labelled>
  );
}

export type Choice = { value: string; label: string };

export function SelectField({
  label,
  hint,
  error,
  choices,
  ...rest
}: About & { choices: readonly Choice[] } & Omit<ComponentProps<'select'>, 'className'>) {
  const id = useId();
  return (
    <Labelled {...{ label, hint, error: error ?? null, id }}>
      <select {...rest} {...described(id, { hint, error: error ?? null })} className={`${BOX} h-8`}>
        {choices.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A small select without a label above it, as filters have. What it is set to is told even if it is none of the choices, or none yet. */
export function FilterSelect({
  label,
  value,
  choices,
  isSetting,
  onChange,
}: {
  label: string;
  value: string;
  choices: readonly Choice[];
  /** It is set to something in any case, and narrows nothing. */
  isSetting?: true;
  onChange: (value: string) => void;
}) {
  const isKnown = choices.some((choice) => choice.value === value);
  const colours = value === '' ? 'border-line-strong text-weak' : isSetting ? 'border-line-strong' : 'border-accent';
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`h-8 max-w-44 rounded-md border bg-raised px-2 text-table max-sm:w-[calc(50vw-1.25rem)] ${colours}`}
    >
      {!isKnown && <option value={value}>{value}</option>}
      {choices.map(({ value: each, label: words }) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}

export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const field = useTyped(value, onChange);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      data-search
      {...field}
      className={`${BOX} h-8 sm:max-w-72`}
    />
  );
}

export function CheckField({
  label,
  hint,
  ...rest
}: { label: string; hint?: string } & Omit<ComponentProps<'input'>, 'className' | 'type'>) {
  const id = useId();
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
      <input type="checkbox" {...rest} {...described(id, { hint })} className="mt-1 size-4 accent-accent" />
      <label htmlFor={id} className="text-body">
        {label}
      </label>
      {hint && (
        <p id={`${id}-about`} className="col-start-2 text-small text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
