import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RunningThread, ThreadEntry } from '../../engine.ts';
import { storageUnavailable } from '../../errors.ts';
import type { JournalPosition } from '../../journal-port.ts';
import type { TablesNews } from '../../tables.ts';
import {
  type ErrorForm,
  type FromThread,
  isWaitedFor,
  readError,
  type TablesQuestion,
  type ThreadData,
  type ThreadOptions,
  type ToThread,
} from './messages.ts';

/** The file of a thread that does nothing else, as it is run here: from the sources, or from what was built of them. */
const PLAIN_ENTRY: ThreadEntry = { file: new URL(`./entry${extname(import.meta.url)}`, import.meta.url), own: null };

/** The most memory that the thread may have for objects, in MB. A report holds some hundred records. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** How long the thread may take over what is left and close. What it leaves is in the journal, for the next start. */
const CLOSE_MS = 10_000;

/** A thread that ends sooner than this after its start is started again only after as long, in ms. */
const RESTART_MS = 1_000;

export type TableThreadParts = {
  options: ThreadOptions;
  entry: ThreadEntry | undefined;
  /** How far the journal was acknowledged, once all that was handed in is written. */
  acknowledged(): JournalPosition | null;
  hear(news: TablesNews): void;
  /** Told of a thread that ended unasked, and of one that could not be started in its place. Another is started by itself. */
  onDeath(cause: Error): void;
  onRestart(): void;
};

type UnansweredQuestion = { resolve(value: unknown): void; reject(error: Error): void };

/**
 * The thread that keeps the tables, as the others see it. One that ends unasked is started again: it goes on from where
 * the tables say that they are. Whatever it was asked and had not answered is refused (`storage_unavailable`), and so is
 * what is asked while none runs.
 */
export class TableThread {
  readonly #parts: TableThreadParts;
  readonly #waiting = new Map<number, UnansweredQuestion>();
  #asked = 0;
  #worker: Worker | null = null;
  /** How many messages wait for its answer: it rests in the midst of its work only while there is none. */
  #waitedFor = new Int32Array(new SharedArrayBuffer(4));
  #running: RunningThread | null = null;
  #hasServed = false;
  #startedAt = 0;
  #heardAt = 0;
  #serving: PromiseWithResolvers<void> = Promise.withResolvers();
  #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #timer: NodeJS.Timeout | null = null;
  #isClosing = false;

  private constructor(parts: TableThreadParts) {
    this.#parts = parts;
  }

  /** Throws a `StorageOpenError` or a `DataFolderError` where the tables cannot be opened. */
  static async open(parts: TableThreadParts): Promise<TableThread> {
    const thread = new TableThread(parts);
    await thread.#start();
    return thread;
  }

  /** `null` while none serves. */
  get running(): RunningThread | null {
    return this.#running;
  }

  /** For how long nothing was heard of it, in ms. */
  get silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** Resolves once one serves, or with `false` where none does in so many ms. */
  async isServing(mostMs: number): Promise<boolean> {
    if (this.#running !== null) return true;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, mostMs);
    await Promise.race([this.#serving.promise, late.promise]);
    clearTimeout(timer);
    return this.#running !== null;
  }

  ask(question: TablesQuestion): Promise<unknown> {
    if (this.#running === null) return Promise.reject(unavailable());
    return this.#send(question);
  }

  /** Asks for what comes in parts. Whoever stops before the last part lets the rest go. */
  async *stream(question: TablesQuestion): AsyncGenerator<unknown> {
    // The answer that says that there are parts has the number by which they are asked for.
    const asking = this.ask(question);
    const stream = this.#asked;
    await asking;
    let done = false;
    try {
      for (;;) {
        const part = (await this.ask({ next: stream })) as IteratorResult<unknown>;
        done = part.done === true;
        if (done) return;
        yield part.value;
      }
    } finally {
      if (!done) await this.ask({ leave: stream }).catch(() => undefined);
    }
  }

  /** Lets the thread take over what is left, and end. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#worker === null) return;
    this.#post({ close: true, place: this.#parts.acknowledged() });
    const late = setTimeout(() => void this.#worker?.terminate(), CLOSE_MS);
    await this.#ended.promise;
    clearTimeout(late);
  }

  async #start(): Promise<void> {
    const { options, entry = PLAIN_ENTRY } = this.#parts;
    this.#waitedFor = new Int32Array(new SharedArrayBuffer(4));
    const workerData: ThreadData = { tables: options, own: entry.own, waitedFor: this.#waitedFor };
    const worker = new Worker(entry.file, { workerData, resourceLimits: MEMORY });
    const started = Promise.withResolvers<void>();
    let fault: Error | null = null;
    this.#worker = worker;
    this.#ended = Promise.withResolvers();
    this.#startedAt = performance.now();
    worker.on('message', (message: FromThread) => {
      this.#heardAt = performance.now();
      if (message.about !== 'start') return this.#hear(message);
      if (message.error !== null) fault = readError(message.error);
      else {
        this.#hasServed = true;
        this.#running = runningThread(worker, () => this.#send({ sign: 'ping' }));
        this.#serving.resolve();
        started.resolve();
      }
    });
    worker.on('error', (error) => {
      fault = error as Error;
    });
    worker.on('exit', (code) => {
      const cause = fault ?? new Error(`The thread that keeps the tables has ended (${code}).`);
      started.reject(cause);
      this.#noteEnd(cause);
    });
    await started.promise;
  }

  #noteEnd(cause: Error): void {
    this.#worker = null;
    this.#running = null;
    this.#serving = Promise.withResolvers();
    this.#ended.resolve();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(unavailable(cause));
    if (this.#isClosing || !this.#hasServed) return;
    this.#parts.onDeath(cause);
    const isYoung = performance.now() - this.#startedAt < RESTART_MS;
    this.#timer = setTimeout(() => this.#restart(), isYoung ? RESTART_MS : 0);
  }

  #restart(): void {
    this.#timer = null;
    // One that cannot start ends like any other, and so is tried again.
    this.#start().then(
      () => this.#parts.onRestart(),
      () => undefined,
    );
  }

  #hear(message: Exclude<FromThread, { about: 'start' }>): void {
    if (message.about === 'news') return this.#parts.hear(readNews(message.news));
    const waiting = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if (message.about === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(readError(message.error));
  }

  #send(question: TablesQuestion): Promise<unknown> {
    this.#asked += 1;
    const number = this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // Posted first: what cannot be posted is thrown, and is not waited for.
    this.#post({ number, place: this.#parts.acknowledged(), question });
    this.#waiting.set(number, { resolve, reject });
    return promise;
  }

  #post(message: ToThread): void {
    this.#worker?.postMessage(message);
    if (!isWaitedFor(message)) return;
    // A thread that answered already has made it -1 meanwhile, and does not rest either.
    Atomics.add(this.#waitedFor, 0, 1);
    Atomics.notify(this.#waitedFor, 0);
  }
}

function runningThread(worker: Worker, ping: () => Promise<unknown>): RunningThread {
  return { channel: { ask: ping }, kill: () => void worker.terminate() };
}

function readNews(news: TablesNews): TablesNews {
  return 'error' in news ? { ...news, error: readError(news.error as ErrorForm) } : news;
}

function unavailable(cause: Error = new Error('The thread that keeps the tables is being started.')) {
  return storageUnavailable(cause);
}
