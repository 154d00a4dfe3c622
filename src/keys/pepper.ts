import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../core/secret.ts';
import { makeSecretFile, SECRET_SHAPE } from './secret-file.ts';

const FILE_NAME = 'pepper';

/**
 * Loads the pepper for hashes of API keys: from the environment, else from the file `pepper` of the data folder, which is
 * created on first use. It is not in the database, so a copy of the database alone cannot be used to test guesses. Throws if
 * the file is damaged, or missing although there are keys: with another pepper none of them would be recognised. The folder
 * must exist.
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
    `There are API keys, but no pepper to check them: ${path} does not exist and HEADGATE_PEPPER is not set. ` +
    'Set the pepper that they were created with.'
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
