import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../core/secret.ts';
import { makeSecretFile, SECRET_SHAPE } from './secret-file.ts';

const FILE_NAME = 'pepper';

/**
 * Loads the pepper that keys are hashed with. It is kept outside the database, so that a copy of the database alone
 * cannot be used to test guesses: in the environment, or else in the file `pepper` of the data folder, which is created
 * on first use. Throws if the file is damaged, or missing although there are keys: with another pepper none of them
 * would be recognised. The folder must exist.
 */
export function loadPepper(folder: string, fromEnvironment: Secret | null, hasKeys = false): Secret {
  if (fromEnvironment !== null) return fromEnvironment;
  const path = join(folder, FILE_NAME);
  if (hasKeys && !existsSync(path)) throw new Error(missing(path));
  makeSecretFile(path);
  return readPepper(path);
}

function missing(path: string): string {
  return (
    `There are API keys, but no pepper to check them with: ${path} is not there and HEADGATE_PEPPER is not set. ` +
    'Give the one that they were made with.'
  );
}

function readPepper(path: string): Secret {
  const pepper = readFileSync(path, 'utf8').trimEnd();
  if (!SECRET_SHAPE.test(pepper)) {
    throw new Error(
      `The pepper in ${path} is damaged: it must be 64 hexadecimal digits. ` +
        'Restore it from a backup: without it none of the existing API keys can be recognised.',
    );
  }
  return new Secret(pepper);
}
