import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isStale } from './stale.ts';

test('what was built is stale where it is missing, or older than any file of its sources', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-stale-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const place = (name: string) => join(folder, name);
  const write = (name: string, seconds: number) => {
    writeFileSync(place(name), '');
    utimesSync(place(name), seconds, seconds);
  };
  mkdirSync(place('sources/deep'), { recursive: true });
  const stale = () => isStale(place('built'), [place('sources'), place('lock')]);
  write('sources/deep/a.ts', 10);
  write('lock', 10);
  assert.equal(stale(), true, 'missing');
  write('built', 20);
  assert.equal(stale(), false);
  write('sources/deep/a.ts', 30);
  assert.equal(stale(), true, 'a file in a folder is newer');
  write('built', 40);
  write('lock', 50);
  assert.equal(stale(), true, 'a file is newer');
});
