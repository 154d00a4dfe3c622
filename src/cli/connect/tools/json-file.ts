import { OperatorError } from '../../failure.ts';
import { JsonConflict, setJsonMember } from '../json-edit.ts';

/** Members by path. */
export type FileMembers = readonly (readonly [path: readonly string[], value: unknown])[];

/**
 * The text of a tool's JSON file with these members set; `empty` is used for an empty file. Throws an `OperatorError`
 * if it cannot be edited.
 */
export function setMembers(path: string, text: string | null, members: FileMembers, empty = '{}\n'): string {
  const before = text === null || text.trim() === '' ? empty : text;
  try {
    return members.reduce((edited, [member, value]) => setJsonMember(edited, member, value), before);
  } catch (error) {
    if (!(error instanceof JsonConflict)) throw error;
    throw new OperatorError(`${path} cannot be edited: ${error.message}. Without --write the members are shown.`);
  }
}
