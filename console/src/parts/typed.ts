import { type ChangeEvent, useState } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * What a field has whose value stands in the address, which comes a moment behind what is typed. While somebody types, the field
 * shows that: the address of a moment ago would put the cursor behind the text, and empty a day that is typed in parts.
 */
export function useTyped(value: string, change: (typed: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  return {
    value: typed ?? value,
    onChange: ({ target }: ChangeEvent<Field>) => {
      setTyped(target.value);
      change(target.value);
    },
    onBlur: () => setTyped(null),
  };
}

/** Until its year has four digits, a day is one of long ago. */
const YEAR_TYPED = /^[1-9]\d{3}-/;

/** The same of a field for a day, or a day and a time: the address has it once it is typed whole, or taken away whole. */
export function useTypedDay(value: string, change: (day: string) => void) {
  const { onChange, ...field } = useTyped(value, () => undefined);
  return {
    ...field,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onChange(event);
      const { value: day, validity } = event.target;
      if (YEAR_TYPED.test(day) || (day === '' && !validity.badInput)) change(day);
    },
  };
}
