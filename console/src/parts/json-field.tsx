import { useState } from 'react';
import { TextArea } from './field.tsx';

type Values = Readonly<Record<string, unknown>>;
type Props = {
  label: string;
  hint?: string;
  placeholder: string;
  /** What the gateway says is wrong with it. */
  error?: string | null;
  value: Values | undefined;
  /** An object without members is `undefined`. */
  onChange: (value: Values | undefined) => void;
};

/** An object as JSON. What is none is said, and stays as it was typed until it is one. */
export function JsonField({ value, error, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? null : objectIn(typed);
  const isShown = read !== null && (read.fault !== null || textOf(read.value) === textOf(value));
  return (
    <TextArea
      {...rest}
      isMono
      rows={3}
      spellCheck={false}
      value={isShown ? typed! : textOf(value)}
      error={isShown && read.fault !== null ? read.fault : (error ?? null)}
      onChange={({ target }) => {
        setTyped(target.value);
        const next = objectIn(target.value);
        if (next.fault === null) onChange(next.value);
      }}
    />
  );
}

function textOf(value: Values | undefined): string {
  return value === undefined ? '' : JSON.stringify(value);
}

function objectIn(text: string): { value: Values | undefined; fault: string | null } {
  if (text.trim() === '') return { value: undefined, fault: null };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: Object.keys(value).length === 0 ? undefined : (value as Values), fault: null };
    }
  } catch {
    // Said below.
  }
  return { value: undefined, fault: 'Write a JSON object, such as { "temperature": 0.2 }, or leave it empty.' };
}
