import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DIALECTS } from '../built.ts';
import { CASE_KINDS, runCase } from './cases.ts';

/**
 * One file a case, in `cases/KIND/` of each dialect: parts with a line of dashes between, the last of which is what is
 * expected. `cases.ts` says for each kind what stands in the others.
 */
const SEPARATOR = /^-{5,}\n/m;

for (const dialect of DIALECTS) {
  for (const kind of CASE_KINDS) {
    const folder = fileURLToPath(new URL(`../${dialect.id}/cases/${kind}/`, import.meta.url));
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder).sort()) {
      test(`${dialect.id}, ${kind}: ${file.replace('.txt', '').replaceAll('-', ' ')}`, () => {
        const parts = readFileSync(`${folder}${file}`, 'utf8').split(SEPARATOR);
        const given = parts.slice(0, -1).map((part) => part.replace(/\n$/, ''));
        assert.equal(runCase(dialect, kind, given), parts.at(-1)?.replace(/\n$/, ''));
      });
    }
  }
}
