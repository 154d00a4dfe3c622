import { APIConnectionError, APIError, APIUserAbortError, type OpenAI, OpenAIError } from 'openai';
import { PACING } from './pace.ts';

/** After so long without a byte a connection is taken for lost, in ms: the gateway gives a sign of life every 15 seconds. */
const MAX_SILENCE_MS = 45_000;
/** How long a lost connection is left alone where the gateway has not said it, and at most, in ms. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

type Caller = Pick<OpenAI, 'get'>;
type Query = { last_event_id?: string | undefined };
type ServerEvent = { name: string; data: string; id: string | null; retryMs: number | null };

/**
 * Items as they come into being, without an end: `for await` reads them, and leaving it frees the connection.
 *
 * The connection is made for the first item, or by `connect`. One that is lost, or that the gateway ends, is made again, behind
 * the last item that was read. A refusal that no retry helps is thrown, as is any before the first connection.
 */
export class LiveItems<Item> implements AsyncIterable<Item> {
  /** The id of the last event that was read: `last_event_id` of another call goes on behind it. */
  lastEventId: string | null;
  /** How many items were passed over, since there were more than the gateway tells; `null` where nobody knows how many. */
  skipped: number | null = 0;
  /** Of the present connection, for `gateway`. */
  response: Response | null = null;
  readonly #open: (query: Query, signal: AbortSignal) => Promise<Response>;
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  #retryMs = RETRY_MS;
  #items: AsyncGenerator<Item, void> | null = null;

  constructor(client: Caller, path: string, query: Query, options: OpenAI.RequestOptions = {}) {
    this.lastEventId = query.last_event_id ?? null;
    this.#signal = options.signal ? AbortSignal.any([this.#left.signal, options.signal]) : this.#left.signal;
    this.#open = (place, signal) =>
      client.get(path, { ...options, query: { ...query, ...place }, signal }).asResponse();
  }

  /** Connects now, so that what comes into being from here on is told. */
  async connect(): Promise<this> {
    this.response ??= await this.#connected();
    return this;
  }

  /** Ends it, from wherever: who reads it comes to its end. */
  close(): void {
    // What was connected and never read has nobody else who would let it go.
    if (this.response?.body?.locked === false) this.response.body.cancel().catch(() => undefined);
    this.#left.abort();
  }

  /** All who ask read the same items: each goes to one of them. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    this.#items ??= this.#read();
    return this.#items;
  }

  async *#read(): AsyncGenerator<Item, void> {
    try {
      await this.connect();
      while (!this.#signal.aborted) {
        for await (const event of eventsOf(this.response!, this.#signal)) {
          const { name, data } = this.#noted(event);
          if (name === '' && data !== '') yield JSON.parse(data) as Item;
        }
        if (!this.#signal.aborted) this.response = await this.#again();
      }
    } catch (error) {
      const isLeft = this.#left.signal.aborted || (this.#signal.aborted && this.response !== null);
      if (!isLeft) throw error;
    } finally {
      this.close();
    }
  }

  #noted(event: ServerEvent): ServerEvent {
    this.lastEventId = event.id ?? this.lastEventId;
    this.#retryMs = event.retryMs ?? this.#retryMs;
    if (event.name === 'skipped') {
      const { calls } = JSON.parse(event.data) as { calls: number | null };
      this.skipped = this.skipped === null || calls === null ? null : this.skipped + calls;
    }
    return event;
  }

  #connected(): Promise<Response> {
    return this.#open(this.lastEventId === null ? {} : { last_event_id: this.lastEventId }, this.#signal);
  }

  /** Connects again, as often as what is in the way may pass. */
  async #again(): Promise<Response> {
    for (let failures = 0; ; failures += 1) {
      const ms = Math.min(this.#retryMs * 2 ** failures, MAX_RETRY_MS);
      // Those who were let go together do not come back together.
      await PACING.sleep(ms * (1 + PACING.random() / 4), this.#signal);
      try {
        return await this.#connected();
      } catch (error) {
        if (!mayPass(error)) throw error;
      }
    }
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof APIConnectionError) return true;
  if (!(error instanceof APIError) || error instanceof APIUserAbortError) return false;
  const { status = 0, headers } = error;
  return (status === 429 || status >= 500) && headers?.get('x-should-retry') !== 'false';
}

/** The events of one connection, until it ends, is lost, or is silent for too long. */
async function* eventsOf({ body }: Response, signal: AbortSignal): AsyncGenerator<ServerEvent, void> {
  if (body === null) throw new OpenAIError('The gateway answered with nothing to follow.');
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  const decoder = new TextDecoder();
  let rest = '';
  signal.addEventListener('abort', leave);
  try {
    while (!signal.aborted) {
      const { done, value } = await readWithin(reader, leave);
      if (done) return;
      const frames = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = frames.pop()!;
      for (const frame of frames) yield eventOf(frame);
    }
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

/** What comes next; the end, where the connection is lost or nothing comes for too long. */
async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, leave: () => void): Promise<Read> {
  const timer = setTimeout(leave, MAX_SILENCE_MS);
  try {
    return await reader.read();
  } catch {
    return { done: true, value: undefined };
  } finally {
    clearTimeout(timer);
  }
}

function eventOf(frame: string): ServerEvent {
  const event: ServerEvent = { name: '', data: '', id: null, retryMs: null };
  for (const line of frame.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event.name = value;
    else if (field === 'data') event.data += event.data === '' ? value : `\n${value}`;
    else if (field === 'id') event.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) event.retryMs = Number(value);
  }
  return event;
}
