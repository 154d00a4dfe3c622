import { exact, percent } from './format.ts';

export type ChangeProps = {
  now: number | null;
  before: number | null;
  /** Parts of a whole, which are told in points of per cent. */
  isShare?: boolean | undefined;
};

/** From here on, how many times as much it is says more than a number of per cent. */
const MANY_TIMES = 9;

/** By how much something changed since the period before. */
export function changeText({ now, before, isShare = false }: ChangeProps): string {
  if (now === null || before === null) return '—';
  if (now === before || (isShare && Math.abs(now - before) < 0.0005)) return 'no change';
  if (isShare) return `${now > before ? '+' : '−'}${(Math.abs(now - before) * 100).toFixed(1)} points`;
  if (before === 0) return 'new';
  const part = (now - before) / before;
  if (part >= MANY_TIMES) return `×${exact(Math.round(now / before))}`;
  return `${part > 0 ? '+' : '−'}${percent(Math.abs(part))}`;
}
