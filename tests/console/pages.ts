import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../console/src/pages', import.meta.url));

/** Every page that a signed-in owner can open, at its own address, as the pages themselves say it. */
export const PAGES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('page.ts'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
  .filter((text) => !text.includes('isPublic: true'))
  .map((text) => /path: '([^']+)'/.exec(text)?.[1] ?? '')
  .sort();
