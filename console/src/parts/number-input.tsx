type Props = {
  label: string;
  value: number | null;
  placeholder?: string;
  /** `null`: nothing is typed. */
  onChange: (value: number | null) => void;
};

/** A number without a label above it. */
export function NumberInput({ label, value, placeholder, onChange }: Props) {
  return (
    <input
      type="number"
      aria-label={label}
      min={0}
      step="any"
      placeholder={placeholder}
      value={value ?? ''}
      onChange={({ target: { value: typed } }) => onChange(typed === '' ? null : Number(typed))}
      className="h-8 w-24 rounded-md border border-line-strong bg-raised px-2.5 text-table"
    />
  );
}
