import { Pool } from 'undici';
import { bodyOf, type Call, callOf, clientIdOf } from './calls.ts';

/** A call whose answer its caller has in full: the gateway may never forget it. */
export type Acknowledged = { call: Call; requestId: string };

export type LoadOutcome = {
  acknowledged: Acknowledged[];
  /** Answers that no kill explains. */
  faults: string[];
};

/** `stop` begins no further calls, and expects those under way to break; `finish` lets them end, and none may fail. */
export type Load = { stop(): void; finish(): void; ended: Promise<LoadOutcome>; begun(): number };

type Target = { url: string; key: string };

/** Starts callers that each send a call when their last is answered, numbered from `first` on. */
export function startLoad(target: Target, callers: number, first: number): Load {
  const pool = new Pool(target.url, { connections: callers });
  const acknowledged: Acknowledged[] = [];
  const faults: string[] = [];
  let next = first;
  let stopped = false;
  let finishing = false;

  async function callOnAndOn(): Promise<void> {
    while (!stopped && !finishing) {
      const call = callOf(next);
      next += 1;
      try {
        const requestId = await send(pool, target.key, call);
        if (requestId !== null) acknowledged.push({ call, requestId });
      } catch (error) {
        if (!stopped) faults.push(`call ${call.number}: ${error}`);
        return;
      }
    }
  }

  async function all(): Promise<LoadOutcome> {
    await Promise.all(Array.from({ length: callers }, callOnAndOn));
    await pool.destroy();
    return { acknowledged, faults };
  }

  return {
    stop() {
      stopped = true;
    },
    finish() {
      finishing = true;
    },
    ended: all(),
    begun: () => next - first,
  };
}

/** Resolves with the request's id once its answer is there in full. Rejects where it is cut, or is none. */
async function send(pool: Pool, key: string, call: Call): Promise<string | null> {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': clientIdOf(call) },
    body: bodyOf(call),
  });
  let text = '';
  try {
    for await (const chunk of body.setEncoding('utf8')) text += chunk;
  } catch (error) {
    // What stands behind `[DONE]` is only HTTP's own end.
    if (!text.includes('data: [DONE]\n\n')) throw error;
  }
  const complete = call.streamed ? text.includes('data: [DONE]\n\n') : text.endsWith('}');
  if (statusCode !== 200 || !complete) throw new Error(`answered ${statusCode}: ${text}`);
  return String(headers['x-request-id']);
}
