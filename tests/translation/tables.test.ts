import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RECOGNIZERS } from '../../src/dialects/too-long.ts';

const DOCUMENT = fileURLToPath(new URL('../../docs/translation.md', import.meta.url));

/** The rows of the table under a heading of `docs/translation.md`, cell by cell. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

test('docs/translation.md names every vendor whose words for a prompt that is too long are known', () => {
  const expected = RECOGNIZERS.map(({ who, source }) => [who, source === 'reports' ? 'reports of callers' : source]);
  assert.deepEqual(tableUnder('Prompts that are too long'), expected);
});
