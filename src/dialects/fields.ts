import { GatewayError } from '../core/errors.ts';
import { missing, wrongType } from './request.ts';
import { isObject, type Unchecked } from './unchecked-json.ts';

/** Members of an object in a caller's body, each checked when read. `null` counts as missing. */
export class Fields {
  readonly #members: Unchecked;
  /** The object's path for error messages; empty for the body itself. */
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (!isObject(value)) throw wrongType(path, 'an object');
    this.#members = value;
    this.#path = path;
  }

  get names(): readonly string[] {
    return Object.keys(this.#members);
  }

  /** The object without checks of its members. */
  get value(): Unchecked {
    return this.#members;
  }

  /** The path of a member. */
  at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  raw(name: string): unknown {
    return this.#members[name] ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.raw(name);
    if (value !== undefined && typeof value !== 'string') throw wrongType(this.at(name), 'a string');
    return value;
  }

  /** A required text. */
  needed(name: string): string {
    return this.#required(name, this.text(name));
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

  /** A nested object without checks of its members, such as a JSON Schema. */
  plain(name: string): Unchecked | undefined {
    return this.object(name)?.value;
  }

  /** A required object. */
  neededObject(name: string): Fields {
    return this.#required(name, this.object(name));
  }

  /** Some of its members, without checks. */
  plainMembers(names: readonly string[]): Unchecked {
    return Object.fromEntries(names.map((name) => [name, this.raw(name)]));
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.raw(name);
    if (value !== undefined && !Array.isArray(value)) throw wrongType(this.at(name), 'an array');
    return value;
  }

  /** The objects of a list. */
  objects(name: string): readonly Fields[] {
    const list = this.list(name);
    if (list === undefined) return [];
    const path = this.at(name);
    return list.map((value, index) => new Fields(value, `${path}[${index}]`));
  }

  /** The objects of a required list. */
  neededObjects(name: string): readonly Fields[] {
    this.#required(name, this.list(name));
    return this.objects(name);
  }

  /** The texts of a list. */
  texts(name: string): string[] | undefined {
    return this.list(name)?.map((value, index) => {
      if (typeof value !== 'string') throw wrongType(`${this.at(name)}[${index}]`, 'a string');
      return value;
    });
  }

  #required<T>(name: string, value: T | undefined): T {
    if (value === undefined) throw missing(this.at(name), `\`${this.at(name)}\` is missing.`);
    return value;
  }
}

/** The error for a value that is not one of the known ones. */
export function unknownWord(param: string, word: string, known: readonly string[]): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` must be one of ${known.join(', ')}; ${word} is not.`, {
    param,
    code: 'invalid_value',
  });
}
