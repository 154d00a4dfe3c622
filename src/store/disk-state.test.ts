import assert from 'node:assert/strict';
import { statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { DiskState, WRITE_CHECK_BYTES, WRITE_CHECK_FILE, WRITE_CHECK_MS } from './disk-state.ts';
import { intent, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';
import { diskReason } from './sqlite/errors.ts';

test('a look writes at most every ten seconds, and nothing where calls have been written', async (t) => {
  const { storage, disk, clock } = await openTestStorage(t);
  assert.equal(await storage.look(), null);
  assert.deepEqual(disk.written, [WRITE_CHECK_BYTES]);
  for (clock.now = 1; clock.now < WRITE_CHECK_MS; clock.now += 500) assert.equal(await storage.look(), null);
  assert.deepEqual(disk.written, [WRITE_CHECK_BYTES]);
  await storage.ledger.intend(intent(1));
  disk.written.length = 0;
  clock.now += WRITE_CHECK_MS - 1;
  assert.equal(await storage.look(), null);
  assert.deepEqual(disk.written, []);
  clock.now += 1;
  assert.equal(await storage.look(), null);
  assert.deepEqual(disk.written, [WRITE_CHECK_BYTES]);
  assert.equal(statSync(join(disk.folder, WRITE_CHECK_FILE)).size, 0);
});

test('a disk that became full while nothing was written is noticed within ten seconds', async (t) => {
  const { storage, disk, clock } = await openTestStorage(t);
  assert.equal(await storage.look(), null);
  disk.failure = 'cut';
  clock.now = WRITE_CHECK_MS - 1;
  assert.equal(await storage.look(), null);
  clock.now = WRITE_CHECK_MS;
  assert.equal((await storage.look())?.reason, 'full');
  disk.failure = null;
  assert.equal(await storage.look(), null);
  assert.equal(storage.trouble(), null);
});

test('a write that fails is known at once, by its reason, until one succeeds', async (t) => {
  const { storage, disk } = await openTestStorage(t);
  let told = 0;
  storage.onTrouble(() => {
    told += 1;
  });
  for (const [code, reason] of [
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EFBIG', 'full'],
    ['EROFS', 'read_only'],
    ['EIO', 'failing'],
  ] as const) {
    disk.failure = code;
    const before = told;
    await assert.rejects(storage.ledger.intend(intent(1)), { kind: 'storage_unavailable' });
    assert.deepEqual([storage.trouble()?.reason, told], [reason, before + 1], code);
    assert.equal((await storage.look())?.reason, reason);
  }
  disk.failure = null;
  await storage.ledger.intend(intent(1));
  assert.equal(storage.trouble(), null);
});

test('tables that refuse to be written are trouble too, which a look sees the end of', async (t) => {
  const { storage, disk } = await openTestStorage(t);
  const other = new DatabaseSync(join(disk.folder, 'headgate.db'), { timeout: 0 });
  t.after(() => other.close());
  other.exec('begin immediate');
  await assert.rejects(storage.organizations.create({ id: 'org_9', name: 'Late', createdAt: 0 }));
  assert.equal(storage.trouble()?.reason, 'failing');
  assert.equal((await storage.look())?.reason, 'failing');
  other.exec('rollback');
  assert.equal(await storage.look(), null);
});

test('a value that the tables refuse is no trouble of the disk', async (t) => {
  const { storage } = await openTestStorage(t);
  const twice = { id: 'org_1', name: 'First', createdAt: 0 };
  await storage.organizations.create(twice);
  await assert.rejects(storage.organizations.create(twice));
  assert.equal(storage.trouble(), null);
});

test('what SQLite says of a disk is understood', () => {
  const failed = (errcode: number) => Object.assign(new Error('SQLite'), { errcode });
  const reasonOf = (error: Error) => {
    const disk = new DiskState(() => 0, diskReason);
    disk.failed('tables', error);
    return disk.trouble?.reason;
  };
  assert.deepEqual([13, 8, 8 | (1 << 8), 10, 11].map(failed).map(reasonOf), [
    'full',
    'read_only',
    'read_only',
    'failing',
    'failing',
  ]);
});

async function openTestStorage(t: TestContext) {
  const folder = temporaryFolder(t);
  const clock = { now: 0 };
  const disk = { folder, written: [] as number[], failure: null as string | null };
  const writeJournal = (descriptor: number, bytes: Buffer) => {
    if (disk.failure === 'cut') return writeSync(descriptor, bytes.subarray(0, 100));
    if (disk.failure !== null) throw Object.assign(new Error(disk.failure), { code: disk.failure });
    disk.written.push(bytes.length);
    return writeSync(descriptor, bytes);
  };
  const storage = await openStorage({
    folder,
    instanceId: 'instance_1',
    durability: 'normal',
    lockWaitMs: 50,
    writeJournal,
    now: () => clock.now,
  });
  t.after(() => storage.close());
  return { storage, disk, clock };
}
