import { hkdfSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secret } from '../core/secret.ts';
import { makeSecretFile, newSecretText, replaceSecretFile, SECRET_SHAPE } from './secret-file.ts';

/** In the data folder: the current key, followed by the previous one during a rotation. */
const FILE_NAME = 'wrapping-key';

/** An AES-256 key. The id identifies it and reveals nothing of it. */
export type WrappingKey = { id: string; key: Uint8Array };

/** The keys of the environment: the current key, and the previous one during a rotation. */
export type WrappingSecrets = Readonly<{ current: Secret | null; before: Secret | null }>;

/**
 * The wrapping keys of stored vendor keys, from the environment or else from a file in the data folder, never from the
 * database. They are read each time, since another process may have changed them.
 */
export class WrappingKeys {
  readonly #path: string;
  readonly #given: WrappingSecrets;

  constructor(folder: string, given: WrappingSecrets) {
    this.#path = join(folder, FILE_NAME);
    this.#given = given;
  }

  /** True if the keys come from the environment, where they must then be rotated. */
  get areFromEnvironment(): boolean {
    return this.#given.current !== null;
  }

  /** The key for new seals. Creates the file if it does not exist. */
  current(): WrappingKey {
    const { current } = this.#given;
    if (current !== null) return keyOf(current.reveal());
    makeSecretFile(this.#path);
    return keyOf(this.#inFile()[0]!);
  }

  /** The key with this id; `null` if there is none. */
  of(id: string): WrappingKey | null {
    const given = [this.#given.current, this.#given.before].flatMap((secret) => secret?.reveal() ?? []);
    const all = [...given, ...this.#inFile()].map(keyOf);
    return all.find((each) => each.id === id) ?? null;
  }

  /** Puts a new key before the key of the file, which still opens what it sealed. */
  renew(): WrappingKey {
    this.current();
    const secret = newSecretText();
    replaceSecretFile(this.#path, [secret, ...this.#inFile()]);
    return keyOf(secret);
  }

  /** Removes all keys but the first from the file. */
  forgetEarlier(): void {
    const [first] = this.#inFile();
    if (first !== undefined) replaceSecretFile(this.#path, [first]);
  }

  #inFile(): string[] {
    if (!existsSync(this.#path)) return [];
    const secrets = readFileSync(this.#path, 'utf8').trimEnd().split('\n');
    if (secrets.every((secret) => SECRET_SHAPE.test(secret))) return secrets;
    throw new Error(
      `The wrapping key in ${this.#path} is damaged: each line must be 64 hexadecimal digits. ` +
        'Restore it from a backup: without it no key of a provider that was added here can be read.',
    );
  }
}

function keyOf(secret: string): WrappingKey {
  const derived = (label: string, length: number) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `headgate wrapping ${label}`, length));
  return { id: Buffer.from(derived('key id', 8)).toString('hex'), key: derived('key', 32) };
}
