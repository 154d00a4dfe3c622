import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newestPrograms } from './postgres-server.ts';

test('the newest Postgres is the newest that has a server', (t) => {
  const packages = mkdtempSync(join(tmpdir(), 'headgate-pg-programs-'));
  t.after(() => rmSync(packages, { recursive: true }));
  assert.throws(() => newestPrograms(packages), /There is no Postgres in /);
  for (const [version, program] of [
    ['9', 'postgres'],
    ['15', 'postgres'],
    ['17', 'psql'],
  ] as const) {
    mkdirSync(join(packages, version, 'bin'), { recursive: true });
    writeFileSync(join(packages, version, 'bin', program), '');
  }
  assert.equal(newestPrograms(packages), join(packages, '15', 'bin'));
});
