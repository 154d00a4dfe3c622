import { useEffect, useRef, useState } from 'react';
import { type Answer, ofOrganization } from './call.ts';

export type LiveCall = Answer<'retrieveUsage'>;

/** How a stream does: it is being begun, it tells calls, or it was lost and is begun again. */
export type LiveState = 'connecting' | 'live' | 'lost';

/** Calls that are shown while they are followed: the newest. */
const MAX_LINES = 100;
/** How long a stream that was refused is left alone, in ms. */
const RETRY_MS = 5_000;

type Followed = {
  /** Newest first. */
  calls: readonly LiveCall[];
  /** Calls that were passed over, since there were too many; `null`: nobody knows how many. */
  skipped: number | null;
  state: LiveState;
};

const NOTHING: Followed = { calls: [], skipped: 0, state: 'connecting' };

/**
 * The calls that end from now on, as the gateway tells them. While `isPaused` nothing is read; then it goes on where it was.
 *
 * @param query filters, as the list has them; with others it begins anew
 */
export function useLiveCalls(query: Readonly<Record<string, string | undefined>>, isPaused: boolean): Followed {
  const filters = JSON.stringify(query);
  const lastId = useRef('');
  const [followed, setFollowed] = useState({ filters, ...NOTHING });

  // With other filters it begins anew, and those that are asked for now have nothing yet.
  useEffect(() => {
    lastId.current = '';
    setFollowed({ filters, ...NOTHING });
  }, [filters]);

  useEffect(() => {
    if (isPaused) return;
    return follow(
      () => addressOf(JSON.parse(filters), lastId.current),
      (event) => {
        if (event.id !== undefined && event.id !== '') lastId.current = event.id;
        setFollowed((before) => (before.filters === filters ? taken(before, event) : before));
      },
    );
  }, [filters, isPaused]);

  return followed.filters === filters ? followed : NOTHING;
}

type LiveEvent = { id?: string; state?: LiveState; call?: LiveCall; skipped?: number | null };

function taken<Before extends Followed>(
  before: Before,
  { state = before.state, call, skipped = 0 }: LiveEvent,
): Before {
  return {
    ...before,
    state,
    calls: call === undefined ? before.calls : [call, ...before.calls].slice(0, MAX_LINES),
    skipped: before.skipped === null || skipped === null ? null : before.skipped + skipped,
  };
}

/** Reads a stream, and begins it again where it was lost; returns what ends it. */
function follow(address: () => string, tell: (event: LiveEvent) => void): () => void {
  let source: EventSource;
  let timer = 0;
  const begin = () => {
    source = new EventSource(address());
    source.onopen = () => tell({ state: 'live' });
    source.addEventListener('begin', ({ lastEventId }) => tell({ id: lastEventId }));
    source.onmessage = ({ data, lastEventId }) => tell({ id: lastEventId, call: JSON.parse(data) as LiveCall });
    source.addEventListener('skipped', ({ data, lastEventId }) =>
      tell({ id: lastEventId, skipped: (JSON.parse(data) as { calls: number | null }).calls }),
    );
    source.onerror = () => {
      // A stream that ended is begun again by the browser; one that was refused is not.
      if (source.readyState !== EventSource.CLOSED) return tell({ state: 'connecting' });
      tell({ state: 'lost' });
      timer = window.setTimeout(begin, RETRY_MS);
    };
  };
  begin();
  return () => {
    window.clearTimeout(timer);
    source.close();
  };
}

function addressOf(query: Readonly<Record<string, string | undefined>>, lastId: string): string {
  const asked = new URLSearchParams(ofOrganization());
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') asked.set(name, value);
  if (lastId !== '') asked.set('last_event_id', lastId);
  return `/v1/usage/live?${asked}`;
}
