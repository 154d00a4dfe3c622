import { argon2, hkdfSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../../core/errors.ts';
import type { Secret } from '../../core/secret.ts';
import type { RandomBytes } from '../../keys/format.ts';
import { invalid } from '../administration.ts';
import { isEasyPassword } from './easy-passwords.ts';

const PRODUCT = 'headgate';
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 1024;

/** The work factor: 19 MiB of memory and two passes, OWASP's minimum. A hash contains its own. */
const WORK: Work = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** Each uses a core and the memory of its work factor. More wait, and beyond the queue they are refused. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 50;

/** `memory` in KiB. */
type Work = { memory: number; passes: number; parallelism: number };

const derive = promisify(argon2);

/**
 * Creates and checks hashes of passwords (Argon2id), a few at a time. Each includes the pepper, which is not in the
 * database.
 */
export class Passwords {
  readonly #pepper: Buffer;
  readonly #random: RandomBytes;
  /** The hash to compare with if there is none, so that the time is the same. */
  readonly #nobodys: string;
  #working = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(pepper: Secret, random: RandomBytes) {
    this.#pepper = Buffer.from(hkdfSync('sha256', pepper.reveal(), '', 'headgate passwords', 32));
    this.#random = random;
    this.#nobodys = written(random(SALT_BYTES), random(TAG_BYTES));
  }

  /** A hash in PHC form: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. Rejects with `overloaded` if too many are waiting. */
  async hash(password: string): Promise<string> {
    const salt = this.#random(SALT_BYTES);
    return written(salt, await this.derive(password, salt, WORK));
  }

  /** Whether the password matches the hash; never for `null`, in the same time. Rejects with `overloaded`. */
  async isRight(password: string, hash: string | null): Promise<boolean> {
    const { work, salt, tag } = readHash(hash ?? this.#nobodys);
    const found = await this.derive(password, salt, work);
    return found.length === tag.length && timingSafeEqual(found, tag) && hash !== null;
  }

  /** Whether a hash has another work factor than new ones. */
  isOutdated(hash: string): boolean {
    const { work } = readHash(hash);
    return JSON.stringify(work) !== JSON.stringify(WORK);
  }

  /** Runs a hash or check in the queue. Rejects with `overloaded`. */
  async derive(password: string, salt: Buffer, work: Work): Promise<Buffer> {
    await this.#turn();
    try {
      return await derive('argon2id', {
        // The same letters may have other code points on another machine.
        message: password.normalize('NFKC'),
        nonce: salt,
        secret: this.#pepper,
        tagLength: TAG_BYTES,
        ...work,
      });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#working -= 1;
      else next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#working < MAX_AT_ONCE) {
      this.#working += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING)
      throw new GatewayError('overloaded', 'Too many passwords are being checked. Try again in a moment.');
    // The place is passed on.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * Throws `invalid_request` if a password is too short, too long or too easily guessed.
 *
 * @param known - what others know of its owner: the email address, names of the person and of their organizations
 */
export function demandGoodPassword(password: string, known: readonly string[]): void {
  if ([...password].length < MIN_PASSWORD) throw invalid('password', `must have at least ${MIN_PASSWORD} characters`);
  if (password.length > MAX_PASSWORD) throw invalid('password', `must have at most ${MAX_PASSWORD} characters`);
  if (isEasyPassword(password, [PRODUCT, ...known]))
    throw invalid(
      'password',
      'is too easily guessed: common words, keyboard rows, repetitions, years, your name, address and organization count little. Use several unrelated words',
    );
}

function written(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = WORK;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function readHash(hash: string): { work: Work; salt: Buffer; tag: Buffer } {
  const read = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash);
  if (read === null) throw new Error('The hash of a password cannot be read.');
  const [, memory, passes, parallelism, salt = '', tag = ''] = read;
  return {
    work: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
