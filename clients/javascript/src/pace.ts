/** The longest that a paced call waits in all, in milliseconds: after that the limit is an error as without `pace`. */
export const MAX_PACE_MS = 600_000;

/** The most that is added to a wait, in milliseconds, so that callers who were told the same do not come back at once. */
const MAX_JITTER_MS = 250;
/** Waited where the gateway does not say how long, in milliseconds. */
const UNTOLD_MS = 1000;

/** Time and chance, so that tests need neither. */
export type Pacing = {
  random(): number;
  /** Milliseconds; rejects with the signal's reason when that is aborted. */
  sleep(ms: number, signal: AbortSignal | null | undefined): Promise<void>;
};

export const PACING: Pacing = { random: Math.random, sleep };

/**
 * Sends a request again for as long as the answer is that the key is over its limit, each time after the wait that the answer
 * names. Other refusals are returned at once: also the 429 that says that no wait would help.
 *
 * @param send sends the request once, with the time that one request may take
 * @param signal ends the waiting, too
 */
export async function sendPaced(
  send: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
  { random, sleep: wait }: Pacing = PACING,
): Promise<Response> {
  let waited = 0;
  for (;;) {
    const response = await send();
    if (!isOverLimit(response)) return response;
    const ms = retryAfterMs(response.headers) + random() * MAX_JITTER_MS;
    waited += ms;
    if (waited > MAX_PACE_MS) return asFinal(response);
    await response.body?.cancel();
    await wait(ms, signal);
  }
}

/** A little longer before a call is sent again, so that callers who were told the same wait do not come back at once. */
export function jitter(signal: AbortSignal | null, { random, sleep: wait }: Pacing = PACING): Promise<void> {
  return wait(random() * MAX_JITTER_MS, signal);
}

/** The same refusal, which nobody sends again: the parent would wait anew. */
function asFinal({ body, status, headers }: Response): Response {
  const final = new Headers(headers);
  final.set('x-should-retry', 'false');
  return new Response(body, { status, headers: final });
}

function isOverLimit({ status, headers }: Response): boolean {
  return status === 429 && headers.get('x-should-retry') !== 'false';
}

function retryAfterMs(headers: Headers): number {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '');
  return seconds >= 0 ? seconds * 1000 : UNTOLD_MS;
}

function sleep(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal?.addEventListener('abort', leave, { once: true });
  });
}
