import { type LiveCall, type LiveState, useLiveCalls } from '../../api/live.ts';
import { useList } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { exact } from '../../parts/format.ts';
import { Badge } from '../../parts/states.tsx';
import type { LoggedCall } from './logs.tsx';

/** How many lines are shown while the log is followed: the newest alone. */
const LIVE_LINES = 100;

type Followed = {
  /** Newest first; `null`: not read yet. */
  calls: readonly LoggedCall[] | null;
  error: Error | null;
  state: LiveState;
  skipped: number | null;
};

/** The newest calls, and those that end from now on. */
export function useFollowed(
  filters: Readonly<Record<string, string | undefined>>,
  { isOn, isPaused }: { isOn: boolean; isPaused: boolean },
): Followed {
  const { calls: live, skipped, state } = useLiveCalls(filters, isPaused || !isOn);
  // What ended before the stream began is read once it has, so that nothing falls between them.
  const before = useList(
    'listUsage',
    { query: { ...filters, limit: LIVE_LINES } },
    { enabled: isOn && (isPaused || state !== 'connecting') },
  );
  return { calls: joined(live, before.items), error: before.error, state, skipped };
}

function joined(live: readonly LiveCall[], before: readonly LoggedCall[] | null): readonly LoggedCall[] | null {
  if (live.length === 0) return before;
  const told = new Set(live.map(({ id }) => id));
  return [...live, ...(before ?? []).filter(({ id }) => !told.has(id))].slice(0, LIVE_LINES);
}

type Props = { state: LiveState; skipped: number | null; isPaused: boolean; onPause: (isPaused: boolean) => void };

/** How the stream does, and a way to halt it while a line is read. */
export function Following({ state, skipped, isPaused, onPause }: Props) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 text-table text-weak">
      <p role="status" className="flex items-center gap-2">
        {isPaused ? <Badge tone="warn">Paused</Badge> : STATES[state].badge}
        {isPaused ? 'Calls that end meanwhile are told when you go on.' : STATES[state].words}
        {skipped !== 0 && ` ${skipped === null ? 'Some' : exact(skipped)} more calls were too many to show.`}
      </p>
      <Button onClick={() => onPause(!isPaused)}>{isPaused ? 'Go on' : 'Pause'}</Button>
    </div>
  );
}

const STATES = {
  connecting: { badge: <Badge>Connecting</Badge>, words: 'The log is about to be followed.' },
  live: { badge: <Badge tone="good">Live</Badge>, words: 'Following: a call appears here within a second of its end.' },
  lost: { badge: <Badge tone="bad">Not connected</Badge>, words: 'The gateway is asked again every few seconds.' },
} as const;
