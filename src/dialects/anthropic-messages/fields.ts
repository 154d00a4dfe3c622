import { wrongType } from '../request.ts';
import type { Unchecked } from '../unchecked-json.ts';

/** Readers of a caller's fields. A wrong type throws a 400 that names the path; `null` counts as missing. */

export function object(value: unknown, path: string): Unchecked {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Unchecked;
  throw wrongType(path, 'an object');
}

export function optionalObject(value: unknown, path: string): Unchecked | undefined {
  return value === undefined || value === null ? undefined : object(value, path);
}

export function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw wrongType(path, 'an array');
}

export function optionalList(value: unknown, path: string): readonly unknown[] {
  return value === undefined || value === null ? [] : list(value, path);
}

export function text(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw wrongType(path, 'a string');
}

export function optionalText(value: unknown, path: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, path);
}

export function optionalNumber(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value;
  throw wrongType(path, 'a number');
}

export function optionalBoolean(value: unknown, path: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw wrongType(path, 'a boolean');
}

/** An object with this one member, or an empty object if the value is undefined. */
export function given<Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value });
}
