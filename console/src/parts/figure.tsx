import type { ReactNode } from 'react';
import { percent } from './format.ts';

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

type ChangeProps = {
  now: number | null;
  before: number | null;
  /** Parts of a whole, which are told in points of per cent. */
  isShare?: boolean | undefined;
};

/** By how much something changed since the period before. */
export function changeText({ now, before, isShare = false }: ChangeProps): string {
  if (now === null || before === null) return '—';
  if (now === before || (isShare && Math.abs(now - before) < 0.0005)) return 'no change';
  if (isShare) return `${now > before ? '+' : '−'}${(Math.abs(now - before) * 100).toFixed(1)} points`;
  if (before === 0) return 'new';
  const part = (now - before) / before;
  return `${part > 0 ? '+' : '−'}${percent(Math.abs(part))}`;
}

export function Change(props: ChangeProps) {
  return <span className="whitespace-nowrap text-weak tabular-nums">{changeText(props)}</span>;
}
