import { TextField } from './field.tsx';

type Props = { value: string; error: string | null; onChange: (day: string) => void };

/** The day on which something ends, `2026-12-31`; empty: it has no end. */
export function EndsOnField({ value, error, onChange }: Props) {
  return (
    <TextField
      label="Ends on"
      type="date"
      hint="At the end of this day (UTC). Left empty, it has no end."
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** What `expires_in_seconds` is to be for something that ends with a day, in UTC; `null` for an empty day. */
export function secondsUntilEndOf(day: string): number | null {
  if (day === '') return null;
  return Math.round((Date.parse(`${day}T23:59:59Z`) - Date.now()) / 1000);
}
