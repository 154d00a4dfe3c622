import { GatewayError } from '../../core/errors.ts';
import { missing, wrongType } from '../request.ts';

/** Members of an object in a caller's body, each checked where it is read. `null` is as good as nothing. */
export class Fields {
  readonly #members: Readonly<Record<string, unknown>>;
  /** Where the object stands, as callers are told; empty for the body itself. */
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(path, 'an object');
    this.#members = value as Record<string, unknown>;
    this.#path = path;
  }

  get names(): readonly string[] {
    return Object.keys(this.#members);
  }

  /** Where a member stands. */
  at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  raw(name: string): unknown {
    return (Object.hasOwn(this.#members, name) ? this.#members[name] : undefined) ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value !== undefined && typeof value !== 'string') throw wrongType(this.at(name), 'a string');
    return value;
  }

  /** A text that must be there. */
  needed(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw missing(this.at(name), `\`${this.at(name)}\` is missing.`);
    return value;
  }

  number(name: string): number | undefined {
    const value = this.raw(name);
    if (value !== undefined && typeof value !== 'number') throw wrongType(this.at(name), 'a number');
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.number(name);
    if (value !== undefined && !Number.isInteger(value)) throw wrongType(this.at(name), 'an integer');
    return value;
  }

  boolean(name: string): boolean | undefined {
    const value = this.raw(name);
    if (value !== undefined && typeof value !== 'boolean') throw wrongType(this.at(name), 'a boolean');
    return value;
  }

  object(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.at(name));
  }

  /** An object as it is, such as a JSON Schema. */
  plain(name: string): Readonly<Record<string, unknown>> | undefined {
    const inner = this.object(name);
    return inner === undefined ? undefined : inner.#members;
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.raw(name);
    if (value !== undefined && !Array.isArray(value)) throw wrongType(this.at(name), 'an array');
    return value;
  }

  /** The objects of a list. */
  objects(name: string): readonly Fields[] {
    return (this.list(name) ?? []).map((value, index) => new Fields(value, `${this.at(name)}[${index}]`));
  }
}

/** The refusal of a word that is none of those there are. */
export function unknownWord(param: string, word: string, known: readonly string[]): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` must be one of ${known.join(', ')}; ${word} is not.`, {
    param,
    code: 'invalid_value',
  });
}
