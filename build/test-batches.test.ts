import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { batchesOf, spreadOut } from './test-batches.ts';

/** A repository with these files. */
function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'headgate-batches-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('files of a folder of the sources or of the console share processes, and others have their own', () => {
  const many = Array.from({ length: 9 }, (_, index) => `src/store/${index}.test.ts`);
  const files = [
    ...many,
    'src/keys/a.test.ts',
    'src/keys/deep/b.test.ts',
    'tests/console/c.test.ts',
    'tests/console/d.test.ts',
    'tests/faults/c.test.ts',
    'tests/faults/d.test.ts',
  ];
  const batches = batchesOf(repository({}), files);
  assert.deepEqual(
    batches.map(({ length }) => length),
    [1, 1, 5, 4, 2, 1, 1],
  );
  assert.deepEqual(batches.flat().sort(), files.sort());
});

test('a file has its own process if it or what it imports replaces what a process has once', () => {
  const files = {
    'src/keys/a.test.ts': "import { tick } from './clock.ts';",
    'src/keys/b.test.ts': "mock.timers.enable({ apis: ['setTimeout'] });",
    'src/keys/certificates.test.ts': 'setDefaultCACertificates([]);',
    'src/keys/c.test.ts': 'export const c = 1;',
    'src/keys/clock.ts': 'export const tick = (ms: number) => mock.timers.tick(ms);',
    'src/keys/d.test.ts': 'export const d = 1;',
  };
  const tests = Object.keys(files).filter((file) => file.endsWith('.test.ts'));
  assert.deepEqual(batchesOf(repository(files), tests), [
    ['src/keys/a.test.ts'],
    ['src/keys/b.test.ts'],
    ['src/keys/c.test.ts', 'src/keys/d.test.ts'],
    ['src/keys/certificates.test.ts'],
  ]);
});

test('batches of a folder are spread evenly over a run', () => {
  const batches = ['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'b/2', 'c/1'].map((file) => [file]);
  assert.deepEqual(spreadOut(batches).flat(), ['a/1', 'b/1', 'a/2', 'c/1', 'a/3', 'b/2', 'a/4']);
});
