import { Id } from '../../parts/copy.tsx';
import { duration } from '../../parts/format.ts';
import { Badge } from '../../parts/states.tsx';
import type { CallDetail } from './call-sheet.tsx';
import { CallStatus } from './words.tsx';

type Attempt = CallDetail['attempt_details'][number];

const BARS = { succeeded: 'bg-good', failed: 'bg-bad', cancelled: 'bg-warn', interrupted: 'bg-warn' } as const;

/** Each attempt on the time of the call, one below the other. */
export function Attempts({ call: { attempt_details: attempts } }: { call: CallDetail }) {
  if (attempts.length === 0)
    return <p className="text-table text-weak">Nothing was sent to a provider: the call was refused before.</p>;
  const begin = Math.min(...attempts.map(({ started_at_ms }) => started_at_ms));
  const whole = Math.max(1, Math.max(...attempts.map(({ ended_at_ms }) => ended_at_ms)) - begin);
  return (
    <ol className="grid gap-3">
      {attempts.map((attempt) => (
        <li key={attempt.number} className="grid gap-1 text-table">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{nameOf(attempt)}</span>
            <CallStatus of={attempt} />
            {attempt.possibly_billed && <Badge tone="warn">may have been billed</Badge>}
            <span className="ml-auto tabular-nums text-weak">
              {duration(attempt.ended_at_ms - attempt.started_at_ms)}
            </span>
          </div>
          <Bar attempt={attempt} begin={begin} whole={whole} />
          {(attempt.credential !== undefined || attempt.upstream_request_id !== null) && (
            <div className="flex min-w-0 flex-wrap gap-x-3 text-small text-faint">
              {attempt.credential !== undefined && <span>credential {attempt.credential}</span>}
              {attempt.upstream_request_id !== null && <Id id={attempt.upstream_request_id} />}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

function Bar({ attempt, begin, whole }: { attempt: Attempt; begin: number; whole: number }) {
  const from = attempt.started_at_ms - begin;
  const took = attempt.ended_at_ms - attempt.started_at_ms;
  return (
    <div
      role="img"
      aria-label={`From ${duration(from)} to ${duration(from + took)} of the call`}
      className="h-2 overflow-hidden rounded-sm bg-sunken"
    >
      <div
        className={`h-full min-w-0.5 rounded-sm ${BARS[attempt.status]}`}
        style={{ marginLeft: `${(from / whole) * 100}%`, width: `${(took / whole) * 100}%` }}
      />
    </div>
  );
}

function nameOf({ number, provider, upstream_model: model }: Attempt): string {
  if (provider === null) return `Attempt ${number}`;
  return model === null ? provider : `${provider} · ${model}`;
}
