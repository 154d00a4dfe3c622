import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { filesThatReach } from './import-graph.ts';

test('a file is reached by what imports it, directly, by others, in a circle, or while it runs', () => {
  const root = mkdtempSync(join(tmpdir(), 'headgate-graph-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('src/a.ts', "import { b } from './b.ts';");
  write('src/b.ts', "export type { A } from './a.ts';");
  write('src/a.test.ts', "import { a } from './a.ts';");
  write('src/c.test.ts', "import {\n  c,\n} from './c.ts';");
  write('src/c.ts', 'export const c = 1;');
  write('tests/later.test.ts', "await import('../src/b.ts');");
  assert.deepEqual([...filesThatReach(root, ['src/b.ts'])].sort(), [
    'src/a.test.ts',
    'src/a.ts',
    'src/b.ts',
    'tests/later.test.ts',
  ]);
  assert.deepEqual([...filesThatReach(root, ['src/c.ts'])].sort(), ['src/c.test.ts', 'src/c.ts']);
  assert.deepEqual([...filesThatReach(root, ['docs/x.md'])], ['docs/x.md']);
});
