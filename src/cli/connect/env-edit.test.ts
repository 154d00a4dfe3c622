import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setVariables } from './env-edit.ts';

const VALUES = { URL: 'http://x/v1', KEY: 'hg' };
const ADDED = 'URL=http://x/v1\nKEY=hg\n';

const CASES: readonly [name: string, before: string, after: string][] = [
  ['an empty file', '', ADDED],
  ['a last line that does not end', 'A=1', `A=1\n${ADDED}`],
  [
    'lines that set them',
    '# KEY=1\nexport KEY = "old"\nURL=old # x\nOTHER_KEY=1\n',
    '# KEY=1\nexport KEY=hg\nURL=http://x/v1\nOTHER_KEY=1\n',
  ],
  ['CRLF', 'KEY=old\r\nA=1\r\n', 'KEY=hg\r\nA=1\r\nURL=http://x/v1\r\n'],
  ['a quote that nothing closes', 'A="x\nKEY=\'\n', 'A="x\nKEY=hg\nURL=http://x/v1\n'],
  [
    'a line within a value',
    "A='x\nKEY=1\n'\nB=\"it's\"\nKEY=2\n",
    `A='x\nKEY=1\n'\nB="it's"\nKEY=hg\nURL=http://x/v1\n`,
  ],
];

for (const [name, before, after] of CASES) {
  test(`${name}: only the variables are set`, () => {
    assert.equal(setVariables(before, VALUES), after);
    assert.equal(setVariables(after, VALUES), after, 'a second time changes nothing');
  });
}
