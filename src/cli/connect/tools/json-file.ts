import { OperatorError } from '../../failure.ts';
import { JsonConflict, setJsonMember } from '../json-edit.ts';

/** Members by their paths. */
export type FileMembers = readonly (readonly [path: readonly string[], value: unknown])[];

/** The text of a tool's JSON file with these members set. Throws an `OperatorError` where it cannot be edited. */
export function setMembers(path: string, text: string, members: FileMembers): string {
  try {
    return members.reduce((edited, [member, value]) => setJsonMember(edited, member, value), text);
  } catch (error) {
    if (!(error instanceof JsonConflict)) throw error;
    throw new OperatorError(`${path} cannot be edited: ${error.message}. Without --write the members are shown.`);
  }
}
