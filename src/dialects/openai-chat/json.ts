/** An object, or an empty one in place of whatever else stands there. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A text, or an empty one in place of whatever else stands there. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A list, or an empty one in place of whatever else stands there. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The members that say something. */
export function said<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
