import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';

test('a damaged limits.db is made anew at a start, and one that cannot be is named', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'limits.db');
  const start = async () => {
    const storage = await openStorage({ folder, instanceId: 'instance_1', durability: 'normal' });
    try {
      await storage.leases.clear();
      await storage.leases.end('instance_1');
    } finally {
      await storage.close();
    }
  };
  await start();
  const whole = readFileSync(path);
  const otherTables = () => {
    rmSync(path);
    using other = new DatabaseSync(path);
    other.exec('create table shared_limits (other text)');
  };
  const damages = [
    () => writeFileSync(path, 'no database at all, but some text'),
    () => writeFileSync(path, whole.subarray(0, 5000)),
    () => writeFileSync(path, Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 7)])),
    otherTables,
  ];
  for (const damage of damages) {
    damage();
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    await assert.doesNotReject(start, String(damage));
  }
  rmSync(path);
  mkdirSync(path);
  await assert.rejects(start, /limits\.db cannot be used/);
});
