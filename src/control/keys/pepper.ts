import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../../core/secret.ts';

const FILE_NAME = 'pepper';
const PEPPER_BYTES = 32;
const SHAPE = new RegExp(`^[0-9a-f]{${PEPPER_BYTES * 2}}$`);
/** Of a pepper that the operator gives. */
const MIN_LENGTH = 32;

/**
 * The pepper that keys are hashed under. It lives outside the database, so that a copy of the database alone cannot be
 * used to test guesses: in the environment, or else in the file `pepper` of the data folder, which is made on first use.
 * Throws where it is damaged or too short. The folder must exist.
 */
export function loadPepper(folder: string, fromEnvironment: Secret | null): Secret {
  if (fromEnvironment !== null) return checkGiven(fromEnvironment);
  const path = join(folder, FILE_NAME);
  if (!existsSync(path)) createPepper(path);
  return readPepper(path);
}

function checkGiven(pepper: Secret): Secret {
  const { length } = pepper.reveal();
  if (length < MIN_LENGTH) {
    throw new Error(`The pepper given by the environment has ${length} characters; it needs at least ${MIN_LENGTH}.`);
  }
  return pepper;
}

/**
 * Of processes that start together one wins, and the others find its file. The file appears by a link, which is
 * exclusive and shows it only once it is whole; opened in place, it could be read (or left by a crash) empty.
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
