/**
 * Readers of JSON that was received and not checked. Any member may be missing or of any type, because vendors deviate
 * and callers send back what they received.
 */

/** An object of such JSON. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** Whether the value is an object, and no list. */
export function isObject(value: unknown): value is Unchecked {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The object, or an empty one if the value is not an object. */
export function objectOf(value: unknown): Unchecked {
  return isObject(value) ? value : {};
}

/** The list, or an empty one if the value is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, or an empty one if the value is not a string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text; `null` if it is empty or not a string. */
export function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Whether the value is a whole number of at least 0. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The whole number of at least 0, or 0 if the value is none. */
export function countOf(value: unknown): number {
  return isCount(value) ? value : 0;
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The members that are not undefined. */
export function defined<T extends object>(members: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) kept[name] = value as Exclude<T[typeof name], undefined>;
  }
  return kept;
}
