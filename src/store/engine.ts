import type { Storage } from '../core/ports.ts';
import type { EndedCall } from '../core/records.ts';
import type { StorageOptions } from './journaled-storage.ts';

/** The process that serves: its id, and when it began (Unix ms). */
export type InstanceHolder = { pid: number; startedAt: number };

export type InstanceLock = { release(): void };

/** The file that a thread runs, which calls `serveTables`, and what it is handed: data alone. */
export type ThreadEntry = { file: URL; own: unknown };

/** One thread, from its start to its end. `channel` lets a heartbeat ask it for signs of life. */
export type RunningThread = {
  readonly channel: { ask(name: 'ping', body: null): Promise<unknown> };
  /** Ends it, whatever it is doing. A transaction that was under way has not happened. */
  kill(): void;
};

export type ThreadedStorageOptions = Omit<StorageOptions, 'onEnded'> & {
  /** Default: a program that keeps the tables, and does nothing else. */
  entry?: ThreadEntry;
  /**
   * How long the thread lets others go first behind some records that it takes over while nobody waits for it, in ms. Default 0:
   * it does not, for meanwhile it keeps other processes from writing.
   */
  restMs?: number;
  /** Told of a thread that ended unasked, whose place another takes, and of the other once it serves. */
  onThreadDeath(cause: Error): void;
  onThreadRestart(): void;
};

/** A store whose tables are kept by a thread of their own. */
export type ThreadedStorage = Storage & {
  /** The thread that serves now, to be asked for signs of life; none while it is being started. */
  threads(): readonly RunningThread[];
};

/** What keeps the data of a gateway. Only `open.ts` knows which engines there are. */
export type StoreEngine = {
  /** As the HTTP API tells it. */
  kind: string;
  /** The version of the schema that this program writes. */
  schemaVersion: number;
  /** Whether a gateway has kept data in this folder. */
  hasData(folder: string): boolean;
  /**
   * Opens the store with its tables in this thread: for commands, and for processes that answer no calls. Rejects with a
   * `StorageOpenError` or a `DataFolderError`, with a sentence for the operator.
   */
  openStorage(options: StorageOptions): Promise<Storage>;
  /** Opens the store for a process that answers calls, whose tables have a thread of their own. Rejects as `openStorage`. */
  openThreadedStorage(options: ThreadedStorageOptions): Promise<ThreadedStorage>;
  /** What the thread of the tables does, called by its program. `onEnded` is told of each call that is settled in the tables. */
  serveTables(onEnded?: (calls: readonly EndedCall[]) => void): Promise<void>;
  /** Takes the lock that lets one process serve a data folder, or throws an `InstanceLockError`. */
  acquireInstanceLock(folder: string, holder: InstanceHolder): InstanceLock;
  /** Resolves when no worker of an earlier gateway runs any more; to be called with the lock held. Rejects with an `InstanceLockError`. */
  awaitNoWorkers(folder: string): Promise<void>;
  /** Shows, for as long as this process lives, that a worker runs. */
  joinWorkers(folder: string): void;
};
