import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts';

test('on a read-only disk every command says so in a sentence, and ends with 1', { skip: NO_SMALL_DISK }, async () => {
  using disk = mountSmallDisk();
  const data = join(disk.path, 'data');
  const empty = join(disk.path, 'empty');
  mkdirSync(empty);
  {
    await using headgate = await startHeadgate({ data });
    assert.equal(await headgate.stop(), 0);
  }
  disk.makeReadOnly();
  const sentence = (folder: string) =>
    `The data folder ${folder} cannot be written: its file system is read-only (EROFS). Headgate writes there even to read.`;
  for (const args of [['serve'], ['serve', '--workers', '2'], ['keys', 'list'], ['usage', 'list']]) {
    const { code, stdout, stderr } = await runHeadgate(args, { data });
    assert.deepEqual([code, stdout, stderr], [1, '', `${sentence(data)}\n`], args.join(' '));
  }
  const doctor = await runHeadgate(['doctor'], { data });
  assert.equal(doctor.code, 1);
  assert(doctor.stdout.includes(`storage    ${sentence(data)}`), doctor.stdout);
  for (const folder of [empty, join(disk.path, 'none')]) {
    const { code, stderr } = await runHeadgate(['serve'], { data: folder });
    assert.deepEqual([code, stderr], [1, `${sentence(folder)}\n`]);
  }
});
