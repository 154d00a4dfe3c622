import { hkdfSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secret } from '../core/secret.ts';
import { makeSecretFile, newSecretText, replaceSecretFile, SECRET_SHAPE } from './secret-file.ts';

/** In the data folder: the key that is in use, and behind it, while it is changed, the one before. */
const FILE_NAME = 'wrapping-key';

/** A key for AES-256. The id tells it from others, and nothing of it. */
export type WrappingKey = { id: string; key: Uint8Array };

/** What the environment says: the key in use, and the one before it while that is changed. */
export type WrappingSecrets = Readonly<{ current: Secret | null; before: Secret | null }>;

/**
 * The keys that keys of vendors are kept under, which the database never has: of the environment, else of a file in the data
 * folder. They are read each time, since another process may have changed them.
 */
export class WrappingKeys {
  readonly #path: string;
  readonly #given: WrappingSecrets;

  constructor(folder: string, given: WrappingSecrets) {
    this.#path = join(folder, FILE_NAME);
    this.#given = given;
  }

  /** Whether the environment says which they are: they are changed there. */
  get areGiven(): boolean {
    return this.#given.current !== null;
  }

  /** What is sealed now is sealed with it. A file that is not there is made. */
  current(): WrappingKey {
    const { current } = this.#given;
    if (current !== null) return keyOf(current.reveal());
    makeSecretFile(this.#path);
    return keyOf(this.#inFile()[0]!);
  }

  /** The key of this id; `null` where it is not here. */
  of(id: string): WrappingKey | null {
    const given = [this.#given.current, this.#given.before].flatMap((secret) => secret?.reveal() ?? []);
    const all = [...given, ...this.#inFile()].map(keyOf);
    return all.find((each) => each.id === id) ?? null;
  }

  /** Puts a new key before the one of the file, which still opens what it sealed. */
  renew(): WrappingKey {
    this.current();
    const secret = newSecretText();
    replaceSecretFile(this.#path, [secret, ...this.#inFile()]);
    return keyOf(secret);
  }

  /** Takes all keys but the first from the file. */
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
