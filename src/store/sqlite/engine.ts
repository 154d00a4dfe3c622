import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreEngine } from '../engine.ts';
import { acquireInstanceLock, awaitNoWorkers, joinWorkers } from './instance-lock.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { DATABASE_FILE } from './open.ts';

/** SQLite in the data folder. What opens a store is imported on use: no process needs all of it. */
export const embedded: StoreEngine = {
  kind: 'embedded',
  schemaVersion: SCHEMA_VERSION,
  hasData: (folder) => existsSync(join(folder, DATABASE_FILE)),
  openStorage: async (options) => (await import('./storage.ts')).openStorage(options),
  openThreadedStorage: async (options) => (await import('./threaded-storage.ts')).openThreadedStorage(options),
  serveTables: async (onEnded) => (await import('./thread/serve-tables.ts')).serveTables(onEnded),
  acquireInstanceLock,
  awaitNoWorkers,
  joinWorkers,
};
