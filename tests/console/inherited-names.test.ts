import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { becomeOwner, CHROMIUM, visit } from './browser.ts';
import { settled } from './settled.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
/** What every object has of its own kind. */
const INHERITED = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
/** The gateway tells what it does not know, and the page says so. */
const REFUSED = '400 /v1/usage/summary?';
const PLACES = [
  ...['measure', 'by', 'source', 'period'].map((name) => ['/usage', name] as const),
  ...['model', 'effort', 'project'].map((name) => ['/playground', name] as const),
  ...['sort', 'ability', 'compare'].map((name) => ['/models', name] as const),
  ['/logs', 'range'],
  ['/settings/keys', 'sort'],
  ['/', 'step'],
  ['/connect', 'client'],
] as const;

test('a word of the address that every object has is one that a page does not know', { skip }, async () => {
  await using visited = await visit();
  const { page, origin, complaints } = visited;
  await becomeOwner(visited);
  const faults: string[] = [];
  for (const [index, [path, name]] of PLACES.entries()) {
    for (const word of IS_NIGHTLY ? INHERITED : [INHERITED[index % INHERITED.length]!]) {
      complaints.length = 0;
      await page.goto(`${origin}${path}?${name}=${word}`);
      await settled(page);
      const isWhole = (await page.getByRole('heading', { level: 1 }).count()) === 1;
      const isRaw = (await page.getByText('native code').count()) > 0;
      const broke = complaints.filter((complaint) => !complaint.startsWith(REFUSED));
      if (!isWhole || isRaw || broke.length > 0) faults.push(`${path}?${name}=${word}: ${broke}`);
    }
  }
  assert.deepEqual(faults, []);
});
