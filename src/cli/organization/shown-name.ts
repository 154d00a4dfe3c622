import { UsageError } from '../failure.ts';

/** A name for people. Throws a `UsageError` that names where it stood. */
export function shownName(where: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200 || /\p{Cc}/u.test(name)) {
    throw new UsageError(`${where} must be 1 to 200 characters that can be shown.`);
  }
  return name;
}
