import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../fixtures.test.ts';
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
