import { percent } from '../../../parts/format.ts';

/** What is written beside it, drawn: a part of 1. */
export function Bar({ part }: { part: number }) {
  const tone = part >= 1 ? 'bg-bad' : part >= 0.8 ? 'bg-warn' : 'bg-good';
  return (
    <div title={percent(part)} aria-hidden="true" className="h-1.5 overflow-hidden rounded-sm bg-sunken">
      <div className={`h-full ${tone}`} style={{ width: `${Math.min(100, part * 100)}%` }} />
    </div>
  );
}
