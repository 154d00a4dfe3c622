import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../core/secret.ts';

const FILE_NAME = 'pepper';
const PEPPER_BYTES = 32;
const SHAPE = new RegExp(`^[0-9a-f]{${PEPPER_BYTES * 2}}$`);

/**
 * Loads the pepper that keys are hashed with. It is kept outside the database, so that a copy of the database alone
 * cannot be used to test guesses: in the environment, or else in the file `pepper` of the data folder, which is created
 * on first use. Throws if the file is damaged, or missing although there are keys: with another pepper none of them
 * would be recognised. The folder must exist.
 */
export function loadPepper(folder: string, fromEnvironment: Secret | null, hasKeys = false): Secret {
  if (fromEnvironment !== null) return fromEnvironment;
  const path = join(folder, FILE_NAME);
  if (!existsSync(path)) {
    if (hasKeys) throw new Error(missing(path));
    createPepper(path);
  }
  return readPepper(path);
}

function missing(path: string): string {
  return (
    `There are API keys, but no pepper to check them with: ${path} is not there and HEADGATE_PEPPER is not set. ` +
    'Give the one that they were made with.'
  );
}

/**
 * Creates the pepper file. If several processes start together, one wins and the others use its file. Linking a
 * complete draft is exclusive and atomic; a file written in place could be read, or left by a crash, while it is empty.
 */
function createPepper(path: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  const content = `${randomBytes(PEPPER_BYTES).toString('hex')}\n`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function readPepper(path: string): Secret {
  const pepper = readFileSync(path, 'utf8').trimEnd();
  if (!SHAPE.test(pepper)) {
    throw new Error(
      `The pepper in ${path} is damaged: it must be ${PEPPER_BYTES * 2} hexadecimal digits. ` +
        'Restore it from a backup: without it none of the existing API keys can be recognised.',
    );
  }
  return new Secret(pepper);
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
