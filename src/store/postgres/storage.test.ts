import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nextPoll } from '../../testing/wait.ts';
import { temporaryFolder } from '../fixtures.test.ts';
import { temporaryDatabase, WITH_POSTGRES } from './database.test.ts';
import { createPool } from './pool.ts';
import { openStorage } from './storage.ts';

test('a data folder that cannot be used is told before the database is asked', async (t) => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  const opening = openStorage({
    url: 'postgres://nobody@127.0.0.1:1/none',
    folder: join(file, 'data'),
    instanceId: 'instance_1',
    durability: 'normal',
  });
  await assert.rejects(opening, { name: 'StorageOpenError', message: /^The data folder .* cannot be used: / });
});

test('what cannot be opened leaves no connection behind', WITH_POSTGRES, async (t) => {
  const url = await temporaryDatabase(t);
  const folder = temporaryFolder(t);
  const opening = openStorage({
    url,
    folder,
    instanceId: 'instance_1',
    // Is asked for by a step behind the database's.
    get durability(): never {
      throw new Error('A later step failed.');
    },
  });
  await assert.rejects(opening, { message: 'A later step failed.' });
  const pool = createPool({ url, connections: 1 });
  t.after(() => pool.close());
  const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  while ((await pool.query(others)).rows.length > 0) await nextPoll();
});
