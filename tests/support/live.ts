import assert from 'node:assert/strict';
import { createWaiters } from '../../src/testing/wait.ts';
import type { Running } from './headgate.ts';

export type LiveEvent = { id: string; event: string; data: Record<string, unknown>; at: number };

/** A watcher of calls as they end. */
export type Watching = AsyncDisposable & {
  readonly status: number;
  readonly headers: Headers;
  /** All events so far. */
  readonly events: readonly LiveEvent[];
  /** The ids of the records among them, in order. */
  readonly ids: readonly string[];
  /** The last event id. */
  readonly lastId: string;
  /** The received body; for a refusal, the error. */
  readonly text: string;
  until(condition: () => boolean, what: string): Promise<void>;
  /** Resolves when the gateway has ended the stream. */
  readonly ended: Promise<void>;
};

/**
 * Watches `GET /v1/usage/live` with a key, or with a cookie (`key` is `null`). Resolves when the stream has begun or
 * was refused.
 */
export async function watchUsage(
  { url }: Pick<Running, 'url'>,
  key: string | null,
  { query = '', headers = {} }: { query?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Watching> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/v1/usage/live${query}`, {
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), connection: 'close', ...headers },
    signal: leaving.signal,
  });
  const { changed, until } = createWaiters();
  const events: LiveEvent[] = [];
  let [text, lastId, read] = ['', '', 0];
  const take = () => {
    for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
      const fields = new Map(text.slice(read, end).split('\n').map(fieldOf));
      read = end + 2;
      lastId = fields.get('id') ?? lastId;
      const data = fields.get('data');
      if (data === undefined) continue;
      const event = fields.get('event') ?? 'message';
      events.push({ id: fields.get('id') ?? '', event, data: JSON.parse(data), at: performance.now() });
    }
  };
  let isOver = false;
  const ended = (async () => {
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      take();
      changed();
    }
  })()
    .catch((error: Error) => assert.ok(leaving.signal.aborted, error))
    .finally(() => {
      isOver = true;
      changed();
    });
  const watching: Watching = {
    status: answer.status,
    headers: answer.headers,
    events,
    get ids() {
      return events.flatMap(({ event, data }) => (event === 'message' ? [String(data.id)] : []));
    },
    get lastId() {
      return lastId;
    },
    get text() {
      return text;
    },
    until: (condition, what) => until(condition, () => `${what}; there came ${text.slice(-2_000)}`),
    ended,
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await ended;
    },
  };
  // After the first id, every call that ends is reported.
  if (answer.status === 200) await watching.until(() => lastId !== '', 'the beginning of the stream');
  else
    await until(
      () => isOver,
      () => 'the end of a refusal',
    );
  return watching;
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
