import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { createKeyLookup, type KeyLookup } from '../keys.ts';
import type { Schema } from '../schema.ts';
import { sqliteDialect } from './driver.ts';
import { BUSY_WAIT_MS } from './lock-wait.ts';
import { DATABASE_FILE } from './open.ts';

/** Keys, on a connection that only reads and is this thread's own. */
export type OwnKeys = { database: DatabaseSync; keys: Pick<KeyLookup, 'find' | 'changes'> };

/** For while the thread that keeps the tables cannot be asked: whoever waits for a key waits for one row. */
export function openOwnKeys(folder: string): OwnKeys {
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { timeout: BUSY_WAIT_MS, readOnly: true });
  return {
    database,
    keys: createKeyLookup(new Kysely<Schema>({ dialect: sqliteDialect(database, 0) }), async () => undefined),
  };
}
