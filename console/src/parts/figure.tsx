import type { ReactNode } from 'react';
import { type ChangeProps, changeText } from './change.ts';

/** A number that matters, with its name above it and what it was before below it. */
export function Figure({ title, value, below }: { title: string; value: ReactNode; below?: ReactNode }) {
  return (
    <span className="grid min-w-0 gap-0.5 text-left">
      <span className="text-small text-weak">{title}</span>
      <span className="text-[20px] leading-7 font-semibold tabular-nums">{value}</span>
      <span className="text-small text-weak">{below}</span>
    </span>
  );
}

export function Change(props: ChangeProps) {
  return <span className="whitespace-nowrap text-weak tabular-nums">{changeText(props)}</span>;
}
