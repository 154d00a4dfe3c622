import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { MUTANTS } from './mutants.ts';

const SRC = resolve(import.meta.dirname, '../../src');

test('each change of the list stands once in the source, and has tests beside it', () => {
  const misplaced = MUTANTS.filter(({ file, from, tests }) => {
    const pieces = readFileSync(join(SRC, file), 'utf8').split(from).length;
    return pieces !== 2 || tests.some((pattern) => globSync(pattern, { cwd: SRC }).length === 0);
  });
  assert.ok(MUTANTS.length >= 100);
  assert.deepEqual(
    misplaced.map(({ file, what }) => `${file}: ${what}`),
    [],
  );
});
