import type { SpendReader } from '../../../core/ports.ts';
import type { Tables } from '../../tables.ts';
import type { OwnKeys } from '../own-keys.ts';
import type { TableThread } from './table-thread.ts';

/** How long a call waits for the thread to look up its key, in ms, before the key is read here. */
const KEY_WAIT_MS = 50;

/** How long a call waits for another thread in the place of one that ended, in ms. */
const RESTART_WAIT_MS = 5_000;

/** What calls wait for. Nothing of it may fail because the thread is slow, stands still or is being started again. */
export type OnCallPath = Pick<Tables, 'keys' | 'spend' | 'leases'> & { close(): Promise<void> };

/**
 * The same questions for calls. Keys are looked up by the thread, as all is; where it does not answer at once, by a
 * connection of this thread that only reads. What needs the tables to be up to date is asked again of the next thread.
 */
export function onCallPath({ keys, spend, leases }: Tables, thread: TableThread, folder: string): OnCallPath {
  let own: Promise<OwnKeys> | null = null;

  /** What it takes is loaded once it is needed. */
  async function ownKeys(): Promise<OwnKeys['keys']> {
    own ??= import('../own-keys.ts').then(({ openOwnKeys }) => openOwnKeys(folder));
    return (await own).keys;
  }

  async function soon<Result>(ask: () => Promise<Result>, readHere: () => Promise<Result>): Promise<Result> {
    const asked = thread.running;
    if (asked === null) return readHere();
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), KEY_WAIT_MS);
    const answer = ask().then((value) => ({ value }));
    try {
      const first = await Promise.race([answer, late]);
      if (first !== null) return first.value;
    } catch (error) {
      if (thread.running === asked) throw error;
    } finally {
      clearTimeout(timer);
    }
    answer.catch(() => undefined);
    return readHere();
  }

  async function surely<Result>(ask: () => Promise<Result>): Promise<Result> {
    const asked = thread.running;
    try {
      return await ask();
    } catch (error) {
      if (thread.running === asked && asked !== null) throw error;
      if (!(await thread.isServing(RESTART_WAIT_MS))) throw error;
    }
    return ask();
  }

  const spent: SpendReader['spent'] = (...args) => surely(() => spend.spent(...args));
  return {
    keys: {
      ...keys,
      find: (hash) =>
        soon(
          () => keys.find(hash),
          async () => (await ownKeys()).find(hash),
        ),
      changes: () =>
        soon(
          () => keys.changes(),
          async () => (await ownKeys()).changes(),
        ),
    },
    spend: { spent },
    leases: { ...leases, catchUp: () => surely(() => leases.catchUp()) },
    close: async () => (await own)?.database.close(),
  };
}
