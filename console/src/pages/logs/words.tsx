import type { ReactNode } from 'react';
import { ago } from '../../parts/format.ts';
import { Badge } from '../../parts/states.tsx';
import { dayAndTime, zoneText } from '../../parts/zone.ts';

/** What the head of the log says; times of before the clock was changed have another, and say so. */
export const HEAD_ZONE = zoneText();

/** A moment of the log, to the second; the year where it is not this one, and of today on narrow screens the time alone. */
export function LogTime({ at }: { at: number }) {
  const own = zoneText(at);
  const text = dayAndTime(at);
  const now = dayAndTime(Date.now() / 1000);
  const isThisYear = text.slice(0, 4) === now.slice(0, 4);
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={ago(at)}
      className="font-normal tabular-nums whitespace-nowrap"
    >
      <span className={text.slice(0, 10) === now.slice(0, 10) ? 'max-md:hidden' : ''}>
        {text.slice(isThisYear ? 5 : 0, 10)}{' '}
      </span>
      {text.slice(11, 19)}
      {own !== HEAD_ZONE && <span className="text-small text-faint"> {own}</span>}
    </time>
  );
}

const TONES = { succeeded: 'good', failed: 'bad', cancelled: 'warn', interrupted: 'warn', refused: 'bad' } as const;
type Ended = { status: keyof typeof TONES; http_status: number | null; error: string | null };

/** How a call ended: what it was answered, and where it failed, the kind of the error. */
export function CallStatus({ of: { status, http_status, error } }: { of: Ended }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Badge tone={TONES[status]}>
        {status === 'cancelled' || status === 'interrupted' ? status : (http_status ?? status)}
      </Badge>
      {error && (
        <span title={error} className="block max-w-24 truncate text-small text-weak max-md:sr-only">
          {error}
        </span>
      )}
    </span>
  );
}

export function Weak({ children }: { children: ReactNode }) {
  return <span className="text-faint">{children}</span>;
}
