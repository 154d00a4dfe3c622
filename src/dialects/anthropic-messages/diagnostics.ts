import { hasMember } from '../../json/tape.ts';
import type { Compared } from '../dialect.ts';
import { type RequestBody, rootOf } from '../request.ts';

export const DIAGNOSTICS = 'diagnostics';
const PREVIOUS = 'previous_message_id';

/**
 * The place of the id of the answer to compare the prompt with. The id is checked: it must be of an answer of the same
 * key.
 */
export const COMPARED_ID = `${DIAGNOSTICS}.${PREVIOUS}`;

/**
 * The earlier answer that the vendor is to compare the prompt with; `null` if the call asks for no diagnostics. An id
 * that may not be sent is omitted, and no call fails for it, because diagnostics only say where two prompts differ.
 * https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics
 */
export function readCompared(request: RequestBody): Compared | null {
  if (!hasMember(request.body, request.index, DIAGNOSTICS)) return null;
  const diagnostics = rootOf(request).get(DIAGNOSTICS);
  if (diagnostics === null || !diagnostics.isObject) return null;
  const after = diagnostics.get(PREVIOUS);
  // A value that is no string is the id of no answer.
  return { after: after === null || after.isNull ? null : (after.text ?? ''), madeBy: null };
}

/** The place of the id in the body of a call that has one. */
export function comparedIdIn(request: RequestBody): { start: number; end: number } | null {
  return rootOf(request).get(DIAGNOSTICS)?.get(PREVIOUS) ?? null;
}
