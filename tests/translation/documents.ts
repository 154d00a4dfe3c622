import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCUMENT = fileURLToPath(new URL('../../docs/translation.md', import.meta.url));

/** Holds the table under a heading of `docs/translation.md` to these rows, or writes it (`HEADGATE_GOLDEN=write`). */
export function holdTable(heading: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const document = readFileSync(DOCUMENT, 'utf8');
  const start = document.indexOf(`\n## ${heading}\n`);
  assert.notEqual(start, -1, `a section “${heading}”`);
  const section = /(?:^\|.*\n)+/m.exec(document.slice(start));
  assert.ok(section, `a table under “${heading}”`);
  if (process.env.HEADGATE_GOLDEN === 'write') {
    const at = start + section.index;
    writeFileSync(DOCUMENT, `${document.slice(0, at)}${table}\n${document.slice(at + section[0].length)}`);
  } else assert.equal(section[0].trimEnd(), table);
}
