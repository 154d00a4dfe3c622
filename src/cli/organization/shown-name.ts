import { nameFault } from '../../core/printable-text.ts';
import { UsageError } from '../failure.ts';

/** A display name. Throws a `UsageError` that says where it was given. */
export function shownName(where: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200) throw new UsageError(`${where} must be 1 to 200 characters.`);
  const fault = nameFault(name);
  if (fault !== null) throw new UsageError(`${where} ${fault}.`);
  return name;
}
