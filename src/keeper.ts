import type { Logger } from 'pino';
import type { KeyParts } from './control/keys/keys.ts';
import { Retention } from './control/usage/retention.ts';
import type { Ids, Storage } from './core/ports.ts';
import { createIds } from './http/ids.ts';
import { CLOCK, makeFirstKey, makeOrganizations, openKeys, type Setup } from './setup.ts';
import { acquireInstanceLock, awaitNoWorkers } from './store/instance-lock.ts';

export type KeeperParts = {
  setup: Setup;
  log: Logger;
  /** How long usage records are kept, in ms; `null` for ever. Asked at each round. */
  keepMs(): number | null;
};

/** What one process does for a data folder that is served: it holds the lock, closes what the dead left open, and tidies up. */
export class Keeper {
  readonly storage: Storage;
  readonly keys: KeyParts;
  readonly ids: Ids;
  /** Calls that an earlier process left open. */
  readonly recovered: number;
  readonly #retention: Retention;
  readonly #release: () => void;

  private constructor(
    parts: { storage: Storage; keys: KeyParts; ids: Ids; recovered: number; release: () => void },
    retention: Retention,
  ) {
    this.storage = parts.storage;
    this.keys = parts.keys;
    this.ids = parts.ids;
    this.recovered = parts.recovered;
    this.#release = parts.release;
    this.#retention = retention;
  }

  /** Takes the data folder, and brings it in order. Whoever opens it closes it. */
  static async open({ setup, log, keepMs }: KeeperParts): Promise<Keeper> {
    const { release } = acquireInstanceLock(setup.folder, { pid: process.pid, startedAt: CLOCK.now() });
    try {
      await awaitNoWorkers(setup.folder);
      const ids = createIds();
      const { storage, keys } = await openKeys(setup, ids);
      const retention = new Retention({
        storage,
        clock: CLOCK,
        keepMs,
        onError: (error) => log.error({ err: error }, 'Old usage records could not be deleted.'),
      });
      try {
        const recovered = await storage.recover(CLOCK.now());
        // Every bucket is full at a start, and what was spent is read anew.
        await storage.leases.clear();
        return new Keeper({ storage, keys, ids, recovered, release }, retention);
      } catch (error) {
        await storage.close();
        throw error;
      }
    } catch (error) {
      release();
      throw error;
    }
  }

  /** To be called once the gateway serves: a key made by a start that then failed would never be shown. */
  async begin(setup: Setup): Promise<string | null> {
    const firstKey = await makeFirstKey(setup, this.storage, this.keys);
    this.#retention.start();
    return firstKey;
  }

  /** What a new configuration asks of the data, before it is in force. */
  async prepare(setup: Setup): Promise<void> {
    await makeOrganizations(setup, this.storage, this.ids);
  }

  tidyUp(): void {
    void this.#retention.round();
  }

  async close(): Promise<void> {
    this.#retention.stop();
    await this.storage.close();
    this.#release();
  }
}
