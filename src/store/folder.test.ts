import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WAIT_MS } from '../testing/wait.ts';
import { temporaryFolder } from './fixtures.test.ts';
import { makePrivateFolder, requireDataFolder } from './folder.ts';

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

test('a folder is made with those it is in, closed to others; one that is there stays as it is', (t) => {
  const root = temporaryFolder(t);
  const open = join(root, 'open');
  mkdirSync(open, { mode: 0o755 });
  makePrivateFolder(join(open, 'a', 'b'));
  makePrivateFolder(join(open, 'a', 'b'));
  assert.deepEqual([open, join(open, 'a'), join(open, 'a', 'b')].map(modeOf), [0o755, 0o700, 0o700]);
});

test('a data folder that this user may not write is told in a sentence', (t) => {
  if (process.getuid?.() === 0)
    return t.skip('root may write everywhere: tests/attacks/read-only.test.ts has a disk for it');
  const folder = join(temporaryFolder(t), 'data');
  mkdirSync(folder, { mode: 0o500 });
  assert.throws(() => requireDataFolder(folder), {
    name: 'DataFolderError',
    message: `The data folder ${folder} cannot be written: this user may not (EACCES). Headgate writes there even to read.`,
  });
});

test('a file in its place, or on the way to it, is an error', (t) => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  assert.throws(() => makePrivateFolder(file), { code: 'EEXIST' });
  assert.throws(() => makePrivateFolder(join(file, 'a', 'b')), /E(EXIST|NOTDIR)/);
});

test('a folder that the system does not make is an error, not a wait without end', (t) => {
  if (process.platform !== 'linux') return t.skip('it has no /proc');
  // In a process of its own: what never comes back cannot be timed out from within.
  const code = `
    const { makePrivateFolder } = await import(${JSON.stringify(new URL('folder.ts', import.meta.url))});
    makePrivateFolder('/proc/nope');
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { timeout: WAIT_MS });
  assert.equal(status, 1);
  assert.match(String(stderr), /ENOENT.*\/proc\/nope/);
});
